/* SPDX-License-Identifier: BSD-3-Clause */
/* report_offload.c - adit-bench offload as a table and as JSON. */
#include "report_offload.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "table.h"

#define WIDTH     100
#define CARRIED   0.99 /* of what was offered: less is said */
#define DISTURBED 0.002 /* of the time */

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Of a field of struct offload_run, over the runs of a kind that have it. */
static double median(const struct offload_result *r, enum offload_kind kind, size_t field)
{
	double value[OFFLOAD_RUNS_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < r->kind[kind].n; i++) {
		value[n] = *(const double *)((const char *)&r->kind[kind].run[i] + field);
		n += !isnan(value[n]);
	}
	if (n == 0)
		return NAN;
	qsort(value, n, sizeof(value[0]), compare);
	return (value[(n - 1) / 2] + value[n / 2]) / 2;
}

#define ALONE(field)  offsetof(struct offload_run, alone.field)
#define BESIDE(field) offsetof(struct offload_run, beside.field)

/* Neither half of some run got through what was offered. */
static bool is_behind(const struct offload_result *r, enum offload_kind kind)
{
	return median(r, kind, ALONE(mpps)) < CARRIED * r->mpps ||
	       median(r, kind, BESIDE(mpps)) < CARRIED * r->mpps;
}

static bool half_is_disturbed(const struct offload_half *h)
{
	return h->run_delay > DISTURBED || h->steal > DISTURBED;
}

/* Runs in which something else had a CPU for so long that figures say little. */
static unsigned count_disturbed(const struct offload_result *r, enum offload_kind kind)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->kind[kind].n; i++)
		n += half_is_disturbed(&r->kind[kind].run[i].alone) ||
		     half_is_disturbed(&r->kind[kind].run[i].beside);
	return n;
}

static void put_kind(const struct offload_result *r, enum offload_kind kind, struct table *t)
{
	double cores = median(r, kind, ALONE(cores)), victim = median(r, kind, BESIDE(victim));

	table_row(t);
	table_put(t, "%s", offload_kind_name(kind));
	table_put(t, "%.2f%s", median(r, kind, ALONE(mpps)), is_behind(r, kind) ? "*" : " ");
	table_put(t, "%.2f", median(r, kind, ALONE(gbps)));
	table_put(t, "%.3f%s", cores, count_disturbed(r, kind) > 0 ? "!" : " ");
	table_put(t, "%.4f", cores / median(r, kind, ALONE(gbps)));
	table_put(t, "%.1f", median(r, kind, ALONE(median_us)));
	table_put(t, "%.1f", median(r, kind, ALONE(p99_us)));
	table_put(t, "%.1f", median(r, kind, ALONE(p999_us)));
	table_put(t, "%.2f", median(r, kind, ALONE(jitter_us)));
	if (isnan(victim))
		table_put(t, "-");
	else
		table_put(t, "%.1f %%", 100 * victim);
	table_put(t, "%.1f", median(r, kind, BESIDE(median_us)));
	table_put(t, "%.1f", median(r, kind, BESIDE(p99_us)));
}

static struct table *new_table(void)
{
	static const char *const columns[][2] = {{"", "crypto"}, {"carried", "Mpps "},
		{"carried", "Gbps"}, {"worker", "cores "}, {"worker", "per Gbps"},
		{"latency, us", "median"}, {"latency, us", "p99"}, {"latency, us", "p99.9"},
		{"latency, us", "jitter"}, {"a victim beside it", "gets"},
		{"a victim beside it", "median"}, {"a victim beside it", "p99"}};
	struct table *t = calloc(1, sizeof(*t));

	for (unsigned i = 0; t != NULL && i < sizeof(columns) / sizeof(columns[0]); i++)
		table_column(t, columns[i][0], columns[i][1]);
	if (t != NULL)
		t->n_fixed = 1;
	return t;
}

