/* SPDX-License-Identifier: BSD-3-Clause */
/* routes.c - the routes, neighbours and local addresses in force. */
#include "routes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "load.h"
#include "log.h"

#define REST_NS    UINT64_C(50000000) /* between two looks, and … */
#define REST_TIMES 4 /* … at least so many times what the last one took */

static struct mirror_view view_of(const struct kernel_side *k)
{
	return k->is_open ? mirror_view(k->mirror) : (struct mirror_view){0};
}

/* Both lists, one behind the other. NULL: no memory. */
static void *join(const void *a, uint32_t n_a, const void *b, uint32_t n_b, size_t size)
{
	char *all = calloc((size_t)n_a + n_b + 1, size);

	if (all == NULL)
		return NULL;
	if (n_a > 0)
		memcpy(all, a, n_a * size);
	if (n_b > 0)
		memcpy(all + n_a * size, b, n_b * size);
	return all;
}

static int compare_neighbours(const void *a, const void *b)
{
	const struct neighbour_spec *x = a, *y = b;
	int order = ipaddr_compare(&x->address, &y->address);

	if (order != 0)
		return order;
	if (x->port != y->port)
		return x->port < y->port ? -1 : 1;
	return x->from_kernel - y->from_kernel;
}

/* Each once: what is configured wins, and a difference is shown by who asks for neighbours. */
static void drop_doubles(struct neighbour_spec *n, uint32_t *count)
{
	uint32_t kept = 0;

	qsort(n, *count, sizeof(*n), compare_neighbours);
	for (uint32_t i = 0; i < *count; i++) {
		if (kept > 0 && n[kept - 1].port == n[i].port &&
			ipaddr_equal(&n[kept - 1].address, &n[i].address))
			continue;
		n[kept++] = n[i];
	}
	*count = kept;
}

static void free_lists(struct route_setup *s)
{
	free((void *)(uintptr_t)s->routes);
	free((void *)(uintptr_t)s->neighbours);
	free((void *)(uintptr_t)s->local);
}

static int make_setup(const struct routes *r, struct route_setup *out)
{
	struct mirror_view k = view_of(r->kernel);
	const struct config *c = r->config;
	struct neighbour_spec *neighbours;
	struct ipaddr *sas;
	uint32_t n_sas;
	int rc = load_local(c, &sas, &n_sas);

	if (rc < 0)
		return rc;
	*out = (struct route_setup){
		.ports = r->port,
		.n_ports = r->ports->n,
		.n_routes = c->n_routes + k.n_routes,
		.n_neighbours = c->n_neighbours + k.n_neighbours,
		.n_local = n_sas + k.n_local,
		.socket = SOCKET_ID_ANY,
	};
	out->routes = join(c->routes, c->n_routes, k.routes, k.n_routes, sizeof(*c->routes));
	neighbours = join(c->neighbours, c->n_neighbours, k.neighbours, k.n_neighbours,
		sizeof(*c->neighbours));
	out->local = join(sas, n_sas, k.local, k.n_local, sizeof(*sas));
	free(sas);
	out->neighbours = neighbours;
	if (out->routes == NULL || neighbours == NULL || out->local == NULL) {
		free_lists(out);
		return -ENOMEM;
	}
	drop_doubles(neighbours, &out->n_neighbours);
	return 0;
}

static int make_db(
	const struct routes *r, struct route_setup *setup, struct route_db **db, struct why *why)
{
	int rc = make_setup(r, setup);

	if (rc < 0)
		return why_set(why, rc, "no memory");
	rc = route_open(setup, db, why);
	if (rc < 0)
		free_lists(setup);
	return rc;
}

static void take(struct routes *r, const struct route_setup *setup, struct route_db *db)
{
	r->setup = *setup;
	r->db = db;
}

int routes_open(struct routes *r, const struct config *config, const struct ports *ports,
	const struct kernel_side *kernel, struct why *why)
{
	struct route_setup setup;
	struct route_db *db;
	int rc;

	*r = (struct routes){.config = config, .ports = ports, .kernel = kernel};
	for (uint16_t i = 0; i < ports->n; i++)
		r->port[i] = ports->port[i].route;
	rc = make_db(r, &setup, &db, why);
	if (rc < 0)
		return rc;
	take(r, &setup, db);
	for (uint32_t i = 0; route_warning(db, i) != NULL; i++)
		log_warning("routes: %s", route_warning(db, i));
	return 0;
}

void routes_close(struct routes *r)
{
	route_close(r->db);
	free_lists(&r->setup);
}

int routes_renew(struct routes *r, struct pipeline *p)
{
	struct route_db *was = r->db, *db;
	struct route_setup setup;
	struct why why = {0};
	int rc = make_db(r, &setup, &db, &why);

	if (rc == 0 && (rc = pipeline_replace(p, NULL, db)) < 0) {
		why_set(&why, rc, "no memory");
		route_close(db);
		free_lists(&setup);
	}
	if (rc < 0 && !r->is_failing)
		log_error(
			"routes: %s; those before stay in force, and it is tried again", why.text);
	else if (rc == 0 && r->is_failing)
		log_notice("routes: they are up to date again");
	r->is_failing = rc < 0;
	if (rc == 0) {
		route_close(was);
		free_lists(&r->setup);
		take(r, &setup, db);
	}
	return rc;
}

bool routes_may_look(const struct routes *r, uint64_t now_ns)
{
	uint64_t rest_ns = REST_TIMES * r->took_ns;

	return now_ns - r->looked_ns >= (rest_ns > REST_NS ? rest_ns : REST_NS);
}

void routes_looked(struct routes *r, uint64_t began_ns)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	r->looked_ns = now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
	r->took_ns = r->looked_ns - began_ns;
}
