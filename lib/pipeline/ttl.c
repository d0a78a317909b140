/* SPDX-License-Identifier: BSD-3-Clause */
/* ttl.c - a forwarder takes one from TTL or hop limit; who has none left is told (RFC 1812 5.3.1,
 * RFC 8200 3), and addresses that no router forwards end here. What is for ourselves is not
 * forwarded, and may have any. */
#include "martian.h"
#include "worker_dp.h"
#include <rte_ip.h>

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

/* EXIT_COUNT: it may be forwarded. A flow that is not known was routed when it was judged. */
static enum exit refused(const struct burst *b, uint16_t i)
{
	if (unlikely(!(b->fact[i].flags & FACT_FLOW_KNOWN))) {
		if (b->nh[i]->kind == NEXTHOP_LOCAL)
			return EXIT_NEXTHOP_LOCAL;
		if (is_martian(burst_ip(b, i), b->fact[i].family))
			return EXIT_MARTIAN;
	}
	return unlikely(*hop_limit(b, i) <= 1) ? EXIT_TTL_EXPIRED : EXIT_COUNT;
}

uint16_t ttl(struct worker *w, struct burst *b)
{
	uint16_t kept = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		enum exit e = refused(b, i);

		if (unlikely(e != EXIT_COUNT)) {
			burst_leave(w, b, i, e);
			continue;
		}
		if (likely(b->fact[i].family == 4))
			take_one4((struct rte_ipv4_hdr *)burst_ip(b, i));
		else
			--*hop_limit(b, i);
		burst_keep(b, kept++, i);
	}
	return b->n = kept;
}
