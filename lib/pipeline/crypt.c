/* SPDX-License-Identifier: BSD-3-Clause */
/* crypt.c - hands the burst's jobs to the queues of their devices, in one submission a device and
 * across SAs, and goes on when every verdict is in. */
#include "worker_dp.h"

/* Submits all and polls all; the verdict of each is in its job, so the order they come back in does
 * not matter. A job is taken up again where the queue had room for a part only. */
static void run_queue(struct crypto_queue *q, struct crypto_job *job[], uint16_t n)
{
	struct crypto_job *done[BURST_MAX];
	uint16_t submitted = 0, polled = 0;

	while (polled < n) {
		if (submitted < n)
			submitted += crypto_submit(q, job + submitted, n - submitted);
		polled += crypto_poll(q, done, RTE_DIM(done));
	}
}

uint16_t crypt_burst(struct worker *w, struct burst *b)
{
	struct crypto_job *job[BURST_MAX];
	uint16_t left = b->n;

	for (uint16_t i = 0; i < b->n; i++)
		job[i] = crypto_job_of(b->pkt[i]);
	/* A round per device: its jobs go to the end, the others stay in front. */
	while (left > 0) {
		uint16_t device = job[left - 1]->session->device, others = 0;
		struct crypto_job *its[BURST_MAX];
		uint16_t n = 0;

		for (uint16_t i = 0; i < left; i++) {
			if (likely(job[i]->session->device == device))
				its[n++] = job[i];
			else
				job[others++] = job[i];
		}
		run_queue(w->queue[device], its, n);
		left = others;
	}
	return b->n;
}
