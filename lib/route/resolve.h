/* SPDX-License-Identifier: BSD-3-Clause */
/* resolve.h - routes, addresses and neighbours become prefixes with a next hop each. Private to the
 * room; needs no EAL. */
#pragma once

#include "nexthop_table.h"
#include "plan.h"

struct resolved {
	struct plan v4, v6;
	struct nexthop_table nexthops;
	char **warning;
	uint32_t n_warnings;
	uint8_t *route_state; /* enum route_state, by route of the setup */
};

/* -EINVAL, -ENOSPC, -ENOMEM with the reason: then nothing is left to close. */
int resolve(const struct route_setup *setup, struct resolved *out, struct why *why);
void resolved_close(struct resolved *r);
