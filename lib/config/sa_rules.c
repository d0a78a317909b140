/* SPDX-License-Identifier: BSD-3-Clause */
/* sa_rules.c - what the keys of one SA must be like beside each other. */
#include "sas.h"

/* Keys that only one direction has a use for. */
static const char *const in_only[] = {"lookup", "replay_window"};
static const char *const out_only[] = {
	"df", "dscp", "flow_label", "outer_ttl", "mtu", "fragment", "mss_clamp", "tfc_pad_to"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void check_direction(struct reader *r, struct yaml_node *at, const struct sa_spec *spec)
{
	struct yaml_node *sequence = yaml_child(at, "sequence"), *n;

	if (spec->direction == SA_OUT) {
		for (unsigned i = 0; i < COUNT(in_only); i++)
			if ((n = schema_good(at, in_only[i])) != NULL)
				report_key_error(r->report, n,
					"it is for inbound SAs only, leave it out of an outbound "
					"one");
	} else {
		for (unsigned i = 0; i < COUNT(out_only); i++)
			if ((n = schema_good(at, out_only[i])) != NULL)
				report_warning(r->report, n,
					"it has no effect on an inbound SA, leave it out");
	}
	if (sequence == NULL)
		return;
	n = schema_good(sequence, spec->direction == SA_OUT ? "top" : "next");
	if (n != NULL && spec->direction == SA_OUT && spec->seq_top != 0)
		report_error(r->report, n, "an outbound SA has no top, write next");
	if (n != NULL && spec->direction == SA_IN && spec->seq_next != 1)
		report_error(r->report, n, "an inbound SA sends nothing, write top");
}

static void check_addresses(struct reader *r, struct yaml_node *at, struct sa_spec *spec)
{
	struct yaml_node *src = yaml_child(at, "src"), *dst = yaml_child(at, "dst");
	struct yaml_node *lookup = schema_good(at, "lookup");

	if ((src != NULL && src->is_bad) || (dst != NULL && dst->is_bad))
		return;
	if (spec->direction == SA_OUT && ipaddr_is_any(&spec->src))
		report_error(r->report, src != NULL ? src : at,
			"an outbound SA needs its outer source, write an address as src");
	if (spec->direction == SA_OUT && ipaddr_is_any(&spec->dst))
		report_error(r->report, dst != NULL ? dst : at,
			"an outbound SA needs its outer destination, write an address as dst");
	if (!ipaddr_is_any(&spec->src) && !ipaddr_is_any(&spec->dst) &&
		spec->src.family != spec->dst.family)
		report_error(r->report, dst,
			"src is IPv%u and dst IPv%u, an outer header has one family",
			spec->src.family, spec->dst.family);
	if (yaml_child(at, "lookup") == NULL)
		spec->lookup = ipaddr_is_any(&spec->dst) ? SA_LOOKUP_SPI : SA_LOOKUP_SPI_DST;
	else if (lookup == NULL)
		return;
	else if (spec->lookup != SA_LOOKUP_SPI && ipaddr_is_any(&spec->dst))
		report_error(r->report, lookup,
			"it looks at dst, which is any; give dst, or look up by spi");
	else if (spec->lookup == SA_LOOKUP_SPI_DST_SRC && ipaddr_is_any(&spec->src))
		report_error(r->report, lookup,
			"it looks at src, which is any; give src, or look up by spi-dst");
}

static void check_numbers(struct reader *r, struct yaml_node *at, const struct sa_spec *spec)
{
	struct yaml_node *sequence = yaml_child(at, "sequence"), *mtu = schema_good(at, "mtu"), *n;

	if (mtu != NULL && spec->mtu != 0 && spec->mtu < MTU_MIN_V6 && spec->dst.family == 6)
		report_error(r->report, mtu,
			"%u is less than every IPv6 link carries, %u to %u or auto is wanted with "
			"outer IPv6 (RFC 8200 5)",
			spec->mtu, MTU_MIN_V6, MTU_MAX);
	if (sequence == NULL || spec->esn)
		return;
	if ((n = schema_good(sequence, "next")) != NULL && spec->seq_next > UINT32_MAX)
		report_error(r->report, n,
			"without ESN numbers end at 4294967295, write 'esn: true' or a smaller "
			"one");
	if ((n = schema_good(sequence, "top")) != NULL && spec->seq_top > UINT32_MAX)
		report_error(r->report, n,
			"without ESN numbers end at 4294967295, write 'esn: true' or a smaller "
			"one");
}

static void check_lifetime(struct reader *r, struct yaml_node *at, const struct sa_draft *draft)
{
	const struct {
		const char *soft_name, *hard_name;
		uint64_t soft, hard;
	} pairs[] = {
		{"soft_bytes", "hard_bytes", draft->lifetime.soft_bytes,
			draft->lifetime.hard_bytes},
		{"soft_packets", "hard_packets", draft->lifetime.soft_packets,
			draft->lifetime.hard_packets},
		{"soft_seconds", "hard_seconds", draft->lifetime.soft_seconds,
			draft->lifetime.hard_seconds},
	};
	struct yaml_node *lifetime = yaml_child(at, "lifetime");

	for (unsigned i = 0; lifetime != NULL && i < COUNT(pairs); i++) {
		struct yaml_node *n = yaml_child(lifetime, pairs[i].soft_name);

		if (n != NULL && pairs[i].hard != 0 && pairs[i].soft > pairs[i].hard)
			report_error(r->report, n, "it is beyond %s, a soft limit comes first",
				pairs[i].hard_name);
	}
}

static void warn_carried(struct reader *r, struct yaml_node *at, const struct sa_spec *spec)
{
	struct yaml_node *n;

	if ((n = schema_good(at, "mark")) != NULL && spec->mark != 0)
		report_warning(r->report, n, "it is carried only, no packet is told by it for now");
	if ((n = schema_good(at, "if_id")) != NULL && spec->if_id != 0)
		report_warning(r->report, n, "it is carried only, no packet is told by it for now");
}

void sa_check_rules(struct reader *r, struct yaml_node *at, struct sa_draft *draft)
{
	if (schema_good(at, "direction") != NULL) {
		check_direction(r, at, &draft->spec);
		check_addresses(r, at, &draft->spec);
	}
	check_numbers(r, at, &draft->spec);
	check_lifetime(r, at, draft);
	warn_carried(r, at, &draft->spec);
}
