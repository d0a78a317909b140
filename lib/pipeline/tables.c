/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.c - the SPD and the routes in force, and what met each policy. */
#include "tables.h"

#include <rte_common.h>
#include <rte_malloc.h>
#include <string.h>

static struct sa_count *open_counters(uint32_t n)
{
	return rte_zmalloc(
		"policy_count", sizeof(struct sa_count) * RTE_MAX(1u, n), RTE_CACHE_LINE_SIZE);
}

struct tables *tables_open(
	struct spd *spd, struct route_db *routes, uint16_t n_workers, const struct tables *was)
{
	struct tables *t = rte_zmalloc("tables", sizeof(*t), RTE_CACHE_LINE_SIZE);
	uint32_t n = spd_policies(spd);
	bool is_whole;

	if (t == NULL)
		return NULL;
	t->spd = spd;
	t->routes = routes;
	t->n_workers = n_workers;
	t->generation = was == NULL || was->generation == UINT32_MAX ? 1 : was->generation + 1;
	if (was != NULL && was->spd == spd) {
		t->before = was->before;
		memcpy(t->count, was->count, sizeof(t->count));
		return t;
	}
	t->before = open_counters(n);
	is_whole = t->before != NULL;
	for (uint16_t i = 0; i < n_workers; i++) {
		t->count[i] = open_counters(n);
		is_whole &= t->count[i] != NULL;
	}
	if (is_whole)
		return t;
	tables_close(t);
	return NULL;
}

void tables_close(struct tables *t)
{
	if (t == NULL)
		return;
	for (uint16_t i = 0; i < t->n_workers; i++)
		rte_free(t->count[i]);
	rte_free(t->before);
	rte_free(t);
}

void tables_succeed(struct tables *t, struct tables *was)
{
	for (uint32_t i = 0; t->spd != was->spd && i < spd_policies(t->spd); i++) {
		uint32_t old = spd_find(was->spd, spd_policy(t->spd, i));

		if (old != SPD_NO_POLICY)
			t->before[i] = tables_count(was, old);
	}
	if (t->spd == was->spd) {
		was->before = NULL;
		memset(was->count, 0, sizeof(was->count));
	}
	tables_close(was);
}

struct sa_count tables_count(const struct tables *t, uint32_t policy)
{
	struct sa_count sum = t->before[policy];

	for (uint16_t i = 0; i < t->n_workers; i++) {
		sum.packets += t->count[i][policy].packets;
		sum.bytes += t->count[i][policy].bytes;
	}
	return sum;
}
