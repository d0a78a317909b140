/* SPDX-License-Identifier: BSD-3-Clause */
/* names.c - what a gateway shows has names: only those that were asked for, or the names alone. */
#include "names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "table.h"

static const char *name_of(const json_t *object)
{
	const char *name = json_string_value(json_object_get(object, "name"));

	return name != NULL ? name : "";
}

static bool has(const json_t *data, const char *name)
{
	json_t *object;
	size_t i;

	json_array_foreach(data, i, object) if (strcmp(name_of(object), name) == 0) return true;
	return false;
}

static bool is_among(const char *name, char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

int names_select(json_t **data, char *const *names, size_t n, struct why *why)
{
	json_t *kept, *object;
	size_t i;

	for (i = 0; i < n; i++)
		if (!has(*data, names[i]))
			return why_set(why, -ENOENT, "there is none of the name %s", names[i]);
	if (n == 0)
		return 0;
	kept = json_array();
	json_array_foreach(*data, i, object)
	{
		if (is_among(name_of(object), names, n))
			json_array_append(kept, object);
	}
	json_decref(*data);
	*data = kept;
	return 0;
}

void names_print(const json_t *data)
{
	json_t *object;
	size_t i;

	json_array_foreach(data, i, object)
	{
		table_put_word(stdout, name_of(object));
		putchar('\n');
	}
}
