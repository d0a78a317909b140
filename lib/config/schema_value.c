/* SPDX-License-Identifier: BSD-3-Clause */
/* schema_value.c - the values that a table describes without a reader of its own: numbers, words and
 * names. */
#include <string.h>

#include "schema.h"

static const struct schema_word bools[] = {{"true", true}, {"false", false}, {NULL, 0}};

bool schema_number(const char *text, uint64_t *out)
{
	bool is_hex = text[0] == '0' && text[1] == 'x';
	uint64_t base = is_hex ? 16 : 10, v = 0;

	if (is_hex)
		text += 2;
	else if (text[0] == '0' && text[1] != '\0')
		return false;
	if (*text == '\0')
		return false;
	for (; *text != '\0'; text++) {
		unsigned c = (unsigned char)*text, digit;

		if (c >= '0' && c <= '9')
			digit = c - '0';
		else if (is_hex && (c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			digit = (c | 0x20) - 'a' + 10;
		else
			return false;
		if (__builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, digit, &v))
			return false;
	}
	*out = v;
	return true;
}

static size_t add_words(
	const struct schema_word *words, char *buf, size_t size, size_t n, bool last)
{
	for (; words->name != NULL && n < size; words++) {
		bool is_last = last && words[1].name == NULL;

		n += snprintf(buf + n, size - n, "%s%s",
			n == 0    ? ""
			: is_last ? " or "
				  : ", ",
			words->name);
	}
	return n;
}

const char *schema_form(const struct schema_key *key, char *buf, size_t size)
{
	size_t n = 0;

	*buf = '\0';
	if (key->form != NULL) {
		snprintf(buf, size, "%s", key->form);
		return buf;
	}
	switch (key->type) {
	case CFG_U8:
	case CFG_U16:
	case CFG_U32:
	case CFG_U64:
		if (key->words != NULL)
			n = add_words(key->words, buf, size, n, false);
		if (n < size)
			snprintf(buf + n, size - n, "%sa number from %llu to %llu",
				n > 0 ? " or " : "", (unsigned long long)key->min,
				(unsigned long long)key->max);
		break;
	case CFG_BOOL:
	case CFG_WORD:
		add_words(key->words != NULL ? key->words : bools, buf, size, 0, true);
		break;
	case CFG_NAME:
		snprintf(buf, size, "a name of up to %d letters, digits and . _ - : @ / +",
			CONFIG_NAME_MAX - 1);
		break;
	case CFG_SECTION: snprintf(buf, size, "a mapping"); break;
	case CFG_LIST: snprintf(buf, size, "a list"); break;
	case CFG_CUSTOM: break;
	}
	return buf;
}

bool schema_is_scalar(struct reader *r, struct yaml_node *at, const char *wanted)
{
	char quoted[REPORT_QUOTE];

	if (at->is_bad)
		return false;
	if (at->kind == YAML_SCALAR && at->len > 0)
		return true;
	report_error(
		r->report, at, "%s stands here, %s is wanted", report_quote(at, quoted), wanted);
	return false;
}

bool schema_is_list(struct reader *r, struct yaml_node *at, const struct schema_key *key)
{
	char quoted[REPORT_QUOTE];

	if (at->is_bad)
		return false;
	if (at->kind != YAML_LIST) {
		report_error(r->report, at, "%s stands here, a list in [ ] is wanted",
			report_quote(at, quoted));
		return false;
	}
	if (key->max != 0 && (at->n > key->max || (at->is_whole && at->n < key->min))) {
		report_error(r->report, at, "%u items are listed, %llu to %llu are wanted", at->n,
			(unsigned long long)key->min, (unsigned long long)key->max);
		return false;
	}
	return true;
}

static bool find_word(const struct schema_word *words, const char *text, unsigned *out)
{
	for (; words != NULL && words->name != NULL; words++) {
		if (strcmp(words->name, text) == 0) {
			*out = words->value;
			return true;
		}
	}
	return false;
}

static bool is_name(const char *text, uint32_t len)
{
	if (len >= CONFIG_NAME_MAX)
		return false;
	for (; *text != '\0'; text++) {
		char c = *text;
		bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';

		if (!letter && !(c >= '0' && c <= '9') && strchr("._-:@/+", c) == NULL)
			return false;
	}
	return true;
}

static void store(enum schema_type type, void *field, uint64_t v)
{
	switch (type) {
	case CFG_U8: *(uint8_t *)field = v; break;
	case CFG_U16: *(uint16_t *)field = v; break;
	case CFG_U32: *(uint32_t *)field = v; break;
	case CFG_U64: *(uint64_t *)field = v; break;
	case CFG_BOOL: *(bool *)field = v; break;
	default: *(unsigned *)field = v; break;
	}
}

bool schema_read_plain(const struct yaml_node *at, const struct schema_key *key, void *field)
{
	uint64_t v = 0;
	unsigned word = 0;

	switch (key->type) {
	case CFG_BOOL:
	case CFG_WORD:
		if (!find_word(key->words != NULL ? key->words : bools, at->text, &word))
			return false;
		store(key->type, field, word);
		return true;
	case CFG_NAME:
		if (!is_name(at->text, at->len))
			return false;
		memset(field, 0, CONFIG_NAME_MAX);
		memcpy(field, at->text, at->len);
		return true;
	default:
		if (find_word(key->words, at->text, &word))
			v = word;
		else if (!schema_number(at->text, &v) || v < key->min || v > key->max)
			return false;
		store(key->type, field, v);
		return true;
	}
}

size_t schema_field_size(enum schema_type type)
{
	switch (type) {
	case CFG_U8: return 1;
	case CFG_U16: return 2;
	case CFG_U32: return 4;
	case CFG_U64: return 8;
	case CFG_BOOL: return sizeof(bool);
	case CFG_WORD: return sizeof(unsigned);
	default: return 0;
	}
}
