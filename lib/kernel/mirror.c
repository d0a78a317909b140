/* SPDX-License-Identifier: BSD-3-Clause */
/* mirror.c - what the kernel knows of routes, neighbours and addresses on the interfaces of our ports. */
#include "mirror.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#define NO_PORT UINT16_MAX

/* One kind of specs: what is in force, and what a list that is not whole yet has so far. */
struct list {
	void *item;
	uint32_t n, room;
};

struct stale {
	struct ipaddr address;
	uint16_t port;
};

struct mirror {
	struct netlink *netlink;
	const unsigned *index;
	uint16_t n_ports;
	struct list routes, neighbours, local, stale;
	struct list *draft; /* that is listed now */
	struct list draft_stale;
	uint32_t next_stale;
	bool has_no_memory;
};

int mirror_open(struct netlink *n, const unsigned index[], uint16_t n_ports, struct mirror **out)
{
	struct mirror *m = calloc(1, sizeof(*m));

	if (m == NULL)
		return -ENOMEM;
	m->netlink = n;
	m->index = index;
	m->n_ports = n_ports;
	*out = m;
	return 0;
}

void mirror_close(struct mirror *m)
{
	if (m == NULL)
		return;
	free(m->routes.item);
	free(m->neighbours.item);
	free(m->local.item);
	free(m->stale.item);
	free(m);
}

static uint16_t port_of(const struct mirror *m, uint32_t index)
{
	for (uint16_t i = 0; i < m->n_ports; i++) {
		if (index != 0 && m->index[i] == index)
			return i;
	}
	return NO_PORT;
}

/* A zeroed item at its end; NULL: no memory, and the list is not whole. Zeroed: lists are compared as
 * bytes. */
static void *append(struct mirror *m, struct list *l, size_t size)
{
	void *item;

	if (l->n == l->room) {
		uint32_t room = l->room == 0 ? 64 : 2 * l->room;
		void *grown = realloc(l->item, room * size);

		if (grown == NULL) {
			m->has_no_memory = true;
			return NULL;
		}
		l->item = grown;
		l->room = room;
	}
	item = (char *)l->item + l->n++ * size;
	memset(item, 0, size);
	return item;
}

static void restart(void *arg)
{
	struct mirror *m = arg;

	m->draft->n = m->draft_stale.n = 0;
	m->has_no_memory = false;
}

/* Routes within one link and to groups are no router's affair. */
static bool is_of_a_link(const struct ipaddr_prefix *to)
{
	if (to->addr.family == 4)
		return to->len >= 4 && to->addr.bytes[0] >= 0xe0;
	return to->len >= 8 &&
	       (to->addr.bytes[0] == 0xff ||
		       (to->addr.bytes[0] == 0xfe && (to->addr.bytes[1] & 0xc0) == 0x80));
}

/* The leg to go by; NULL: none of them is by a port of ours. */
static const struct rtnl_leg *choose_leg(const struct mirror *m, const struct rtnl_route *r)
{
	const struct rtnl_leg *any = NULL;

	for (unsigned i = 0; i < r->n_legs; i++) {
		if (port_of(m, r->leg[i].index) == NO_PORT)
			continue;
		if (!r->leg[i].is_dead)
			return &r->leg[i];
		if (any == NULL)
			any = &r->leg[i];
	}
	return any;
}

static void visit_route(const struct rtnl_message *said, void *arg)
{
	const struct rtnl_route *r = &said->route;
	struct mirror *m = arg;
	const struct rtnl_leg *leg;
	struct route_spec *spec;

	if (said->kind != RTNL_ROUTE || r->table != RT_TABLE_MAIN || !r->is_forwarding ||
		is_of_a_link(&r->to))
		return;
	leg = r->is_blackhole ? NULL : choose_leg(m, r);
	if (leg == NULL && !r->is_blackhole)
		return;
	spec = append(m, m->draft, sizeof(*spec));
	if (spec == NULL)
		return;
	spec->source.file = "";
	spec->from_kernel = true;
	spec->to = r->to;
	spec->metric = r->metric;
	spec->blackhole = r->is_blackhole;
	if (leg != NULL) {
		spec->via = leg->via;
		spec->port = port_of(m, leg->index);
	}
}

