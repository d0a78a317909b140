/* SPDX-License-Identifier: BSD-3-Clause */
/* spd_rule.c - what policies and packets mean in numbers: RFC 4301 4.4.1.1 as ranges in five fields. */
#include "spd_rule.h"

#include <endian.h>
#include <stdbool.h>
#include <string.h>

/* What sport and dport of a key are depends on the protocol, so their numbers in a table are the
 * class and then the value. Where a packet does not show them it is of CLASS_NONE. */
enum class { CLASS_NONE, CLASS_PORTS, CLASS_ICMP, CLASS_MH, CLASSES };

#define CLASS_SHIFT     16
#define PROTOCOL_OPAQUE 256 /* the number behind all protocols */

static const uint8_t class_of[PROTOCOL_OPAQUE + 1] = {
	[1] = CLASS_ICMP,
	[6] = CLASS_PORTS, /* TCP */
	[17] = CLASS_PORTS, /* UDP */
	[33] = CLASS_PORTS, /* DCCP */
	[58] = CLASS_ICMP,
	[132] = CLASS_PORTS, /* SCTP */
	[135] = CLASS_MH,
	[136] = CLASS_PORTS, /* UDP-Lite */
};

const unsigned __int128 spd_rule_last[SPD_FAMILIES][SPD_MATCH_FIELDS] = {
	[SPD_V4] = {UINT32_MAX, UINT32_MAX, PROTOCOL_OPAQUE, (CLASSES << CLASS_SHIFT) - 1,
		(CLASSES << CLASS_SHIFT) - 1},
	[SPD_V6] = {~(unsigned __int128)0, ~(unsigned __int128)0, PROTOCOL_OPAQUE,
		(CLASSES << CLASS_SHIFT) - 1, (CLASSES << CLASS_SHIFT) - 1},
};

static uint32_t number_v4(const uint8_t bytes[4])
{
	uint32_t be;

	memcpy(&be, bytes, sizeof(be));
	return be32toh(be);
}

static unsigned __int128 number_v6(const uint8_t bytes[16])
{
	uint64_t high, low;

	memcpy(&high, bytes, 8);
	memcpy(&low, bytes + 8, 8);
	return (unsigned __int128)be64toh(high) << 64 | be64toh(low);
}

static void add_range(struct spd_match_rule *rule, enum spd_match_field field,
	unsigned __int128 first, unsigned __int128 last)
{
	rule->range[field][rule->n[field]++] = (struct spd_match_range){first, last};
}

/* No ranges of this family are left where all are of the other: then it matches nothing here. */
static void add_addresses(struct spd_match_rule *rule, enum spd_match_field field,
	enum spd_family family, const struct ipaddr_range *range, uint32_t n)
{
	if (n == 0)
		add_range(rule, field, 0, spd_rule_last[family][field]);
	for (uint32_t i = 0; i < n; i++) {
		if (range[i].first.family == 4 && family == SPD_V4)
			add_range(rule, field, number_v4(range[i].first.bytes),
				number_v4(range[i].last.bytes));
		else if (range[i].first.family == 6 && family == SPD_V6)
			add_range(rule, field, number_v6(range[i].first.bytes),
				number_v6(range[i].last.bytes));
	}
}

/* A field that has a meaning in one class only: of[c] is the one of class c, or NULL. Packets of a
 * class pass where its own field lets them, and no other asks for ranges of what they do not have. */
static void add_class_fields(struct spd_match_rule *rule, enum spd_match_field field,
	const struct policy_field *const of[CLASSES])
{
	for (unsigned c = 0; c < CLASSES; c++) {
		uint32_t base = c << CLASS_SHIFT;
		bool passes = true;

		for (unsigned other = 0; other < CLASSES; other++)
			passes &= other == c || of[other] == NULL ||
				  of[other]->match != POLICY_RANGES;
		if (!passes)
			continue;
		if (of[c] == NULL || of[c]->match == POLICY_ANY)
			add_range(rule, field, base, base | UINT16_MAX);
		else if (of[c]->match == POLICY_RANGES)
			for (uint32_t i = 0; i < of[c]->n; i++)
				add_range(rule, field, base | of[c]->range[i].first,
					base | of[c]->range[i].last);
	}
}

static void add_protocols(struct spd_match_rule *rule, const struct policy_field *protocol)
{
	if (protocol->match == POLICY_ANY)
		add_range(rule, SPD_MATCH_PROTOCOL, 0, PROTOCOL_OPAQUE);
	else if (protocol->match == POLICY_OPAQUE)
		add_range(rule, SPD_MATCH_PROTOCOL, PROTOCOL_OPAQUE, PROTOCOL_OPAQUE);
	else
		for (uint32_t i = 0; i < protocol->n; i++)
			add_range(rule, SPD_MATCH_PROTOCOL, protocol->range[i].first,
				protocol->range[i].last);
}

uint32_t spd_rule_ranges(const struct policy_spec *p, enum spd_match_field field)
{
	switch (field) {
	case SPD_MATCH_SRC: return p->n_src + 1;
	case SPD_MATCH_DST: return p->n_dst + 1;
	case SPD_MATCH_PROTOCOL: return p->protocol.n + 1;
	case SPD_MATCH_SPORT: return CLASSES + p->src_ports.n + p->icmp_type.n + p->mh_type.n;
	default: return CLASSES + p->dst_ports.n + p->icmp_code.n;
	}
}

void spd_rule_make(struct spd_match_rule *rule, const struct policy_spec *p, enum spd_family family)
{
	add_addresses(rule, SPD_MATCH_SRC, family, p->src, p->n_src);
	add_addresses(rule, SPD_MATCH_DST, family, p->dst, p->n_dst);
	add_protocols(rule, &p->protocol);
	add_class_fields(rule, SPD_MATCH_SPORT,
		(const struct policy_field *[CLASSES]){
			NULL, &p->src_ports, &p->icmp_type, &p->mh_type});
	add_class_fields(rule, SPD_MATCH_DPORT,
		(const struct policy_field *[CLASSES]){NULL, &p->dst_ports, &p->icmp_code, NULL});
}

static void load_common(const struct spd_key *key, struct spd_match_keys *out, uint32_t i)
{
	uint32_t protocol = key->opaque & SPD_OPAQUE_PROTOCOL ? PROTOCOL_OPAQUE : key->protocol;
	uint32_t class = key->opaque & SPD_OPAQUE_PORTS ? CLASS_NONE : class_of[protocol];

	out->v[SPD_MATCH_PROTOCOL][i] = protocol;
	out->v[SPD_MATCH_SPORT][i] = class << CLASS_SHIFT | key->sport;
	out->v[SPD_MATCH_DPORT][i] = class << CLASS_SHIFT | key->dport;
}

void spd_rule_load_v4(const struct spd_key *key, struct spd_match_keys *out, uint32_t i)
{
	out->v[SPD_MATCH_SRC][i] = number_v4(key->src);
	out->v[SPD_MATCH_DST][i] = number_v4(key->dst);
	load_common(key, out, i);
}

void spd_rule_load_v6(const struct spd_key *key, struct spd_match_keys *out, uint32_t i)
{
	out->wide[SPD_MATCH_SRC][i] = number_v6(key->src);
	out->wide[SPD_MATCH_DST][i] = number_v6(key->dst);
	load_common(key, out, i);
}
