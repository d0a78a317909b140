/* SPDX-License-Identifier: BSD-3-Clause */
/* rx.c - takes a burst from a port's queue. */
#include <rte_ethdev.h>

#include "worker_dp.h"

uint16_t rx(struct worker *w, const struct rx_queue *q, struct burst *b)
{

	b->n = rte_eth_rx_burst(w->port[q->port].ethdev, q->queue, b->pkt, w->p->setup.burst);
	for (uint16_t i = 0; i < b->n; i++)
		b->pkt[i]->port = q->port; /* our number, in place of the ethdev's */
	w->stats.received += b->n;
	return b->n;
}
