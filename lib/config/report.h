/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h - errors and warnings with their place, kept until all are known and printed in the order
 * of the files. No text that could be a key gets into one. */
#pragma once

#include "config.h"
#include "yaml.h"

struct message;

struct report { /* zeroed, then out set */
	struct config_report *out;
	struct message *messages;
	uint32_t n, room;
	const char *const *files; /* their order */
	unsigned n_files;
};

void report_at(struct report *r, bool is_error, const char *file, uint32_t line, uint32_t column,
	const char *where, const char *fmt, ...) __attribute__((format(printf, 7, 8)));

/* About a value, where it stands; an error makes the node and all around it bad. */
void report_error(struct report *r, struct yaml_node *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void report_warning(struct report *r, struct yaml_node *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* About a key, where the key stands. */
void report_key_error(struct report *r, struct yaml_node *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Prints what was kept, sorted, to out->to, and forgets it. */
void report_flush(struct report *r);

#define REPORT_QUOTE 80

/* The value for use in a message: "'text'", shortened, printable; "a list", "nothing"; and "this
 * value" where it is so long a run of digits or letters that it could be a key. Returns buf. */
const char *report_quote(const struct yaml_node *n, char buf[static REPORT_QUOTE]);

/* The text as it may be shown, without quotes: shortened, printable, "…" where it could be a key. */
const char *report_word(const char *text, char buf[static REPORT_QUOTE]);

/* The place of another node: "site.yaml:12:5". */
#define REPORT_PLACE 300
const char *report_place(const struct yaml_node *n, char buf[static REPORT_PLACE]);
