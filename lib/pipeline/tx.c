/* SPDX-License-Identifier: BSD-3-Clause */
/* tx.c - gathers packets by port and sends them in bursts; by a port with too few queues through
 * the worker that has one. */
#include <rte_ethdev.h>
#include <rte_ring.h>
#include <string.h>

#include "worker_dp.h"

/* The worker that sends by a port for all. */
static uint16_t sender(const struct worker *w, uint16_t port)
{
	return port % w->p->n_workers;
}

static bool has_queue(const struct worker *w, uint16_t port)
{
	return w->port[port].n_tx_queues >= w->p->n_workers || sender(w, port) == w->id;
}

static uint16_t send_frames(struct worker *w, uint16_t port, struct tx_buffer *t)
{
	uint16_t queue = w->port[port].n_tx_queues >= w->p->n_workers ? w->id : 0;
	uint16_t sent = rte_eth_tx_burst(w->port[port].ethdev, queue, t->pkt, t->n);

	w->stats.sent += sent;
	return sent;
}

static uint16_t hand_frames(struct worker *w, uint16_t port, struct tx_buffer *t)
{
	struct rte_ring *outbox = w->p->worker[sender(w, port)]->outbox;
	uint16_t took;

	for (uint16_t i = 0; i < t->n; i++)
		t->pkt[i]->port = port; /* the one it leaves by, for tx_poll() */
	took = rte_ring_mp_enqueue_burst(outbox, (void **)t->pkt, t->n, NULL);
	w->parked_in += took;
	return took;
}

static void flush_port(struct worker *w, uint16_t port)
{
	struct tx_buffer *t = &w->tx[port];
	uint16_t gone = has_queue(w, port) ? send_frames(w, port, t) : hand_frames(w, port, t);

	if (unlikely(gone < t->n)) {
		w->stats.exit[EXIT_TX_FULL] += t->n - gone;
		rte_pktmbuf_free_bulk(t->pkt + gone, t->n - gone);
	}
	t->n = 0;
}

/* n up to BURST_MAX. */
static void gather(struct worker *w, uint16_t port, struct rte_mbuf *const pkt[], uint16_t n)
{
	struct tx_buffer *t = &w->tx[port];

	if (unlikely(t->n + n > BURST_MAX))
		flush_port(w, port);
	memcpy(&t->pkt[t->n], pkt, n * sizeof(pkt[0]));
	t->n += n;
}

uint16_t tx(struct worker *w, struct burst *b)
{
	for (uint16_t i = 0, end; i < b->n; i = end) {
		uint16_t port = b->out_port[i];

		for (end = i + 1; end < b->n && b->out_port[end] == port;)
			end++;
		gather(w, port, &b->pkt[i], end - i);
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

uint16_t tx_poll(struct worker *w)
{
	struct rte_mbuf *pkt[BURST_MAX];
	uint16_t n;

	if (w->p->n_workers == 1)
		return 0;
	n = rte_ring_sc_dequeue_burst(w->outbox, (void **)pkt, BURST_MAX, NULL);
	for (uint16_t i = 0; i < n; i++)
		gather(w, pkt[i]->port, &pkt[i], 1);
	w->parked_out += n;
	return n;
}
