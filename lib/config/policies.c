/* SPDX-License-Identifier: BSD-3-Clause */
/* policies.c - the section policies. */
#include "sections.h"
#include "selectors.h"

enum { NO_SA_DISCARD, NO_SA_ACQUIRE };

struct policy_draft {
	struct policy_spec spec;
	struct selector_addresses src, dst;
	unsigned no_sa;
};

static const struct schema_word directions[] = {{"out", POLICY_OUT}, {"in", POLICY_IN}, {NULL, 0}};
static const struct schema_word actions[] = {{"protect", POLICY_PROTECT}, {"bypass", POLICY_BYPASS},
	{"discard", POLICY_DISCARD}, {NULL, 0}};
static const struct schema_word no_sas[] = {
	{"discard", NO_SA_DISCARD}, {"acquire", NO_SA_ACQUIRE}, {NULL, 0}};

#define AT(field)   offsetof(struct policy_draft, field)
#define SPEC(field) offsetof(struct policy_draft, spec.field)

#define ADDRESS_FORM "a prefix, an address, first-last, a list of these, or any"
#define RANGE(to)                                                                                  \
	.read = read_selector_ranges, .max = (to), .dflt = "any",                                  \
	.form = "a number or range from 0 to " #to ", a list of these, any, or opaque"

static const struct schema_key keys[] = {
	{"name", CFG_NAME, SPEC(name), .required = true, .help = "our name for it"},
	{"direction", CFG_WORD, SPEC(direction), .words = directions, .required = true,
		.help = "out: from the protected side; in: to it"},
	{"action", CFG_WORD, SPEC(action), .words = actions, .required = true,
		.help = "protect: by ESP; bypass: in clear; discard"},
	{"reqid", CFG_U32, SPEC(reqid), .min = 1, .max = UINT32_MAX,
		.help = "protect only, and needed there: by the SAs of this reqid"},
	{"priority", CFG_U32, SPEC(priority), .max = UINT32_MAX, .dflt = "100",
		.help = "lower is looked at first; equal: the order of the files"},
	{"src", CFG_CUSTOM, AT(src), .read = read_selector_addresses, .dflt = "any",
		.form = ADDRESS_FORM, .help = "inner source, as in the packet"},
	{"dst", CFG_CUSTOM, AT(dst), .read = read_selector_addresses, .dflt = "any",
		.form = ADDRESS_FORM, .help = "inner destination, as in the packet"},
	{"protocol", CFG_CUSTOM, SPEC(protocol), .read = read_selector_protocol, .dflt = "any",
		.form = "a name as tcp, udp, sctp, icmp, icmpv6 or mh, a number from 0 to 255, "
			"any, "
			"or opaque",
		.help = "the upper-layer protocol, behind extension headers"},
	{"src_ports", CFG_CUSTOM, SPEC(src_ports), RANGE(65535),
		.help = "of TCP, UDP, SCTP, DCCP and UDP-Lite; opaque: later fragments"},
	{"dst_ports", CFG_CUSTOM, SPEC(dst_ports), RANGE(65535), .help = "the same"},
	{"icmp_type", CFG_CUSTOM, SPEC(icmp_type), RANGE(255), .help = "with icmp or icmpv6"},
	{"icmp_code", CFG_CUSTOM, SPEC(icmp_code), RANGE(255), .help = "with icmp or icmpv6"},
	{"mh_type", CFG_CUSTOM, SPEC(mh_type), RANGE(255),
		.help = "of the mobility header, with mh (RFC 6275)"},
	{"no_sa", CFG_WORD, AT(no_sa), .words = no_sas, .dflt = "discard", .later = true,
		.help = "protect: what becomes of packets while there is no SA; acquire (asks the "
			"IKE daemon) is not supported yet"},
};

const struct schema policy_schema = {
	"policies[]", "The security policy database (RFC 4301 4.4.1).", SCHEMA_KEYS(keys)};

