/* SPDX-License-Identifier: BSD-3-Clause */
/* report_table.c - a result as tables for a terminal. */
#include <stdlib.h>

#include "published.h"
#include "report.h"
#include "table.h"

#define WIDTH 100

/* The rows of one suite and direction: [first, end). */
struct part {
	const struct result *r;
	unsigned first, end;
	FILE *to;
};

static const char *mark(const struct cell *c)
{
	return c->disturbed > 0 ? "!" : " ";
}

static void begin_row(struct table *t, const struct part *p, const struct row *row)
{
	table_row(t);
	table_put(t, "%s", row->sizes.name);
	table_put(t, "%s", lap_mode_name(p->r->plan->mode));
}

/* Of figures that come from several cells. */
static void begin_marked_row(struct table *t, const struct part *p, const struct row *row)
{
	table_row(t);
	table_put(t, "%s", row->sizes.name);
	table_put(t, "%s%s", lap_mode_name(p->r->plan->mode), result_is_disturbed(row) ? "!" : " ");
}

static struct table *new_table(void)
{
	struct table *t = calloc(1, sizeof(*t));

	if (t == NULL)
		abort();
	table_column(t, "", "bytes");
	table_column(t, "", "mode");
	t->n_fixed = 2;
	return t;
}

/* Prints and forgets it; one without columns of its own is not printed. */
static void end_table(struct table *t, const char *title, FILE *to)
{
	if (t->n_columns > t->n_fixed) {
		fprintf(to, "%s\n", title);
		table_print(t, WIDTH, to);
		fputc('\n', to);
	}
	free(t);
}

/* In some row, as a column cannot be for one alone. */
static bool is_in(const struct part *p, enum entrant_id id, enum cell_state state)
{
	for (unsigned i = p->first; i < p->end; i++) {
		if (p->r->row[i].cell[id].state == state)
			return true;
	}
	return false;
}

static void put_rates(struct table *t, const struct result *r, const struct cell *c)
{
	struct figure cycles = result_cycles(c);

	table_put(t, "%.2f", result_mpps(r, c).median);
	table_put(t, "%.2f", result_gbps(r, c).median);
	table_put(t, "%.0f%s", cycles.median, mark(c));
	table_put(t, "%.0f-%.0f", cycles.min, cycles.max);
}

static void put_published(struct table *t, const struct row *row)
{
	for (enum entrant_id id = 0; id <= ENTRANT_QAT; id++) {
		double gbps = published_gbps(id, &row->sizes);

		if (gbps > 0)
			table_put(t, "%.2f", gbps);
		else
			table_put(t, "-");
	}
}

static void print_rates(const struct part *p)
{
	struct table *t = new_table();

	for (enum entrant_id id = 0; id < ENTRANT_BOUNDS; id++) {
		if (is_in(p, id, CELL_MEASURED)) {
			table_column(t, entrant_name(id), "Mpps");
			table_column(t, entrant_name(id), "Gbps");
			table_column(t, entrant_name(id), "cycles ");
			table_column(t, entrant_name(id), "min-max");
		} else if (is_in(p, id, CELL_ABSENT)) {
			table_column(t, entrant_name(id), "");
		}
	}
	table_column(t, PUBLISHED_NAME, "openssl");
	table_column(t, PUBLISHED_NAME, "aesni");
	table_column(t, PUBLISHED_NAME, "qat");
	for (unsigned i = p->first; i < p->end; i++) {
		const struct row *row = &p->r->row[i];

		begin_row(t, p, row);
		for (enum entrant_id id = 0; id < ENTRANT_BOUNDS; id++) {
			if (row->cell[id].state == CELL_MEASURED)
				put_rates(t, p->r, &row->cell[id]);
			else if (row->cell[id].state == CELL_ABSENT)
				table_put(t, "absent");
		}
		put_published(t, row);
	}
	end_table(t, "adit: Mpps, Gbps of inner IP bytes, cycles per packet", p->to);
}

/* Two lines of a title. */
static void bound_column(struct table *t, enum entrant_id id)
{
	static const char *const titles[ENTRANTS][2] = {
		[ENTRANT_ECHO] = {"ring", "echo "},
		[ENTRANT_CLEAR] = {"clear", "forwarding "},
		[ENTRANT_NULL] = {"NULL", "crypto "},
		[ENTRANT_MB_JOBS] = {"ipsec-mb", "jobs "},
		[ENTRANT_MB_CALLS] = {"ipsec-mb", "calls "},
		[ENTRANT_OP_GCM] = {"crypto_", "aesni_gcm "},
		[ENTRANT_OP_MB] = {"crypto_", "aesni_mb "},
		[ENTRANT_OP_OPENSSL] = {"crypto_", "openssl "},
		[ENTRANT_RTE_IPSEC] = {"librte_", "ipsec "},
	};

	table_column(t, titles[id][0], titles[id][1]);
}

