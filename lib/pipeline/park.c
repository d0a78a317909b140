/* SPDX-License-Identifier: BSD-3-Clause */
/* park.c - goes on with packets that have waited. */
#include "park.h"

void park_resume(struct worker *w, struct rte_mbuf *pkt[], uint16_t n)
{
	for (uint16_t i = 0; i < n;) {
		const struct parked first = *parked_of(pkt[i]);
		struct burst *b = &w->lane[first.lane].burst;
		uint16_t took;

		while (i < n && parked_of(pkt[i])->lane == first.lane &&
			parked_of(pkt[i])->stage == first.stage)
			unpark(b, pkt[i++]);
		took = b->n;
		lanes_run(w, first.lane, first.stage);
		/* Only now: what went into another FIFO on the way is counted there before. */
		w->parked_out += took;
	}
}
