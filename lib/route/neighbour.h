/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbour.h - static neighbours: which MAC an address has on a port. Private to the room. */
#pragma once

#include "route.h"

struct neighbour {
	struct neighbour_spec spec;
	bool is_used; /* somebody sends to it */
};

struct neighbour_table {
	struct neighbour *entry; /* by address, then port */
	uint32_t n;
};

/* -EINVAL with the reason: no unicast address or MAC, no such port, given twice. -ENOMEM. */
int neighbour_table_open(
	struct neighbour_table *t, const struct route_setup *setup, struct why *why);
void neighbour_table_close(struct neighbour_table *t);

/* NULL: nobody knows. */
struct neighbour *neighbour_find(
	const struct neighbour_table *t, const struct ipaddr *address, uint16_t port);
