/* SPDX-License-Identifier: BSD-3-Clause */
/* burst_route.c - looks up the next hop of every packet of a burst, both families in bulk. */
#include <rte_byteorder.h>
#include <rte_ip.h>
#include <string.h>

#include "worker_dp.h"

void burst_route(const struct worker *w, const struct burst *b, const struct nexthop *nh[])
{
	const struct nexthop *found[BURST_MAX];
	uint32_t dst4[BURST_MAX];
	uint8_t dst6[BURST_MAX][16];
	uint16_t at4[BURST_MAX], at6[BURST_MAX], n4 = 0, n6 = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		const uint8_t *ip = burst_ip(b, i);

		if (b->fact[i].family == 4) {
			dst4[n4] = rte_be_to_cpu_32(((const struct rte_ipv4_hdr *)ip)->dst_addr);
			at4[n4++] = i;
		} else {
			memcpy(dst6[n6], &((const struct rte_ipv6_hdr *)ip)->dst_addr, 16);
			at6[n6++] = i;
		}
	}
	if (n4 > 0) {
		route_lookup4(w->p->setup.routes, dst4, found, n4);
		for (uint16_t k = 0; k < n4; k++)
			nh[at4[k]] = found[k];
	}
	if (n6 > 0) {
		route_lookup6(w->p->setup.routes, dst6, found, n6);
		for (uint16_t k = 0; k < n6; k++)
			nh[at6[k]] = found[k];
	}
}
