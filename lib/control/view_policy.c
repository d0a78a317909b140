/* SPDX-License-Identifier: BSD-3-Clause */
/* view_policy.c - every policy in the order in which it is looked at: the built-in ones, then what
 * leaves the protected side, then what enters it; and what met each. */
#include <stdlib.h>

#include "spd.h"
#include "view.h"
#include "worker.h"

static const char *const directions[] = {[POLICY_OUT] = "out", [POLICY_IN] = "in"};
static const char *const actions[] = {
	[POLICY_PROTECT] = "protect", [POLICY_BYPASS] = "bypass", [POLICY_DISCARD] = "discard"};

static const struct {
	uint8_t number;
	const char *name;
} protocols[] = {{1, "icmp"}, {6, "tcp"}, {17, "udp"}, {58, "icmpv6"}, {132, "sctp"}, {135, "mh"}};

/* Ends the text of an open_memstream() and takes it away. NULL: no memory. */
static json_t *text_of(FILE *f, char **text)
{
	json_t *s = fclose(f) == 0 ? json_string(*text) : NULL;

	free(*text);
	return s;
}

static json_t *show_addresses(const struct ipaddr_range *range, uint32_t n)
{
	char buf[IPADDR_RANGE_STRLEN], *text = NULL;
	size_t size;
	FILE *f;

	if (n == 0)
		return json_string("any");
	f = open_memstream(&text, &size);
	if (f == NULL)
		return NULL;
	for (uint32_t i = 0; i < n; i++)
		fprintf(f, "%s%s", i > 0 ? "," : "", ipaddr_range_format(&range[i], buf));
	return text_of(f, &text);
}

static const char *protocol_name(uint16_t number)
{
	for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++) {
		if (protocols[i].number == number)
			return protocols[i].name;
	}
	return NULL;
}

static json_t *show_field(const struct policy_field *field, const char *(*name)(uint16_t number))
{
	char *text = NULL;
	size_t size;
	FILE *f;

	if (field->match != POLICY_RANGES)
		return json_string(field->match == POLICY_ANY ? "any" : "opaque");
	f = open_memstream(&text, &size);
	if (f == NULL)
		return NULL;
	for (uint16_t i = 0; i < field->n; i++) {
		const struct policy_range *r = &field->range[i];

		fputs(i > 0 ? "," : "", f);
		if (name != NULL && r->first == r->last && name(r->first) != NULL)
			fputs(name(r->first), f);
		else if (r->first == r->last)
			fprintf(f, "%u", r->first);
		else
			fprintf(f, "%u-%u", r->first, r->last);
	}
	return text_of(f, &text);
}

/* NULL where it says nothing: few policies have these. */
static json_t *show_rare(const struct policy_field *field)
{
	return field->match == POLICY_ANY ? NULL : show_field(field, NULL);
}

/* A path need not be UTF-8, which JSON is. */
static json_t *show_source(const struct source *at)
{
	json_t *text = json_sprintf("%s:%u", at->file, at->line);

	return text == NULL ? json_null() : text;
}

static json_t *show_policy(const struct views *v, uint32_t i)
{
	const struct policy_spec *p = spd_policy(pipeline_spd(v->of.pipeline), i);
	struct sa_count count = pipeline_policy_count(v->of.pipeline, i);
	bool is_protect = p->action == POLICY_PROTECT;

	return json_pack("{s:s, s:s, s:s, s:b, s:o, s:o*, s:o, s:o, s:o, s:o, s:o, s:o*, s:o*, "
			 "s:o*, s:o, s:o, s:o}",
		"name", p->name, "direction", directions[p->direction], "action",
		actions[p->action], "on", 1, "priority", whole(p->priority), "reqid",
		is_protect ? whole(p->reqid) : NULL, "src", show_addresses(p->src, p->n_src), "dst",
		show_addresses(p->dst, p->n_dst), "protocol",
		show_field(&p->protocol, protocol_name), "src_ports",
		show_field(&p->src_ports, NULL), "dst_ports", show_field(&p->dst_ports, NULL),
		"icmp_type", show_rare(&p->icmp_type), "icmp_code", show_rare(&p->icmp_code),
		"mh_type", show_rare(&p->mh_type), "source", show_source(&p->source), "packets",
		whole(count.packets), "bytes", whole(count.bytes));
}

/* What is let through to the gateway itself, counted where it leaves for it. */
static json_t *show_builtin(
	const struct views *v, const char *name, const char *selects, bool is_on, enum exit e)
{
	uint64_t packets = 0;

	for (uint16_t w = 0; w < pipeline_workers(v->of.pipeline); w++) {
		struct worker_stats stats;

		pipeline_stats(v->of.pipeline, w, &stats);
		packets += stats.exit[e];
	}
	return json_pack("{s:s, s:s, s:s, s:b, s:s, s:s, s:o}", "name", name, "direction", "in",
		"action", "bypass", "on", is_on, "selectors", selects, "source", "built in",
		"packets", whole(packets));
}

json_t *view_policy(const json_t *request, void *arg, struct why *why)
{
	const struct views *v = arg;
	json_t *all = json_array();
	int rc = 0;

	(void)request;
	(void)why;
	rc |= json_array_append_new(
		all, show_builtin(v, "arp", "ARP", v->of.builtin_arp, EXIT_IN_ARP));
	rc |= json_array_append_new(all,
		show_builtin(v, "nd", "neighbour discovery for us", v->of.builtin_nd, EXIT_IN_ND));
	rc |= json_array_append_new(all,
		show_builtin(v, "ike", "udp for us, dport 500, or 4500 behind the non-ESP marker",
			v->of.builtin_ike, EXIT_IN_IKE));
	for (enum policy_direction d = 0; d < POLICY_DIRECTIONS; d++) {
		for (uint32_t turn = 0; turn < spd_policies(pipeline_spd(v->of.pipeline)); turn++) {
			uint32_t i = spd_turn(pipeline_spd(v->of.pipeline), turn);

			if (spd_policy(pipeline_spd(v->of.pipeline), i)->direction == d)
				rc |= json_array_append_new(all, show_policy(v, i));
		}
	}
	return whole_or_none(all, rc);
}
