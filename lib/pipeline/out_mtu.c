/* SPDX-License-Identifier: BSD-3-Clause */
/* out_mtu.c - packets that would outgrow the path leave here; the rest fits with its ESP overhead. */
#include "worker_dp.h"

uint16_t out_mtu(struct worker *w, struct burst *b)
{
	uint16_t kept = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		const struct sa *sa = b->sa[i];

		if (unlikely(b->fact[i].len > sa->out.room)) { /* path MTU - overhead */
			burst_leave(w, b, i, EXIT_OUT_MTU_TOO_BIG);
			continue;
		}
		rte_prefetch0(sa_session(sa));
		burst_keep(b, kept++, i);
	}
	return b->n = kept;
}
