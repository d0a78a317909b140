/* SPDX-License-Identifier: BSD-3-Clause */
/* bucket.h - what may happen so often a second: a bucket that fills with time, and is full at first. One
 * worker's. */
#pragma once

#include <rte_cycles.h>
#include <stdbool.h>
#include <stdint.h>

#define BUCKET_BURSTS 10 /* what may happen at once, as parts of what may in a second */

struct bucket {
	uint64_t tokens_tsc; /* credit, in TSC cycles */
	uint64_t cost_tsc; /* of one; 0: never */
	uint64_t filled_tsc; /* when credit was last added; 0 at the start, which is full */
};

/* So many a second, of all workers together. */
static inline void bucket_open(struct bucket *t, uint32_t rate, uint16_t n_workers)
{
	*t = (struct bucket){.cost_tsc = rate == 0 ? 0 : rte_get_tsc_hz() * n_workers / rate};
}

static inline bool bucket_take(struct bucket *t)
{
	uint64_t now = rte_rdtsc(), full = rte_get_tsc_hz() / BUCKET_BURSTS + t->cost_tsc;

	if (t->cost_tsc == 0)
		return false;
	t->tokens_tsc += now - t->filled_tsc;
	t->filled_tsc = now;
	if (t->tokens_tsc > full)
		t->tokens_tsc = full;
	if (t->tokens_tsc < t->cost_tsc)
		return false;
	t->tokens_tsc -= t->cost_tsc;
	return true;
}
