/* SPDX-License-Identifier: BSD-3-Clause */
/* compare.c - adit-bench compare: one run as ratios to another, row by row. */
#include "compare.h"

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <string.h>

static int load(const char *path, json_t **out, struct why *why)
{
	json_error_t error;
	json_t *root = json_load_file(path, 0, &error);
	const char *format = json_string_value(json_object_get(root, "format"));

	if (root == NULL)
		return why_set(why, -EINVAL, "%s:%d: %s", path, error.line, error.text);
	if (format == NULL || strcmp(format, "adit-bench size") != 0 ||
		json_integer_value(json_object_get(root, "version")) != 1 ||
		!json_is_array(json_object_get(root, "rows"))) {
		json_decref(root);
		return why_set(
			why, -EINVAL, "%s is not what adit-bench size --output writes", path);
	}
	*out = root;
	return 0;
}

static const char *text(const json_t *row, const char *key)
{
	const char *s = json_string_value(json_object_get(row, key));

	return s != NULL ? s : "";
}

static bool is_same_row(const json_t *a, const json_t *b)
{
	static const char *const keys[] = {"suite", "direction", "bytes", "mode"};

	for (unsigned i = 0; i < 4; i++) {
		if (strcmp(text(a, keys[i]), text(b, keys[i])) != 0)
			return false;
	}
	return true;
}

static const json_t *find_row(const json_t *root, const json_t *like)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(root, "rows"), i, row)
	{
		if (is_same_row(row, like))
			return row;
	}
	return NULL;
}

/* The median of a column, in a row that may be NULL; 0: it has none. */
static double median(const json_t *row, const char *column, const char *what)
{
	const json_t *cell = json_object_get(json_object_get(row, "columns"), column);

	return json_number_value(json_object_get(json_object_get(cell, what), "median"));
}

static const char *disturbed(const json_t *row, const char *column)
{
	const json_t *cell = json_object_get(json_object_get(row, "columns"), column);

	return json_integer_value(json_object_get(cell, "disturbed_laps")) > 0 ? "!" : " ";
}

static void put_row(const json_t *row, const char *column, FILE *to)
{
	fprintf(to, "%-28s %-4s %5s %-8s %-16s", text(row, "suite"), text(row, "direction"),
		text(row, "bytes"), text(row, "mode"), column);
}

/* All columns of a row that has been measured in A. How many B has too. */
static unsigned compare_row(const json_t *a, const json_t *b, FILE *to)
{
	const char *column;
	unsigned both = 0;
	json_t *cell;

	json_object_foreach(json_object_get(a, "columns"), column, cell)
	{
		double x = median(a, column, "gbps"), y = median(b, column, "gbps");

		if (x == 0)
			continue;
		put_row(a, column, to);
		if (y > 0)
			fprintf(to, " %8.2f%s %8.2f%s %6.3f\n", x, disturbed(a, column), y,
				disturbed(b, column), y / x);
		else
			fprintf(to, " %8.2f%s %8s  only in A\n", x, disturbed(a, column), "-");
		both += y > 0;
	}
	return both;
}

/* What B alone has. */
static void print_rest(const json_t *a, const json_t *b, FILE *to)
{
	const char *column;
	json_t *cell;

	json_object_foreach(json_object_get(b, "columns"), column, cell)
	{
		double y = median(b, column, "gbps");

		if (y == 0 || median(a, column, "gbps") > 0)
			continue;
		put_row(b, column, to);
		fprintf(to, " %8s  %8.2f%s only in B\n", "-", y, disturbed(b, column));
	}
}

static void print_head(const char *name, const char *path, const json_t *root, FILE *to)
{
	const json_t *e = json_object_get(root, "environment");

	fprintf(to, "%s: %s, %s, commit %s, %s\n   %s\n", name, path, text(e, "date"),
		text(e, "commit"), text(e, "cpu"), text(e, "command"));
}

int compare_run(const char *path_a, const char *path_b, FILE *to, struct why *why)
{
	json_t *a = NULL, *b = NULL, *row;
	unsigned both = 0;
	size_t i;
	int rc = load(path_a, &a, why);

	if (rc == 0)
		rc = load(path_b, &b, why);
	if (rc == 0) {
		print_head("A", path_a, a, to);
		print_head("B", path_b, b, to);
		fprintf(to,
			"\nmedians, Gbps of inner IP bytes; B/A above 1: B is faster; !: "
			"disturbed\n\n"
			"%-28s %-4s %5s %-8s %-16s %8s  %8s  %6s\n",
			"suite", "dir", "bytes", "mode", "column", "A", "B", "B/A");
		json_array_foreach(json_object_get(a, "rows"), i, row) both +=
			compare_row(row, find_row(b, row), to);
		json_array_foreach(json_object_get(b, "rows"), i, row)
			print_rest(find_row(a, row), row, to);
		if (both == 0)
			rc = why_set(
				why, -ENOENT, "%s and %s have no row in common", path_a, path_b);
	}
	json_decref(a);
	json_decref(b);
	return rc;
}
