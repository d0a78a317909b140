/* SPDX-License-Identifier: BSD-3-Clause */
/* out_classify.c - what a protected port received: measured, or sent off; ours and ARP are punted. */
#include "flow_cache.h"
#include "frame.h"
#include "worker_dp.h"

static const enum exit exit_of[FRAME_VERDICTS] = {
	[FRAME_ARP] = EXIT_OUT_ARP,
	[FRAME_RUNT] = EXIT_OUT_CLASSIFY_RUNT,
	[FRAME_MAC] = EXIT_OUT_CLASSIFY_MAC,
	[FRAME_VLAN] = EXIT_OUT_CLASSIFY_VLAN,
	[FRAME_NOT_IP] = EXIT_OUT_CLASSIFY_NOT_IP,
	[FRAME_NO_ROOM] = EXIT_OUT_CLASSIFY_NO_ROOM,
	[FRAME_VERSION] = EXIT_OUT_CLASSIFY_VERSION,
	[FRAME_LENGTH] = EXIT_OUT_CLASSIFY_LENGTH,
	[FRAME_CHECKSUM] = EXIT_OUT_CLASSIFY_CHECKSUM,
	[FRAME_EXTENSIONS] = EXIT_OUT_CLASSIFY_EXTENSIONS,
};

/* Keeps what is to be forwarded; the rest is for this host. */
static uint16_t keep_transit(struct worker *w, struct burst *b)
{
	uint16_t kept = 0;

	flow_cache_find(w, b, POLICY_OUT);
	burst_route(w, b);
	for (uint16_t i = 0; i < b->n; i++) {
		if (likely(b->fact[i].flags & FACT_FLOW_KNOWN))
			burst_keep(b, kept++, i);
		else if (unlikely(b->fact[i].flags & FACT_GROUP))
			burst_leave(w, b, i, EXIT_OUT_MULTICAST);
		else if (unlikely(b->nh[i]->kind == NEXTHOP_LOCAL))
			burst_leave(w, b, i, EXIT_OUT_LOCAL);
		else
			burst_keep(b, kept++, i);
	}
	return kept;
}

uint16_t out_classify(struct worker *w, struct burst *b)
{
	frames_open(w, b, exit_of);
	return b->n = keep_transit(w, b);
}
