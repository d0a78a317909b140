/* SPDX-License-Identifier: BSD-3-Clause */
/* yaml.c - builds the tree out of libfyaml's events; anchors, aliases, tags and second documents are
 * refused. The only file that knows libfyaml.
 *
 * Events, not libfyaml's documents: twice as fast, no alias is ever expanded, and what libfyaml
 * copied of a scalar can be wiped as soon as it has been read. */
#include "yaml.h"

#include <libfyaml.h>
#include <stdio.h>
#include <string.h>

#include "report.h"
#include "text.h"

struct builder {
	struct arena *arena;
	struct report *report;
	const struct text *text;
	struct yaml_node *root;
	struct yaml_node *top; /* the list or map that is open */
	unsigned depth;
	uint32_t n_nodes;
	uint32_t line, column; /* of the event at hand */
	const char *key; /* of the map at the top, waiting for its value */
	uint32_t key_line, key_column;
	bool has_document;
};

static bool stop(struct builder *b, const char *wrong)
{
	report_at(b->report, true, b->text->file, b->line, b->column, "file", "%s", wrong);
	return false;
}

/* Copies the text of a scalar, and wipes the copy that libfyaml may have made of it. */
static const char *take_text(struct builder *b, struct fy_token *token, uint32_t *len)
{
	size_t n = 0;
	const char *t = token == NULL ? "" : fy_token_get_text(token, &n), *copy;

	if (t == NULL)
		t = "";
	copy = arena_text(b->arena, t, n);
	if (n > 0 && (t < b->text->bytes || t >= b->text->bytes + b->text->len))
		explicit_bzero((char *)t, n);
	*len = n;
	return copy;
}

/* Hangs a new node into what is open. NULL: this cannot be, and was reported. */
static struct yaml_node *add(struct builder *b, enum yaml_kind kind)
{
	struct yaml_node *n = NULL, *top = b->top;

	if (top != NULL && top->kind == YAML_MAP && b->key == NULL)
		stop(b, "a key is not a word, a plain word is wanted before the ':'");
	else if (++b->n_nodes > YAML_NODES_MAX)
		stop(b, YAML_TOO_MANY);
	else if ((n = arena_alloc(b->arena, sizeof(*n))) == NULL)
		stop(b, "there is no memory left for it");
	if (n == NULL)
		return NULL;

	n->kind = kind;
	n->file = b->text->file;
	n->line = b->line;
	n->column = b->column;
	n->parent = top;
	if (top == NULL) {
		b->root = n;
		return n;
	}
	n->index = top->n++;
	n->key = b->key;
	n->key_line = b->key_line;
	n->key_column = b->key_column;
	b->key = NULL;
	if (top->last != NULL)
		top->last->next = n;
	else
		top->first = n;
	top->last = n;
	return n;
}

static bool open_container(struct builder *b, enum yaml_kind kind)
{
	struct yaml_node *n;

	if (b->depth == YAML_DEPTH_MAX)
		return stop(b, "this is nested deeper than anything a config file has");
	n = add(b, kind);
	if (n == NULL)
		return false;
	b->top = n;
	b->depth++;
	return true;
}

static bool close_container(struct builder *b)
{
	b->top->is_whole = true;
	b->top = b->top->parent;
	b->depth--;
	return true;
}

/* An anchor or a tag changes nothing that is read, but would not do what its author hopes. */
static void refuse_decoration(struct builder *b, struct fy_token *anchor, struct fy_token *tag)
{
	if (anchor != NULL)
		stop(b, "there is an anchor, aliases are not taken; write the value out where it "
			"is "
			"needed");
	if (tag != NULL)
		stop(b, "there is a tag, every value is read as text; leave the tag out");
}

/* A plain scalar of no text: to some versions of libfyaml a token with a place, to others none. */
static bool is_nothing(const struct fy_event *e)
{
	size_t len;

	return e->type == FYET_SCALAR &&
	       (e->scalar.value == NULL ||
		       (fy_token_scalar_style(e->scalar.value) == FYSS_PLAIN &&
			       (fy_token_get_text(e->scalar.value, &len) == NULL || len == 0)));
}

static bool add_scalar(struct builder *b, const struct fy_event *e)
{
	struct yaml_node *n;
	uint32_t len;
	const char *text;

	if (!is_nothing(e)) {
		enum fy_scalar_style style = fy_token_scalar_style(e->scalar.value);

		/* libfyaml's mark is behind the quote */
		if (style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED)
			b->column -= b->column > 1;
	} else if (b->key != NULL) {
		b->line = b->key_line;
		b->column = b->key_column;
	}
	refuse_decoration(b, e->scalar.anchor, e->scalar.tag);
	text = take_text(b, e->scalar.value, &len);
	if (text == NULL)
		return stop(b, "there is no memory left for it");
	if (memchr(text, '\0', len) != NULL)
		return stop(b, "there is a NUL character, only text is wanted");
	if (b->top != NULL && b->top->kind == YAML_MAP && b->key == NULL) {
		b->key = text;
		b->key_line = b->line;
		b->key_column = b->column;
		return true;
	}
	n = add(b, YAML_SCALAR);
	if (n == NULL)
		return false;
	n->is_whole = true;
	n->text = text;
	n->len = len;
	return true;
}

