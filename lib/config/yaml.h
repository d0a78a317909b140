/* SPDX-License-Identifier: BSD-3-Clause */
/* yaml.h - a YAML file as a tree of nodes that know where they were written. Every scalar is text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"

struct report;

enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct yaml_node {
	enum yaml_kind kind;
	bool is_bad; /* an error was said about it or about something in it */
	bool is_whole; /* false: the file ends in a syntax error before this does */
	const char *file;
	uint32_t line, column; /* from 1 */
	struct yaml_node *parent, *next, *first, *last;
	uint32_t n; /* children */
	uint32_t index; /* in its list */
	const char *key; /* in its map */
	uint32_t key_line, key_column;
	const char *text; /* of a scalar, without NUL inside */
	uint32_t len;
};

#define YAML_FILE_MAX  (256u << 20) /* bytes */
#define YAML_NODES_MAX (4u << 20)
#define YAML_TOO_MANY  "there are more than 4194304 values, split it or shorten its lists"
#define YAML_DEPTH_MAX 16

/* Reads a file. What is wrong with it as text or as YAML is reported; then *root is what came before
 * that, or NULL. The path must outlive the tree. Returns whether all of the file is in the tree. */
bool yaml_read(
	struct arena *arena, struct report *report, const char *path, struct yaml_node **root);

/* The value of a key of a map; NULL: it has no such key. */
struct yaml_node *yaml_child(const struct yaml_node *map, const char *key);

/* "sas[2] (to-b).spi". Returns buf. */
const char *yaml_where(const struct yaml_node *n, char *buf, size_t size);
