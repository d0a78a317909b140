/* SPDX-License-Identifier: BSD-3-Clause */
/* rx.c - takes a burst from a port's queue. */
#include <rte_ethdev.h>

#include "worker_dp.h"

uint16_t rx(struct worker *w, const struct port *port, struct burst *b)
{
	uint16_t index = port - w->port;

	b->n = rte_eth_rx_burst(port->ethdev, 0, b->pkt, w->p->setup.burst);
	for (uint16_t i = 0; i < b->n; i++)
		b->pkt[i]->port = index; /* our number, in place of the ethdev's */
	w->stats.received += b->n;
	return b->n;
}
