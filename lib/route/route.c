/* SPDX-License-Identifier: BSD-3-Clause */
/* route.c - where packets go: the FIBs over what resolve.c made of routes and neighbours. */
#include "route.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "fib.h"
#include "resolve.h"
#include "route_dp.h"

#define LOOKUP_MAX 256

struct route_db {
	struct fib fib;
	struct resolved resolved; /* next hops and warnings; the plans are gone */
};

int route_open(const struct route_setup *setup, struct route_db **out, struct why *why)
{
	struct route_db *db = calloc(1, sizeof(*db));
	int rc;

	if (db == NULL)
		return why_set(why, -ENOMEM, "no memory for the routes");
	rc = resolve(setup, &db->resolved, why);
	if (rc < 0)
		goto free_db;
	rc = fib_open(&db->fib, &db->resolved.v4, &db->resolved.v6, setup->socket, why);
	if (rc < 0)
		goto close_resolved;
	plan_close(&db->resolved.v4);
	plan_close(&db->resolved.v6);
	*out = db;
	return 0;

close_resolved:
	resolved_close(&db->resolved);
free_db:
	free(db);
	return rc;
}

void route_close(struct route_db *db)
{
	if (db == NULL)
		return;
	fib_close(&db->fib);
	resolved_close(&db->resolved);
	free(db);
}

const char *route_warning(const struct route_db *db, uint32_t i)
{
	return i < db->resolved.n_warnings ? db->resolved.warning[i] : NULL;
}

enum route_state route_state(const struct route_db *db, uint32_t i)
{
	return db->resolved.route_state[i];
}

static void point(
	const struct route_db *db, const uint64_t place[], const struct nexthop *nh[], uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		nh[i] = &db->resolved.nexthops.entry[place[i]];
}

static void point_nowhere(const struct route_db *db, const struct nexthop *nh[], uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		nh[i] = &db->resolved.nexthops.entry[NEXTHOP_AT_NONE];
}

void route_lookup4(
	const struct route_db *db, const uint32_t dst[], const struct nexthop *nh[], uint32_t n)
{
	uint64_t place[LOOKUP_MAX];

	if (db->fib.v4 == NULL) {
		point_nowhere(db, nh, n);
		return;
	}
	/* the prototype lacks const: it only reads */
	rte_fib_lookup_bulk(db->fib.v4, (uint32_t *)(uintptr_t)dst, place, n);
	point(db, place, nh, n);
}

void route_lookup6(
	const struct route_db *db, const uint8_t dst[][16], const struct nexthop *nh[], uint32_t n)
{
	uint64_t place[LOOKUP_MAX];

	if (db->fib.v6 == NULL) {
		point_nowhere(db, nh, n);
		return;
	}
	/* it only reads, though not every prototype says so, and their types differ */
	rte_fib6_lookup_bulk(db->fib.v6, (void *)(uintptr_t)dst, place, n);
	point(db, place, nh, n);
}
