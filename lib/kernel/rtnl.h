/* SPDX-License-Identifier: BSD-3-Clause */
/* rtnl.h - what rtnetlink messages say: links, addresses, routes, neighbours. Pure: bytes in, facts out;
 * nothing is read that the message does not hold. Private to the room. */
#pragma once

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ipaddr.h"
#include "why.h"

#define RTNL_LEGS_MAX 16 /* of a multipath route; the others are not looked at */

enum rtnl_kind { RTNL_OTHER, RTNL_LINK, RTNL_ADDRESS, RTNL_ROUTE, RTNL_NEIGHBOUR };

struct rtnl_link {
	uint32_t index;
	char name[IFNAMSIZ];
	uint32_t mtu;
	bool is_up; /* by its operator */
	uint8_t mac[6];
	bool has_mac;
};

struct rtnl_address {
	uint32_t index; /* of its link */
	struct ipaddr_prefix address; /* with host bits */
};

struct rtnl_leg {
	uint32_t index;
	struct ipaddr via; /* any: on link */
	bool is_dead; /* the kernel does not use it */
};

struct rtnl_route {
	struct ipaddr_prefix to; /* host bits zero */
	uint32_t table, metric;
	bool is_blackhole; /* or unreachable, or prohibited */
	bool is_forwarding; /* unicast or blackhole: no broadcast, local or multicast, no cached one */
	struct rtnl_leg leg[RTNL_LEGS_MAX];
	unsigned n_legs;
};

struct rtnl_neighbour {
	uint32_t index;
	struct ipaddr address;
	uint8_t mac[6];
	bool is_usable; /* it has a MAC, and the kernel would send to it */
	bool is_stale; /* usable, and to be confirmed */
};

struct rtnl_message {
	enum rtnl_kind kind;
	bool is_gone; /* DEL…: it is no more */
	union {
		struct rtnl_link link;
		struct rtnl_address address;
		struct rtnl_route route;
		struct rtnl_neighbour neighbour;
	};
};

/* bytes: a netlink message and whatever lies behind it; size: of all that may be read. RTNL_OTHER: of no
 * interest here (another family, a bridge's table). -EBADMSG with the reason: lengths contradict each
 * other, or what it has to say is missing. */
int rtnl_parse(const void *bytes, size_t size, struct rtnl_message *out, struct why *why);
