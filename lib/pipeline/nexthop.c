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
	case NEXTHOP_UNRESOLVED: break;
	default: return EXIT_NEXTHOP_NO_ROUTE;
	}
	if (unlikely(nh->side == PORT_UNPROTECTED && b->reach[i] != REACH_ANY))
		return EXIT_NEXTHOP_CLEAR;
	if (unlikely(nh->kind == NEXTHOP_UNRESOLVED))
		return EXIT_NEXTHOP_NO_NEIGHBOUR;
	if (unlikely(b->fact[i].len > nh->mtu))
		return EXIT_NEXTHOP_TOO_BIG;
	return EXIT_COUNT;
}

/* All outer packets of an SA go to one destination. */
static struct sa_line *path_of(const struct worker *w, const struct burst *b, uint16_t i)
{
	struct sa *sa = b->sa[i];

	return sa != NULL && sa->direction == SA_OUT ? &sa->line[w->id] : NULL;
}

static void route_all(struct worker *w, struct burst *b)
{
	uint32_t generation = w->tables->generation;
	struct sa_line *line[BURST_MAX];
	uint16_t at[BURST_MAX], n = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		if (b->nh[i] != NULL)
			continue;
		line[n] = path_of(w, b, i);
		if (line[n] != NULL && likely(line[n]->nh_generation == generation))
			b->nh[i] = line[n]->nh;
		else
			at[n++] = i;
	}
	if (likely(n == 0))
		return;
	burst_route(w, b);
	for (uint16_t k = 0; k < n; k++) {
		if (line[k] != NULL) {
			line[k]->nh = b->nh[at[k]];
			line[k]->nh_generation = generation;
		}
	}
}

uint16_t nexthop(struct worker *w, struct burst *b)
{
	uint16_t kept = 0;

	route_all(w, b);
	for (uint16_t i = 0; i < b->n; i++) {
		const struct nexthop *nh = b->nh[i];
		enum exit e = refused(nh, b, i);
		char *l2;

		b->out_port[i] = nh->port;
		if (unlikely(e != EXIT_COUNT)) {
			if (e != EXIT_NEXTHOP_NO_NEIGHBOUR || !unresolved_wait(w, b, i))
				burst_leave(w, b, i, e);
			continue;
		}
		l2 = rte_pktmbuf_prepend(b->pkt[i], nh->l2_len); /* FRAME_HEADROOM is there */
		if (likely(nh->l2_len == 14))
			memcpy(l2, nh->l2, 14);
		else
			memcpy(l2, nh->l2, nh->l2_len);
		burst_keep(b, kept++, i);
	}
	return b->n = kept;
}
