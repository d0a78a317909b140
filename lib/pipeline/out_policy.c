/* SPDX-License-Identifier: BSD-3-Clause */
/* out_policy.c - the SPD judges what leaves the protected side: protect by the newest SA, bypass to
 * its own lane, discard; no match is discard (RFC 4301 5.1). */
#include "spd_judge.h"

/* Where packets meet many policies, each has its own way to its SA. */
static void prefetch_slots(const struct burst *b, const struct spd_entry *entry)
{
	for (uint16_t i = 1; i < b->n; i++) {
		if (b->policy[i] != b->policy[i - 1] && b->policy[i] != SPD_NO_MATCH)
			rte_prefetch0(entry[b->policy[i]].out);
	}
}

uint16_t out_policy(struct worker *w, struct burst *b)
{
	const struct spd_entry *entry = spd_entries(w->tables->spd);
	uint16_t kept = 0;

	spd_judge(w, b, POLICY_OUT);
	prefetch_slots(b, entry);
	for (uint16_t i = 0; i < b->n; i++) {
		const struct spd_entry *e = &entry[b->policy[i]];

		if (unlikely(b->policy[i] == SPD_NO_MATCH)) {
			burst_leave(w, b, i, EXIT_OUT_POLICY_NO_MATCH);
		} else if (likely(e->action == POLICY_PROTECT)) {
			b->sa[i] = sa_newest(e->out);
			if (unlikely(b->sa[i] == NULL)) {
				burst_leave(w, b, i, EXIT_OUT_POLICY_NO_SA);
				continue;
			}
			if (kept == 0 || b->sa[i] != b->sa[kept - 1])
				sa_prefetch(b->sa[i], w->id);
			burst_keep(b, kept++, i);
		} else if (e->action == POLICY_BYPASS) {
			b->reach[i] = REACH_ANY;
			burst_move(&w->lane[LANE_OUT_BYPASS].burst, b, i);
		} else {
			burst_leave(w, b, i, EXIT_OUT_POLICY_DISCARD);
		}
	}
	return b->n = kept;
}