static void print_bounds(const struct part *p)
{
	struct table *t = new_table();

	for (enum entrant_id id = ENTRANT_BOUNDS; id < ENTRANTS; id++) {
		if (is_in(p, id, CELL_MEASURED))
			bound_column(t, id);
	}
	for (unsigned i = p->first; i < p->end; i++) {
		const struct row *row = &p->r->row[i];

		begin_row(t, p, row);
		for (enum entrant_id id = ENTRANT_BOUNDS; id < ENTRANTS; id++) {
			const struct cell *c = &row->cell[id];

			if (c->state == CELL_MEASURED)
				table_put(t, "%.1f%s", result_cycles(c).median, mark(c));
		}
	}
	end_table(t, "what bounds it: cycles per packet", p->to);
}

static void put_ratio(struct table *t, double ratio, const char *fmt_unit, double scale)
{
	if (ratio > 0)
		table_put(t, "%.*f%s", scale == 100 ? 0 : 2, ratio * scale, fmt_unit);
	else
		table_put(t, "-");
}

/* What of adit's cycles with OpenSSL is not adit's: the PMD with OpenSSL in it, and OpenSSL alone. */
static void print_openssl(const struct part *p)
{
	struct table *t = new_table();
	bool has_any = false;

	table_column(t, "openssl speed", "Gbps");
	table_column(t, "openssl speed", "cycles");
	table_column(t, "of adit's cycles", "openssl speed");
	table_column(t, "of adit's cycles", "crypto_openssl");
	for (unsigned i = p->first; i < p->end; i++) {
		const struct row *row = &p->r->row[i];
		double ops = result_ratio(row, ENTRANT_OP_OPENSSL, ENTRANT_OPENSSL), cycles;

		if (row->openssl_speed == 0 || row->cell[ENTRANT_OPENSSL].state != CELL_MEASURED)
			continue;
		has_any = true;
		cycles = sizes_mean(&row->sizes) * 8 / row->openssl_speed * p->r->tsc_hz / 1e9;
		begin_marked_row(t, p, row);
		table_put(t, "%.2f", row->openssl_speed);
		table_put(t, "%.0f", cycles);
		put_ratio(t, cycles / result_cycles(&row->cell[ENTRANT_OPENSSL]).median, " %", 100);
		put_ratio(t, ops, " %", 100);
	}
	if (!has_any)
		t->n_columns = t->n_fixed;
	end_table(t,
		"openssl: what openssl speed does alone (its CPU time, no ESP), and raw cryptodev "
		"operations",
		p->to);
}

static void print_ratios(const struct part *p)
{
	struct table *t = new_table();
	bool has[ENTRANT_BOUNDS] = {false};

	for (enum entrant_id id = 0; id < ENTRANT_BOUNDS; id++) {
		const struct row *row = &p->r->row[p->first];

		has[id] = result_ratio(row, result_ceiling(row, id), id) > 0 ||
			  result_ratio(row, id, ENTRANT_MB_JOBS) > 0;
		if (has[id]) {
			table_column(t, entrant_name(id), "of ceiling");
			table_column(t, entrant_name(id), "limit");
		}
	}
	if (is_in(p, ENTRANT_LOOKASIDE, CELL_MEASURED))
		table_column(t, entrant_name(ENTRANT_LOOKASIDE), "of aesni_mb");
	for (unsigned i = p->first; i < p->end; i++) {
		const struct row *row = &p->r->row[i];

		begin_marked_row(t, p, row);
		for (enum entrant_id id = 0; id < ENTRANT_BOUNDS; id++) {
			if (!has[id])
				continue;
			put_ratio(t, result_ratio(row, result_ceiling(row, id), id), "", 1);
			put_ratio(t, result_ratio(row, id, ENTRANT_MB_JOBS), "x", 1);
		}
		if (is_in(p, ENTRANT_LOOKASIDE, CELL_MEASURED))
			put_ratio(t, result_ratio(row, ENTRANT_AESNI_MB, ENTRANT_LOOKASIDE), "", 1);
	}
	end_table(t,
		"of ceiling: adit's rate / that of raw cryptodev operations of its kind (aesni_mb: "
		"the faster of\ntwo); limit: adit's cycles / those of ipsec-mb jobs",
		p->to);
}

/* What cycles of rx and polls found, and what they did not. */
static void put_share(struct table *t, double cycles, const struct ledger *l)
{
	table_put(t, "%.1f", cycles / (double)l->received);
}

static void ledger_row(struct table *t, const char *what)
{
	table_row(t);
	table_put(t, "%s", what);
}

static const struct ledger *ledger_of(const struct row *row, enum entrant_id id)
{
	return row->cell[id].has_ledger ? &row->cell[id].ledger : NULL;
}

