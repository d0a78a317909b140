/* SPDX-License-Identifier: BSD-3-Clause */
/* rx.c - takes a burst from a port's queue. What the port says of checksums is not looked at: they are
 * computed (classify). What it may have left for a port to do is struck out: no port here does it. */
#include <rte_ethdev.h>

#include "worker_dp.h"

uint16_t rx(struct worker *w, const struct rx_queue *q, struct burst *b)
{
	b->n = rte_eth_rx_burst(w->port[q->port].ethdev, q->queue, b->pkt, w->p->setup.burst);
	for (uint16_t i = 0; i < b->n; i++)
		rte_prefetch0(b->pkt[i]); /* who wrote it last may have been another core */
	for (uint16_t i = 0; i < b->n; i++) {
		struct rte_mbuf *m = b->pkt[i];

		rte_prefetch0(rte_pktmbuf_mtod(m, void *));
		m->port = q->port; /* our number, in place of the ethdev's */
		m->ol_flags &= ~RTE_MBUF_F_TX_OFFLOAD_MASK;
	}
	w->stats.received += b->n;
	return b->n;
}
