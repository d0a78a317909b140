/* SPDX-License-Identifier: BSD-3-Clause */
/* sad_dp.h - the SAD as workers see it: bulk lookups. */
#pragma once

#include <rte_ipsec_sad.h>

#include "sad.h"

struct sa;

/* spi and addresses in network order. sa[i] is NULL where nothing matches. Inside a worker's poll,
 * between two rcu_quiescent(). n up to 256. */
void sad_lookup4(const struct sad *sad, const struct rte_ipsec_sadv4_key *const key[],
	struct sa *sa[], uint32_t n);
void sad_lookup6(const struct sad *sad, const struct rte_ipsec_sadv6_key *const key[],
	struct sa *sa[], uint32_t n);
