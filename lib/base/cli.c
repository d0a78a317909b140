/* SPDX-License-Identifier: BSD-3-Clause */
/* cli.c - a command line as tables, which getopt_long(3) reads, --help prints, and man pages are made of. */
#include "cli.h"

#include <stdbool.h>
#include <string.h>

#define LINE     80
#define NAME_MAX 64

static bool is_letter(int value)
{
	return value > ' ' && value <= '~';
}

void cli_getopt(const struct cli_option *table, struct cli_getopt *out)
{
	char *letter = out->shorts;
	unsigned n = 0;

	*out = (struct cli_getopt){0};
	*letter++ = ':';
	for (; table[n].name != NULL && n < CLI_OPTIONS_MAX; n++) {
		bool has_argument = table[n].argument != NULL;

		out->longs[n] = (struct option){table[n].name,
			has_argument ? required_argument : no_argument, NULL, table[n].value};
		if (!is_letter(table[n].value))
			continue;
		*letter++ = (char)table[n].value;
		if (has_argument)
			*letter++ = ':';
	}
}

/* "-c, --config FILE"; without a letter its place is left free. */
static int option_name(const struct cli_option *o, char buf[static NAME_MAX])
{
	const char letter[] = {'-', (char)o->value, ',', '\0'};

	return snprintf(buf, NAME_MAX, "%3s --%s%s%s", is_letter(o->value) ? letter : "", o->name,
		o->argument != NULL ? " " : "", o->argument != NULL ? o->argument : "");
}

static void print_row(FILE *to, const char *name, int width, const char *text)
{
	int column = fprintf(to, "  %-*s  ", width, name), start = column;

	while (*text != '\0') {
		int len = (int)strcspn(text, " ");

		if (column > start && column + 1 + len > LINE) {
			fprintf(to, "\n%*s", start, "");
			column = start;
		}
		column += fprintf(to, "%s%.*s", column > start ? " " : "", len, text);
		text += len + (text[len] == ' ');
	}
	fputc('\n', to);
}

void cli_print_options(FILE *to, const char *title, const struct cli_option *table)
{
	char name[NAME_MAX];
	int width = 0;

	for (const struct cli_option *o = table; o->name != NULL; o++) {
		int len = option_name(o, name);

		width = len > width ? len : width;
	}
	fprintf(to, "\n%s:\n", title);
	for (const struct cli_option *o = table; o->name != NULL; o++) {
		option_name(o, name);
		print_row(to, name, width, o->text);
	}
}

void cli_print_rows(FILE *to, const char *title, const struct cli_row *table)
{
	int width = 0;

	for (const struct cli_row *r = table; r->name != NULL; r++)
		width = (int)strlen(r->name) > width ? (int)strlen(r->name) : width;
	fprintf(to, "\n%s:\n", title);
	for (const struct cli_row *r = table; r->name != NULL; r++)
		print_row(to, r->name, width, r->text);
}
