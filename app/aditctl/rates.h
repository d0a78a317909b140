/* SPDX-License-Identifier: BSD-3-Clause */
/* rates.h - from two looks at a gateway's counters to rates of its ports, SAs and exits. */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "client.h"

enum { LOOK_PORTS, LOOK_SA, LOOK_EXITS, LOOKS };

struct look {
	json_t *data[LOOKS]; /* as the gateway answers; NULL: not yet */
	uint64_t at_ns[LOOKS]; /* of CLOCK_MONOTONIC */
};

/* Asks for all three. On CLIENT_ANSWERED rates_forget() is due. */
enum client_verdict rates_look(const char *path, struct look *out, struct why *why);
void rates_forget(struct look *look);

/* {"seconds": 1.0, "ports": [{"name": …, "rx_pps": …, "rx_mbps": …, …}], "sa": […], "exits": […]}, as
 * docs/control.md has it; a new reference. What was not there before, or counts anew, has a rate of null. SAs
 * and exits are sorted, the busiest first. */
json_t *rates_between(const struct look *before, const struct look *after);
