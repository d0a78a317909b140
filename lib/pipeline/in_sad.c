/* SPDX-License-Identifier: BSD-3-Clause */
/* in_sad.c - finds the SA of each ESP packet: SPI, SPI+dst, SPI+dst+src, the longest wins (RFC 4301
 * 4.1). */
#include <rte_ip.h>
#include <string.h>

#include "ip_measure.h"
#include "sad_cache.h"
#include "worker_dp.h"

static inline bool is_same(const struct rte_ipsec_sadv4_key *x, const struct rte_ipsec_sadv4_key *y)
{
	return x->spi == y->spi && x->dip == y->dip && x->sip == y->sip;
}

static void lookup4(struct worker *w, struct burst *b, const uint16_t at[], uint16_t n)
{
	uint32_t generation = sad_generation(w->p->sad);
	struct rte_ipsec_sadv4_key key[BURST_MAX];
	const struct rte_ipsec_sadv4_key *new[BURST_MAX];
	uint16_t at_new[BURST_MAX], n_new = 0;
	struct sa *found[BURST_MAX];

	for (uint16_t k = 0; k < n; k++) {
		const uint8_t *ip = burst_ip(b, at[k]);
		const struct rte_ipv4_hdr *h = (const struct rte_ipv4_hdr *)ip;

		memcpy(&key[k].spi, ip + b->fact[at[k]].l4_ofs, 4);
		key[k].dip = h->dst_addr;
		key[k].sip = h->src_addr;
		if (k > 0 && !is_same(&key[k], &key[k - 1]))
			sad_cache_prefetch(w->sas, &key[k]);
	}
	for (uint16_t k = 0; k < n; k++) {
		struct sa *sa;

		if (k > 0 && is_same(&key[k], &key[k - 1]))
			sa = b->sa[at[k - 1]];
		else
			sa = sad_cache_find(w->sas, &key[k], generation);
		b->sa[at[k]] = sa;
		if (unlikely(sa == NULL)) {
			new[n_new] = &key[k];
			at_new[n_new++] = at[k];
		}
	}
	if (likely(n_new == 0))
		return;
	sad_lookup4(w->p->sad, new, found, n_new);
	for (uint16_t k = 0; k < n_new; k++) {
		b->sa[at_new[k]] = found[k];
		if (found[k] != NULL)
			sad_cache_keep(w->sas, new[k], generation, found[k]);
	}
}

static void lookup6(struct worker *w, struct burst *b, const uint16_t at[], uint16_t n)
{
	struct rte_ipsec_sadv6_key key[BURST_MAX];
	const struct rte_ipsec_sadv6_key *keys[BURST_MAX];
	struct sa *found[BURST_MAX];

	for (uint16_t k = 0; k < n; k++) {
		const uint8_t *ip = burst_ip(b, at[k]);
		const struct rte_ipv6_hdr *h = (const struct rte_ipv6_hdr *)ip;

		memcpy(&key[k].spi, ip + b->fact[at[k]].l4_ofs, 4);
		memcpy(&key[k].dip, &h->dst_addr, 16);
		memcpy(&key[k].sip, &h->src_addr, 16);
		keys[k] = &key[k];
	}
	sad_lookup6(w->p->sad, keys, found, n);
	for (uint16_t k = 0; k < n; k++)
		b->sa[at[k]] = found[k];
}

static void lookup(struct worker *w, struct burst *b)
{
	uint16_t at4[BURST_MAX], at6[BURST_MAX], n4 = 0, n6 = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		if (b->fact[i].family == 4)
			at4[n4++] = i;
		else
			at6[n6++] = i;
	}
	if (n4 > 0)
		lookup4(w, b, at4, n4);
	if (n6 > 0)
		lookup6(w, b, at6, n6);
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
		if (unlikely(b->sa[i] == NULL)) {
			burst_leave(w, b, i, missed(b, i));
			continue;
		}
		if (kept == 0 || b->sa[i] != b->sa[kept - 1])
			sa_prefetch(b->sa[i], w->id);
		burst_keep(b, kept++, i);
	}
	return b->n = kept;
}
