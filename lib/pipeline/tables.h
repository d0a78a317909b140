/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.h - the SPD and the routes in force, and what met each policy: published together, so that a
 * worker never judges by one and forwards by another that was not made for it. */
#pragma once

#include <stdint.h>

#include "route.h"
#include "spd.h"

struct tables {
	struct spd *spd;
	struct route_db *routes;
	uint32_t generation; /* never 0, never that of the tables before */
	uint16_t n_workers;
	struct sa_count *count[SA_WORKERS_MAX]; /* by worker, then policy; that worker writes */
	struct sa_count *before; /* by policy: under the tables before */
};

/* Of the next generation. Counters are those of the tables before where the SPD is the same, else at 0.
 * NULL: no memory. */
struct tables *tables_open(
	struct spd *spd, struct route_db *routes, uint16_t n_workers, const struct tables *was);

/* Frees what is of the tables alone: SPD and routes are somebody else's. */
void tables_close(struct tables *t);

/* After the last worker has left the tables before: policies that are in both SPDs go on counting, and
 * what was before is closed. */
void tables_succeed(struct tables *t, struct tables *was);

struct sa_count tables_count(const struct tables *t, uint32_t policy);
