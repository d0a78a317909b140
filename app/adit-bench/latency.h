/* SPDX-License-Identifier: BSD-3-Clause */
/* latency.h - how long packets took: a histogram fine to a hundredth, and their jitter. */
#pragma once

#include <stdint.h>

#define LATENCY_BUCKETS (59 * 64)

struct latency { /* zeroed to begin with */
	uint64_t n, last, differences;
	uint64_t bucket[LATENCY_BUCKETS];
};

void latency_add(struct latency *l, uint64_t cycles);

/* What so large a share of the packets did not exceed, in the same cycles; 0 without any. */
uint64_t latency_quantile(const struct latency *l, double share);

/* How much a packet's differs from that of the packet before, on average (RFC 3393). */
double latency_jitter(const struct latency *l);
