/* SPDX-License-Identifier: BSD-3-Clause */
/* pace.h - offers packets to a subject at a fixed rate, and times each from when it is put on the wire
 * to when it is taken off. */
#pragma once

#include "latency.h"
#include "subject.h"

struct pace_setup {
	struct subject *subject; /* of one worker; traffic_begin() is the caller's */
	double pps; /* 0: as many as it takes */
	double seconds;
	uint16_t burst; /* at most so many at once */
	uint16_t worker; /* its lcore; main: one lcore feeds, forwards and drains in turn */
	/* A worker that finds nothing sleeps for PACE_NAP_US: what it does not need is somebody else's
	 * then. Else it polls on, and its CPU is never free. */
	bool naps;
};

#define PACE_NAP_US 10

struct pace {
	double seconds; /* until all were through */
	struct traffic_count traffic;
	uint64_t failures;
	struct latency latency; /* in TSC cycles */
	double run_delay; /* share of the time that a thread of ours waited for a CPU, at worst */
	double steal; /* that the hypervisor took from this machine */
};

/* -EBUSY: the lcore is busy. */
int pace_run(const struct pace_setup *setup, struct pace *out, struct why *why);
