/* SPDX-License-Identifier: BSD-3-Clause */
/* ttl.c - a forwarder takes one from TTL or hop limit; who has none left is told (RFC 1812 5.3.1,
 * RFC 8200 3), and addresses that no router forwards end here. What is for ourselves is not
 * forwarded, and may have any. */
#include <rte_ip.h>
#include <string.h>

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

/* Addresses that no router forwards: source or destination of one link or one host, sources that
 * are no single station (RFC 1812 5.3.7, RFC 3927 7, RFC 4291 2.5). */
static bool is_martian(const uint8_t *ip, uint8_t family)
{
	if (family == 4) {
		const uint8_t *src = ip + 12, *dst = ip + 16;

		return src[0] == 0 || src[0] == 127 || src[0] >= 0xe0 || dst[0] == 0 ||
		       dst[0] == 127 || (src[0] == 169 && src[1] == 254) ||
		       (dst[0] == 169 && dst[1] == 254);
	} else {
		static const uint8_t zeroes[15];
		const uint8_t *src = ip + 8, *dst = ip + 24;

		return src[0] == 0xff || (src[0] == 0xfe && (src[1] & 0xc0) == 0x80) ||
		       (dst[0] == 0xfe && (dst[1] & 0xc0) == 0x80) ||
		       (memcmp(src, zeroes, 15) == 0 && src[15] <= 1) ||
		       (memcmp(dst, zeroes, 15) == 0 && dst[15] <= 1);
	}
}

/* EXIT_COUNT: it may be forwarded. */
static enum exit refused(const struct burst *b, uint16_t i)
{
	if (unlikely(is_martian(burst_ip(b, i), b->fact[i].family)))
		return EXIT_MARTIAN;
	return unlikely(*hop_limit(b, i) <= 1) ? EXIT_TTL_EXPIRED : EXIT_COUNT;
}

uint16_t ttl(struct worker *w, struct burst *b)
{
	const struct nexthop *nh[BURST_MAX];
	bool is_routed = false;
	uint16_t kept = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		enum exit e = refused(b, i);

		if (unlikely(e != EXIT_COUNT)) {
			if (!is_routed) /* the first to leave: nothing has moved up yet, nh[] fits */
				burst_route(w, b, nh);
			is_routed = true;
			burst_leave(w, b, i, nh[i]->kind == NEXTHOP_LOCAL ? EXIT_NEXTHOP_LOCAL : e);
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
