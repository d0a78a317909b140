/* SPDX-License-Identifier: BSD-3-Clause */
/* crypt.c - hands the burst's jobs to the queues of their devices, in one submission a device and
 * across SAs. Goes on when every verdict is in; what a lookaside device works at goes on later. */
#include "lookaside.h"

static bool is_among(struct crypto_job *const job[], uint16_t n, const struct crypto_job *wanted)
{
	uint16_t i = 0;

	while (i < n && job[i] != wanted)
		i++;
	return i < n;
}

/* How many of those that came back were awaited. One that is late was counted when it was given up: it
 * is freed, or drop_unanswered() finds it, if that was in this burst. */
static uint16_t count_awaited(struct worker *w, struct crypto_job *const done[], uint16_t n_done,
	struct crypto_job *const job[], uint16_t n)
{
	uint16_t awaited = 0;

	for (uint16_t i = 0; i < n_done; i++) {
		if (likely(done[i]->status != CRYPTO_LATE))
			awaited++;
		else if (!is_among(job, n, done[i]))
			park_free(w, crypto_job_mbuf(done[i]));
	}
	return awaited;
}

/* Submits all and polls all; the verdict of each is in its job, so the order they come back in does
 * not matter. A job is taken up again where the queue had room for a part only. False: some are lost,
 * or were not taken. */
static bool run_queue(
	struct worker *w, struct crypto_queue *q, struct crypto_job *job[], uint16_t n)
{
	struct crypto_job *done[BURST_MAX];
	uint16_t submitted = 0, polled = 0, lost = 0;

	while (polled + lost < n) {
		bool has_lost = crypto_has_lost(q);
		uint16_t got;

		if (submitted < n)
			submitted += crypto_submit(q, job + submitted, n - submitted);
		got = crypto_poll(q, done, RTE_DIM(done));
		polled += likely(!has_lost) ? got : count_awaited(w, done, got, job, n);
		if (likely(got > 0))
			continue;
		lost += crypto_give_up(q, done, RTE_DIM(done));
		if (unlikely(crypto_is_stalled(q) && crypto_in_flight(q) == 0))
			return false;
	}
	return lost == 0;
}

/* After a device did not answer for all: what it has still, and what it did not take, leaves. */
static void drop_unanswered(struct worker *w, struct burst *b)
{
	uint16_t kept = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		switch (crypto_job_of(b->pkt[i])->status) {
		case CRYPTO_LOST: lookaside_lose(w, b, i); break;
		case CRYPTO_PENDING:
		case CRYPTO_LATE: burst_leave(w, b, i, EXIT_CRYPT_STALLED); break;
		default: burst_keep(b, kept++, i);
		}
	}
	b->n = kept;
}

static void drop_parked(struct burst *b)
{
	uint16_t kept = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		if (!crypto_job_of(b->pkt[i])->session->is_lookaside)
			burst_keep(b, kept++, i);
	}
	b->n = kept;
}

/* All of one library, whose verdicts are in at once; their jobs. */
static bool are_library(const struct burst *b, struct crypto_job *job[])
{
	bool is_device = false;
	uint16_t device;

	job[0] = crypto_job_of(b->pkt[0]);
	device = job[0]->session->device;
	for (uint16_t i = 0; i < b->n; i++) {
		job[i] = crypto_job_of(b->pkt[i]);
		is_device |= job[i]->session->is_device || job[i]->session->device != device;
	}
	return !is_device;
}

uint16_t crypt_burst(struct worker *w, struct burst *b)
{
	bool has_parked = false, has_all = true;
	struct crypto_job *job[BURST_MAX];
	uint16_t left = b->n;

	if (likely(are_library(b, job))) {
		crypto_run(w->queue[job[0]->session->device], job, b->n);
		return b->n;
	}
	/* A round per device: its jobs go to the end, the others stay in front. */
	while (left > 0) {
		const struct crypto_session *s = job[left - 1]->session;
		uint16_t device = s->device, others = 0;
		struct crypto_job *its[BURST_MAX];
		uint16_t n = 0;

		for (uint16_t i = 0; i < left; i++) {
			if (likely(job[i]->session->device == device))
				its[n++] = job[i];
			else
				job[others++] = job[i];
		}
		if (unlikely(s->is_lookaside)) {
			lookaside_submit(w, b, device);
			has_parked = true;
		} else if (s->is_device) {
			has_all &= run_queue(w, w->queue[device], its, n);
		} else {
			crypto_run(w->queue[device], its, n);
		}
		left = others;
	}
	if (unlikely(has_parked))
		drop_parked(b);
	if (unlikely(!has_all))
		drop_unanswered(w, b);
	return b->n;
}
