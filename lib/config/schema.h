/* SPDX-License-Identifier: BSD-3-Clause */
/* schema.h - a section of the config file as a table of its keys: parser, bounds, default and help of
 * each in one row, read by the loader and by the reference alike. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report.h"

#define SCHEMA_KEYS_MAX 48

struct schema_key;

/* What the readers share. */
struct reader {
	struct report *report;
	struct arena *scratch; /* until the load is over: the trees and the indexes */
	struct arena *keep; /* lives as long as the config */
	struct config *config;
	bool is_cut; /* a part of a file could not be read: nobody knows what it would have held */
	struct yaml_node **root; /* of each file that has one */
	unsigned n_roots;
	/* Where each item of the config's arrays was written. */
	struct yaml_node **port_at, **sa_at, **policy_at, **route_at, **neighbour_at;
	struct { /* scalars of sections that stand once, and where each was set */
		const struct schema_key *key;
		struct yaml_node *node;
	} set[SCHEMA_KEYS_MAX];
	unsigned n_set;
};

enum schema_type {
	CFG_CUSTOM, /* by .read */
	CFG_LIST, /* by .read, joined where several files have it */
	CFG_SECTION, /* .section, into the same struct at the offset */
	CFG_U8,
	CFG_U16,
	CFG_U32,
	CFG_U64,
	CFG_BOOL,
	CFG_WORD, /* one of .words, into an enum */
	CFG_NAME, /* letters, digits and . _ - : @ / +, into char[CONFIG_NAME_MAX] */
};

struct schema_word {
	const char *name;
	unsigned value;
};

struct schema_key {
	const char *name;
	enum schema_type type;
	size_t offset;
	uint64_t min, max; /* of numbers; of the items of a list */
	const char *dflt; /* as it would be written; NULL: none */
	const struct schema_word *words; /* end with a NULL; numbers may have some too */
	/* at: the value; field: dest + offset. What is wrong is reported. */
	void (*read)(
		struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field);
	const struct schema *section;
	bool required;
	bool later; /* only the default is supported yet */
	bool per_file; /* may stand in each of several files */
	const char *form; /* of custom values, in words */
	const char *help;
};

struct schema {
	const char *name; /* "sas[]" */
	const char *help;
	const struct schema_key *keys;
	unsigned n_keys;
	bool is_once; /* its scalars stand once in all files together */
};

#define SCHEMA_KEYS(table) .keys = (table), .n_keys = sizeof(table) / sizeof((table)[0])

/* Sets every field that has a default. */
void schema_defaults(struct reader *r, const struct schema *s, void *dest);

/* Reads a map's keys into dest over what stands there. Reports unknown, doubled and missing keys,
 * and whatever the parsers find. */
void schema_read(struct reader *r, const struct schema *s, struct yaml_node *map, void *dest);

/* Whether it is a list within bounds of the key; if not, it was reported. */
bool schema_is_list(struct reader *r, struct yaml_node *at, const struct schema_key *key);

/* Whether it is a scalar that is not empty; if not, it was reported with what is wanted. */
bool schema_is_scalar(struct reader *r, struct yaml_node *at, const char *wanted);

/* A decimal number without leading zeroes, or hexadecimal behind 0x, of at most 64 bits. */
bool schema_number(const char *text, uint64_t *out);

/* Reads a scalar of a type that the table alone describes. False: it is none of what the key takes. */
bool schema_read_plain(const struct yaml_node *at, const struct schema_key *key, void *field);

/* Bytes of a field of such a type, 0 for the others. */
size_t schema_field_size(enum schema_type type);

/* "a number from 1 to 10", "auto or a number ...", "a, b or c": what a key takes. Returns buf. */
const char *schema_form(const struct schema_key *key, char *buf, size_t size);

/* A child that was given, and without an error. */
struct yaml_node *schema_good(const struct yaml_node *map, const char *key);
