/* SPDX-License-Identifier: BSD-3-Clause */
/* ledger.h - what the workers of a gateway spent their cycles on, over a lap or several. */
#pragma once

#include "worker.h"

#define LEDGER_STAGES_MAX 64

struct ledger {
	unsigned n;
	struct stage_stats stage[LEDGER_STAGES_MAX]; /* cycles and packets of each */
	uint64_t rx_cycles, poll_cycles; /* idle cycles are in them */
	uint64_t busy_cycles, idle_cycles; /* by the rounds' clock */
	uint64_t received;
};

/* Since the pipeline was opened. */
void ledger_read(const struct pipeline *p, struct ledger *out);

/* Adds what came between two readings. */
void ledger_add(struct ledger *sum, const struct ledger *before, const struct ledger *after);

/* All that is booked, as a share of the cycles that passed: 1 if no cycle is in two places or in
 * none. */
double ledger_closes(const struct ledger *l);
bool ledger_is_closed(const struct ledger *l); /* to a hundredth */
