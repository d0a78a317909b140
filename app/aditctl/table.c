/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c - JSON objects as rows of an aligned table: to be read, and to be grepped. */
#include "table.h"

#include <stdio.h>
#include <string.h>

#define COLUMNS_MAX 24
#define NUMBER_MAX  32

void table_put_word(FILE *to, const char *word)
{
	for (; *word != '\0'; word++)
		fputc((unsigned char)*word < ' ' || *word == '\x7f' ? '?' : *word, to);
}

/* The cell's text, in buf where it is no string. Numbers have all their digits and no separators. */
static const char *cell(const json_t *value, char buf[static NUMBER_MAX])
{
	switch (value == NULL ? JSON_NULL : json_typeof(value)) {
	case JSON_STRING: return json_string_value(value);
	case JSON_TRUE: return "yes";
	case JSON_FALSE: return "no";
	case JSON_INTEGER:
		snprintf(buf, NUMBER_MAX, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		return buf;
	case JSON_REAL: snprintf(buf, NUMBER_MAX, "%.1f", json_real_value(value)); return buf;
	default: return "-";
	}
}

static void put_cell(FILE *to, const char *text, int width, bool is_number, bool is_last)
{
	int gap = width - (int)strlen(text);

	if (is_number)
		fprintf(to, "%*s", gap, "");
	table_put_word(to, text);
	if (!is_last)
		fprintf(to, "%*s", is_number ? 2 : gap + 2, "");
}

static void put_row(
	FILE *to, const json_t *row, const struct table_column *columns, const int width[])
{
	char buf[NUMBER_MAX];

	for (unsigned c = 0; columns[c].title != NULL; c++)
		put_cell(to,
			row == NULL ? columns[c].title
				    : cell(json_object_get(row, columns[c].key), buf),
			width[c], columns[c].is_number, columns[c + 1].title == NULL);
	fputc('\n', to);
}

void table_print(FILE *to, const json_t *rows, const struct table_column *columns,
	bool (*is_shown)(const json_t *row))
{
	int width[COLUMNS_MAX];
	char buf[NUMBER_MAX];
	json_t *row;
	size_t i;

	for (unsigned c = 0; columns[c].title != NULL; c++) {
		width[c] = (int)strlen(columns[c].title);
		json_array_foreach(rows, i, row)
		{
			int len = (int)strlen(cell(json_object_get(row, columns[c].key), buf));

			if (len > width[c] && (is_shown == NULL || is_shown(row)))
				width[c] = len;
		}
	}
	put_row(to, NULL, columns, width);
	json_array_foreach(rows, i, row) if (is_shown == NULL || is_shown(row))
		put_row(to, row, columns, width);
}
