/* SPDX-License-Identifier: BSD-3-Clause */
/* proof.c - does a packet's job once more, by other means. */
#include "proof.h"

#include <string.h>

/* Both mbufs are of one pool, so what points into one is as far into the other. */
static void copy_packet(struct rte_mbuf *to, const struct rte_mbuf *from, struct crypto_job *job)
{
	struct crypto_job *theirs = crypto_job_of((struct rte_mbuf *)(uintptr_t)from);

	to->data_off = from->data_off;
	to->data_len = from->data_len;
	to->pkt_len = from->pkt_len;
	memcpy(rte_pktmbuf_mtod(to, void *), rte_pktmbuf_mtod(from, const void *), from->data_len);
	*job = *theirs;
	job->icv = RTE_PTR_ADD(to, RTE_PTR_DIFF(theirs->icv, from));
	job->aad_at = job->aad;
}

static bool is_its_turn(struct worker *w)
{
	if (likely(w->proof_in > 1)) {
		w->proof_in--;
		return false;
	}
	w->proof_in = w->p->setup.proof_every;
	return w->proof_in > 0;
}

struct rte_mbuf *proof_make(struct worker *w, struct rte_mbuf *m, const struct sa *sa)
{
	struct crypto_session *spare = sa->spare;
	struct crypto_job *job, *done = NULL;
	struct crypto_queue *q;
	struct rte_mbuf *copy;

	if (spare == NULL || spare->is_lookaside || !is_its_turn(w))
		return NULL;
	copy = rte_pktmbuf_alloc(m->pool);
	if (copy == NULL)
		return NULL;
	job = crypto_job_of(copy);
	copy_packet(copy, m, job);
	job->session = spare;
	*parked_of(copy) = (struct parked){0}; /* nobody misses it, should it be late */
	q = w->queue[spare->device];
	if (crypto_submit(q, &job, 1) == 1) {
		do {
			if (crypto_poll(q, &done, 1) == 0)
				crypto_give_up(q, &done, 1);
			else if (done != job) /* given up before, and late */
				park_free(w, crypto_job_mbuf(done));
		} while (job->status == CRYPTO_PENDING);
		if (job->status == CRYPTO_LOST)
			return NULL; /* the fallback's device has it still */
		if (job->status != CRYPTO_FAILED)
			return copy;
	}
	rte_pktmbuf_free(copy);
	return NULL;
}

bool proof_holds(struct rte_mbuf *m, struct rte_mbuf *proof)
{
	const struct crypto_job *job = crypto_job_of(m), *right = crypto_job_of(proof);

	if (job->status != right->status)
		return job->status == CRYPTO_FAILED; /* which has its own exit */
	if (job->status == CRYPTO_BAD_ICV)
		return true; /* it goes no further, whatever is in it */
	return memcmp(rte_pktmbuf_mtod(m, const void *), rte_pktmbuf_mtod(proof, const void *),
		       m->data_len) == 0 &&
	       memcmp(job->icv_aside, right->icv_aside, sizeof(job->icv_aside)) == 0;
}
