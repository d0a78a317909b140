/* SPDX-License-Identifier: BSD-3-Clause */
/* lookaside.c - packets come back from a lookaside device in another burst than they went in, or late,
 * or not at all. */
#include "lookaside.h"
#include "proof.h"

static void backlog_put(struct lookaside *l, struct rte_mbuf *m)
{
	parked_of(m)->next = NULL;
	if (l->n++ == 0)
		l->first = m;
	else
		parked_of(l->last)->next = m;
	l->last = m;
}

/* The first n jobs of the backlog, which keeps them. */
static uint16_t backlog_jobs(const struct lookaside *l, struct crypto_job *job[], uint16_t n)
{
	struct rte_mbuf *m = l->first;

	n = RTE_MIN(n, l->n);
	for (uint16_t i = 0; i < n; i++, m = parked_of(m)->next)
		job[i] = crypto_job_of(m);
	return n;
}

static struct rte_mbuf *backlog_take(struct lookaside *l)
{
	struct rte_mbuf *m = l->first;

	l->first = parked_of(m)->next;
	l->n--;
	return m;
}

static void begin(struct worker *w, uint16_t device)
{
	struct lookaside *l = &w->lookaside[device];

	if (!l->is_polled)
		w->polled[w->n_polled++] = device;
	l->is_polled = true;
}

void lookaside_submit(struct worker *w, struct burst *b, uint16_t device)
{
	struct lookaside *l = &w->lookaside[device];
	struct crypto_job *job[BURST_MAX];
	uint16_t n = 0, took = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		struct crypto_job *j = crypto_job_of(b->pkt[i]);

		if (j->session->device == device) {
			park(w, b, i, b->stage + 1);
			parked_of(b->pkt[i])->proof = proof_make(w, b->pkt[i], b->sa[i]);
			job[n++] = j;
		}
	}
	w->parked_in += n;
	begin(w, device);
	if (l->n == 0)
		took = crypto_submit(w->queue[device], job, n);
	for (uint16_t i = took; i < n; i++)
		backlog_put(l, crypto_job_mbuf(job[i]));
}

/* Until the device takes no more. */
static void submit_backlog(struct lookaside *l, struct crypto_queue *q)
{
	struct crypto_job *job[BURST_MAX];
	uint16_t n, took;

	do {
		n = backlog_jobs(l, job, RTE_DIM(job));
		took = n > 0 ? crypto_submit(q, job, n) : 0;
		for (uint16_t i = 0; i < took; i++)
			l->first = parked_of(crypto_job_mbuf(job[i]))->next;
		l->n -= took;
	} while (took == RTE_DIM(job));
}

/* Gone by name; the memory is the device's still, and the SA waits until it comes back late. */
static void lose(struct worker *w)
{
	w->stats.exit[EXIT_CRYPT_STALLED]++;
	w->parked_out++;
}

void lookaside_lose(struct worker *w, struct burst *b, uint16_t i)
{
	park(w, b, i, b->stage);
	w->parked_in++;
	lose(w);
	begin(w, crypto_job_of(b->pkt[i])->session->device);
}

/* What the device has kept for too long, and the backlog of one that is stalled. */
static void give_up(struct worker *w, struct lookaside *l, struct crypto_queue *q)
{
	struct crypto_job *job[BURST_MAX];
	uint16_t n;

	do {
		n = crypto_give_up(q, job, RTE_DIM(job));
		for (uint16_t i = 0; i < n; i++)
			lose(w);
	} while (n == RTE_DIM(job));
	while (l->n > 0 && crypto_is_stalled(q)) {
		lose(w);
		park_free(w, backlog_take(l));
	}
}

/* False: the device came to something else than the fallback. */
static bool is_right(struct rte_mbuf *m)
{
	struct parked *p = parked_of(m);
	bool holds = proof_holds(m, p->proof);

	rte_pktmbuf_free(p->proof);
	p->proof = NULL;
	return holds;
}

static bool are_right(struct crypto_job *job[], uint16_t n)
{
	bool all = true;

	for (uint16_t i = 0; i < n; i++) {
		struct rte_mbuf *m = crypto_job_mbuf(job[i]);

		if (unlikely(job[i]->status != CRYPTO_LATE && parked_of(m)->proof != NULL))
			all &= is_right(m);
	}
	return all;
}

/* Those that were given up before are freed, the others go on. One that came out wrong takes all that
 * came with it along, and the device is not asked any more. */
static void resume(struct worker *w, struct crypto_queue *q, struct crypto_job *job[], uint16_t n)
{
	bool is_trusted = are_right(job, n);
	struct rte_mbuf *pkt[BURST_MAX];
	uint16_t kept = 0;

	if (unlikely(!is_trusted))
		crypto_distrust(q);
	for (uint16_t i = 0; i < n; i++) {
		struct rte_mbuf *m = crypto_job_mbuf(job[i]);

		if (likely(job[i]->status != CRYPTO_LATE)) {
			if (likely(is_trusted)) {
				pkt[kept++] = m;
				continue;
			}
			w->stats.exit[EXIT_CRYPT_WRONG]++;
			w->parked_out++;
		}
		park_free(w, m);
	}
	park_resume(w, pkt, kept);
}

static uint16_t poll_device(struct worker *w, uint16_t device)
{
	struct lookaside *l = &w->lookaside[device];
	struct crypto_queue *q = w->queue[device];
	struct crypto_job *job[BURST_MAX];
	uint16_t n = crypto_poll(q, job, RTE_DIM(job));

	if (l->n > 0)
		submit_backlog(l, q); /* first: the device works while we go on */
	if (n > 0)
		resume(w, q, job, n);
	give_up(w, l, q);
	return n;
}

uint16_t lookaside_poll(struct worker *w)
{
	uint16_t n = 0;

	for (uint16_t i = 0; i < w->n_polled;) {
		uint16_t device = w->polled[i];

		n += poll_device(w, device);
		if (w->lookaside[device].n == 0 && !crypto_is_busy(w->queue[device])) {
			w->lookaside[device].is_polled = false;
			w->polled[i] = w->polled[--w->n_polled];
		} else {
			i++;
		}
	}
	return n;
}
