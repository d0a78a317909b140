/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c - one line on a terminal that says how far a run has got. */
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

void progress_begin(struct progress *p, bool is_quiet, unsigned n)
{
	*p = (struct progress){
		.is_shown = !is_quiet && isatty(STDERR_FILENO), .n = n, .began = now()};
}

void progress_step(struct progress *p, unsigned row, unsigned n_rows)
{
	unsigned left;

	p->done++;
	if (!p->is_shown)
		return;
	left = (now() - p->began) / p->done * (p->n > p->done ? p->n - p->done : 0) + 0.5;
	fprintf(stderr, "\r\033[Krow %u of %u, %u:%02u left", row, n_rows, left / 60, left % 60);
}

void progress_end(struct progress *p)
{
	if (p->is_shown)
		fprintf(stderr, "\r\033[K");
}
