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
	uint8_t l2[24]; /* destination, source, tags; then the Ethertype of the family */
};

/* dst in host order (IPv4) or network order (IPv6). nh[i] is never NULL. n up to 256. */
void route_lookup4(
	const struct route_db *db, const uint32_t dst[], const struct nexthop *nh[], uint32_t n);
void route_lookup6(
	const struct route_db *db, const uint8_t dst[][16], const struct nexthop *nh[], uint32_t n);
