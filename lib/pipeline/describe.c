/* SPDX-License-Identifier: BSD-3-Clause */
/* describe.c - the pipeline in words: lanes, stages, exits, and what each stage has cost. */
#include "worker_dp.h"

/* The n-th stage over all lanes; NULL past the end. */
static const struct stage *stage_at(unsigned n, enum lane_id *lane, unsigned *at)
{
	for (enum lane_id id = 0; id < LANES; id++) {
		for (unsigned k = 0; lanes[id].stage[k].name != NULL; k++, n--) {
			if (n == 0) {
				*lane = id;
				*at = k;
				return &lanes[id].stage[k];
			}
		}
	}
	return NULL;
}

bool pipeline_stage(const struct pipeline *p, unsigned n, struct stage_stats *out)
{
	enum lane_id lane;
	unsigned at;
	const struct stage *stage = stage_at(n, &lane, &at);

	if (stage == NULL)
		return false;
	*out = (struct stage_stats){.lane = lanes[lane].name, .stage = stage->name};
	for (uint16_t i = 0; i < p->n_workers; i++) {
		out->cycles += p->worker[i]->lane[lane].cycles[at];
		out->packets += p->worker[i]->lane[lane].packets[at];
	}
	return true;
}

void pipeline_describe(FILE *to)
{
	for (enum lane_id id = 0; id < LANES; id++) {
		fprintf(to, "%s: %s\n", lanes[id].name, lanes[id].does);
		for (const struct stage *s = lanes[id].stage; s->name != NULL; s++)
			fprintf(to, "  %-14s %s\n", s->name, s->does);
		fputc('\n', to);
	}
	fprintf(to, "exits:\n");
	for (enum exit e = 0; e < EXIT_COUNT; e++)
		fprintf(to, "  %-24s %-5s  %s\n", exit_name(e), exit_becomes_name(e),
			exit_meaning(e));
}
