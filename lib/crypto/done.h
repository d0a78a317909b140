/* SPDX-License-Identifier: BSD-3-Clause */
/* done.h - jobs that a library has done at submission and nobody has polled yet, in their order. Inside
 * the room; of one worker. */
#pragma once

#include <rte_malloc.h>

#include "crypto_dp.h"

struct done {
	uint32_t limit, head, tail; /* limit: a power of 2 */
	struct crypto_job **job;
};

/* -ENOMEM. */
static inline int done_open(struct done *d, uint32_t limit, int socket)
{
	d->limit = limit;
	d->job = rte_malloc_socket("done", limit * sizeof(d->job[0]), RTE_CACHE_LINE_SIZE, socket);
	return d->job != NULL ? 0 : -ENOMEM;
}

static inline void done_close(struct done *d)
{
	rte_free(d->job);
}

static inline uint32_t done_count(const struct done *d)
{
	return d->tail - d->head;
}

/* n up to limit less count. */
static inline void done_put(struct done *d, struct crypto_job *const *jobs, uint16_t n)
{
	for (uint16_t i = 0; i < n; i++)
		d->job[d->tail++ & (d->limit - 1)] = jobs[i];
}

static inline uint16_t done_take(struct done *d, struct crypto_job **jobs, uint16_t n)
{
	uint32_t count = done_count(d);

	n = RTE_MIN(n, count);
	for (uint16_t i = 0; i < n; i++)
		jobs[i] = d->job[d->head++ & (d->limit - 1)];
	return n;
}
