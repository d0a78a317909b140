/* SPDX-License-Identifier: BSD-3-Clause */
/* flow_cache.h - what the SPD and the FIB have said of a flow, kept by each worker for its own: the
 * policy, never the SA, and the next hop of its destination. Only of flows in transit whose addresses a
 * router forwards; fragments, groups and ICMP are always judged anew (RFC 4301 4.4.1.1, 6: they are
 * judged by more than their flow). All is forgotten with the tables that it is of. */
#pragma once

#include "worker_dp.h"

struct flow_cache;

/* NULL: no memory. */
struct flow_cache *flow_cache_open(int socket);
void flow_cache_close(struct flow_cache *c);

/* Where a packet's flow is known: sets its policy, its next hop and FACT_FLOW_KNOWN. */
void flow_cache_find(struct worker *w, struct burst *b, enum policy_direction direction);

/* Keeps what packet i has met. It has a next hop. */
void flow_cache_keep(
	struct worker *w, const struct burst *b, uint16_t i, enum policy_direction direction);
