/* SPDX-License-Identifier: BSD-3-Clause */
/* handoff.c - brings each packet to the worker that must have it: an inbound one to the owner of its
 * SA's window, one of a shared queue to the worker of its flow, so that flows keep their order. */
#include <rte_hash_crc.h>
#include <rte_ip.h>
#include <rte_ring.h>
#include <string.h>

#include "park.h"

/* Every packet of a flow has the same; fragments go by their addresses, as all of a datagram must. */
static uint32_t hash_flow(const uint8_t *ip, const struct facts *f)
{
	uint32_t h = f->flags & FACT_FRAGMENT ? 0 : (uint32_t)f->sport << 16 | f->dport;
	uint64_t both[4]; /* rte_hash_crc() reads whole words, at their alignment */

	if (f->family == 4) {
		memcpy(both, ip + offsetof(struct rte_ipv4_hdr, src_addr), 8);
		return rte_hash_crc(both, 8, h);
	}
	memcpy(both, ip + offsetof(struct rte_ipv6_hdr, src_addr), 32);
	return rte_hash_crc(both, 32, h);
}

/* An SA that nobody owns yet goes to a worker of its own too, or its first packets would be
 * spread over all. */
static uint16_t worker_for(
	const struct worker *w, const struct burst *b, uint16_t i, bool is_shared)
{
	const struct sa *sa = b->sa[i];

	if (sa != NULL) {
		uint16_t owner = sa_owner(sa);

		if (owner != SA_NO_OWNER)
			return owner;
		return is_shared ? rte_hash_crc_4byte(sa->spi_be, 0) % w->p->n_workers : w->id;
	}
	if (!is_shared)
		return w->id;
	return hash_flow(burst_ip(b, i), &b->fact[i]) % w->p->n_workers;
}

/* In one enqueue; what the ring does not take leaves. */
static void hand_over(struct worker *w, uint16_t to, struct rte_mbuf *pkt[], uint16_t n)
{
	uint16_t took = rte_ring_mp_enqueue_burst(w->p->worker[to]->inbox, (void **)pkt, n, NULL);

	w->parked_in += took;
	for (uint16_t i = took; i < n; i++) {
		w->stats.exit[EXIT_HANDOFF_FULL]++;
		park_end(w, pkt[i]);
		worker_free(w, pkt[i]);
	}
}

void handoff_send(struct worker *w, struct rte_mbuf *pkt[], const uint16_t to[], uint16_t n)
{
	struct rte_mbuf *left[BURST_MAX], *its[BURST_MAX];
	uint16_t left_to[BURST_MAX];

	memcpy(left, pkt, n * sizeof(left[0]));
	memcpy(left_to, to, n * sizeof(left_to[0]));
	while (n > 0) {
		uint16_t dest = left_to[0], n_its = 0, others = 0;

		for (uint16_t i = 0; i < n; i++) {
			if (left_to[i] == dest) {
				its[n_its++] = left[i];
			} else {
				left[others] = left[i];
				left_to[others++] = left_to[i];
			}
		}
		hand_over(w, dest, its, n_its);
		n = others;
	}
}

uint16_t handoff(struct worker *w, struct burst *b)
{
	struct rte_mbuf *away[BURST_MAX];
	uint16_t to[BURST_MAX], kept = 0, n = 0;

	if (w->p->n_workers == 1)
		return b->n;
	for (uint16_t i = 0; i < b->n; i++) {
		uint16_t dest = worker_for(w, b, i, w->port_is_shared[b->pkt[i]->port]);

		if (dest == w->id) {
			burst_keep(b, kept++, i);
			continue;
		}
		park(w, b, i, b->stage + 1);
		away[n] = b->pkt[i];
		to[n++] = dest;
	}
	if (n > 0)
		handoff_send(w, away, to, n);
	return b->n = kept;
}

uint16_t handoff_poll(struct worker *w)
{
	struct rte_mbuf *pkt[BURST_MAX];
	uint16_t n;

	if (w->p->n_workers == 1)
		return 0;
	n = rte_ring_sc_dequeue_burst(w->inbox, (void **)pkt, BURST_MAX, NULL);
	if (n > 0)
		park_resume(w, pkt, n);
	return n;
}
