/* SPDX-License-Identifier: BSD-3-Clause */
/* ttl.c - a forwarder takes one from TTL or hop limit; who has none left is told (RFC 1812 5.3.1,
 * RFC 8200 3). What is for ourselves is not forwarded, and may have any. */
#include <rte_ip.h>

#include "worker_dp.h"

/* Takes one, and mends the checksum for it (RFC 1624): the TTL is the high byte of its word. */
static void take_one4(struct rte_ipv4_hdr *h)
{
	uint32_t sum = (uint16_t)~rte_be_to_cpu_16(h->hdr_checksum) + 0xfeffu;

	sum = (sum & 0xffff) + (sum >> 16);
	h->time_to_live--;
	h->hdr_checksum = rte_cpu_to_be_16(~sum);
}

static uint8_t *hop_limit(const struct burst *b, uint16_t i)
{
	uint8_t *ip = burst_ip(b, i);

	return b->fact[i].family == 4 ? &((struct rte_ipv4_hdr *)ip)->time_to_live
				      : &((struct rte_ipv6_hdr *)ip)->hop_limits;
}

uint16_t ttl(struct worker *w, struct burst *b)
{
	const struct nexthop *nh[BURST_MAX];
	bool is_routed = false;
	uint16_t kept = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		uint8_t *hops = hop_limit(b, i);

		if (unlikely(*hops <= 1)) {
			if (!is_routed) /* the first to leave: nothing has moved up yet, nh[] fits */
				burst_route(w, b, nh);
			is_routed = true;
			burst_leave(w, b, i,
				nh[i]->kind == NEXTHOP_LOCAL ? EXIT_NEXTHOP_LOCAL
							     : EXIT_TTL_EXPIRED);
			continue;
		}
		if (likely(b->fact[i].family == 4))
			take_one4((struct rte_ipv4_hdr *)burst_ip(b, i));
		else
			--*hops;
		burst_keep(b, kept++, i);
	}
	return b->n = kept;
}
