/* SPDX-License-Identifier: BSD-3-Clause */
/* views.c - what can be seen of a running gateway: SAs, exits and workers as JSON. */
#include "views.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "sa.h"
#include "telemetry.h"
#include "totals.h"
#include "worker.h"

struct views {
	struct pipeline *pipeline;
	struct sa_db *sas;
	struct telemetry *telemetry;
};

/* JSON integers of jansson have a sign. What is beyond them (sequence numbers only) is text. */
static json_t *whole(uint64_t n)
{
	return n <= INT64_MAX ? json_integer((json_int_t)n) : json_sprintf("%" PRIu64, n);
}

static json_t *algorithm_of(const struct crypto_spec *c)
{
	if (c->aead != NULL)
		return json_string(c->aead->name);
	return json_sprintf("%s+%s", c->cipher->name, c->auth->name);
}

static int show_sa(struct sa *sa, void *arg)
{
	const struct sa_spec *spec = sa_spec_of(sa);
	struct sa_count count = sa_count_of(sa);
	bool is_in = spec->direction == SA_IN;
	char src[IPADDR_STRLEN], dst[IPADDR_STRLEN];

	return json_array_append_new(arg,
		json_pack("{s:s, s:s, s:o, s:s, s:s, s:o, s:s, s:o, s:b, s:s, s:o*, s:o, s:o, s:o}",
			"name", spec->name, "direction", is_in ? "in" : "out", "spi",
			json_sprintf("0x%" PRIx32, spec->spi), "src",
			ipaddr_format(&spec->src, src), "dst", ipaddr_format(&spec->dst, dst),
			"reqid", whole(spec->reqid), "mode", "tunnel", "algorithm",
			algorithm_of(&spec->crypto), "esn", spec->esn, "provider", sa_provider(sa),
			"replay_window", is_in ? whole(spec->window) : NULL, "sequence",
			whole(sa_sequence(sa)), "packets", whole(count.packets), "bytes",
			whole(count.bytes)));
}

/* The array, or NULL where one of its elements could not be made. */
static json_t *whole_or_none(json_t *array, int rc)
{
	if (rc == 0)
		return array;
	json_decref(array);
	return NULL;
}

static json_t *view_sa(const json_t *request, void *arg, struct why *why)
{
	const struct views *v = arg;
	json_t *all = json_array();

	(void)request;
	(void)why;
	return whole_or_none(all, sa_db_walk(v->sas, show_sa, all));
}

/* "per_worker": true: each worker's share too. */
static json_t *view_exits(const json_t *request, void *arg, struct why *why)
{
	const struct views *v = arg;
	bool per_worker = json_is_true(json_object_get(request, "per_worker"));
	uint16_t n_workers = pipeline_workers(v->pipeline);
	json_t *all = json_array(), *share[EXIT_COUNT];
	struct worker_stats sum = {0};
	int rc = 0;

	(void)why;
	for (enum exit e = 0; e < EXIT_COUNT; e++)
		share[e] = per_worker ? json_array() : NULL;
	for (uint16_t w = 0; w < n_workers; w++) {
		struct worker_stats stats;

		pipeline_stats(v->pipeline, w, &stats);
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

static json_t *view_workers(const json_t *request, void *arg, struct why *why)
{
	const struct views *v = arg;
	uint16_t n_workers = pipeline_workers(v->pipeline);
	json_t *all = json_array();
	struct worker_stats sum = {0};
	int rc = 0;

	(void)request;
	(void)why;
	for (uint16_t w = 0; w < n_workers; w++) {
		struct worker_stats stats;

		pipeline_stats(v->pipeline, w, &stats);
		totals_add(&sum, &stats);
		rc |= json_array_append_new(all, show_worker(w, &stats));
	}
	return json_pack("{s:o, s:o, s:o}", "workers", whole_or_none(all, rc), "books",
		show_books(&sum), "stages", show_stages(v->pipeline));
}

static const struct {
	const char *name;
	control_handler *handler;
	const char *help;
} commands[] = {
	{"sa", view_sa, "Every security association: what it is, what it carried."},
	{"exits", view_exits,
		"Every exit and how many packets took it; \"per_worker\": true adds shares."},
	{"workers", view_workers,
		"What each worker did, whether the books close, what each stage cost."},
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void serve_telemetry(void *arg)
{
	telemetry_serve(arg);
}

int views_open(struct control *ctl, struct pipeline *pipeline, struct sa_db *sas, struct why *why)
{
	struct views *v = malloc(sizeof(*v));
	int rc;

	if (v == NULL)
		return why_set(why, -ENOMEM, "views: out of memory");
	*v = (struct views){.pipeline = pipeline, .sas = sas};
	rc = telemetry_open(pipeline, sas, &v->telemetry, why);
	if (rc < 0)
		goto free_views;
	rc = control_watch(ctl, telemetry_fd(v->telemetry), serve_telemetry, v->telemetry);
	if (rc < 0) {
		why_set(why, rc, "telemetry: %s", strerror(-rc));
		goto close_telemetry;
	}
	for (unsigned i = 0; i < N_COMMANDS && rc == 0; i++)
		rc = control_handle(
			ctl, commands[i].name, commands[i].handler, v, commands[i].help);
	if (rc == 0)
		return 0;
	why_set(why, rc, "views: out of memory");
	for (unsigned i = 0; i < N_COMMANDS; i++)
		control_forget(ctl, commands[i].name);
	control_unwatch(ctl);
close_telemetry:
	telemetry_close(v->telemetry);
free_views:
	free(v);
	return rc;
}

void views_close(struct control *ctl)
{
	struct views *v = NULL;

	for (unsigned i = 0; i < N_COMMANDS; i++)
		v = control_forget(ctl, commands[i].name);
	if (v == NULL)
		return;
	control_unwatch(ctl);
	telemetry_close(v->telemetry);
	free(v);
}
