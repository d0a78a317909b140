/* SPDX-License-Identifier: BSD-3-Clause */
/* report_json.c - a result as JSON: all that is known, lap by lap. */
#include <errno.h>
#include <jansson.h>

#include "published.h"
#include "report.h"

static json_t *figure(struct figure f)
{
	return json_pack("{sf sf sf}", "median", f.median, "min", f.min, "max", f.max);
}

static json_t *setup(const struct plan *p)
{
	return json_pack("{ss sf si si si si si si sb}", "mode", lap_mode_name(p->mode), "seconds",
		p->seconds, "repeat", p->repeat, "sas", p->n_sas, "policies", p->n_policies,
		"workers", p->n_workers, "burst", p->burst, "sample", p->sample, "ledger",
		!p->no_ledger);
}

static json_t *lap(const struct lap *l)
{
	return json_pack("{sI sI sI sI sI sI sf sf sf sb}", "packets", (json_int_t)l->packets,
		"bytes", (json_int_t)l->bytes, "cycles", (json_int_t)l->cycles, "idle_cycles",
		(json_int_t)l->idle_cycles, "checked", (json_int_t)l->traffic.checked, "wrong",
		(json_int_t)l->traffic.wrong, "seconds", l->seconds, "run_delay", l->run_delay,
		"steal", l->steal, "disturbed", lap_is_disturbed(l));
}

static json_t *ledger(const struct ledger *l)
{
	json_t *stages = json_array();

	for (unsigned i = 0; i < l->n; i++) {
		if (l->stage[i].packets > 0)
			json_array_append_new(stages,
				json_pack("{ss ss sI sI}", "lane", l->stage[i].lane, "stage",
					l->stage[i].stage, "cycles", (json_int_t)l->stage[i].cycles,
					"packets", (json_int_t)l->stage[i].packets));
	}
	return json_pack("{sI so sI sI sI sI sf}", "received", (json_int_t)l->received, "stages",
		stages, "rx_cycles", (json_int_t)l->rx_cycles, "poll_cycles",
		(json_int_t)l->poll_cycles, "busy_cycles", (json_int_t)l->busy_cycles,
		"idle_cycles", (json_int_t)l->idle_cycles, "closes", ledger_closes(l));
}

static void add_ratio(json_t *to, const char *name, double ratio)
{
	if (ratio > 0)
		json_object_set_new(to, name, json_real(ratio));
}

static json_t *measured(const struct result *r, const struct row *row, enum entrant_id id)
{
	const struct cell *c = &row->cell[id];
	json_t *laps = json_array();
	json_t *o = json_pack("{ss so so so si si so}", "state", "measured", "mpps",
		figure(result_mpps(r, c)), "gbps", figure(result_gbps(r, c)), "cycles_per_packet",
		figure(result_cycles(c)), "disturbed_laps", c->disturbed, "laps_repeated",
		c->thrown_away, "laps", laps);

	for (unsigned i = 0; i < c->n; i++)
		json_array_append_new(laps, lap(&c->lap[i]));
	add_ratio(o, "of_ceiling", result_ratio(row, result_ceiling(row, id), id));
	add_ratio(o, "of_limit", result_ratio(row, id, ENTRANT_MB_JOBS));
	if (id == ENTRANT_LOOKASIDE)
		add_ratio(o, "of_aesni_mb", result_ratio(row, ENTRANT_AESNI_MB, id));
	if (c->has_ledger)
		json_object_set_new(o, "ledger", ledger(&c->ledger));
	if (r->suite[row->suite].runs_on[id][0] != '\0')
		json_object_set_new(o, "runs_on", json_string(r->suite[row->suite].runs_on[id]));
	return o;
}

static json_t *cells(const struct result *r, const struct row *row)
{
	json_t *o = json_object();

	for (enum entrant_id id = 0; id < ENTRANTS; id++) {
		if (row->cell[id].state == CELL_MEASURED)
			json_object_set_new(o, entrant_name(id), measured(r, row, id));
		else if (row->cell[id].state == CELL_ABSENT)
			json_object_set_new(o, entrant_name(id),
				json_pack("{ss ss}", "state", "absent", "why",
					r->suite[row->suite].absent[id]));
	}
	return o;
}

static json_t *published(const struct row *row)
{
	json_t *o = json_object();

	for (enum entrant_id id = 0; id <= ENTRANT_QAT; id++)
		add_ratio(o, entrant_name(id), published_gbps(id, &row->sizes));
	return o;
}

static json_t *one_row(const struct result *r, const struct row *row)
{
	json_t *o = json_pack("{ss ss ss sf ss sb so so}", "suite", r->plan->suite[row->suite].name,
		"direction", direction_name(row->direction), "bytes", row->sizes.name, "mean_bytes",
		sizes_mean(&row->sizes), "mode", lap_mode_name(r->plan->mode), "disturbed",
		result_is_disturbed(row), "columns", cells(r, row), "published_2019_gbps",
		published(row));

	add_ratio(o, "openssl_speed_gbps", row->openssl_speed);
	return o;
}

int report_json(const struct result *r, const struct environment *e, FILE *to)
{
	json_t *rows = json_array();
	json_t *root = json_pack("{ss si so so so}", "format", "adit-bench size", "version", 1,
		"environment", environment_json(e), "setup", setup(r->plan), "rows", rows);
	int rc;

	for (unsigned i = 0; i < r->n_rows; i++)
		json_array_append_new(rows, one_row(r, &r->row[i]));
	rc = json_dumpf(root, to, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	fputc('\n', to);
	json_decref(root);
	return rc == 0 ? 0 : -ENOMEM;
}
