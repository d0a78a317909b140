/* SPDX-License-Identifier: BSD-3-Clause */
/* sad_cache.c - the SAs that a worker found last, in sets of two, the older one replaced. */
#include "sad_cache.h"

#include <rte_hash_crc.h>
#include <rte_malloc.h>
#include <rte_prefetch.h>
#include <stdalign.h>

#define SETS 16384

struct known {
	struct rte_ipsec_sadv4_key key;
	uint32_t generation; /* the SAD's, plus 1; 0: empty */
	struct sa *sa;
};

struct set {
	alignas(RTE_CACHE_LINE_SIZE) struct known way[2];
};
static_assert(sizeof(struct set) == RTE_CACHE_LINE_SIZE, "a set is a line");

struct sad_cache {
	struct set set[SETS];
};

struct sad_cache *sad_cache_open(int socket)
{
	return rte_zmalloc_socket(
		"sad_cache", sizeof(struct sad_cache), RTE_CACHE_LINE_SIZE, socket);
}

void sad_cache_close(struct sad_cache *c)
{
	rte_free(c);
}

static uint32_t set_of(const struct rte_ipsec_sadv4_key *key)
{
	return rte_hash_crc_8byte(
		       (uint64_t)key->dip << 32 | key->sip, rte_hash_crc_4byte(key->spi, 0)) &
	       (SETS - 1);
}

void sad_cache_prefetch(const struct sad_cache *c, const struct rte_ipsec_sadv4_key *key)
{
	rte_prefetch0(&c->set[set_of(key)]);
}

struct sa *sad_cache_find(
	const struct sad_cache *c, const struct rte_ipsec_sadv4_key *key, uint32_t generation)
{
	const struct set *set = &c->set[set_of(key)];

	for (unsigned i = 0; i < RTE_DIM(set->way); i++) {
		const struct known *k = &set->way[i];

		if (k->key.spi == key->spi && k->key.dip == key->dip && k->key.sip == key->sip &&
			k->generation == generation + 1)
			return k->sa;
	}
	return NULL;
}

void sad_cache_keep(struct sad_cache *c, const struct rte_ipsec_sadv4_key *key, uint32_t generation,
	struct sa *sa)
{
	struct set *set = &c->set[set_of(key)];

	set->way[1] = set->way[0];
	set->way[0] = (struct known){*key, generation + 1, sa};
}
