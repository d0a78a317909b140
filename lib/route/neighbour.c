/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbour.c - static neighbours: which MAC an address has on a port. */
#include "neighbour.h"

#include <errno.h>
#include <rte_ether.h>
#include <stdlib.h>

static int compare_neighbours(const void *a, const void *b)
{
	const struct neighbour *x = a, *y = b;
	int order = ipaddr_compare(&x->spec.address, &y->spec.address);

	return order != 0 ? order : x->spec.port - y->spec.port;
}

static bool is_unspecified(const struct ipaddr *a)
{
	static const struct ipaddr zero4 = {.family = 4}, zero6 = {.family = 6};

	return ipaddr_is_any(a) || ipaddr_equal(a, &zero4) || ipaddr_equal(a, &zero6);
}

static int check(const struct neighbour_spec *n, uint16_t n_ports, struct why *why)
{
	const struct rte_ether_addr *mac = (const struct rte_ether_addr *)n->mac;
	char buf[IPADDR_STRLEN];

	if (is_unspecified(&n->address))
		return why_set(why, -EINVAL, "%s:%u: a neighbour needs an address of its own",
			n->source.file, n->source.line);
	ipaddr_format(&n->address, buf);
	if (n->port >= n_ports)
		return why_set(why, -EINVAL, "%s:%u: neighbour %s: no port %u", n->source.file,
			n->source.line, buf, n->port);
	if (ipaddr_is_multicast(&n->address))
		return why_set(why, -EINVAL, "%s:%u: neighbour %s is a group, not a host",
			n->source.file, n->source.line, buf);
	if (!rte_is_valid_assigned_ether_addr(mac))
		return why_set(why, -EINVAL,
			"%s:%u: neighbour %s: its MAC is zero or a group; it must be a host's",
			n->source.file, n->source.line, buf);
	return 0;
}

int neighbour_table_open(
	struct neighbour_table *t, const struct route_setup *setup, struct why *why)
{
	char buf[IPADDR_STRLEN];
	int rc;

	t->entry = calloc(setup->n_neighbours + 1, sizeof(*t->entry));
	if (t->entry == NULL)
		return why_set(why, -ENOMEM, "no memory for the neighbours");
	t->n = setup->n_neighbours;
	for (uint32_t i = 0; i < t->n; i++) {
		t->entry[i].spec = setup->neighbours[i];
		rc = check(&t->entry[i].spec, setup->n_ports, why);
		if (rc < 0)
			goto close;
	}
	qsort(t->entry, t->n, sizeof(*t->entry), compare_neighbours);
	for (uint32_t i = 1; i < t->n; i++) {
		const struct neighbour_spec *a = &t->entry[i - 1].spec, *b = &t->entry[i].spec;

		if (compare_neighbours(&t->entry[i - 1], &t->entry[i]) != 0)
			continue;
		rc = why_set(why, -EINVAL,
			"%s:%u: neighbour %s stands at %s:%u too, on the same port: give it once",
			b->source.file, b->source.line, ipaddr_format(&b->address, buf),
			a->source.file, a->source.line);
		goto close;
	}
	return 0;

close:
	neighbour_table_close(t);
	return rc;
}

void neighbour_table_close(struct neighbour_table *t)
{
	free(t->entry);
	t->entry = NULL;
}

struct neighbour *neighbour_find(
	const struct neighbour_table *t, const struct ipaddr *address, uint16_t port)
{
	struct neighbour key = {.spec = {.address = *address, .port = port}};

	return bsearch(&key, t->entry, t->n, sizeof(*t->entry), compare_neighbours);
}
