/* SPDX-License-Identifier: BSD-3-Clause */
/* park.h - packets that wait outside a burst: in a crypto device, or in a ring to another worker. What
 * was known of them waits beside their crypto job, and they go on from the stage that they wait for.
 *
 * A worker counts what it put into a FIFO and what it took out of one; summed over workers, the
 * difference is what is parked. */
#pragma once

#include "worker_dp.h"

struct parked {
	struct sa *sa;
	uint64_t seq;
	struct facts fact;
	uint32_t policy;
	uint16_t out_port;
	uint8_t reach;
	uint8_t lane; /* enum lane_id */
	uint8_t stage; /* where it goes on */
	uint32_t generation; /* of the tables that policy and flow are of */
	struct rte_mbuf *next; /* in a backlog */
	struct rte_mbuf *proof; /* what it has to become, see proof.h; NULL: nobody knows */
};
static_assert(sizeof(struct parked) <= CRYPTO_PARK_SIZE, "no room beside the job");

static inline struct parked *parked_of(struct rte_mbuf *m)
{
	return (struct parked *)(crypto_job_of(m) + 1);
}

/* Packet i of the burst is about to wait, and will go on at this stage of the burst's lane. */
static inline void park(struct worker *w, const struct burst *b, uint16_t i, uint8_t stage)
{
	if (b->sa[i] != NULL)
		sa_park(b->sa[i], w->id);
	*parked_of(b->pkt[i]) = (struct parked){
		.sa = b->sa[i],
		.seq = b->seq[i],
		.fact = b->fact[i],
		.policy = b->policy[i],
		.out_port = b->out_port[i],
		.reach = b->reach[i],
		.lane = b->lane,
		.stage = stage,
		.generation = w->tables->generation,
	};
}

static inline void unpark(const struct worker *w, struct burst *b, struct rte_mbuf *m)
{
	const struct parked *p = parked_of(m);
	uint16_t n = b->n++;

	b->pkt[n] = m;
	b->sa[n] = p->sa;
	b->seq[n] = p->seq;
	b->fact[n] = p->fact;
	b->policy[n] = p->policy;
	b->nh[n] = NULL; /* routes may have changed meanwhile */
	b->out_port[n] = p->out_port;
	b->reach[n] = p->reach;
	if (unlikely(p->generation != w->tables->generation)) {
		b->policy[n] = SPD_NOT_JUDGED;
		b->fact[n].flags &= ~FACT_FLOW_KNOWN;
	}
}

/* The end of a wait that the packet does not go on from. */
static inline void park_end(struct worker *w, struct rte_mbuf *m)
{
	struct sa *sa = parked_of(m)->sa;

	rte_pktmbuf_free(parked_of(m)->proof);
	if (sa != NULL)
		sa_unpark(sa, w->id);
}

/* The same, and the end of the packet. */
static inline void park_free(struct worker *w, struct rte_mbuf *m)
{
	park_end(w, m);
	rte_pktmbuf_free(m);
}

/* Goes on with packets that have waited, in their order; between bursts only. n up to BURST_MAX. */
void park_resume(struct worker *w, struct rte_mbuf *pkt[], uint16_t n);
