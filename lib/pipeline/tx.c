/* SPDX-License-Identifier: BSD-3-Clause */
/* tx.c - gathers packets by port and sends them in bursts. */
#include <rte_ethdev.h>

#include "worker_dp.h"

static void flush_port(struct worker *w, uint16_t port)
{
	struct tx_buffer *t = &w->tx[port];
	uint16_t sent = rte_eth_tx_burst(w->port[port].ethdev, w->id, t->pkt, t->n);

	w->stats.sent += sent;
	if (unlikely(sent < t->n)) {
		w->stats.exit[EXIT_TX_FULL] += t->n - sent;
		rte_pktmbuf_free_bulk(t->pkt + sent, t->n - sent);
	}
	t->n = 0;
}

uint16_t tx(struct worker *w, struct burst *b)
{
	for (uint16_t i = 0; i < b->n; i++) {
		struct tx_buffer *t = &w->tx[b->out_port[i]];

		t->pkt[t->n++] = b->pkt[i];
		if (unlikely(t->n == BURST_MAX))
			flush_port(w, b->out_port[i]);
	}
	return b->n = 0;
}

void tx_flush(struct worker *w)
{
	for (uint16_t i = 0; i < w->p->setup.n_ports; i++) {
		if (w->tx[i].n > 0)
			flush_port(w, i);
	}
}
