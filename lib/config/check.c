/* SPDX-License-Identifier: BSD-3-Clause */
/* check.c - what must agree between sections and files. */
#include <string.h>

#include "index.h"
#include "sections.h"

static bool open_index(struct reader *r, struct index *x, uint32_t n)
{
	if (index_open(x, r->scratch, n) == 0)
		return true;
	report_at(
		r->report, true, r->root[0]->file, 1, 1, "file", "there is no memory left for it");
	return false;
}

/* No two items of a list may have the same text under this key. */
static void check_unique(struct reader *r, struct yaml_node *const *at, uint32_t n, const char *key)
{
	char place[REPORT_PLACE], quoted[REPORT_QUOTE];
	struct index x;

	if (!open_index(r, &x, n))
		return;
	for (uint32_t i = 0; i < n; i++) {
		struct yaml_node *node = schema_good(at[i], key);
		uint32_t first;

		if (node == NULL)
			continue;
		first = index_add(&x, node->text, node->len, i);
		if (first != INDEX_NONE)
			report_error(r->report, node, "%s is taken at %s, give another",
				report_quote(node, quoted),
				report_place(yaml_child(at[first], key), place));
	}
}

/* The list item that the j-th address of a port was read from. */
static struct yaml_node *address_node(const struct reader *r, uint32_t port, uint32_t j)
{
	struct yaml_node *n = yaml_child(r->port_at[port], "addresses")->first;

	while (j-- > 0)
		n = n->next;
	return n;
}

static void check_port_addresses(struct reader *r)
{
	char place[REPORT_PLACE], quoted[REPORT_QUOTE];
	const struct config *c = r->config;
	struct index x;

	if (!open_index(r, &x, c->n_ports * ROUTE_ADDRESSES_MAX))
		return;
	for (uint32_t i = 0; i < c->n_ports; i++) {
		const struct config_port *port = &c->ports[i];

		if (schema_good(r->port_at[i], "addresses") == NULL)
			continue;
		for (uint32_t j = 0; j < port->n_addresses; j++) {
			const struct ipaddr *a = &port->address[j].addr;
			uint32_t first = index_add(&x, a, sizeof(*a), i * ROUTE_ADDRESSES_MAX + j);
			struct yaml_node *n = address_node(r, i, j);

			if (first != INDEX_NONE)
				report_error(r->report, n, "%s is taken at %s, give another",
					report_quote(n, quoted),
					report_place(address_node(r, first / ROUTE_ADDRESSES_MAX,
							     first % ROUTE_ADDRESSES_MAX),
						place));
		}
	}
}

/* The index of the port that an item names, or -1: reported where it can be known. */
static int find_port(struct reader *r, const struct index *ports, struct yaml_node *item)
{
	struct yaml_node *n = schema_good(item, "port");
	char quoted[REPORT_QUOTE];
	uint32_t i;

	if (n == NULL)
		return -1;
	i = index_find(ports, n->text, n->len);
	if (i != INDEX_NONE)
		return i;
	if (!r->is_cut)
		report_error(r->report, n,
			"there is no port %s, one of the section ports is wanted",
			report_quote(n, quoted));
	return -1;
}

struct neighbour_id {
	struct ipaddr address;
	uint16_t port;
};

static void settle_neighbours(struct reader *r, const struct index *ports, bool *has_v6)
{
	char place[REPORT_PLACE], quoted[REPORT_QUOTE];
	struct config *c = r->config;
	struct neighbour_id *id = arena_alloc(r->scratch, (c->n_neighbours + 1) * sizeof(*id));
	struct index x;

	if (!open_index(r, &x, c->n_neighbours) || id == NULL)
		return;
	for (uint32_t i = 0; i < c->n_neighbours; i++) {
		struct yaml_node *at = r->neighbour_at[i], *n = schema_good(at, "address");
		int port = find_port(r, ports, at);
		uint32_t first;

		if (port < 0 || n == NULL)
			continue;
		c->neighbours[i].port = port;
		has_v6[port] |= c->neighbours[i].address.family == 6;
		id[i].address = c->neighbours[i].address;
		id[i].port = port;
		first = index_add(&x, &id[i], sizeof(id[i]), i);
		if (first != INDEX_NONE)
			report_error(r->report, n, "%s has its MAC address at %s, keep one",
				report_quote(n, quoted),
				report_place(yaml_child(r->neighbour_at[first], "address"), place));
	}
}