static bool add_alias(struct builder *b)
{
	struct yaml_node *n = add(b, YAML_SCALAR);

	if (n == NULL)
		return false;
	n->is_whole = true;
	n->is_bad = true;
	n->text = "";
	return stop(b, "there is an alias, they are not taken; write the value out") || true;
}

/* False: there is no sense in reading on. */
static bool take(struct builder *b, struct fy_event *e)
{
	const struct fy_mark *at = is_nothing(e) ? NULL : fy_event_start_mark(e);

	if (at != NULL) {
		b->line = at->line + 1;
		b->column = at->column + 1;
	}
	switch (e->type) {
	case FYET_DOCUMENT_START:
		if (b->has_document)
			return stop(b,
				"a second YAML document begins, one file holds one; give it a "
				"file and a --config of its own");
		b->has_document = true;
		return true;
	case FYET_MAPPING_START:
		refuse_decoration(b, e->mapping_start.anchor, e->mapping_start.tag);
		return open_container(b, YAML_MAP);
	case FYET_SEQUENCE_START:
		refuse_decoration(b, e->sequence_start.anchor, e->sequence_start.tag);
		return open_container(b, YAML_LIST);
	case FYET_MAPPING_END:
	case FYET_SEQUENCE_END: return close_container(b);
	case FYET_SCALAR: return add_scalar(b, e);
	case FYET_ALIAS: return add_alias(b);
	default: return true;
	}
}

/* libfyaml quotes the file in some of its messages, and that could be a part of a key. */
static void drop_quoted(const char *msg, char *out, size_t size)
{
	bool quoted = false;
	size_t n = 0;

	for (; *msg != '\0' && n + 1 < size; msg++) {
		bool is_short = msg[0] == '\'' && msg[1] != '\0' && msg[2] == '\'';

		if (!quoted && is_short && n + 4 < size) {
			memcpy(out + n, msg, 3);
			n += 3;
			msg += 2;
		} else if (*msg == '\'') {
			quoted = !quoted;
		} else if (!quoted) {
			out[n++] = *msg;
		}
	}
	out[n] = '\0';
}

static void report_syntax(struct builder *b, struct fy_diag *diag)
{
	struct fy_diag_error *e;
	void *at = NULL;
	bool any = false;

	while ((e = fy_diag_errors_iterate(diag, &at)) != NULL) {
		char msg[200];

		drop_quoted(e->msg, msg, sizeof(msg));
		report_at(b->report, true, b->text->file, e->line > 0 ? e->line : 1,
			e->column > 0 ? e->column : 1, "file",
			"this is not YAML, %s; indentation, quotes and brackets up to here must "
			"match",
			msg);
		any = true;
	}
	if (!any)
		stop(b, "this is not YAML from here on; indentation, quotes and brackets must "
			"match");
}

static bool build(struct builder *b)
{
	struct fy_diag_cfg diag_cfg;
	struct fy_diag *diag;
	struct fy_parser *parser = NULL;
	struct fy_event *e;
	bool is_whole = false, go_on = true;

	fy_diag_cfg_default(&diag_cfg);
	diag_cfg.fp = NULL;
	diag = fy_diag_create(&diag_cfg);
	if (diag == NULL)
		return stop(b, "there is no memory left for it");
	fy_diag_set_collect_errors(diag, true);
	parser = fy_parser_create(&(struct fy_parse_cfg){
		.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_DEFAULT_VERSION_1_2,
		.diag = diag,
	});
	if (parser == NULL || fy_parser_set_string(parser, b->text->bytes, b->text->len) < 0) {
		stop(b, "there is no memory left for it");
		goto out;
	}
	while (go_on && (e = fy_parser_parse(parser)) != NULL) {
		go_on = take(b, e);
		is_whole = go_on && e->type == FYET_STREAM_END;
		fy_parser_event_free(parser, e);
	}
	if (go_on && !is_whole)
		report_syntax(b, diag);
out:
	fy_parser_destroy(parser);
	fy_diag_destroy(diag);
	return is_whole;
}

bool yaml_read(
	struct arena *arena, struct report *report, const char *path, struct yaml_node **root)
{
	struct text text;
	struct builder b = {
		.arena = arena, .report = report, .text = &text, .line = 1, .column = 1};
	bool is_whole;

	*root = NULL;
	if (!text_read(&text, report, path))
		return false;
	is_whole = build(&b);
	if (is_whole && b.root == NULL)
		is_whole = stop(&b, "there is nothing in it; it begins with 'version: 1'");
	text_close(&text);
	*root = b.root;
	return is_whole;
}
