/* SPDX-License-Identifier: BSD-3-Clause */
/* view_exits.c - every exit, and how many packets took it. */
#include "totals.h"
#include "view.h"

/* "per_worker": true: each worker's share too. */
json_t *view_exits(const json_t *request, void *arg, struct why *why)
{
	const struct views *v = arg;
	bool per_worker = json_is_true(json_object_get(request, "per_worker"));
	uint16_t n_workers = pipeline_workers(v->of.pipeline);
	json_t *all = json_array(), *share[EXIT_COUNT];
	struct worker_stats sum = {0};
	int rc = 0;

	(void)why;
	for (enum exit e = 0; e < EXIT_COUNT; e++)
		share[e] = per_worker ? json_array() : NULL;
	for (uint16_t w = 0; w < n_workers; w++) {
		struct worker_stats stats;

		pipeline_stats(v->of.pipeline, w, &stats);
		totals_add(&sum, &stats);
		for (enum exit e = 0; per_worker && e < EXIT_COUNT; e++)
			rc |= json_array_append_new(share[e], whole(stats.exit[e]));
	}
	for (enum exit e = 0; e < EXIT_COUNT; e++)
		rc |= json_array_append_new(
			all, json_pack("{s:s, s:s, s:o, s:s, s:o*}", "name", exit_name(e),
				     "becomes", exit_becomes_name(e), "packets", whole(sum.exit[e]),
				     "meaning", exit_meaning(e), "per_worker", share[e]));
	return whole_or_none(all, rc);
}
