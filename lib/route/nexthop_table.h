/* SPDX-License-Identifier: BSD-3-Clause */
/* nexthop_table.h - next hops, each of them once. Private to the room. */
#pragma once

#include "route_dp.h"

/* What every table begins with. */
enum { NEXTHOP_AT_NONE, NEXTHOP_AT_LOCAL, NEXTHOP_AT_BLACKHOLE };

struct nexthop_table {
	struct nexthop *entry;
	uint32_t n, room;
	void *index; /* tsearch(3) over entry */
};

/* room: at most so many besides what every table begins with. -ENOMEM. */
int nexthop_table_open(struct nexthop_table *t, uint32_t room);
void nexthop_table_close(struct nexthop_table *t);

/* Its place; an equal one is shared. -ENOSPC: ROUTE_NEXTHOPS_MAX are there; -ENOMEM. */
int nexthop_table_add(struct nexthop_table *t, const struct nexthop *nh);

/* To a host with this MAC behind a port, for packets of a family. mac NULL: unresolved; via: whose MAC it
 * would be, NULL: the destination's own. */
void nexthop_make(struct nexthop *nh, const struct route_port *ports, uint16_t port,
	const uint8_t mac[6], const struct ipaddr *via, uint8_t family);
