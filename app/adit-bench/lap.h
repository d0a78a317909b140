/* SPDX-License-Identifier: BSD-3-Clause */
/* lap.h - drives packets through a subject for a while and times what it spends on them.
 *
 *   cold      the feeder writes whole packets on its lcore while the workers forward on theirs
 *   one core  one lcore fills, forwards and drains in turn; only the forwarding is timed
 *   hot       the same with few packets, used again: their memory is in the caches
 *
 * All subjects are timed alike. A cold feeder that is slower than a worker makes it idle, which is not
 * counted against it. */
#pragma once

#include "subject.h"

enum lap_mode { LAP_COLD, LAP_ONE_CORE, LAP_HOT };

/* "cold", "one core", "hot". */
const char *lap_mode_name(enum lap_mode mode);

struct lap_setup {
	enum lap_mode mode;
	double seconds;
	uint16_t burst; /* packets are fed in such portions */
	const uint16_t *lcores; /* of the workers; not used on one core */
	uint16_t n_workers;
	struct rte_mempool *pool;
};

struct lap {
	uint64_t packets; /* through */
	uint64_t bytes; /* of inner packets */
	/* Of the workers, of the TSC. cycles: what rates are made from. Cold: of rounds that found packets;
	 * on one core: from the first round of each filling to the last, waiting included. */
	uint64_t cycles, idle_cycles;
	double seconds; /* of the wall clock, feeding included */
	struct traffic_count traffic;
	uint64_t failures; /* as the subject says */
	double run_delay; /* share of the time that workers waited for a CPU, at worst */
	double steal; /* share of the time that the hypervisor took from this machine */
};

/* Runs one subject, or the two directions of one gateway together. -EBUSY, -ENOMEM. */
int lap_run(const struct lap_setup *setup, struct subject *const subjects[], unsigned n,
	struct lap *out, struct why *why);

/* Whether something else had the CPU for so long that cycles say nothing. */
bool lap_is_disturbed(const struct lap *lap);

/* Whether every packet came, was the right one in its place, and nobody spoke of a failure. */
bool lap_is_right(const struct lap *lap);
