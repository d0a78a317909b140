/* SPDX-License-Identifier: BSD-3-Clause */
/* route_dp.h - the FIB as workers see it: from addresses to next hops, in bursts. */
#pragma once

#include <stdint.h>

#include "route.h"

#define L2_LEN_MAX 22 /* Ethernet with two tags */

enum nexthop_kind {
	NEXTHOP_NONE, /* no route */
	NEXTHOP_LOCAL, /* one of our own addresses */
	NEXTHOP_BLACKHOLE, /* the operator says: drop */
	NEXTHOP_UNRESOLVED, /* a route, but nobody knows the neighbour's MAC */
	NEXTHOP_SEND, /* l2 goes in front of the packet, out of port */
};

struct nexthop { /* control thread writes, workers read */
	uint8_t kind; /* enum nexthop_kind */
	uint8_t side; /* enum port_side of port */
	uint8_t l2_len; /* 14, 18 or 22 */
	uint16_t port;
	uint16_t mtu;
	union {
		uint8_t l2
			[24]; /* SEND: destination, source, tags; then the Ethertype of the family */
		struct ipaddr
			via; /* UNRESOLVED: whose MAC is wanted; any: the packet's destination */
	};
};

/* Writes the port's tags, 4 bytes each: what stands between the MAC addresses and the Ethertype. Returns
 * their length. */
static inline uint8_t nexthop_put_tags(uint8_t *at, const struct route_port *port)
{
	for (uint8_t i = 0; i < port->n_vlans; i++) {
		/* IEEE 802.1Q: the outer of two tags is a service tag */
		*at++ = i + 1 < port->n_vlans ? 0x88 : 0x81;
		*at++ = i + 1 < port->n_vlans ? 0xa8 : 0x00;
		*at++ = port->vlan[i] >> 8;
		*at++ = port->vlan[i];
	}
	return 4 * port->n_vlans;
}

/* dst in host order (IPv4) or network order (IPv6). nh[i] is never NULL. n up to 256. */
void route_lookup4(
	const struct route_db *db, const uint32_t dst[], const struct nexthop *nh[], uint32_t n);
void route_lookup6(
	const struct route_db *db, const uint8_t dst[][16], const struct nexthop *nh[], uint32_t n);
