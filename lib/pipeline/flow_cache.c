/* SPDX-License-Identifier: BSD-3-Clause */
/* flow_cache.c - what the SPD and the FIB have said of a flow, in sets of two, the older one replaced. */
#include "flow_cache.h"

#include <netinet/in.h>
#include <rte_hash_crc.h>
#include <rte_ip.h>
#include <rte_malloc.h>
#include <stdalign.h>
#include <string.h>

#include "martian.h"

#define SETS 32768
#define WAYS 2

struct flow_key {
	uint64_t address[4]; /* source and destination as in the header; IPv4: both in the first */
	uint64_t rest; /* ports, protocol, family, direction, what is opaque */
};

struct flow {
	alignas(RTE_CACHE_LINE_SIZE) struct flow_key key;
	const struct nexthop *nh;
	uint32_t policy;
	uint32_t generation; /* 0: empty */
};
static_assert(sizeof(struct flow) == RTE_CACHE_LINE_SIZE, "a flow is a line");

struct flow_cache {
	struct flow set[SETS][WAYS];
};

struct flow_cache *flow_cache_open(int socket)
{
	return rte_zmalloc_socket(
		"flow_cache", sizeof(struct flow_cache), RTE_CACHE_LINE_SIZE, socket);
}

void flow_cache_close(struct flow_cache *c)
{
	rte_free(c);
}

static inline bool is_kept(const struct facts *f)
{
	return !(f->flags & (FACT_FRAGMENT | FACT_GROUP)) && f->protocol != IPPROTO_ICMP &&
	       f->protocol != IPPROTO_ICMPV6;
}

/* Fills as much of the key as the family has, and returns its set. */
static inline uint32_t fill_key(const uint8_t *ip, const struct facts *f,
	enum policy_direction direction, struct flow_key *key)
{
	uint32_t hash;

	key->rest = f->sport | (uint64_t)f->dport << 16 | (uint64_t)f->protocol << 32 |
		    (uint64_t)f->family << 40 | (uint64_t)direction << 48 |
		    (uint64_t)f->opaque << 56;
	hash = rte_hash_crc_8byte(key->rest, 0);
	if (likely(f->family == 4)) {
		memcpy(key->address, ip + offsetof(struct rte_ipv4_hdr, src_addr), 8);
		return rte_hash_crc_8byte(key->address[0], hash) & (SETS - 1);
	}
	memcpy(key->address, ip + offsetof(struct rte_ipv6_hdr, src_addr), 32);
	for (unsigned k = 0; k < 4; k++)
		hash = rte_hash_crc_8byte(key->address[k], hash);
	return hash & (SETS - 1);
}

static inline bool is_flow(const struct flow *flow, const struct flow_key *key, uint8_t family)
{
	if (flow->key.rest != key->rest || flow->key.address[0] != key->address[0])
		return false;
	return likely(family == 4) ||
	       memcmp(&flow->key.address[1], &key->address[1], 3 * sizeof(uint64_t)) == 0;
}

void flow_cache_find(struct worker *w, struct burst *b, enum policy_direction direction)
{
	uint32_t generation = w->tables->generation;
	struct flow_key key[BURST_MAX];
	const struct flow *set[BURST_MAX];

	for (uint16_t i = 0; i < b->n; i++) {
		set[i] = w->flows->set[fill_key(burst_ip(b, i), &b->fact[i], direction, &key[i])];
		rte_prefetch0(set[i]);
	}
	for (uint16_t i = 0; i < b->n; i++) {
		struct facts *f = &b->fact[i];

		for (unsigned way = 0; way < WAYS; way++) {
			const struct flow *flow = &set[i][way];

			if (!is_flow(flow, &key[i], f->family) || flow->generation != generation ||
				!is_kept(f))
				continue;
			b->policy[i] = flow->policy;
			b->nh[i] = flow->nh;
			f->flags |= FACT_FLOW_KNOWN;
			break;
		}
	}
}

void flow_cache_keep(
	struct worker *w, const struct burst *b, uint16_t i, enum policy_direction direction)
{
	const struct facts *f = &b->fact[i];
	const uint8_t *ip = burst_ip(b, i);
	struct flow flow = {
		.policy = b->policy[i], .nh = b->nh[i], .generation = w->tables->generation};
	struct flow *set;

	if (!is_kept(f) || b->nh[i]->kind == NEXTHOP_LOCAL || is_martian(ip, f->family))
		return;
	set = w->flows->set[fill_key(ip, f, direction, &flow.key)];
	set[1] = set[0];
	set[0] = flow;
}
