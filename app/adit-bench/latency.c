/* SPDX-License-Identifier: BSD-3-Clause */
/* latency.c - how long packets took: 64 buckets for each power of 2, so an error below 1.6 %. */
#include "latency.h"

#include <math.h>

#define FINE 64 /* the first buckets are of one cycle each */

static unsigned bucket_of(uint64_t cycles)
{
	unsigned power;

	if (cycles < FINE)
		return cycles;
	power = 63 - __builtin_clzll(cycles) - 6; /* cycles >> power: 64 to 127 */
	return power * FINE + (cycles >> power);
}

/* The largest value in it. */
static uint64_t end_of(unsigned bucket)
{
	unsigned power = bucket < 2 * FINE ? 0 : bucket / FINE - 1;

	return ((uint64_t)(bucket - power * FINE + 1) << power) - 1;
}

void latency_add(struct latency *l, uint64_t cycles)
{
	l->bucket[bucket_of(cycles)]++;
	if (l->n++ > 0)
		l->differences += cycles > l->last ? cycles - l->last : l->last - cycles;
	l->last = cycles;
}

uint64_t latency_quantile(const struct latency *l, double share)
{
	uint64_t wanted = ceil(share * l->n), seen;
	unsigned i = 0;

	if (l->n == 0)
		return 0;
	for (seen = l->bucket[0]; seen < wanted; seen += l->bucket[++i])
		;
	return end_of(i);
}

double latency_jitter(const struct latency *l)
{
	return l->n > 1 ? (double)l->differences / (l->n - 1) : 0;
}
