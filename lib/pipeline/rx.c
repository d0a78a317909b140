/* SPDX-License-Identifier: BSD-3-Clause */
/* rx.c - takes a burst from a port's queue. What the port says of checksums is not looked at: they are
 * computed (classify). What it may have left for a port to do is struck out: no port here does it. */
#include <rte_ethdev.h>

#include "worker_dp.h"

uint16_t rx(struct worker *w, const struct rx_queue *q, struct burst *b)
{
	b->n = rte_eth_rx_burst(w->port[q->port].ethdev, q->queue, b->pkt, w->p->setup.burst);
	for (uint16_t i = 0; i < b->n; i++) {
		b->pkt[i]->port = q->port; /* our number, in place of the ethdev's */
		b->pkt[i]->ol_flags &= ~RTE_MBUF_F_TX_OFFLOAD_MASK;
	}
	w->stats.received += b->n;
	return b->n;
}
