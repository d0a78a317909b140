/* SPDX-License-Identifier: BSD-3-Clause */
/* flight.h - inside the room: the jobs that a cryptodev has, by slot, and for how long. What it keeps
 * for too long is given up, but its slot stays taken: the device may still write to that packet. */
#pragma once

#include <rte_malloc.h>

#include "crypto_dp.h"

struct flight {
	uint32_t n_slots, n_free, n_lost;
	struct crypto_job **job; /* by slot; NULL: free */
	uint16_t *free; /* the slots that are free, n_free of them */
};

static inline int flight_open(struct flight *f, uint32_t n_slots, int socket)
{
	f->n_slots = f->n_free = n_slots;
	f->job = rte_zmalloc_socket("flight", n_slots * sizeof(*f->job), 0, socket);
	f->free = rte_malloc_socket("flight", n_slots * sizeof(*f->free), 0, socket);
	if (f->job == NULL || f->free == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < n_slots; i++)
		f->free[i] = n_slots - 1 - i;
	return 0;
}

/* Frees the packets that never came back: no device may have them any more. */
static inline void flight_close(struct flight *f)
{
	for (uint32_t i = 0; f->job != NULL && i < f->n_slots; i++) {
		if (f->job[i] != NULL)
			rte_pktmbuf_free(crypto_job_mbuf(f->job[i]));
	}
	rte_free(f->job);
	rte_free(f->free);
	*f = (struct flight){0};
}

/* One that the device has just taken; there is a free slot. */
static inline void flight_take(struct flight *f, struct crypto_job *job, uint64_t now)
{
	job->slot = f->free[--f->n_free];
	job->since = now;
	f->job[job->slot] = job;
}

/* One that the device gives back. False: it does not have it. */
static inline bool flight_return(struct flight *f, struct crypto_job *job)
{
	if (unlikely(job->slot >= f->n_slots || f->job[job->slot] != job))
		return false;
	f->job[job->slot] = NULL;
	f->free[f->n_free++] = job->slot;
	f->n_lost -= job->status == CRYPTO_LOST;
	return true;
}

/* Submitted, neither back nor given up. */
static inline uint32_t flight_count(const struct flight *f)
{
	uint32_t kept = f->n_slots - f->n_free, lost = f->n_lost;

	return kept > lost ? kept - lost : 0; /* displays read while a worker writes */
}

/* Gives up to n jobs up that are in it since `before` or longer. */
static inline uint16_t flight_give_up(
	struct flight *f, uint64_t before, struct crypto_job **jobs, uint16_t n)
{
	uint16_t found = 0;

	for (uint32_t i = 0; i < f->n_slots && found < n; i++) {
		struct crypto_job *job = f->job[i];

		if (job == NULL || job->status == CRYPTO_LOST || job->since > before)
			continue;
		job->status = CRYPTO_LOST;
		jobs[found++] = job;
	}
	f->n_lost += found;
	return found;
}
