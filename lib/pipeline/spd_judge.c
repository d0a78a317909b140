/* SPDX-License-Identifier: BSD-3-Clause */
/* spd_judge.c - finds the policy that each packet of a burst meets, into its column, and counts it. */
#include "spd_judge.h"

#include <rte_ip.h>
#include <string.h>

#include "flow_cache.h"

static void key_fill(const uint8_t *ip, const struct facts *f, struct spd_key *key)
{
	*key = (struct spd_key){
		.sport = f->sport,
		.dport = f->dport,
		.protocol = f->protocol,
		.family = f->family,
		.opaque = f->opaque,
	};
	if (f->family == 4) {
		memcpy(key->src, ip + offsetof(struct rte_ipv4_hdr, src_addr), 4);
		memcpy(key->dst, ip + offsetof(struct rte_ipv4_hdr, dst_addr), 4);
	} else {
		memcpy(key->src, ip + offsetof(struct rte_ipv6_hdr, src_addr), 16);
		memcpy(key->dst, ip + offsetof(struct rte_ipv6_hdr, dst_addr), 16);
	}
}

/* Looks up those of the packets that nothing is known of. */
static void judge_others(struct worker *w, struct burst *b, const uint16_t at[], uint16_t n,
	enum policy_direction direction)
{
	struct spd_key key[BURST_MAX];
	const struct spd_key *keys[BURST_MAX];
	uint32_t policy[BURST_MAX];

	for (uint16_t k = 0; k < n; k++) {
		key_fill(burst_ip(b, at[k]), &b->fact[at[k]], &key[k]);
		keys[k] = &key[k];
	}
	spd_lookup(w->tables->spd, direction, keys, policy, n);
	burst_route(w, b);
	for (uint16_t k = 0; k < n; k++) {
		b->policy[at[k]] = policy[k];
		flow_cache_keep(w, b, at[k], direction);
	}
}

static void count(struct worker *w, const struct burst *b)
{
	struct sa_count *met = w->tables->count[w->id];

	for (uint16_t i = 0, end; i < b->n; i = end) {
		uint32_t policy = b->policy[i];
		uint64_t bytes = 0;

		for (end = i; end < b->n && b->policy[end] == policy; end++)
			bytes += b->fact[end].len;
		if (likely(policy != SPD_NO_MATCH)) {
			met[policy].packets += end - i;
			met[policy].bytes += bytes;
		}
	}
}

static inline void prefetch(const struct worker *w, uint32_t policy)
{
	rte_prefetch0(&w->tables->count[w->id][policy]);
	rte_prefetch0(&spd_entries(w->tables->spd)[policy]);
}

void spd_judge(struct worker *w, struct burst *b, enum policy_direction direction)
{
	uint16_t at[BURST_MAX], n = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		if (unlikely(b->policy[i] == SPD_NOT_JUDGED))
			at[n++] = i;
		else if (i > 0 && b->policy[i] != b->policy[i - 1])
			prefetch(w, b->policy[i]);
	}
	if (n > 0)
		judge_others(w, b, at, n, direction);
	count(w, b);
}
