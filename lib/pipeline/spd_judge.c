/* SPDX-License-Identifier: BSD-3-Clause */
/* spd_judge.c - finds the policy that each packet of a burst meets, into its column, and counts it. */
#include "spd_judge.h"

#include <rte_ip.h>
#include <string.h>

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

void spd_judge(struct worker *w, struct burst *b, enum policy_direction direction)
{
	struct spd_key key[BURST_MAX];
	const struct spd_key *keys[BURST_MAX];

	for (uint16_t i = 0; i < b->n; i++) {
		key_fill(burst_ip(b, i), &b->fact[i], &key[i]);
		keys[i] = &key[i];
	}
	spd_lookup(w->p->setup.spd, direction, keys, b->policy, b->n);
	for (uint16_t i = 0; i < b->n; i++) {
		if (likely(b->policy[i] != SPD_NO_MATCH)) {
			w->policy_count[b->policy[i]].packets++;
			w->policy_count[b->policy[i]].bytes += b->fact[i].len;
		}
	}
}
