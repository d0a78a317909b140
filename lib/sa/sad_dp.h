/* SPDX-License-Identifier: BSD-3-Clause */
/* sad_dp.h - the SAD as workers see it: bulk lookups. */
#pragma once

#include <rte_ipsec_sad.h>

#include "sad.h"

struct sa;

/* Moves whenever an SA may be found otherwise than before. A worker that reads it, looks up, and keeps
 * what it found for as long as this stays the same never holds an SA longer than a table does. */
uint32_t sad_generation(const struct sad *sad);

/* spi and addresses in network order. sa[i] is NULL where nothing matches. Inside a worker's poll,
 * between two rcu_quiescent(). n up to 256. */
void sad_lookup4(const struct sad *sad, const struct rte_ipsec_sadv4_key *const key[],
	struct sa *sa[], uint32_t n);
void sad_lookup6(const struct sad *sad, const struct rte_ipsec_sadv6_key *const key[],
	struct sa *sa[], uint32_t n);
