/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel_policy.c - the SPD judges what the kernel sends to the unprotected side as it does what comes from
 * the protected one (RFC 4301 5.1); what may pass in clear takes the way that the kernel chose. */
#include "spd_judge.h"

uint16_t kernel_policy(struct worker *w, struct burst *b)
{
	const struct spd_entry *entry = spd_entries(w->tables->spd);
	uint16_t kept = 0;

	spd_judge(w, b, POLICY_OUT);
	for (uint16_t i = 0; i < b->n; i++) {
		const struct spd_entry *e = &entry[b->policy[i]];

		if (b->policy[i] == SPD_NO_MATCH) {
			burst_leave(w, b, i, EXIT_OUT_POLICY_NO_MATCH);
		} else if (e->action == POLICY_BYPASS) {
			burst_move(&w->lane[LANE_KERNEL_OUT].burst, b, i);
		} else if (e->action == POLICY_DISCARD) {
			burst_leave(w, b, i, EXIT_OUT_POLICY_DISCARD);
		} else {
			b->sa[i] = sa_newest(e->out);
			if (b->sa[i] == NULL)
				burst_leave(w, b, i, EXIT_OUT_POLICY_NO_SA);
			else
				burst_keep(b, kept++, i);
		}
	}
	return b->n = kept;
}