static void settle_ports(struct reader *r)
{
	struct config *c = r->config;
	bool has_v6[PORTS_MAX + 1] = {false};
	struct index ports;

	if (!open_index(r, &ports, c->n_ports))
		return;
	for (uint32_t i = 0; i < c->n_ports; i++) {
		struct yaml_node *name = schema_good(r->port_at[i], "name");

		if (name != NULL)
			index_add(&ports, name->text, name->len, i);
		for (uint32_t j = 0; j < c->ports[i].n_addresses; j++)
			has_v6[i] |= c->ports[i].address[j].addr.family == 6;
	}
	for (uint32_t i = 0; i < c->n_routes; i++) {
		int port = find_port(r, &ports, r->route_at[i]);

		if (port < 0)
			continue;
		c->routes[i].port = port;
		has_v6[port] |= c->routes[i].to.addr.family == 6;
	}
	settle_neighbours(r, &ports, has_v6);
	for (uint32_t i = 0; i < c->n_ports; i++) {
		struct yaml_node *mtu = schema_good(r->port_at[i], "mtu");

		if (mtu != NULL && has_v6[i] && c->ports[i].mtu < MTU_MIN_V6)
			report_error(r->report, mtu,
				"%u is less than every IPv6 link carries, %u to %u is wanted where "
				"the port has to do with IPv6 (RFC 8200 5)",
				c->ports[i].mtu, MTU_MIN_V6, MTU_MAX);
	}
}

/* SAs that name no provider have that of the section crypto. */
static void settle_providers(struct reader *r)
{
	struct config *c = r->config;

	for (uint32_t i = 0; i < c->n_sas; i++) {
		struct sa_spec *sa = &c->sas[i];
		struct yaml_node *fallback = schema_good(r->sa_at[i], "fallback");

		if (yaml_child(r->sa_at[i], "provider") == NULL)
			sa->provider = c->provider;
		if (yaml_child(r->sa_at[i], "fallback") == NULL)
			sa->fallback = c->fallback;
		if (sa->fallback == SA_NO_PROVIDER || sa->fallback != sa->provider)
			continue;
		if (fallback != NULL)
			report_warning(r->report, fallback,
				"it is the provider itself, name another or none");
		sa->fallback = SA_NO_PROVIDER;
	}
	if (c->fallback == c->provider) {
		for (unsigned i = 0; i < r->n_roots; i++) {
			struct yaml_node *crypto = yaml_child(r->root[i], "crypto"), *n;

			if (crypto != NULL && (n = schema_good(crypto, "fallback")) != NULL)
				report_warning(r->report, n,
					"it is the provider itself, name another or none");
		}
		c->fallback = SA_NO_PROVIDER;
	}
}

void check_config(struct reader *r)
{
	const struct config *c = r->config;
	bool has_ports = false;

	check_unique(r, r->port_at, c->n_ports, "name");
	check_unique(r, r->port_at, c->n_ports, "device");
	check_unique(r, r->port_at, c->n_ports, "kernel");
	check_unique(r, r->sa_at, c->n_sas, "name");
	check_unique(r, r->policy_at, c->n_policies, "name");
	check_port_addresses(r);
	settle_ports(r);
	settle_providers(r);
	for (unsigned i = 0; i < r->n_roots; i++) {
		const struct yaml_node *ports = yaml_child(r->root[i], "ports");

		has_ports |= ports != NULL && (ports->n > 0 || ports->is_bad);
	}
	if (!has_ports && !r->is_cut)
		report_error(r->report, r->root[0],
			"there is no port, the section 'ports' lists at least one");
}
