/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel_frame.c - what the kernel sends in clear goes out with the Ethernet header that it gave it, and
 * the port's tags, of which it knows nothing. */
#include <rte_ether.h>

#include "worker_dp.h"

/* The 14 bytes of the kernel's header stand in front of the data, see kernel_classify(). */
static void put_header(struct rte_mbuf *m, const struct route_port *r)
{
	uint16_t tags = 4 * r->n_vlans;
	uint8_t *l2 = (uint8_t *)rte_pktmbuf_prepend(m, RTE_ETHER_HDR_LEN + tags);

	memmove(l2, l2 + tags, 2 * RTE_ETHER_ADDR_LEN);
	nexthop_put_tags(l2 + 2 * RTE_ETHER_ADDR_LEN, r);
}

uint16_t kernel_frame(struct worker *w, struct burst *b)
{
	uint16_t kept = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		const struct route_port *r = &w->port[b->out_port[i]].route;

		if (b->fact[i].len > r->mtu) {
			burst_leave(w, b, i, EXIT_KERNEL_FRAME);
			continue;
		}
		put_header(b->pkt[i], r);
		burst_keep(b, kept++, i);
	}
	return b->n = kept;
}
