/* SPDX-License-Identifier: BSD-3-Clause */
/* result.h - what a run has measured, lap by lap, and the figures that follow from it. */
#pragma once

#include "ledger.h"
#include "plan.h"

enum cell_state {
	CELL_NONE, /* not asked for, or makes no sense in this direction */
	CELL_ABSENT, /* this machine lacks it; the suite's absent[] says why */
	CELL_MEASURED
};

/* One entrant in one row. */
struct cell {
	enum cell_state state;
	unsigned n;
	struct lap lap[PLAN_REPEAT_MAX];
	unsigned thrown_away; /* laps that were disturbed and had again */
	unsigned disturbed; /* laps of those that count; no clean one was to be had */
	bool has_ledger;
	struct ledger ledger; /* over all laps that count */
};

struct row {
	unsigned suite;
	enum direction direction;
	struct sizes sizes;
	struct cell cell[ENTRANTS];
	double openssl_speed; /* Gbps; 0: not measured */
};

struct suite_facts {
	char absent[ENTRANTS][512]; /* why */
	char runs_on[ENTRANTS][64]; /* the device behind a provider */
};

struct result {
	const struct plan *plan;
	double tsc_hz;
	struct suite_facts suite[PLAN_SUITES_MAX];
	struct row *row;
	unsigned n_rows;
};

/* -ENOMEM. */
int result_open(const struct plan *plan, double tsc_hz, struct result *out);
void result_close(struct result *r);

struct figure {
	double median, min, max;
};

/* Over the laps of a cell. Rates are of the time that workers were busy, cycles at the rate of the TSC. */
struct figure result_cycles(const struct cell *c); /* per packet, of one worker */
struct figure result_mpps(const struct result *r, const struct cell *c); /* of all workers */
struct figure result_gbps(const struct result *r, const struct cell *c); /* of inner IP bytes */

/* The raw operations of its kind that took fewer cycles: ENTRANTS if none was measured. */
enum entrant_id result_ceiling(const struct row *row, enum entrant_id id);

/* Medians of two cells as a ratio of cycles, a / b; 0: one of them was not measured. */
double result_ratio(const struct row *row, enum entrant_id a, enum entrant_id b);

/* Whether a row has a lap that was disturbed. */
bool result_is_disturbed(const struct row *row);
