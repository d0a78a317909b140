/* SPDX-License-Identifier: BSD-3-Clause */
/* report_csv.c - a result as a line for each row and column. */
#include <inttypes.h>

#include "published.h"
#include "report.h"

static void begin(const struct result *r, const struct row *row, const char *column,
	const char *kind, const char *state, FILE *to)
{
	fprintf(to, "%s,%s,%s,%.1f,%s,%s,%s,%s", r->plan->suite[row->suite].name,
		direction_name(row->direction), row->sizes.name, sizes_mean(&row->sizes),
		lap_mode_name(r->plan->mode), column, kind, state);
}

static void put_figure(struct figure f, FILE *to)
{
	fprintf(to, ",%.4f,%.4f,%.4f", f.median, f.min, f.max);
}

static void put_ratio(double ratio, FILE *to)
{
	if (ratio > 0)
		fprintf(to, ",%.4f", ratio);
	else
		fputc(',', to);
}

static void put_measured(
	const struct result *r, const struct row *row, enum entrant_id id, FILE *to)
{
	const struct cell *c = &row->cell[id];
	uint64_t packets = 0, checked = 0;

	for (unsigned i = 0; i < c->n; i++) {
		packets += c->lap[i].packets;
		checked += c->lap[i].traffic.checked;
	}
	put_figure(result_mpps(r, c), to);
	put_figure(result_gbps(r, c), to);
	put_figure(result_cycles(c), to);
	put_ratio(result_ratio(row, result_ceiling(row, id), id), to);
	put_ratio(result_ratio(row, id, ENTRANT_MB_JOBS), to);
	fprintf(to, ",%" PRIu64 ",%" PRIu64 ",%u,%u\n", packets, checked, c->disturbed,
		c->thrown_away);
}

/* Of others: Gbps alone is known. */
static void put_gbps(const struct result *r, const struct row *row, const char *column,
	const char *kind, double gbps, FILE *to)
{
	if (gbps <= 0)
		return;
	begin(r, row, column, kind, "measured", to);
	fprintf(to, ",,,,%.4f,,,,,,,,,,,\n", gbps);
}

void report_csv(const struct result *r, FILE *to)
{
	fputs("suite,direction,bytes,mean_bytes,mode,column,kind,state,"
	      "mpps,mpps_min,mpps_max,gbps,gbps_min,gbps_max,cycles,cycles_min,cycles_max,"
	      "of_ceiling,of_limit,packets,checked,disturbed_laps,laps_repeated\n",
		to);
	for (unsigned i = 0; i < r->n_rows; i++) {
		const struct row *row = &r->row[i];

		for (enum entrant_id id = 0; id < ENTRANTS; id++) {
			const char *kind = id < ENTRANT_BOUNDS ? "adit" : "bound";

			if (row->cell[id].state == CELL_MEASURED) {
				begin(r, row, entrant_name(id), kind, "measured", to);
				put_measured(r, row, id, to);
			} else if (row->cell[id].state == CELL_ABSENT) {
				begin(r, row, entrant_name(id), kind, "absent", to);
				fputs(",,,,,,,,,,,,,,,\n", to);
			}
		}
		for (enum entrant_id id = 0; id <= ENTRANT_QAT; id++)
			put_gbps(r, row, entrant_name(id), PUBLISHED_NAME,
				published_gbps(id, &row->sizes), to);
		put_gbps(r, row, "openssl speed", "bound", row->openssl_speed, to);
	}
}
