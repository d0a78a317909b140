/* SPDX-License-Identifier: BSD-3-Clause */
/* output.h - the files that a run leaves: where they are, and whether they can be. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "why.h"

/* --output's folder, which is made if need be, or prefix. */
struct output {
	char prefix[PATH_MAX / 2];
};

/* Sees whether files can be written there, before anything is measured. */
int output_open(const char *where, struct output *out, struct why *why);

/* PREFIX.json, or PREFIX-PART.svg. */
void output_path(const struct output *o, const char *part, const char *ending, char path[PATH_MAX]);

/* Opens a file to write; NULL: why says why not. */
FILE *output_file(const struct output *o, const char *ending, struct why *why);

/* Closes it. -EIO: it has not all been written. */
int output_done(FILE *f, const char *what, struct why *why);
