/* SPDX-License-Identifier: BSD-3-Clause */
/* echo.c - a subject that only takes packets and gives them back: what the wires cost. */
#include "echo.h"

#include <rte_ethdev.h>

#define BURST_MAX 256

static uint16_t poll_once(void *arg, uint16_t worker)
{
	const struct echo *e = arg;
	struct rte_mbuf *pkt[BURST_MAX];
	uint16_t n = rte_eth_rx_burst(e->from->ethdev, worker, pkt, e->burst);

	return n == 0 ? 0 : rte_eth_tx_burst(e->to->ethdev, worker, pkt, n);
}

void echo_subject(struct echo *e, struct subject *s)
{
	s->round = poll_once;
	s->arg = e;
}
