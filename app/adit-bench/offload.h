/* SPDX-License-Identifier: BSD-3-Clause */
/* offload.h - adit-bench offload: what a worker's CPU gets back when something else does the crypto.
 *
 * At one rate, the same for all, packets go out through a gateway in clear, with its crypto in software,
 * and with a lookaside device. Each run has two halves: `alone` the worker polls all the time, and its
 * ledger says how much of that it was busy; `beside` a victim it sleeps for a moment when it finds
 * nothing, and what the victim gets done says what is really left for others. */
#pragma once

#include "pace.h"
#include "sizes.h"
#include "suite.h"

#define OFFLOAD_RUNS_MAX 99

enum offload_kind {
	OFFLOAD_CLEAR,
	OFFLOAD_SOFTWARE,
	OFFLOAD_LOOKASIDE, /* crypto_scheduler, in the place of a card */
	OFFLOAD_QAT,
	OFFLOAD_KINDS
};

/* "clear", "software", "lookaside (lcore)", "qat". */
const char *offload_kind_name(enum offload_kind kind);

struct offload_setup {
	const struct suite *suite;
	struct sizes sizes;
	double seconds; /* of half a run */
	unsigned runs;
	double mpps; /* offered; 0: half of what software carries */
	uint16_t burst;
	uint32_t sample;
	const uint16_t *lcore; /* for the crypto; none: no lookaside device but a card */
	unsigned n_lcores;
	bool is_quiet;
};

struct offload_half {
	double mpps, gbps; /* carried; gbps: of inner IP bytes */
	double cores; /* of the worker, busy by its ledger */
	double median_us, p99_us, p999_us, jitter_us;
	double victim; /* its rate, as a share of what it has alone on that CPU; NAN: that was nothing */
	uint64_t packets, checked;
	double run_delay, steal; /* shares of the time that something else had a CPU of ours */
};

struct offload_run {
	struct offload_half alone, beside;
};

struct offload_result {
	const struct offload_setup *setup;
	bool is_one_core; /* main feeds, forwards and drains */
	uint16_t worker; /* its lcore */
	double max_mpps; /* what software carried as fast as it could; 0: not measured */
	double mpps; /* offered */
	struct {
		char absent[512]; /* why */
		char runs_on[128];
		unsigned n;
		struct offload_run run[OFFLOAD_RUNS_MAX];
	} kind[OFFLOAD_KINDS];
};

/* Megabytes that the EAL should have, and lcores. */
unsigned offload_megabytes(void);
unsigned offload_lcores(const struct offload_setup *setup);

/* -EBUSY, -EINVAL: lcores are missing, or not fit; -EBADMSG: packets were lost or wrong. */
int offload_run(const struct offload_setup *setup, struct offload_result *out, struct why *why);
