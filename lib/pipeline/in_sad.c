/* SPDX-License-Identifier: BSD-3-Clause */
/* in_sad.c - finds the SA of each ESP packet: SPI, SPI+dst, SPI+dst+src, the longest wins (RFC 4301
 * 4.1). */
#include <rte_ip.h>
#include <string.h>

#include "ip_measure.h"
#include "worker_dp.h"

static void lookup(struct worker *w, struct burst *b)
{
	struct rte_ipsec_sadv4_key key4[BURST_MAX];
	struct rte_ipsec_sadv6_key key6[BURST_MAX];
	const struct rte_ipsec_sadv4_key *keys4[BURST_MAX];
	const struct rte_ipsec_sadv6_key *keys6[BURST_MAX];
	struct sa *found[BURST_MAX];
	uint16_t at4[BURST_MAX], at6[BURST_MAX], n4 = 0, n6 = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		const uint8_t *ip = burst_ip(b, i);

		if (b->fact[i].family == 4) {
			const struct rte_ipv4_hdr *h = (const struct rte_ipv4_hdr *)ip;

			memcpy(&key4[n4].spi, ip + b->fact[i].l4_ofs, 4);
			key4[n4].dip = h->dst_addr;
			key4[n4].sip = h->src_addr;
			keys4[n4] = &key4[n4];
			at4[n4++] = i;
		} else {
			const struct rte_ipv6_hdr *h = (const struct rte_ipv6_hdr *)ip;

			memcpy(&key6[n6].spi, ip + b->fact[i].l4_ofs, 4);
			memcpy(&key6[n6].dip, &h->dst_addr, 16);
			memcpy(&key6[n6].sip, &h->src_addr, 16);
			keys6[n6] = &key6[n6];
			at6[n6++] = i;
		}
	}
	if (n4 > 0) {
		sad_lookup4(w->p->sad, keys4, found, n4);
		for (uint16_t k = 0; k < n4; k++)
			b->sa[at4[k]] = found[k];
	}
	if (n6 > 0) {
		sad_lookup6(w->p->sad, keys6, found, n6);
		for (uint16_t k = 0; k < n6; k++)
			b->sa[at6[k]] = found[k];
	}
}

static enum exit missed(const struct burst *b, uint16_t i)
{
	uint32_t spi_be;

	memcpy(&spi_be, burst_ip(b, i) + b->fact[i].l4_ofs, 4);
	if (spi_be == 0)
		return EXIT_IN_SAD_SPI_ZERO;
	return rte_be_to_cpu_32(spi_be) < SA_SPI_MIN ? EXIT_IN_SAD_SPI_RESERVED
						     : EXIT_IN_SAD_UNKNOWN;
}

uint16_t in_sad(struct worker *w, struct burst *b)
{
	uint16_t kept = 0;

	lookup(w, b);
	for (uint16_t i = 0; i < b->n; i++) {
		if (unlikely(b->sa[i] == NULL))
			burst_leave(w, b, i, missed(b, i));
		else
			burst_keep(b, kept++, i);
	}
	return b->n = kept;
}
