/* SPDX-License-Identifier: BSD-3-Clause */
/* chart.c - a result as a picture of each suite, drawn by gnuplot. */
#include "chart.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "published.h"

static const char *const colours[ENTRANT_BOUNDS] = {"#c44e52", "#4c72b0", "#55a868", "#8172b3"};

/* The chart of one suite: its rows in one direction. */
struct chart {
	const struct result *r;
	unsigned suite;
	enum direction direction;
	FILE *gnuplot;
};

/* Gbps of a line at a row; 0: it has no point there. */
static double point(
	const struct chart *c, const struct row *row, enum entrant_id id, bool is_published)
{
	if (row->suite != c->suite || row->direction != c->direction || row->sizes.n > 1)
		return 0;
	if (is_published)
		return published_gbps(id, &row->sizes);
	return row->cell[id].state == CELL_MEASURED ? result_gbps(c->r, &row->cell[id]).median : 0;
}

/* The points of a line as a block of its own; whether there are any. */
static bool put_points(const struct chart *c, enum entrant_id id, bool is_published)
{
	bool has_any = false;

	fprintf(c->gnuplot, "$line%u%u << END\n", id, is_published);
	for (unsigned i = 0; i < c->r->n_rows; i++) {
		const struct row *row = &c->r->row[i];
		double gbps = point(c, row, id, is_published);

		if (gbps > 0)
			fprintf(c->gnuplot, "%u %f\n", row->sizes.size[0], gbps);
		has_any |= gbps > 0;
	}
	fputs("END\n", c->gnuplot);
	return has_any;
}

static void put_plot(const struct chart *c, const bool has[2][ENTRANT_BOUNDS])
{
	const char *between = "plot";

	for (unsigned published = 0; published < 2; published++) {
		for (enum entrant_id id = 0; id < ENTRANT_BOUNDS; id++) {
			if (!has[published][id])
				continue;
			fprintf(c->gnuplot,
				"%s $line%u%u smooth unique with linespoints linecolor rgb '%s' "
				"linewidth 2 "
				"pointtype 7 pointsize 0.6 dashtype %u title '%s%s'",
				between, id, published, colours[id], published + 1,
				entrant_name(id), published ? ", " PUBLISHED_NAME : ", adit");
			between = ",";
		}
	}
	fputc('\n', c->gnuplot);
}

/* In single quotes, as gnuplot has them. */
static void put_output(const struct chart *c, const struct output *o, const char *ending)
{
	char path[PATH_MAX];

	output_path(o, c->r->plan->suite[c->suite].name, ending, path);
	fputs("set output '", c->gnuplot);
	for (const char *at = path; *at != '\0'; at++)
		fputs(*at == '\'' ? "''" : (const char[]){*at, '\0'}, c->gnuplot);
	fputs("'\n", c->gnuplot);
}

static void draw(const struct chart *c, const struct output *o)
{
	bool has[2][ENTRANT_BOUNDS], has_any = false;

	for (unsigned published = 0; published < 2; published++) {
		for (enum entrant_id id = 0; id < ENTRANT_BOUNDS; id++)
			has[published][id] = put_points(c, id, published);
	}
	for (enum entrant_id id = 0; id < ENTRANT_BOUNDS; id++)
		has_any |= has[0][id];
	if (!has_any) /* a mix alone */
		return;
	fputs("set terminal svg size 900,500 noenhanced background 'white' font 'sans-serif,12'\n",
		c->gnuplot);
	put_output(c, o, "svg");
	fprintf(c->gnuplot,
		"set title '%s, %s: %u worker%s, %s'\n"
		"set xlabel 'bytes of the inner IP packet'\n"
		"set ylabel 'Gbps of inner IP packets (logarithmic)'\n"
		"set logscale y\nset xrange [0:1500]\nset xtics 100\nset grid\nset key outside "
		"right top\n",
		c->r->plan->suite[c->suite].name, direction_name(c->direction),
		c->r->plan->n_workers, c->r->plan->n_workers == 1 ? "" : "s",
		lap_mode_name(c->r->plan->mode));
	put_plot(c, has);
	fputs("set terminal pngcairo size 900,500 noenhanced background 'white' font "
	      "'sans-serif,10'\n",
		c->gnuplot);
	put_output(c, o, "png");
	fputs("replot\nunset output\n", c->gnuplot);
}

int chart_draw(const struct result *r, const struct output *output, struct why *why)
{
	struct chart c = {.r = r};

	if (system("command -v gnuplot >/dev/null") != 0)
		return why_set(why, -ENOENT, "gnuplot is not installed: no chart is drawn");
	signal(SIGPIPE, SIG_IGN); /* it may end early */
	while (!r->plan->has_direction[c.direction])
		c.direction++;
	c.gnuplot = popen("exec gnuplot", "we");
	if (c.gnuplot == NULL)
		return why_set(why, -EIO, "gnuplot: %s", strerror(errno));
	for (; c.suite < r->plan->n_suites; c.suite++)
		draw(&c, output);
	return pclose(c.gnuplot) == 0 ? 0 : why_set(why, -EIO, "gnuplot failed: no chart is drawn");
}
