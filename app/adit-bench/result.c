/* SPDX-License-Identifier: BSD-3-Clause */
/* result.c - what a run has measured, lap by lap, and the figures that follow from it. */
#include "result.h"

#include <errno.h>
#include <stdlib.h>

int result_open(const struct plan *plan, double tsc_hz, struct result *out)
{
	unsigned n = plan->n_suites * DIRECTIONS * plan->n_sizes;

	*out = (struct result){.plan = plan, .tsc_hz = tsc_hz};
	out->row = calloc(n, sizeof(*out->row));
	return out->row != NULL ? 0 : -ENOMEM;
}

void result_close(struct result *r)
{
	free(r->row);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static struct figure figure_of(double v[], unsigned n)
{
	qsort(v, n, sizeof(v[0]), compare);
	return (struct figure){(v[(n - 1) / 2] + v[n / 2]) / 2, v[0], v[n - 1]};
}

struct figure result_cycles(const struct cell *c)
{
	double v[PLAN_REPEAT_MAX];

	for (unsigned i = 0; i < c->n; i++)
		v[i] = (double)c->lap[i].cycles / (double)c->lap[i].packets;
	return figure_of(v, c->n);
}

/* Of so many things in a lap, how many a second all workers do. */
static double rate(const struct result *r, const struct lap *lap, uint64_t things)
{
	return (double)things * r->tsc_hz * r->plan->n_workers / (double)lap->cycles;
}

struct figure result_mpps(const struct result *r, const struct cell *c)
{
	double v[PLAN_REPEAT_MAX];

	for (unsigned i = 0; i < c->n; i++)
		v[i] = rate(r, &c->lap[i], c->lap[i].packets) / 1e6;
	return figure_of(v, c->n);
}

struct figure result_gbps(const struct result *r, const struct cell *c)
{
	double v[PLAN_REPEAT_MAX];

	for (unsigned i = 0; i < c->n; i++)
		v[i] = rate(r, &c->lap[i], c->lap[i].bytes) * 8 / 1e9;
	return figure_of(v, c->n);
}

double result_ratio(const struct row *row, enum entrant_id a, enum entrant_id b)
{
	if (a == ENTRANTS || b == ENTRANTS || row->cell[a].state != CELL_MEASURED ||
		row->cell[b].state != CELL_MEASURED)
		return 0;
	return result_cycles(&row->cell[a]).median / result_cycles(&row->cell[b]).median;
}

enum entrant_id result_ceiling(const struct row *row, enum entrant_id id)
{
	bool has_gcm = row->cell[ENTRANT_OP_GCM].state == CELL_MEASURED;
	bool has_mb = row->cell[ENTRANT_OP_MB].state == CELL_MEASURED;

	if (id == ENTRANT_OPENSSL)
		return row->cell[ENTRANT_OP_OPENSSL].state == CELL_MEASURED ? ENTRANT_OP_OPENSSL
									    : ENTRANTS;
	if (id != ENTRANT_AESNI_MB || !(has_gcm || has_mb))
		return ENTRANTS;
	if (has_gcm && has_mb)
		return result_ratio(row, ENTRANT_OP_GCM, ENTRANT_OP_MB) < 1 ? ENTRANT_OP_GCM
									    : ENTRANT_OP_MB;
	return has_gcm ? ENTRANT_OP_GCM : ENTRANT_OP_MB;
}

bool result_is_disturbed(const struct row *row)
{
	for (unsigned i = 0; i < ENTRANTS; i++) {
		if (row->cell[i].disturbed > 0)
			return true;
	}
	return false;
}