static unsigned families(const struct ipaddr_range *range, uint32_t n)
{
	unsigned f = n == 0 ? 4 | 8 : 0;

	for (uint32_t i = 0; i < n; i++)
		f |= range[i].first.family == 4 ? 4 : 8;
	return f;
}

static bool has_ports(unsigned protocol)
{
	return protocol == 6 || protocol == 17 || protocol == 33 || protocol == 132 ||
	       protocol == 136;
}

static bool is_icmp(unsigned protocol)
{
	return protocol == 1 || protocol == 58;
}

static bool is_mh(unsigned protocol)
{
	return protocol == 135;
}

/* Values of a field that only some protocols have. any: whether they may be asked of any protocol. */
static void check_field(struct reader *r, struct yaml_node *at, const char *name,
	const struct policy_spec *spec, const struct policy_field *field,
	bool (*has_it)(unsigned protocol), bool any, const char *wanted)
{
	struct yaml_node *n = schema_good(at, name), *protocol = yaml_child(at, "protocol");

	if (n == NULL || field->match != POLICY_RANGES || (protocol != NULL && protocol->is_bad))
		return;
	if (spec->protocol.match == POLICY_ANY ? any
					       : spec->protocol.match == POLICY_RANGES &&
							 has_it(spec->protocol.range[0].first))
		return;
	report_key_error(r->report, n, "this protocol has no such field, write 'protocol: %s'%s",
		wanted, any ? " or leave this out" : "");
}

static void check_policy(struct reader *r, struct yaml_node *at, const struct policy_spec *spec)
{
	struct yaml_node *action = schema_good(at, "action"), *reqid = yaml_child(at, "reqid");
	struct yaml_node *src = yaml_child(at, "src"), *dst = yaml_child(at, "dst");
	const char *ports = "udp', 'tcp' or another with ports, or 'protocol: any";

	if (action != NULL && spec->action == POLICY_PROTECT && reqid == NULL)
		report_error(r->report, at,
			"the key 'reqid' is missing, protect needs that of the SAs to be used");
	if (action != NULL && spec->action != POLICY_PROTECT && reqid != NULL)
		report_key_error(r->report, reqid,
			"only 'action: protect' has a reqid, leave it out or protect");
	if (src != NULL && dst != NULL && !src->is_bad && !dst->is_bad &&
		(families(spec->src, spec->n_src) & families(spec->dst, spec->n_dst)) == 0)
		report_error(r->report, dst,
			"src has one family and dst the other, no packet is like that; give both "
			"of one family");
	check_field(r, at, "src_ports", spec, &spec->src_ports, has_ports, true, ports);
	check_field(r, at, "dst_ports", spec, &spec->dst_ports, has_ports, true, ports);
	check_field(r, at, "icmp_type", spec, &spec->icmp_type, is_icmp, false, "icmp' or 'icmpv6");
	check_field(r, at, "icmp_code", spec, &spec->icmp_code, is_icmp, false, "icmp' or 'icmpv6");
	check_field(r, at, "mh_type", spec, &spec->mh_type, is_mh, false, "mh");
}

void read_policies(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	struct config *c = r->config;

	(void)field;
	if (!schema_is_list(r, at, key))
		return;
	for (struct yaml_node *n = at->first; n != NULL; n = n->next) {
		struct policy_draft draft = {0};

		if (!n->is_whole)
			continue;
		draft.spec.source = (struct source){n->file, n->line};
		schema_defaults(r, &policy_schema, &draft);
		schema_read(r, &policy_schema, n, &draft);
		draft.spec.src = draft.src.range;
		draft.spec.n_src = draft.src.n;
		draft.spec.dst = draft.dst.range;
		draft.spec.n_dst = draft.dst.n;
		if (n->kind == YAML_MAP)
			check_policy(r, n, &draft.spec);
		r->policy_at[c->n_policies] = n;
		c->policies[c->n_policies++] = draft.spec;
	}
}
