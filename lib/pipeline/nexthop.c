/* SPDX-License-Identifier: BSD-3-Clause */
/* nexthop.c - where the packet goes next, and the Ethernet header that brings it there. The last
 * guard too: what the SPD did not let out in clear never takes an unprotected port. */
#include <string.h>

#include "worker_dp.h"

/* EXIT_COUNT: none, it may go. */
static enum exit refused(const struct nexthop *nh, const struct burst *b, uint16_t i)
{
	switch (nh->kind) {
	case NEXTHOP_SEND: break;
	case NEXTHOP_LOCAL: return EXIT_NEXTHOP_LOCAL;
	case NEXTHOP_BLACKHOLE: return EXIT_NEXTHOP_BLACKHOLE;
	case NEXTHOP_UNRESOLVED: return EXIT_NEXTHOP_NO_NEIGHBOUR;
	default: return EXIT_NEXTHOP_NO_ROUTE;
	}
	if (unlikely(nh->side == PORT_UNPROTECTED && b->reach[i] != REACH_ANY))
		return EXIT_NEXTHOP_CLEAR;
	if (unlikely(b->fact[i].len > nh->mtu))
		return EXIT_NEXTHOP_TOO_BIG;
	return EXIT_COUNT;
}

uint16_t nexthop(struct worker *w, struct burst *b)
{
	const struct nexthop *nh[BURST_MAX];
	uint16_t kept = 0;

	burst_route(w, b, nh);
	for (uint16_t i = 0; i < b->n; i++) {
		enum exit e = refused(nh[i], b, i);
		char *l2;

		b->out_port[i] = nh[i]->port;
		if (unlikely(e != EXIT_COUNT)) {
			burst_leave(w, b, i, e);
			continue;
		}
		l2 = rte_pktmbuf_prepend(b->pkt[i], nh[i]->l2_len); /* FRAME_HEADROOM is there */
		if (likely(nh[i]->l2_len == 14))
			memcpy(l2, nh[i]->l2, 14);
		else
			memcpy(l2, nh[i]->l2, nh[i]->l2_len);
		burst_keep(b, kept++, i);
	}
	return b->n = kept;
}
