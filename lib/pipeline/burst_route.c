/* SPDX-License-Identifier: BSD-3-Clause */
/* burst_route.c - looks up the next hop of every packet of a burst, both families in bulk. Packets to
 * the destination of the one before them, as a tunnel's outer packets are, go where that one goes. */
#include <rte_byteorder.h>
#include <rte_ip.h>
#include <string.h>

#include "worker_dp.h"

static const uint8_t *dst_of(const struct burst *b, uint16_t i)
{
	return burst_ip(b, i) + (b->fact[i].family == 4 ? offsetof(struct rte_ipv4_hdr, dst_addr)
							: offsetof(struct rte_ipv6_hdr, dst_addr));
}

static void route4(const struct worker *w, struct burst *b, const uint16_t at[], uint16_t n)
{
	const struct nexthop *found[BURST_MAX];
	uint32_t dst[BURST_MAX];
	uint16_t nth[BURST_MAX], n_dst = 0;

	for (uint16_t k = 0; k < n; k++) {
		uint32_t dst_be;

		memcpy(&dst_be, dst_of(b, at[k]), 4);
		if (n_dst == 0 || dst[n_dst - 1] != rte_be_to_cpu_32(dst_be))
			dst[n_dst++] = rte_be_to_cpu_32(dst_be);
		nth[k] = n_dst - 1;
	}
	route_lookup4(w->tables->routes, dst, found, n_dst);
	for (uint16_t k = 0; k < n; k++)
		b->nh[at[k]] = found[nth[k]];
}

static void route6(const struct worker *w, struct burst *b, const uint16_t at[], uint16_t n)
{
	const struct nexthop *found[BURST_MAX];
	uint8_t dst[BURST_MAX][16];
	uint16_t nth[BURST_MAX], n_dst = 0;

	for (uint16_t k = 0; k < n; k++) {
		const uint8_t *to = dst_of(b, at[k]);

		if (n_dst == 0 || memcmp(dst[n_dst - 1], to, 16) != 0)
			memcpy(dst[n_dst++], to, 16);
		nth[k] = n_dst - 1;
	}
	route_lookup6(w->tables->routes, (const uint8_t(*)[16])dst, found, n_dst);
	for (uint16_t k = 0; k < n; k++)
		b->nh[at[k]] = found[nth[k]];
}

void burst_route(const struct worker *w, struct burst *b)
{
	uint16_t at4[BURST_MAX], at6[BURST_MAX], n4 = 0, n6 = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		if (likely(b->nh[i] != NULL))
			continue;
		if (b->fact[i].family == 4)
			at4[n4++] = i;
		else
			at6[n6++] = i;
	}
	if (n4 > 0)
		route4(w, b, at4, n4);
	if (n6 > 0)
		route6(w, b, at6, n6);
}
