/* SPDX-License-Identifier: BSD-3-Clause */
/* names.h - what a gateway shows has names: only those that were asked for, or the names alone. */
#pragma once

#include <jansson.h>

#include "why.h"

/* Leaves the objects of the array whose "name" is among the n; with none, all. -ENOENT: it has no object of
 * one of the names; *data is then as it was. */
int names_select(json_t **data, char *const *names, size_t n, struct why *why);

/* One a line. */
void names_print(const json_t *data);
