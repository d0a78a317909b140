/* SPDX-License-Identifier: BSD-3-Clause */
/* selectors.c - reads lists of address ranges, of numbers, and protocols. */
#include "selectors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RANGES_MAX 65535

static const struct schema_word protocols[] = {
	{"icmp", 1},
	{"igmp", 2},
	{"ipip", 4},
	{"tcp", 6},
	{"udp", 17},
	{"dccp", 33},
	{"ipv6", 41},
	{"gre", 47},
	{"esp", 50},
	{"ah", 51},
	{"icmpv6", 58},
	{"ipv6-icmp", 58},
	{"ospf", 89},
	{"pim", 103},
	{"vrrp", 112},
	{"l2tp", 115},
	{"sctp", 132},
	{"mh", 135},
	{"udplite", 136},
	{NULL, 0},
};

static bool is_word(const struct yaml_node *at, const char *word)
{
	return at->kind == YAML_SCALAR && strcmp(at->text, word) == 0;
}

/* The items of a list, or the scalar alone; 0: too many or none, reported. */
static uint32_t count_items(struct reader *r, struct yaml_node *at)
{
	if (at->kind != YAML_LIST)
		return 1;
	if (at->n == 0 || at->n > RANGES_MAX) {
		report_error(r->report, at, "%u items are listed, 1 to %u or any are wanted", at->n,
			RANGES_MAX);
		return 0;
	}
	return at->n;
}

static void *room(struct reader *r, struct yaml_node *at, size_t size)
{
	void *p = arena_alloc(r->keep, size);

	if (p == NULL)
		report_error(r->report, at, "there is no memory left for it");
	return p;
}

static bool read_address_range(struct reader *r, struct yaml_node *at, struct ipaddr_range *out)
{
	char buf[IPADDR_STRLEN], quoted[REPORT_QUOTE];
	struct ipaddr_prefix p;
	int rc;

	if (!schema_is_scalar(r, at, "a prefix, an address or first-last"))
		return false;
	rc = ipaddr_range_parse(at->text, out);
	if (rc == 0)
		return true;
	report_quote(at, quoted);
	if (rc == -ERANGE && ipaddr_prefix_parse(at->text, &p) == 0) {
		p.addr = ipaddr_mask(&p);
		report_error(r->report, at, "%s has bits set behind the prefix, %s would be right",
			quoted, ipaddr_prefix_format(&p, buf));
	} else if (rc == -ERANGE) {
		report_error(r->report, at,
			"%s is no range, the first address must not be beyond the last, and both "
			"of one family",
			quoted);
	} else {
		report_error(r->report, at,
			"%s is no address selector, a prefix, an address, first-last%s is wanted",
			quoted,
			at->parent != NULL && at->parent->kind == YAML_LIST ? "" : " or any");
	}
	return false;
}

void read_selector_addresses(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	struct selector_addresses *out = field;
	struct ipaddr_range *range;
	uint32_t n;

	(void)key;
	if (at->is_bad || is_word(at, "any"))
		return;
	n = count_items(r, at);
	if (n == 0 || (range = room(r, at, n * sizeof(*range))) == NULL)
		return;
	out->range = range;
	if (at->kind != YAML_LIST) {
		out->n = read_address_range(r, at, range);
		return;
	}
	for (struct yaml_node *i = at->first; i != NULL; i = i->next)
		out->n += read_address_range(r, i, &range[out->n]);
}

/* "a" or "a-b". */
static bool read_number_range(struct reader *r, struct yaml_node *at, const struct schema_key *key,
	struct policy_range *out)
{
	char first[12], quoted[REPORT_QUOTE];
	const char *dash;
	uint64_t a, b;

	if (!schema_is_scalar(r, at, key->form))
		return false;
	dash = strchr(at->text, '-');
	snprintf(first, sizeof(first), "%.*s",
		dash != NULL && dash - at->text < 12 ? (int)(dash - at->text) : 11, at->text);
	if (!schema_number(first, &a) || !schema_number(dash != NULL ? dash + 1 : at->text, &b) ||
		a > key->max || b > key->max) {
		report_error(r->report, at, "%s is not taken, %s is wanted",
			report_quote(at, quoted), key->form);
		return false;
	}
	if (a > b) {
		report_error(r->report, at, "%s is no range, %llu-%llu would be",
			report_quote(at, quoted), (unsigned long long)b, (unsigned long long)a);
		return false;
	}
	*out = (struct policy_range){a, b};
	return true;
}

static int by_first(const void *a, const void *b)
{
	const struct policy_range *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* Sorted, and those joined that overlap or touch. */
static uint16_t join_ranges(struct policy_range *range, uint32_t n)
{
	uint32_t last = 0;

	qsort(range, n, sizeof(*range), by_first);
	for (uint32_t i = 1; i < n; i++) {
		if (range[i].first <= (uint32_t)range[last].last + 1) {
			if (range[i].last > range[last].last)
				range[last].last = range[i].last;
		} else {
			range[++last] = range[i];
		}
	}
	return last + 1;
}

void read_selector_ranges(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	struct policy_field *out = field;
	struct policy_range *range;
	uint32_t n, got = 0;

	if (at->is_bad || is_word(at, "any"))
		return;
	if (is_word(at, "opaque")) {
		out->match = POLICY_OPAQUE;
		return;
	}
	n = count_items(r, at);
	if (n == 0 || (range = room(r, at, n * sizeof(*range))) == NULL)
		return;
	if (at->kind != YAML_LIST)
		got = read_number_range(r, at, key, range);
	else
		for (struct yaml_node *i = at->first; i != NULL; i = i->next)
			got += read_number_range(r, i, key, &range[got]);
	if (got == 0)
		return;
	got = join_ranges(range, got);
	if (range[0].first == 0 && range[0].last == key->max)
		return;
	*out = (struct policy_field){POLICY_RANGES, range, got};
}

void read_selector_protocol(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	struct policy_field *out = field;
	struct policy_range *range;
	char quoted[REPORT_QUOTE];
	uint64_t number = UINT64_MAX;

	if (is_word(at, "any"))
		return;
	if (is_word(at, "opaque")) {
		out->match = POLICY_OPAQUE;
		return;
	}
	if (!schema_is_scalar(r, at, key->form))
		return;
	for (unsigned i = 0; protocols[i].name != NULL; i++)
		if (strcmp(protocols[i].name, at->text) == 0)
			number = protocols[i].value;
	if (number == UINT64_MAX && (!schema_number(at->text, &number) || number > 255)) {
		report_error(r->report, at, "%s is no protocol, %s is wanted",
			report_quote(at, quoted), key->form);
		return;
	}
	range = room(r, at, sizeof(*range));
	if (range == NULL)
		return;
	*range = (struct policy_range){number, number};
	*out = (struct policy_field){POLICY_RANGES, range, 1};
}
