/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c - columns of text under titles, in groups; what is too wide goes on below. */
#include "table.h"

#include <rte_common.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

void table_column(struct table *t, const char *group, const char *title)
{
	t->column[t->n_columns].group = group;
	t->column[t->n_columns].title = title;
	t->column[t->n_columns++].width = strlen(title);
}

void table_row(struct table *t)
{
	t->n_rows++;
	t->at = 0;
}

void table_put(struct table *t, const char *fmt, ...)
{
	char *cell = t->cell[t->n_rows - 1][t->at];
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(cell, TABLE_CELL_MAX, fmt, args);
	va_end(args);
	if (len > (int)t->column[t->at].width)
		t->column[t->at].width = RTE_MIN(len, TABLE_CELL_MAX - 1);
	t->at++;
}

static bool is_same_group(const struct table *t, unsigned a, unsigned b)
{
	return strcmp(t->column[a].group, t->column[b].group) == 0;
}

/* Past the last column of the group that begins here. */
static unsigned group_end(const struct table *t, unsigned first)
{
	unsigned end = first + 1;

	while (end < t->n_columns && end != t->n_fixed && is_same_group(t, first, end))
		end++;
	return end;
}

/* Of columns with one blank in front of each, and one more of a group. */
static unsigned width_of(const struct table *t, unsigned first, unsigned end)
{
	unsigned width = 1;

	for (unsigned i = first; i < end; i++)
		width += 1 + t->column[i].width;
	if (end == first + 1 && strlen(t->column[first].group) + 2 > width)
		width = strlen(t->column[first].group) + 2;
	return width;
}

static bool has_groups(const struct table *t)
{
	for (unsigned i = 0; i < t->n_columns; i++) {
		if (t->column[i].group[0] != '\0')
			return true;
	}
	return false;
}

static void print_groups(const struct table *t, unsigned first, unsigned end, FILE *to)
{
	for (unsigned i = first; i < end; i = group_end(t, i)) {
		unsigned width = width_of(t, i, group_end(t, i)) - 2;
		unsigned len = strlen(t->column[i].group), pad = width > len ? width - len : 0;

		fprintf(to, "  %*s%s%*s", pad / 2, "", t->column[i].group, pad - pad / 2, "");
	}
}

static void print_cells(const struct table *t, unsigned first, unsigned end, int row, FILE *to)
{
	for (unsigned i = first; i < end; i = group_end(t, i)) {
		unsigned extra = width_of(t, i, group_end(t, i));

		for (unsigned k = i; k < group_end(t, i); k++)
			extra -= 1 + t->column[k].width;
		for (unsigned k = i; k < group_end(t, i); k++) {
			fprintf(to, " %*s", t->column[k].width + (k == i ? extra : 0),
				row < 0 ? t->column[k].title : t->cell[row][k]);
		}
	}
}

static void print_part(const struct table *t, unsigned first, unsigned end, FILE *to)
{
	if (has_groups(t)) {
		print_groups(t, 0, t->n_fixed, to);
		print_groups(t, first, end, to);
		fputc('\n', to);
	}
	for (int row = -1; row < (int)t->n_rows; row++) {
		print_cells(t, 0, t->n_fixed, row, to);
		print_cells(t, first, end, row, to);
		fputc('\n', to);
	}
}

void table_print(const struct table *t, unsigned width, FILE *to)
{
	unsigned fixed = width_of(t, 0, t->n_fixed);

	for (unsigned first = t->n_fixed, end; first < t->n_columns; first = end) {
		unsigned used = fixed;

		for (end = first; end < t->n_columns; end = group_end(t, end)) {
			used += width_of(t, end, group_end(t, end));
			if (end > first && used > width)
				break;
		}
		print_part(t, first, end, to);
	}
}
