/* SPDX-License-Identifier: BSD-3-Clause */
/* resolve.c - turns routes, addresses and neighbours into prefixes with a next hop each. */
#include "resolve.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neighbour.h"

#define NO_NEIGHBOUR "no neighbour on its port has the address %s"
#define OF_NO_USE    "is of no use: no route goes via it, and its address is %s"

struct draft {
	const struct route_setup *setup;
	struct resolved *out;
	struct neighbour_table neighbours;
	struct why *why;
};

static struct plan *plan_of(struct draft *d, uint8_t family)
{
	return family == 4 ? &d->out->v4 : &d->out->v6;
}

static int warn(struct draft *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int warn(struct draft *d, const char *fmt, ...)
{
	char **grown = realloc(d->out->warning, (d->out->n_warnings + 1) * sizeof(*grown));
	va_list ap;
	int rc;

	if (grown == NULL)
		return why_set(d->why, -ENOMEM, "no memory for a warning");
	d->out->warning = grown;
	va_start(ap, fmt);
	rc = vasprintf(&grown[d->out->n_warnings], fmt, ap);
	va_end(ap);
	if (rc < 0)
		return why_set(d->why, -ENOMEM, "no memory for a warning");
	d->out->n_warnings++;
	return 0;
}

static int check_ports(const struct route_setup *s, struct why *why)
{
	for (uint16_t i = 0; i < s->n_ports; i++) {
		if (s->ports[i].n_vlans > ROUTE_VLANS_MAX ||
			s->ports[i].n_addresses > ROUTE_ADDRESSES_MAX)
			return why_set(why, -EINVAL,
				"port %u has more than %d VLAN tags or %d addresses", i,
				ROUTE_VLANS_MAX, ROUTE_ADDRESSES_MAX);
		for (uint16_t k = 0; k < s->ports[i].n_addresses; k++) {
			const struct ipaddr_prefix *p = &s->ports[i].address[k];

			if (ipaddr_is_any(&p->addr) || p->len > 8 * ipaddr_size(&p->addr))
				return why_set(why, -EINVAL,
					"port %u: address %u is none: it needs a family and a "
					"length within it",
					i, k);
		}
	}
	return 0;
}

static int check_route(const struct route_spec *r, uint16_t n_ports, struct why *why)
{
	const char *file = r->source.file;
	uint32_t line = r->source.line;
	char to[IPADDR_STRLEN], via[IPADDR_STRLEN];

	if (ipaddr_is_any(&r->to.addr) || r->to.len > 8 * ipaddr_size(&r->to.addr))
		return why_set(why, -EINVAL, "%s:%u: a route needs a prefix to go to", file, line);
	if (r->blackhole)
		return 0;
	ipaddr_prefix_format(&r->to, to);
	if (r->port >= n_ports)
		return why_set(
			why, -EINVAL, "%s:%u: route %s: no port %u", file, line, to, r->port);
	if (ipaddr_is_any(&r->via))
		return 0;
	ipaddr_format(&r->via, via);
	if (ipaddr_is_multicast(&r->via))
		return why_set(why, -EINVAL, "%s:%u: route %s: %s is a group; via must be a host",
			file, line, to, via);
	/* RFC 5549 has IPv4 behind IPv6 next hops; nothing has it the other way round */
	if (r->to.addr.family == 6 && r->via.family == 4)
		return why_set(why, -EINVAL,
			"%s:%u: route %s: via %s is IPv4; an IPv6 route needs an IPv6 next hop",
			file, line, to, via);
	return 0;
}

/* The place of the next hop to a MAC behind a port; NULL: unresolved. */
static int place_nexthop(struct draft *d, uint16_t port, const uint8_t *mac,
	const struct ipaddr *via, uint8_t family)
{
	struct nexthop nh;
	int place;

	nexthop_make(&nh, d->setup->ports, port, mac, via, family);
	place = nexthop_table_add(&d->out->nexthops, &nh);
	if (place == -ENOSPC)
		return why_set(
			d->why, place, "more than %d different next hops", ROUTE_NEXTHOPS_MAX);
	if (place < 0)
		return why_set(d->why, place, "no memory for the next hops");
	return place;
}

static void add_local(struct draft *d, const struct ipaddr *a)
{
	if (ipaddr_is_any(a))
		return;
	plan_add(plan_of(d, a->family), &(struct plan_entry){.to = {*a, 8 * ipaddr_size(a)},
						.strength = PLAN_LOCAL,
						.route = PLAN_NO_ROUTE,
						.nexthop = NEXTHOP_AT_LOCAL});
}

/* Our own addresses, and the subnets that they are in. */
static int add_addresses(struct draft *d)
{
	const struct route_setup *s = d->setup;

	for (uint32_t i = 0; i < s->n_local; i++)
		add_local(d, &s->local[i]);
	for (uint16_t i = 0; i < s->n_ports; i++) {
		for (uint16_t k = 0; k < s->ports[i].n_addresses; k++) {
			const struct ipaddr_prefix *p = &s->ports[i].address[k];
			int place;

			add_local(d, &p->addr);
			if (p->len == 8 * ipaddr_size(&p->addr))
				continue;
			place = place_nexthop(d, i, NULL, NULL, p->addr.family);
			if (place < 0)
				return place;
			plan_add(plan_of(d, p->addr.family), &(struct plan_entry){.to = *p,
								     .strength = PLAN_CONNECTED,
								     .route = PLAN_NO_ROUTE,
								     .nexthop = place,
								     .port = i,
								     .is_on_link = true});
		}
	}
	return 0;
}

static int add_route(struct draft *d, uint32_t i)
{
	const struct route_spec *r = &d->setup->routes[i];
	struct plan_entry e = {.to = r->to,
		.strength = r->from_kernel ? PLAN_KERNEL : PLAN_CONFIGURED,
		.metric = r->metric,
		.route = i,
		.port = r->port};
	char to[IPADDR_STRLEN], via[IPADDR_STRLEN];
	struct neighbour *n = NULL;
	int place = NEXTHOP_AT_BLACKHOLE, rc;

	if (!r->blackhole) {
		e.is_on_link = ipaddr_is_any(&r->via);
		if (!e.is_on_link)
			n = neighbour_find(&d->neighbours, &r->via, r->port);
		if (!e.is_on_link && n == NULL && !d->setup->ports[r->port].has_kernel) {
			rc = warn(d, "%s:%u: route %s: its packets are dropped: " NO_NEIGHBOUR,
				r->source.file, r->source.line, ipaddr_prefix_format(&r->to, to),
				ipaddr_format(&r->via, via));
			if (rc < 0)
				return rc;
		}
		if (n != NULL)
			n->is_used = true;
		place = place_nexthop(d, r->port, n != NULL ? n->spec.mac : NULL,
			e.is_on_link ? NULL : &r->via, r->to.addr.family);
		if (place < 0)
			return place;
	}
	e.nexthop = place;
	plan_add(plan_of(d, r->to.addr.family), &e);
	return 0;
}

/* A neighbour is a host route where the longest prefix says that it is on the link of its port; an
 * on-link route to it alone is just what it resolves. */
static int add_host(struct draft *d, struct neighbour *n)
{
	const struct ipaddr *a = &n->spec.address;
	int bits = 8 * ipaddr_size(a), place;
	struct plan *plan = plan_of(d, a->family);
	struct plan_entry *best = plan_find(plan, a, bits);
	char buf[IPADDR_STRLEN];

	if (best == NULL || !best->is_on_link || best->port != n->spec.port) {
		if (n->is_used || n->spec.from_kernel)
			return 0;
		return warn(d, "%s:%u: neighbour %s " OF_NO_USE, n->spec.source.file,
			n->spec.source.line, ipaddr_format(a, buf),
			best != NULL && best->nexthop == NEXTHOP_AT_LOCAL
				? "our own"
				: "not on the link of its port");
	}
	place = place_nexthop(d, n->spec.port, n->spec.mac, NULL, a->family);
	if (place < 0)
		return place;
	if (best->to.len == bits)
		best->nexthop = place;
	else
		plan_add(plan, &(struct plan_entry){
				       .to = {*a, bits}, .nexthop = place, .route = PLAN_NO_ROUTE});
	return 0;
}

static int open_tables(struct draft *d)
{
	const struct route_setup *s = d->setup;
	struct resolved *out = d->out;
	uint32_t room = s->n_routes + s->n_neighbours, prefixes;

	for (uint16_t i = 0; i < s->n_ports; i++)
		room += s->ports[i].n_addresses;
	prefixes = 2 * room + s->n_local; /* an address has a subnet too */
	if (plan_open(&out->v4, prefixes) < 0 || plan_open(&out->v6, prefixes) < 0 ||
		nexthop_table_open(&out->nexthops, room) < 0)
		return why_set(d->why, -ENOMEM, "no memory for %u prefixes", prefixes);
	out->route_state = calloc(s->n_routes + 1, sizeof(out->route_state[0]));
	if (out->route_state == NULL)
		return why_set(d->why, -ENOMEM, "no memory for %u routes", s->n_routes);
	return neighbour_table_open(&d->neighbours, s, d->why);
}

/* Of those that have won their prefix. */
static void note_states(struct draft *d, const struct plan *p)
{
	for (uint32_t i = 0; i < p->n_settled; i++) {
		const struct plan_entry *e = &p->entry[i];
		enum route_state state = ROUTE_UNRESOLVED;

		if (e->route == PLAN_NO_ROUTE)
			continue;
		if (e->nexthop == NEXTHOP_AT_BLACKHOLE)
			state = ROUTE_BLACKHOLE;
		else if (e->is_on_link)
			state = ROUTE_ON_LINK;
		else if (d->out->nexthops.entry[e->nexthop].kind == NEXTHOP_SEND)
			state = ROUTE_RESOLVED;
		d->out->route_state[e->route] = state;
	}
}

static int fill(struct draft *d)
{
	const struct route_setup *s = d->setup;
	int rc = add_addresses(d);

	for (uint32_t i = 0; i < s->n_routes && rc == 0; i++) {
		rc = check_route(&s->routes[i], s->n_ports, d->why);
		if (rc == 0 && s->routes[i].table == 0)
			rc = add_route(d, i);
	}
	plan_settle(&d->out->v4);
	plan_settle(&d->out->v6);
	note_states(d, &d->out->v4);
	note_states(d, &d->out->v6);
	for (uint32_t i = 0; i < d->neighbours.n && rc == 0; i++)
		rc = add_host(d, &d->neighbours.entry[i]);
	return rc;
}

int resolve(const struct route_setup *setup, struct resolved *out, struct why *why)
{
	struct draft d = {.setup = setup, .out = out, .why = why};
	int rc;

	memset(out, 0, sizeof(*out));
	rc = check_ports(setup, why);
	if (rc == 0)
		rc = open_tables(&d);
	if (rc == 0)
		rc = fill(&d);
	neighbour_table_close(&d.neighbours);
	if (rc < 0)
		resolved_close(out);
	return rc;
}

void resolved_close(struct resolved *r)
{
	plan_close(&r->v4);
	plan_close(&r->v6);
	nexthop_table_close(&r->nexthops);
	free(r->route_state);
	for (uint32_t i = 0; i < r->n_warnings; i++)
		free(r->warning[i]);
	free(r->warning);
}
