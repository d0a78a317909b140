/* SPDX-License-Identifier: BSD-3-Clause */
/* sad_cache.h - the SAs that a worker found last, by all that the SAD looks at: SPI, destination and
 * source. IPv4 only. All is forgotten when the SAD's generation moves, so that it holds no SA longer than
 * the SAD. */
#pragma once

#include "sad_dp.h"

struct sad_cache;

struct sad_cache *sad_cache_open(int socket); /* NULL: no memory */
void sad_cache_close(struct sad_cache *c);

/* Asks for what sad_cache_find() will look at. */
void sad_cache_prefetch(const struct sad_cache *c, const struct rte_ipsec_sadv4_key *key);

/* NULL: not known. generation: the SAD's, read before the first of a burst is looked for. */
struct sa *sad_cache_find(
	const struct sad_cache *c, const struct rte_ipsec_sadv4_key *key, uint32_t generation);

void sad_cache_keep(struct sad_cache *c, const struct rte_ipsec_sadv4_key *key, uint32_t generation,
	struct sa *sa);
