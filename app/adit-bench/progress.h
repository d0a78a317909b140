/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h - one line on a terminal that says how far a run has got. */
#pragma once

#include <stdbool.h>

struct progress {
	bool is_shown;
	unsigned n, done; /* laps */
	double began; /* CLOCK_MONOTONIC */
};

/* Shows nothing where standard error is no terminal. */
void progress_begin(struct progress *p, bool is_quiet, unsigned n);

/* Row k of n, and one more lap. */
void progress_step(struct progress *p, unsigned row, unsigned n_rows);
void progress_end(struct progress *p); /* takes the line away */
