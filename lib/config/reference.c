/* SPDX-License-Identifier: BSD-3-Clause */
/* reference.c - prints the tables of all sections as a page of the manual. */
#include "sections.h"

static const char intro[] =
	"# The config file\n"
	"\n"
	"This page is printed from the tables that read the file.\n"
	"\n"
	"YAML 1.2; every scalar is text (`cipher: null` is the word, a key is not an integer). "
	"`--config` may be\n"
	"given several times: lists are joined, and a value of a section that stands once may be "
	"set "
	"in one of the\n"
	"files. Unknown and doubled keys are errors; so are anchors, aliases, tags and second "
	"documents. Numbers are\n"
	"decimal, or hexadecimal behind `0x`. What is wrong is said as\n"
	"`file:line:column: where: what is wrong, and what would be right`, all of it in one run; "
	"items of lists are\n"
	"counted from 0 within their file. What could be a key is never shown.\n"
	"\n"
	"`config/` has two sites that talk to each other.\n";

static void print_section(FILE *to, const struct schema *s)
{
	char form[256];

	fprintf(to, "\n## %s\n\n%s\n\n| key | value | default | what it is |\n|---|---|---|---|\n",
		s->name, s->help);
	for (unsigned i = 0; i < s->n_keys; i++) {
		const struct schema_key *key = &s->keys[i];

		fprintf(to, "| `%s` | %s | %s%s%s | %s |\n", key->name,
			schema_form(key, form, sizeof(form)), key->dflt != NULL ? "`" : "",
			key->dflt != NULL ? key->dflt
			: key->required   ? "needed"
					  : "",
			key->dflt != NULL ? "`" : "", key->help);
	}
	for (unsigned i = 0; i < s->n_keys; i++)
		if (s->keys[i].section != NULL)
			print_section(to, s->keys[i].section);
}

static void print_algorithms(FILE *to)
{
	static const char *const kinds[] = {"aead", "cipher", "auth"};
	const struct algorithm *a;

	fprintf(to,
		"\n## Algorithms\n\n"
		"By their RFC names. Lengths in bytes; a key is followed by its salt. DES, 3DES "
		"and MD5 are not\noffered; encryption without authentication is refused. Which "
		"provider "
		"can do which is in docs/providers.md.\n\n"
		"| name | written as | key | salt | ICV |\n|---|---|---|---|---|\n");
	for (unsigned i = 0; (a = algorithm_at(i)) != NULL; i++)
		fprintf(to, "| `%s` | `%s` | %u | %u | %u |\n", a->name, kinds[a->kind], a->key_len,
			a->salt_len, a->icv_len);
}

void config_print_reference(FILE *to)
{
	static const struct schema *const lists[] = {
		&port_schema, &sa_schema, &policy_schema, &route_schema, &neighbour_schema};

	fputs(intro, to);
	print_section(to, &root_schema);
	for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		print_section(to, lists[i]);
	print_algorithms(to);
}
