/* SPDX-License-Identifier: BSD-3-Clause */
/* cli.h - a command line as tables, which getopt_long(3) reads, --help prints, and man pages are made of. */
#pragma once

#include <getopt.h>
#include <stdio.h>

#define CLI_OPTIONS_MAX 16

struct cli_option { /* a table ends with a NULL name */
	const char *name; /* without its dashes */
	int value; /* what getopt_long() returns; a letter is a short option too */
	const char *argument; /* "FILE", or NULL: it takes none */
	const char *text;
};

struct cli_row { /* a table ends with a NULL name */
	const char *name; /* as it is typed */
	const char *text;
};

struct cli_getopt {
	struct option longs[CLI_OPTIONS_MAX + 1];
	char shorts[2 * CLI_OPTIONS_MAX + 2]; /* begins with a ':' */
};

/* What getopt_long() wants of a table of at most CLI_OPTIONS_MAX. The names stay the table's. */
void cli_getopt(const struct cli_option *table, struct cli_getopt *out);

/* An empty line, the title, and the rows: names in a column, texts beside it in lines of at most 80. */
void cli_print_options(FILE *to, const char *title, const struct cli_option *table);
void cli_print_rows(FILE *to, const char *title, const struct cli_row *table);
