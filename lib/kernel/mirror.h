/* SPDX-License-Identifier: BSD-3-Clause */
/* mirror.h - what the kernel knows of routes, neighbours and addresses on the interfaces of our ports, as
 * specs that route_open() takes. Its main table only. Control thread only.
 *
 * Of a multipath route the first leg that the kernel holds for usable is taken: one prefix has one next
 * hop here. Routes of the kernel's that leave by another interface are not ours to use. */
#pragma once

#include "netlink.h"
#include "route.h"

struct mirror;

/* index: of the kernel's interface of each port, by its number; 0: it has none. -ENOMEM. */
int mirror_open(struct netlink *n, const unsigned index[], uint16_t n_ports, struct mirror **out);
void mirror_close(struct mirror *m);

/* Lists again what is dirty. 1: something that matters here is another than before. 0: nothing is. A list
 * that cannot be had stays as it was, and -errno says why; what else was listed counts. */
int mirror_refresh(struct mirror *m, struct why *why);

/* What it knows, until the next mirror_refresh(). */
struct mirror_view {
	const struct route_spec *routes;
	uint32_t n_routes;
	const struct neighbour_spec *neighbours;
	uint32_t n_neighbours;
	const struct ipaddr *local; /* the kernel's own addresses on these interfaces */
	uint32_t n_local;
};
struct mirror_view mirror_view(const struct mirror *m);

/* Has the kernel confirm neighbours that it has heard nothing of for a while: it sees none of the traffic
 * to them, and would never notice that one has another MAC address now. At most so many a call, in turn. */
void mirror_confirm(struct mirror *m, struct netlink_asker *asker, uint32_t n);
