/* SPDX-License-Identifier: BSD-3-Clause */
/* park.c - goes on with packets that have waited. */
#include "park.h"

void park_resume(struct worker *w, struct rte_mbuf *pkt[], uint16_t n)
{
	struct sa *sa[BURST_MAX];

	for (uint16_t i = 0, end; i < n; i = end) {
		const struct parked first = *parked_of(pkt[i]);
		struct burst *b = &w->lane[first.lane].burst;

		for (end = i; end < n && parked_of(pkt[end])->lane == first.lane &&
			      parked_of(pkt[end])->stage == first.stage;
			end++) {
			sa[end] = parked_of(pkt[end])->sa;
			unpark(w, b, pkt[end]);
		}
		worker_book(w, &w->stats.poll_cycles);
		lanes_run(w, first.lane, first.stage);
		/* Only now: what went into another FIFO on the way is counted there before. */
		w->parked_out += end - i;
		for (uint16_t k = i; k < end; k++) {
			if (sa[k] != NULL)
				sa_unpark(sa[k], w->id);
		}
	}
}