static void put_stage(struct table *t, const struct row *row, unsigned n)
{
	for (enum entrant_id id = 0; id < ENTRANTS; id++) {
		const struct ledger *l = ledger_of(row, id);

		if (l == NULL)
			continue;
		if (l->stage[n].packets > 0)
			put_share(t, l->stage[n].cycles, l);
		else
			table_put(t, "-");
	}
}

static void print_ledger(const struct row *row, FILE *to)
{
	struct table *t = calloc(1, sizeof(*t));
	const struct ledger *first = NULL, *l;
	char title[160];

	if (t == NULL)
		abort();
	table_column(t, "", "stage");
	t->n_fixed = 1;
	for (enum entrant_id id = 0; id < ENTRANTS; id++) {
		if (ledger_of(row, id) == NULL)
			continue;
		first = ledger_of(row, id);
		table_column(t, "", entrant_name(id));
	}
	for (unsigned n = 0; first != NULL && n < first->n; n++) {
		uint64_t packets = 0;
		char what[TABLE_CELL_MAX];

		for (enum entrant_id id = 0; id < ENTRANTS; id++) {
			l = ledger_of(row, id);
			packets += l != NULL ? l->stage[n].packets : 0;
		}
		if (packets == 0)
			continue;
		snprintf(what, sizeof(what), "%s.%s", first->stage[n].lane, first->stage[n].stage);
		ledger_row(t, what);
		put_stage(t, row, n);
	}
	for (unsigned k = 0; first != NULL && k < 4; k++) {
		ledger_row(t, (const char *const[]){"rx and polls", "idle", "sum", "closes to"}[k]);
		for (enum entrant_id id = 0; id < ENTRANTS; id++) {
			l = ledger_of(row, id);
			if (l == NULL)
				continue;
			if (k == 0)
				put_share(t, (double)l->rx_cycles + l->poll_cycles - l->idle_cycles,
					l);
			else if (k == 1)
				put_share(t, l->idle_cycles, l);
			else if (k == 2)
				put_share(t, l->busy_cycles + l->idle_cycles, l);
			else
				table_put(t, "%.2f %%", 100 * ledger_closes(l));
		}
	}
	snprintf(title, sizeof(title), "the ledger at %s bytes%s: cycles per packet received",
		row->sizes.name, result_is_disturbed(row) ? " (disturbed)" : "");
	end_table(t, title, to);
}

static void print_notes(const struct part *p)
{
	const struct suite_facts *facts = &p->r->suite[p->r->row[p->first].suite];
	bool is_disturbed = false;

	for (unsigned i = p->first; i < p->end; i++)
		is_disturbed |= result_is_disturbed(&p->r->row[i]);
	if (is_disturbed)
		fputs("! disturbed: this machine gave the CPU to something else in each of several "
		      "tries; no clean lap was had.\n",
			p->to);
	for (enum entrant_id id = 0; id < ENTRANT_BOUNDS; id++) {
		if (is_in(p, id, CELL_MEASURED))
			fprintf(p->to, "%s: %s\n", entrant_name(id), facts->runs_on[id]);
	}
	for (enum entrant_id id = 0; id < ENTRANTS; id++) {
		if (is_in(p, id, CELL_ABSENT))
			fprintf(p->to, "%s is absent: %s\n", entrant_name(id), facts->absent[id]);
	}
	fputc('\n', p->to);
}

static void print_part(const struct part *p)
{
	const struct plan *plan = p->r->plan;
	const struct row *row = &p->r->row[p->first];

	fprintf(p->to,
		"%s, %s: %u worker%s, %u SA%s, %u polic%s, bursts of %u; medians of %u lap%s of %g "
		"s\n\n",
		plan->suite[row->suite].name, direction_name(row->direction), plan->n_workers,
		plan->n_workers == 1 ? "" : "s", plan->n_sas, plan->n_sas == 1 ? "" : "s",
		plan->n_policies, plan->n_policies == 1 ? "y" : "ies", plan->burst, plan->repeat,
		plan->repeat == 1 ? "" : "s", plan->seconds);
	print_rates(p);
	print_bounds(p);
	print_ratios(p);
	print_openssl(p);
	print_ledger(&p->r->row[p->end - 1], p->to);
	print_notes(p);
}

void report_table(const struct result *r, FILE *to)
{
	for (unsigned first = 0, end; first < r->n_rows; first = end) {
		for (end = first + 1; end < r->n_rows; end++) {
			if (r->row[end].suite != r->row[first].suite ||
				r->row[end].direction != r->row[first].direction)
				break;
		}
		print_part(&(struct part){r, first, end, to});
	}
	fprintf(to,
		"Rates are made from the cycles that workers were busy, at %.0f MHz of the TSC.\n"
		"%s: %s.\n",
		r->tsc_hz / 1e6, PUBLISHED_NAME, PUBLISHED_SOURCE);
}
