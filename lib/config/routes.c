/* SPDX-License-Identifier: BSD-3-Clause */
/* routes.c - the sections routes and neighbours. Their ports are found when all files are read. */
#include <string.h>

#include "sections.h"
#include "values.h"

#define VIA_MAX 64

struct route_draft {
	struct route_spec spec;
	char port[CONFIG_NAME_MAX];
	uint32_t n_via;
};

struct neighbour_draft {
	struct neighbour_spec spec;
	char port[CONFIG_NAME_MAX];
};

static void read_neighbour_address(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	(void)key;
	value_address(r, at, field);
}

static void read_to(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	struct ipaddr_prefix *to = field, masked;
	char buf[IPADDR_STRLEN], quoted[REPORT_QUOTE];

	(void)key;
	if (!value_prefix(r, at, to))
		return;
	masked = (struct ipaddr_prefix){ipaddr_mask(to), to->len};
	if (!ipaddr_equal(&masked.addr, &to->addr))
		report_error(r->report, at, "%s has bits set behind the prefix, %s would be right",
			report_quote(at, quoted), ipaddr_prefix_format(&masked, buf));
	else if (ipaddr_is_multicast(&to->addr))
		report_error(r->report, at,
			"%s is multicast, which is not forwarded; a unicast "
			"prefix is wanted",
			report_quote(at, quoted));
}

static void read_via(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	struct route_draft *draft = field;

	if (at->kind == YAML_SCALAR) {
		if (strcmp(at->text, "none") != 0 && value_address(r, at, &draft->spec.via))
			draft->n_via = 1;
		return;
	}
	if (!schema_is_list(r, at, key))
		return;
	for (struct yaml_node *n = at->first; n != NULL; n = n->next)
		draft->n_via += value_address(r, n, &draft->spec.via);
	if (!at->is_bad && draft->n_via > 1)
		report_error(r->report, at,
			"several next hops are not supported yet, for now one address is");
}

#define AT(field)      offsetof(struct route_draft, field)
#define SPEC_AT(field) offsetof(struct route_draft, spec.field)

static const struct schema_key route_keys[] = {
	{"to", CFG_CUSTOM, SPEC_AT(to), .read = read_to, .required = true,
		.form = "a prefix, no bit set behind it", .help = "where packets are addressed to"},
	{"via", CFG_CUSTOM, 0, .read = read_via, .min = 1, .max = VIA_MAX,
		.form = "an address, a list of them, or none",
		.help = "the next hop; none or left out: the destination itself is on the link. "
			"Several: not supported yet"},
	{"port", CFG_NAME, AT(port), .form = "the name of a port",
		.help = "where packets leave; needed unless it is a blackhole"},
	{"metric", CFG_U32, SPEC_AT(metric), .max = UINT32_MAX, .dflt = "0",
		.help = "of routes to one prefix the lowest is taken, then the order of the files"},
	{"table", CFG_U32, SPEC_AT(table), .max = UINT32_MAX, .dflt = "0",
		.help = "carried; only table 0 is looked up in for now"},
	{"blackhole", CFG_BOOL, SPEC_AT(blackhole), .dflt = "false",
		.help = "packets are dropped and counted"},
};

const struct schema route_schema = {
	"routes[]", "Where packets go, beside the subnets of the ports.", SCHEMA_KEYS(route_keys)};

static const struct schema_key neighbour_keys[] = {
	{"address", CFG_CUSTOM, offsetof(struct neighbour_draft, spec.address),
		.read = read_neighbour_address, .required = true, .form = "an address",
		.help = "of the neighbour"},
	{"port", CFG_NAME, offsetof(struct neighbour_draft, port), .required = true,
		.form = "the name of a port", .help = "where it is reached"},
	{"mac", CFG_CUSTOM, offsetof(struct neighbour_draft, spec.mac), .read = read_mac,
		.required = true, .form = "a unicast MAC address", .help = "its MAC address"},
};

const struct schema neighbour_schema = {
	"neighbours[]", "Static neighbours.", SCHEMA_KEYS(neighbour_keys)};

static void check_route(struct reader *r, struct yaml_node *at, const struct route_draft *draft)
{
	struct yaml_node *via = schema_good(at, "via"), *port = schema_good(at, "port");
	struct yaml_node *table = schema_good(at, "table");

	if (draft->spec.blackhole && via != NULL && draft->n_via > 0)
		report_error(
			r->report, via, "a blackhole has no next hop, leave out one of the two");
	if (draft->spec.blackhole && port != NULL)
		report_error(r->report, port, "a blackhole has no port, leave out one of the two");
	if (!draft->spec.blackhole && yaml_child(at, "port") == NULL)
		report_error(r->report, at,
			"the key 'port' is missing, it takes the name of the port where packets "
			"leave");
	if (table != NULL && draft->spec.table != 0)
		report_warning(r->report, table,
			"only table 0 is looked up in, this route has no effect for now");
}

void read_routes(struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	struct config *c = r->config;

	(void)field;
	if (!schema_is_list(r, at, key))
		return;
	for (struct yaml_node *n = at->first; n != NULL; n = n->next) {
		struct route_draft draft = {0};

		if (!n->is_whole)
			continue;
		draft.spec.source = (struct source){n->file, n->line};
		schema_defaults(r, &route_schema, &draft);
		schema_read(r, &route_schema, n, &draft);
		check_route(r, n, &draft);
		r->route_at[c->n_routes] = n;
		c->routes[c->n_routes++] = draft.spec;
	}
}

void read_neighbours(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	struct config *c = r->config;

	(void)field;
	if (!schema_is_list(r, at, key))
		return;
	for (struct yaml_node *n = at->first; n != NULL; n = n->next) {
		struct neighbour_draft draft = {0};

		if (!n->is_whole)
			continue;
		draft.spec.source = (struct source){n->file, n->line};
		schema_read(r, &neighbour_schema, n, &draft);
		r->neighbour_at[c->n_neighbours] = n;
		c->neighbours[c->n_neighbours++] = draft.spec;
	}
}
