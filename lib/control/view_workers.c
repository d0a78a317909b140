/* SPDX-License-Identifier: BSD-3-Clause */
/* view_workers.c - what each worker did, whether the books close, what each stage cost. */
#include "totals.h"
#include "view.h"

static json_t *show_worker(uint16_t n, const struct worker_stats *s)
{
	uint64_t cycles = s->busy_cycles + s->idle_cycles;
	json_t *idle = cycles == 0 ? json_null()
				   : json_real(100.0 * (double)s->idle_cycles / (double)cycles);

	return json_pack("{s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
		"worker", n, "lcore", s->lcore, "received", whole(s->received), "made",
		whole(s->made), "sent", whole(s->sent), "exits", whole(totals_exits(s)), "merged",
		whole(s->merged), "parked", json_integer((json_int_t)s->parked), "polls",
		whole(s->polls), "idle_polls", whole(s->idle_polls), "busy_cycles",
		whole(s->busy_cycles), "idle_cycles", whole(s->idle_cycles), "idle_percent", idle);
}

static json_t *show_books(const struct worker_stats *sum)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:I}", "received", whole(sum->received),
		"made", whole(sum->made), "sent", whole(sum->sent), "exits",
		whole(totals_exits(sum)), "merged", whole(sum->merged), "parked",
		whole(sum->parked), "in_hand", (json_int_t)totals_in_hand(sum));
}

static json_t *show_stages(const struct pipeline *p)
{
	json_t *all = json_array();
	struct stage_stats s;
	int rc = 0;

	for (unsigned n = 0; pipeline_stage(p, n, &s); n++)
		rc |= json_array_append_new(all,
			json_pack("{s:s, s:s, s:o, s:o, s:o}", "lane", s.lane, "stage", s.stage,
				"packets", whole(s.packets), "cycles", whole(s.cycles),
				"cycles_per_packet",
				s.packets == 0 ? json_null()
					       : json_real((double)s.cycles / (double)s.packets)));
	return whole_or_none(all, rc);
}

json_t *view_workers(const json_t *request, void *arg, struct why *why)
{
	const struct views *v = arg;
	uint16_t n_workers = pipeline_workers(v->of.pipeline);
	json_t *all = json_array();
	struct worker_stats sum = {0};
	int rc = 0;

	(void)request;
	(void)why;
	for (uint16_t w = 0; w < n_workers; w++) {
		struct worker_stats stats;

		pipeline_stats(v->of.pipeline, w, &stats);
		totals_add(&sum, &stats);
		rc |= json_array_append_new(all, show_worker(w, &stats));
	}
	return json_pack("{s:o, s:o, s:o}", "workers", whole_or_none(all, rc), "books",
		show_books(&sum), "stages", show_stages(v->of.pipeline));
}
