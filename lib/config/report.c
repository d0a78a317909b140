/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - keeps errors and warnings, sorts them by place, prints a line each. */
#include "report.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define WHERE_MAX 256
#define TEXT_MAX  1024
#define SHOWN_MAX 60 /* characters of a value in a message */

/* Runs from which on a text could be a key: hex digits with or without blanks between them, pairs of
 * them as fingerprints are written (a MAC address has six), and any other long word, such as base64. */
#define SECRET_DIGITS 12
#define SECRET_PAIRS  8
#define SECRET_WORD   22

struct message {
	unsigned file;
	uint32_t line, column, order;
	char *text;
};

static bool could_be_key(const char *text)
{
	unsigned digits = 0, word = 0, pairs = 0, in_pair = 0;

	for (; *text != '\0'; text++) {
		unsigned char c = *text;

		if (isxdigit(c))
			digits++;
		else if (c != ' ' && c != '\n' && c != '_')
			digits = 0;
		in_pair = isxdigit(c) ? in_pair + 1 : 0;
		if (in_pair == 2)
			pairs++;
		else if (in_pair > 2 || (in_pair == 0 && c != ':' && c != '-' && c != '.'))
			pairs = 0;
		word = isalnum(c) || c == '+' || c == '=' ? word + 1 : 0;
		if (digits >= SECRET_DIGITS || pairs >= SECRET_PAIRS || word >= SECRET_WORD)
			return true;
	}
	return false;
}

const char *report_word(const char *text, char buf[static REPORT_QUOTE])
{
	size_t n = 0;

	if (could_be_key(text))
		return strcpy(buf, "…");
	if (*text == '\0')
		return strcpy(buf, "''");
	for (; *text != '\0' && n < SHOWN_MAX; text++) {
		unsigned char c = *text, before = n > 0 ? text[-1] : 0;

		if (before == 0xc2 && c < 0xa0) /* U+0080 to U+009F: terminals obey them */
			buf[n - 1] = '?';
		else
			buf[n++] = c < 0x20 || c == 0x7f ? '?' : c;
	}
	/* no half of a character at the end */
	if (*text != '\0') {
		while (n > 0 && ((unsigned char)buf[n - 1] & 0xc0) == 0x80)
			n--;
		if (n > 0 && (unsigned char)buf[n - 1] >= 0xc0)
			n--;
		strcpy(buf + n, "…");
	} else {
		buf[n] = '\0';
	}
	return buf;
}

const char *report_quote(const struct yaml_node *n, char buf[static REPORT_QUOTE])
{
	char word[REPORT_QUOTE];

	if (n->kind == YAML_LIST)
		return "a list";
	if (n->kind == YAML_MAP)
		return "a mapping";
	if (n->len == 0)
		return "nothing";
	if (could_be_key(n->text))
		return "this value";
	snprintf(buf, REPORT_QUOTE, "'%s'", report_word(n->text, word));
	return buf;
}

const char *report_place(const struct yaml_node *n, char buf[static REPORT_PLACE])
{
	bool at_key = n->key != NULL;

	snprintf(buf, REPORT_PLACE, "%s:%u:%u", n->file, at_key ? n->key_line : n->line,
		at_key ? n->key_column : n->column);
	return buf;
}

static unsigned file_order(const struct report *r, const char *file)
{
	for (unsigned i = 0; i < r->n_files; i++)
		if (strcmp(r->files[i], file) == 0)
			return i;
	return r->n_files;
}

/* Takes the text. */
static void keep(struct report *r, const char *file, uint32_t line, uint32_t column, char *text)
{
	if (r->n == r->room) {
		uint32_t room = r->room == 0 ? 16 : r->room * 2;
		struct message *m = realloc(r->messages, room * sizeof(*m));

		if (m == NULL) { /* better out of order than lost */
			fprintf(r->out->to, "%s\n", text);
			free(text);
			return;
		}
		r->messages = m;
		r->room = room;
	}
	r->messages[r->n] = (struct message){file_order(r, file), line, column, r->n, text};
	r->n++;
}

static void vreport(struct report *r, bool is_error, const char *file, uint32_t line,
	uint32_t column, const char *where, const char *fmt, va_list ap)
{
	char text[TEXT_MAX];
	char *whole;

	vsnprintf(text, sizeof(text), fmt, ap);
	if (is_error)
		r->out->errors++;
	else
		r->out->warnings++;
	if (asprintf(&whole, "%s:%u:%u: %s: %s%s", file, line, column, where,
		    is_error ? "" : "warning: ", text) >= 0)
		keep(r, file, line, column, whole);
}

void report_at(struct report *r, bool is_error, const char *file, uint32_t line, uint32_t column,
	const char *where, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vreport(r, is_error, file, line, column, where, fmt, ap);
	va_end(ap);
}

static void mark_bad(struct yaml_node *n)
{
	for (; n != NULL; n = n->parent)
		n->is_bad = true;
}

void report_error(struct report *r, struct yaml_node *at, const char *fmt, ...)
{
	char where[WHERE_MAX];
	va_list ap;

	va_start(ap, fmt);
	vreport(r, true, at->file, at->line, at->column, yaml_where(at, where, sizeof(where)), fmt,
		ap);
	va_end(ap);
	mark_bad(at);
}

void report_warning(struct report *r, struct yaml_node *at, const char *fmt, ...)
{
	char where[WHERE_MAX];
	va_list ap;

	va_start(ap, fmt);
	vreport(r, false, at->file, at->line, at->column, yaml_where(at, where, sizeof(where)), fmt,
		ap);
	va_end(ap);
}

void report_key_error(struct report *r, struct yaml_node *at, const char *fmt, ...)
{
	char where[WHERE_MAX];
	va_list ap;

	va_start(ap, fmt);
	vreport(r, true, at->file, at->key_line, at->key_column,
		yaml_where(at, where, sizeof(where)), fmt, ap);
	va_end(ap);
	mark_bad(at);
}

static int by_place(const void *a, const void *b)
{
	const struct message *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

void report_flush(struct report *r)
{
	if (r->n > 0)
		qsort(r->messages, r->n, sizeof(*r->messages), by_place);
	for (uint32_t i = 0; i < r->n; i++) {
		fprintf(r->out->to, "%s\n", r->messages[i].text);
		free(r->messages[i].text);
	}
	free(r->messages);
	r->messages = NULL;
	r->n = r->room = 0;
}

void config_say(struct config_report *report, bool is_error, const struct source *source,
	const char *where, const char *fmt, ...)
{
	struct report r = {.out = report};
	va_list ap;

	va_start(ap, fmt);
	vreport(&r, is_error, source->file, source->line, 1, where, fmt, ap);
	va_end(ap);
	report_flush(&r);
}
