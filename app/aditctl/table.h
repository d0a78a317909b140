/* SPDX-License-Identifier: BSD-3-Clause */
/* table.h - JSON objects as rows of an aligned table. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct table_column {
	const char *title; /* NULL ends the columns */
	const char *key; /* of the row's object; missing and null are shown as "-" */
	bool is_number; /* to the right */
};

/* Prints a line of titles, then a line for each object of the array that is_shown (NULL: all). */
void table_print(FILE *to, const json_t *rows, const struct table_column *columns,
	bool (*is_shown)(const json_t *row));

/* As it is, except that nothing of it may steer the terminal. */
void table_put_word(FILE *to, const char *word);