static void print_notes(const struct offload_result *r, FILE *to)
{
	bool has_behind = false;
	unsigned disturbed = 0;

	fprintf(to,
		"\ncores: of the worker, busy by its ledger while it polls all the time; jitter: "
		"how "
		"much a\npacket's latency differs from that of the one before. A victim on the "
		"worker's CPU runs when\nthe worker sleeps, which then does so for %d us whenever "
		"it "
		"finds nothing: gets: of what it\ngets alone.\n",
		PACE_NAP_US);
	for (enum offload_kind kind = 0; kind < OFFLOAD_KINDS; kind++) {
		if (r->kind[kind].absent[0] != '\0')
			fprintf(to, "%s is absent: %s\n", offload_kind_name(kind),
				r->kind[kind].absent);
		else
			has_behind |= is_behind(r, kind);
		disturbed += count_disturbed(r, kind);
	}
	if (r->setup->n_lcores > 0)
		fprintf(to,
			"lookaside (lcore) is crypto_scheduler on %u lcore%s, busy all the time, "
			"in the "
			"place of a card\n",
			r->setup->n_lcores, r->setup->n_lcores == 1 ? "" : "s");
	if (disturbed > 0)
		fprintf(to, "! disturbed: in %u runs this machine gave the CPU to something else\n",
			disturbed);
	if (has_behind)
		fprintf(to, "* less than was offered, in one half or both\n");
}

void report_offload_table(const struct offload_result *r, FILE *to)
{
	struct table *t = new_table();

	if (t == NULL)
		return;
	fprintf(to, "%s, out, %s bytes, %s: %.2f Mpps offered", r->setup->suite->name,
		r->setup->sizes.name,
		r->is_one_core ? "one core feeds, forwards and drains" : "cold", r->mpps);
	if (r->max_mpps > 0)
		fprintf(to, ", half of what software carries");
	fprintf(to, "; medians of %u runs of twice %g s\n\n", r->setup->runs, r->setup->seconds);
	for (enum offload_kind kind = 0; kind < OFFLOAD_KINDS; kind++) {
		if (r->kind[kind].n > 0)
			put_kind(r, kind, t);
	}
	table_print(t, WIDTH, to);
	free(t);
	print_notes(r, to);
}

static json_t *half(const struct offload_half *h)
{
	return json_pack("{sf sf sf sf sf sf sf sI sI sf sf sb}", "mpps", h->mpps, "gbps", h->gbps,
		"cores", h->cores, "latency_median_us", h->median_us, "latency_p99_us", h->p99_us,
		"latency_p999_us", h->p999_us, "jitter_us", h->jitter_us, "packets",
		(json_int_t)h->packets, "checked", (json_int_t)h->checked, "run_delay",
		h->run_delay, "steal", h->steal, "disturbed", half_is_disturbed(h));
}

static json_t *runs(const struct offload_result *r, enum offload_kind kind)
{
	json_t *all = json_array();

	for (unsigned i = 0; i < r->kind[kind].n; i++) {
		const struct offload_run *run = &r->kind[kind].run[i];
		json_t *beside = half(&run->beside);

		json_object_set_new(beside, "victim",
			isnan(run->beside.victim) ? json_null() : json_real(run->beside.victim));
		json_array_append_new(
			all, json_pack("{so so}", "alone", half(&run->alone), "beside", beside));
	}
	return all;
}

static json_t *kinds(const struct offload_result *r)
{
	json_t *o = json_object();

	for (enum offload_kind kind = 0; kind < OFFLOAD_KINDS; kind++) {
		json_t *value;

		if (r->kind[kind].n == 0)
			value = json_pack(
				"{ss ss}", "state", "absent", "why", r->kind[kind].absent);
		else
			value = json_pack("{ss ss sb so}", "state", "measured", "runs_on",
				r->kind[kind].runs_on, "carried_all", !is_behind(r, kind), "runs",
				runs(r, kind));
		json_object_set_new(o, offload_kind_name(kind), value);
	}
	return o;
}

int report_offload_json(const struct offload_result *r, const struct environment *e, FILE *to)
{
	const struct offload_setup *s = r->setup;
	json_t *root = json_pack("{ss si so s{ss ss ss sf si si si sf sf} so}", "format",
		"adit-bench offload", "version", 1, "environment", environment_json(e), "setup",
		"suite", s->suite->name, "bytes", s->sizes.name, "mode",
		r->is_one_core ? "one core" : "cold", "seconds", s->seconds, "runs", s->runs,
		"burst", s->burst, "offload_lcores", s->n_lcores, "offered_mpps", r->mpps,
		"software_max_mpps", r->max_mpps, "kinds", kinds(r));
	int rc = json_dumpf(root, to, JSON_INDENT(1) | JSON_REAL_PRECISION(9));

	fputc('\n', to);
	json_decref(root);
	return rc == 0 ? 0 : -ENOMEM;
}
