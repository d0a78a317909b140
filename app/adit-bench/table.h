/* SPDX-License-Identifier: BSD-3-Clause */
/* table.h - columns of text under titles, in groups; what is too wide goes on below. */
#pragma once

#include <stdio.h>

#define TABLE_COLUMNS_MAX 48
#define TABLE_ROWS_MAX    128
#define TABLE_CELL_MAX    24

struct table {
	unsigned n_columns, n_rows, at; /* at: the next cell of the last row */
	unsigned n_fixed; /* columns that begin each part */
	struct {
		const char *group; /* columns in a row with the same one stand under it */
		const char *title;
		unsigned width;
	} column[TABLE_COLUMNS_MAX];
	char cell[TABLE_ROWS_MAX][TABLE_COLUMNS_MAX][TABLE_CELL_MAX];
};

/* group: "" for none. The strings outlive the table. */
void table_column(struct table *t, const char *group, const char *title);

/* All columns come before the first row. */
void table_row(struct table *t);
void table_put(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* In parts of at most so many characters a line; numbers to the right. */
void table_print(const struct table *t, unsigned width, FILE *to);
