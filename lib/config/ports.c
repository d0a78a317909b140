/* SPDX-License-Identifier: BSD-3-Clause */
/* ports.c - the section ports. */
#include <ctype.h>
#include <net/if.h>
#include <string.h>

#include "sections.h"
#include "values.h"

#define VLAN_MAX 4094

static void read_addresses(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	struct config_port *port = field;

	if (!schema_is_list(r, at, key))
		return;
	for (struct yaml_node *n = at->first; n != NULL; n = n->next) {
		struct ipaddr_prefix p;
		struct ipaddr first;
		char quoted[REPORT_QUOTE];

		if (!value_prefix(r, n, &p))
			continue;
		first = ipaddr_mask(&p);
		if (ipaddr_is_multicast(&p.addr) ||
			(ipaddr_equal(&first, &p.addr) && p.len < ipaddr_size(&p.addr) * 8 - 1)) {
			report_error(r->report, n,
				"%s is no host's address, the port's own address with the length "
				"of its subnet is wanted, as 10.1.0.1/24",
				report_quote(n, quoted));
			continue;
		}
		port->address[port->n_addresses++] = p;
	}
}

static void read_port_mac(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	struct config_port *port = field;

	port->has_mac = true;
	read_mac(r, at, key, port->mac);
}

static bool read_tag(struct reader *r, struct yaml_node *at, uint64_t min, uint16_t *tag)
{
	uint64_t v;
	char quoted[REPORT_QUOTE];

	if (!schema_is_scalar(r, at, "a VLAN number"))
		return false;
	if (!schema_number(at->text, &v) || v < min || v > VLAN_MAX) {
		report_error(r->report, at, "%s is no VLAN, a number from %u to %u is wanted",
			report_quote(at, quoted), (unsigned)min, VLAN_MAX);
		return false;
	}
	*tag = v;
	return true;
}

static void read_vlan(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	struct config_port *port = field;

	(void)key;
	port->n_vlans = 0;
	if (at->kind == YAML_LIST && at->n == ROUTE_VLANS_MAX) {
		for (struct yaml_node *n = at->first; n != NULL; n = n->next)
			if (read_tag(r, n, 1, &port->vlan[port->n_vlans]))
				port->n_vlans++;
	} else if (at->kind == YAML_LIST) {
		report_error(r->report, at,
			"%u tags are listed, a number or [outer, inner] is wanted", at->n);
	} else if (read_tag(r, at, 0, &port->vlan[0])) {
		port->n_vlans = port->vlan[0] != 0;
	}
}

static void read_kernel(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	struct config_port *port = field;
	char quoted[REPORT_QUOTE];
	bool good = true;

	(void)key;
	if (!schema_is_scalar(r, at, "the name of a TAP interface"))
		return;
	for (const char *c = at->text; *c != '\0'; c++)
		good &= isgraph((unsigned char)*c) && *c != '/' && *c != ':';
	if (!good || at->len >= IFNAMSIZ || strcmp(at->text, ".") == 0 ||
		strcmp(at->text, "..") == 0)
		report_error(r->report, at,
			"%s is no name of an interface, 1 to %d characters without blanks, '/' and "
			"':' are wanted",
			report_quote(at, quoted), IFNAMSIZ - 1);
	else
		memcpy(port->kernel, at->text, at->len + 1);
}

static const struct schema_word sides[] = {
	{"protected", PORT_PROTECTED},
	{"unprotected", PORT_UNPROTECTED},
	{NULL, 0},
};
static const struct schema_word queue_words[] = {{"auto", 0}, {NULL, 0}};
static const struct schema_word offload_words[] = {{"auto", true}, {"off", false}, {NULL, 0}};

#define AT(field) offsetof(struct config_port, field)

static const struct schema_key keys[] = {
	{"name", CFG_NAME, AT(name), .required = true, .help = "our name for it"},
	{"device", CFG_NAME, AT(device), .required = true,
		.help = "PCI address or vdev name, as the EAL knows it"},
	{"side", CFG_WORD, AT(side), .words = sides, .required = true,
		.help = "the side of the boundary that it is on (RFC 4301 3.1)"},
	{"mtu", CFG_U16, AT(mtu), .min = MTU_MIN_V4, .max = MTU_MAX, .dflt = "1500",
		.help = "of IP packets; at least 1280 where the port has to do with IPv6 (RFC 8200 "
			"5)"},
	{"addresses", CFG_LIST, 0, .read = read_addresses, .max = ROUTE_ADDRESSES_MAX,
		.form = "a list of up to 32 addresses with the length of their subnet",
		.help = "its own addresses"},
	{"mac", CFG_CUSTOM, 0, .read = read_port_mac, .form = "a unicast MAC address",
		.help = "left out: the device's"},
	{"vlan", CFG_CUSTOM, 0, .read = read_vlan, .dflt = "0",
		.form = "0 (untagged), a number from 1 to 4094, or [outer, inner]",
		.help = "tags of all frames, in and out"},
	{"queues", CFG_U16, AT(queues), .min = 1, .max = SA_WORKERS_MAX, .words = queue_words,
		.dflt = "auto",
		.help = "per direction; auto: one for each worker where the device spreads flows "
			"over them (RSS), else one, which the workers share"},
	{"descriptors", CFG_U16, AT(descriptors), .min = 32, .max = 32768, .dflt = "1024",
		.help = "per queue"},
	{"offloads", CFG_BOOL, AT(offloads), .words = offload_words, .dflt = "auto",
		.help = "auto: RSS, where the device has it; off: not even that. Checksums are "
			"never left to a device"},
	{"kernel", CFG_CUSTOM, 0, .read = read_kernel, .form = "the name of a TAP interface",
		.help = "that adit makes for ARP, ND, ICMP and IKE, and whose routes and "
			"neighbours "
			"it takes; left out: no exception path, neighbours are static"},
};

const struct schema port_schema = {"ports[]", "NICs and virtual devices.", SCHEMA_KEYS(keys)};

void read_ports(struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	struct config *c = r->config;

	(void)field;
	if (!schema_is_list(r, at, key))
		return;
	for (struct yaml_node *n = at->first; n != NULL; n = n->next) {
		struct config_port *port = &c->ports[c->n_ports];

		if (!n->is_whole)
			continue;
		port->source = (struct source){n->file, n->line};
		r->port_at[c->n_ports++] = n;
		schema_defaults(r, &port_schema, port);
		schema_read(r, &port_schema, n, port);
	}
}
