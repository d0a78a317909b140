/* SPDX-License-Identifier: BSD-3-Clause */
/* schema.c - walks a map along its section's table. */
#include "schema.h"

#include <string.h>

#include "nearest.h"

static void read_value(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *dest)
{
	char form[256], quoted[REPORT_QUOTE];
	void *field = (char *)dest + key->offset;

	switch (key->type) {
	case CFG_CUSTOM:
	case CFG_LIST: key->read(r, at, key, field); return;
	case CFG_SECTION: schema_read(r, key->section, at, field); return;
	default: break;
	}
	schema_form(key, form, sizeof(form));
	if (!schema_is_scalar(r, at, form) || schema_read_plain(at, key, field))
		return;
	report_error(
		r->report, at, "%s is not taken, %s is wanted", report_quote(at, quoted), form);
}

/* Values are judged before they are refused. */
static void refuse_later(struct reader *r, struct yaml_node *at, const struct schema_key *key,
	const void *before, const void *dest)
{
	size_t size = schema_field_size(key->type);

	if (at->is_bad || (size > 0 && memcmp(before, (const char *)dest + key->offset, size) == 0))
		return;
	if (key->dflt != NULL)
		report_error(r->report, at, "not supported yet, for now only %s is", key->dflt);
	else
		report_error(r->report, at, "not supported yet, leave it out for now");
}

void schema_defaults(struct reader *r, const struct schema *s, void *dest)
{
	for (unsigned i = 0; i < s->n_keys; i++) {
		const struct schema_key *key = &s->keys[i];

		if (key->dflt != NULL) {
			struct yaml_node n = {
				.kind = YAML_SCALAR,
				.text = key->dflt,
				.len = strlen(key->dflt),
				.file = "",
			};

			read_value(r, &n, key, dest);
		} else if (key->type == CFG_SECTION) {
			schema_defaults(r, key->section, (char *)dest + key->offset);
		}
	}
}

static const struct schema_key *find_key(const struct schema *s, const char *name)
{
	for (unsigned i = 0; i < s->n_keys; i++)
		if (strcmp(s->keys[i].name, name) == 0)
			return &s->keys[i];
	return NULL;
}

static void refuse_unknown(struct reader *r, const struct schema *s, struct yaml_node *at)
{
	char word[REPORT_QUOTE];
	struct nearest nearest;

	nearest_start(&nearest, at->key);
	for (unsigned i = 0; i < s->n_keys; i++)
		nearest_offer(&nearest, s->keys[i].name);
	if (nearest.name != NULL)
		report_key_error(r->report, at, "there is no key '%s' in %s, '%s' may be meant",
			report_word(at->key, word), s->name, nearest.name);
	else
		report_key_error(r->report, at,
			"there is no key '%s' in %s, docs/config.md lists "
			"those there are",
			report_word(at->key, word), s->name);
}

static bool is_scalar_key(const struct schema_key *key)
{
	return key->type != CFG_SECTION && key->type != CFG_LIST;
}

/* Where this key of a section that stands once was set in another file; remembers this one. */
static struct yaml_node *set_before(
	struct reader *r, const struct schema_key *key, struct yaml_node *at)
{
	for (unsigned i = 0; i < r->n_set; i++)
		if (r->set[i].key == key)
			return r->set[i].node;
	if (r->n_set < SCHEMA_KEYS_MAX) {
		r->set[r->n_set].key = key;
		r->set[r->n_set++].node = at;
	}
	return NULL;
}

static bool is_doubled(struct reader *r, const struct schema *s, const struct schema_key *key,
	struct yaml_node **seen, struct yaml_node *at)
{
	struct yaml_node *first = seen[key - s->keys];
	char place[REPORT_PLACE];

	seen[key - s->keys] = at;
	if (first == NULL && s->is_once && is_scalar_key(key) && !key->per_file)
		first = set_before(r, key, at);
	if (first == NULL)
		return false;
	report_key_error(r->report, at, "it is set a second time, the first is at %s; keep one",
		report_place(first, place));
	return true;
}

static void refuse_missing(struct reader *r, const struct schema *s, struct yaml_node *map,
	struct yaml_node *const *seen)
{
	char form[256];

	for (unsigned i = 0; i < s->n_keys; i++) {
		const struct schema_key *key = &s->keys[i];

		if (key->required && seen[i] == NULL)
			report_error(r->report, map, "the key '%s' is missing, it takes %s",
				key->name, schema_form(key, form, sizeof(form)));
	}
}

void schema_read(struct reader *r, const struct schema *s, struct yaml_node *map, void *dest)
{
	struct yaml_node *seen[SCHEMA_KEYS_MAX] = {NULL};
	char quoted[REPORT_QUOTE];

	if (map->kind != YAML_MAP) {
		if (!map->is_bad)
			report_error(r->report, map, "%s stands here, a mapping of keys is wanted",
				report_quote(map, quoted));
		return;
	}
	for (struct yaml_node *at = map->first; at != NULL; at = at->next) {
		const struct schema_key *key = find_key(s, at->key);
		size_t size;
		uint64_t before = 0;

		if (key == NULL) {
			refuse_unknown(r, s, at);
			continue;
		}
		if (is_doubled(r, s, key, seen, at) || (!at->is_whole && is_scalar_key(key)))
			continue;
		size = schema_field_size(key->type);
		memcpy(&before, (char *)dest + key->offset, size);
		read_value(r, at, key, dest);
		if (key->later)
			refuse_later(r, at, key, &before, dest);
	}
	if (map->is_whole)
		refuse_missing(r, s, map, seen);
}

struct yaml_node *schema_good(const struct yaml_node *map, const char *key)
{
	struct yaml_node *n = yaml_child(map, key);

	return n != NULL && !n->is_bad ? n : NULL;
}