static void visit_neighbour(const struct rtnl_message *said, void *arg)
{
	const struct rtnl_neighbour *n = &said->neighbour;
	struct mirror *m = arg;
	struct neighbour_spec *spec;
	struct stale *stale;
	uint16_t port;

	if (said->kind != RTNL_NEIGHBOUR || !n->is_usable || ipaddr_is_multicast(&n->address))
		return;
	port = port_of(m, n->index);
	if (port == NO_PORT)
		return;
	if (n->is_stale) {
		stale = append(m, &m->draft_stale, sizeof(*stale));
		if (stale != NULL)
			*stale = (struct stale){n->address, port};
	}
	if ((n->mac[0] & 1) != 0 || memcmp(n->mac, (const uint8_t[6]){0}, 6) == 0)
		return;
	spec = append(m, m->draft, sizeof(*spec));
	if (spec == NULL)
		return;
	spec->source.file = "";
	spec->from_kernel = true;
	spec->address = n->address;
	spec->port = port;
	memcpy(spec->mac, n->mac, sizeof(spec->mac));
}

static void visit_address(const struct rtnl_message *said, void *arg)
{
	struct mirror *m = arg;
	struct ipaddr *local;

	if (said->kind != RTNL_ADDRESS || port_of(m, said->address.index) == NO_PORT)
		return;
	local = append(m, m->draft, sizeof(*local));
	if (local != NULL)
		*local = said->address.address.addr;
}

/* Takes the list that was made for that in force. Whether it is another. */
static bool succeed(struct list *was, struct list *now, size_t size)
{
	bool is_other = was->n != now->n ||
			(now->n > 0 && memcmp(was->item, now->item, now->n * size) != 0);

	free(was->item);
	*was = *now;
	*now = (struct list){0};
	return is_other;
}

/* 1: it is another list. */
static int refresh(struct mirror *m, enum netlink_table table, struct list *list, size_t size,
	void (*visit)(const struct rtnl_message *, void *), struct why *why)
{
	struct list draft = {0};
	int rc;

	if (!netlink_is_dirty(m->netlink, table))
		return 0;
	m->draft = &draft;
	rc = netlink_dump(m->netlink, table, restart, visit, m, why);
	if (rc == 0 && m->has_no_memory)
		rc = why_set(why, -ENOMEM, "no memory for what the kernel knows");
	if (rc == 0)
		rc = succeed(list, &draft, size);
	else
		free(draft.item);
	if (rc >= 0 && table == NETLINK_NEIGHBOURS)
		succeed(&m->stale, &m->draft_stale, sizeof(struct stale));
	free(m->draft_stale.item);
	m->draft_stale = (struct list){0};
	return rc;
}

int mirror_refresh(struct mirror *m, struct why *why)
{
	int rc[] = {
		refresh(m, NETLINK_ADDRESSES, &m->local, sizeof(struct ipaddr), visit_address, why),
		refresh(m, NETLINK_ROUTES, &m->routes, sizeof(struct route_spec), visit_route, why),
		refresh(m, NETLINK_NEIGHBOURS, &m->neighbours, sizeof(struct neighbour_spec),
			visit_neighbour, why),
	};
	int all = 0;

	for (unsigned i = 0; i < sizeof(rc) / sizeof(rc[0]); i++)
		all = rc[i] < 0 || all < 0 ? (rc[i] < 0 ? rc[i] : all) : all | rc[i];
	return all;
}

struct mirror_view mirror_view(const struct mirror *m)
{
	return (struct mirror_view){m->routes.item, m->routes.n, m->neighbours.item,
		m->neighbours.n, m->local.item, m->local.n};
}

void mirror_confirm(struct mirror *m, struct netlink_asker *asker, uint32_t n)
{
	const struct stale *stale = m->stale.item;

	for (; n > 0 && m->stale.n > 0; n--) {
		const struct stale *one = &stale[m->next_stale++ % m->stale.n];

		netlink_ask(asker, m->index[one->port], &one->address);
		if (m->next_stale % m->stale.n == 0)
			break;
	}
}
