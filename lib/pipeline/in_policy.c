/* SPDX-License-Identifier: BSD-3-Clause */
/* in_policy.c - the SPD judges what enters the protected side. An inner packet must be one that its
 * own SA's policies protect; a packet in clear must be one that may come so (RFC 4301 5.2). */
#include "flow_cache.h"
#include "spd_judge.h"

/* RFC 4301 5.2 step 4: the SA proves who sent it, not that they may. */
static enum exit judge_inner(const struct spd_entry *e, const struct sa *sa)
{
	if (e != NULL && e->action == POLICY_PROTECT && e->reqid == sa->reqid)
		return EXIT_COUNT;
	return EXIT_IN_POLICY_SELECTORS;
}

static enum exit judge_clear(const struct spd_entry *e, const struct facts *f)
{
	if (e == NULL)
		return EXIT_IN_POLICY_NO_MATCH;
	switch (e->action) {
	case POLICY_BYPASS: return f->flags & FACT_GROUP ? EXIT_IN_MULTICAST : EXIT_COUNT;
	case POLICY_PROTECT: return EXIT_IN_POLICY_CLEAR;
	default: return EXIT_IN_POLICY_DISCARD;
	}
}

uint16_t in_policy(struct worker *w, struct burst *b)
{
	const struct spd_entry *entry = spd_entries(w->tables->spd);
	uint16_t kept = 0;

	flow_cache_find(w, b, POLICY_IN);
	spd_judge(w, b, POLICY_IN);
	for (uint16_t i = 0; i < b->n; i++) {
		const struct spd_entry *match =
			b->policy[i] == SPD_NO_MATCH ? NULL : &entry[b->policy[i]];
		enum exit e = b->sa[i] != NULL ? judge_inner(match, b->sa[i])
					       : judge_clear(match, &b->fact[i]);

		if (unlikely(e != EXIT_COUNT))
			burst_leave(w, b, i, e);
		else
			burst_keep(b, kept++, i);
	}
	return b->n = kept;
}
