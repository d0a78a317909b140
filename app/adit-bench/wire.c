/* SPDX-License-Identifier: BSD-3-Clause */
/* wire.c - ports of rings: what one side puts on them the other receives. */
#include "wire.h"

#include <errno.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

static struct rte_ring *open_ring(const char *name, const char *way, uint16_t q)
{
	char full[RTE_RING_NAMESIZE];

	snprintf(full, sizeof(full), "%s_%s%u", name, way, q);
	return rte_ring_create(full, WIRE_DEPTH, rte_socket_id(), RING_F_SP_ENQ | RING_F_SC_DEQ);
}

/* The ethdev wants to know a pool that it never allocates from. */
static struct rte_mempool *idle_pool(void)
{
	static struct rte_mempool *pool;

	if (pool == NULL)
		pool = rte_pktmbuf_pool_create("wires", 1, 0, 0, 128, rte_socket_id());
	return pool;
}

static int start(const struct wire *w)
{
	struct rte_eth_conf conf = {0};
	int rc = rte_eth_dev_configure(w->ethdev, w->n_queues, w->n_queues, &conf);

	for (uint16_t q = 0; rc == 0 && q < w->n_queues; q++) {
		rc = rte_eth_rx_queue_setup(w->ethdev, q, 0, rte_socket_id(), NULL, idle_pool());
		if (rc == 0)
			rc = rte_eth_tx_queue_setup(w->ethdev, q, 0, rte_socket_id(), NULL);
	}
	return rc < 0 ? rc : rte_eth_dev_start(w->ethdev);
}

int wire_open(struct wire *w, const char *name, uint16_t n_queues, struct why *why)
{
	int rc;

	*w = (struct wire){.n_queues = n_queues};
	for (uint16_t q = 0; q < n_queues; q++) {
		w->in[q] = open_ring(name, "in", q);
		w->out[q] = open_ring(name, "out", q);
		if (w->in[q] == NULL || w->out[q] == NULL)
			return why_set(why, -ENOMEM, "no memory for the rings of %s", name);
	}
	rc = rte_eth_from_rings(name, w->in, n_queues, w->out, n_queues, rte_socket_id());
	if (rc < 0)
		return why_set(why, rc, "no port of rings for %s", name);
	w->ethdev = rc;
	rc = start(w);
	return rc < 0 ? why_set(why, rc, "the port of rings %s does not start", name) : 0;
}

void wire_close(struct wire *w)
{
	struct rte_mbuf *m;

	rte_eth_dev_stop(w->ethdev);
	rte_eth_dev_close(w->ethdev);
	for (uint16_t q = 0; q < w->n_queues; q++) {
		while (rte_ring_dequeue(w->in[q], (void **)&m) == 0)
			rte_pktmbuf_free(m);
		while (rte_ring_dequeue(w->out[q], (void **)&m) == 0)
			rte_pktmbuf_free(m);
		rte_ring_free(w->in[q]);
		rte_ring_free(w->out[q]);
	}
}
