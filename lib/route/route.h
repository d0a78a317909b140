/* SPDX-License-Identifier: BSD-3-Clause */
/* route.h - where packets go: routes, static neighbours and local addresses, compiled into one FIB
 * per family (rte_fib). Control plane.
 *
 * A neighbour on a connected subnet becomes a host route, so one lookup gives the Ethernet header;
 * our own addresses are host routes of their own kind. Order of strength for equal prefixes: local
 * address, configured route (lowest metric, then file order), the kernel's route (the same), connected
 * subnet, neighbour. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ipaddr.h"
#include "rcu.h"
#include "sa.h"
#include "why.h"

#define ROUTE_VLANS_MAX     2
#define ROUTE_NEXTHOPS_MAX  32767
#define ROUTE_ADDRESSES_MAX 32

enum port_side { PORT_PROTECTED, PORT_UNPROTECTED };

/* What routing knows of a port; index in the array is its number everywhere. */
struct route_port {
	enum port_side side;
	uint8_t mac[6];
	uint16_t vlan[ROUTE_VLANS_MAX]; /* outer first */
	uint8_t n_vlans;
	uint16_t mtu; /* of IP packets */
	struct ipaddr_prefix address[ROUTE_ADDRESSES_MAX];
	uint16_t n_addresses;
	bool has_kernel; /* the kernel is asked for neighbours that nobody knows */
};

struct route_spec {
	struct source source;
	struct ipaddr_prefix to; /* host bits zero */
	struct ipaddr via; /* any: on link */
	uint16_t port; /* index; of no meaning for a blackhole */
	bool blackhole;
	uint32_t metric;
	uint32_t table; /* only 0 is looked up in */
	bool from_kernel; /* weaker than what was configured */
};

struct neighbour_spec {
	struct source source;
	struct ipaddr address;
	uint16_t port;
	uint8_t mac[6];
	bool from_kernel; /* of which the kernel may know more than are of use here */
};

struct route_setup {
	const struct route_port *ports;
	uint16_t n_ports;
	const struct route_spec *routes;
	uint32_t n_routes;
	const struct neighbour_spec *neighbours;
	uint32_t n_neighbours;
	const struct ipaddr *local; /* further addresses that are ours: dst of inbound SAs */
	uint32_t n_local;
	int socket;
};

struct route_db;

/* Copies what it needs. -ENOMEM, -ENOSPC (too many next hops), -EINVAL with the reason. A next hop
 * without a neighbour is no error: its packets leave by nexthop_no_neighbour; route_warn() lists it. */
int route_open(const struct route_setup *setup, struct route_db **out, struct why *why);
void route_close(struct route_db *db);

/* What became of the i-th route. */
enum route_state {
	ROUTE_HIDDEN, /* a stronger one leads to the same prefix, or it is not in table 0 */
	ROUTE_ON_LINK,
	ROUTE_BLACKHOLE,
	ROUTE_RESOLVED,
	ROUTE_UNRESOLVED /* nobody knows the MAC address of its next hop */
};
enum route_state route_state(const struct route_db *db, uint32_t i);

/* The i-th thing an operator should know about (a via without a neighbour …), NULL past the end. */
const char *route_warning(const struct route_db *db, uint32_t i);
