/* SPDX-License-Identifier: BSD-3-Clause */
/* size.c - adit-bench size: packet size against throughput, per provider and direction.
 *
 * Within a row the entrants take turns, lap by lap, so that what the machine does to one it does to
 * all. */
#include "size.h"

#include <errno.h>
#include <inttypes.h>
#include <rte_cycles.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <string.h>

#include "crypto_dp.h"
#include "lineup.h"
#include "openssl_speed.h"
#include "progress.h"
#include "rig.h"

#define TRIES        4 /* for a lap that nothing disturbs */
#define POOL_PACKETS 8191 /* of each worker */
#define ROOM         2048 /* of a packet */

struct run {
	const struct plan *plan;
	struct result *result;
	struct lap_setup lap;
	struct lineup *lineup;
	struct progress progress;
	unsigned n_rows; /* that there will be */
};

static bool does_crypto(const struct plan *plan, unsigned lcore)
{
	for (unsigned i = 0; i < plan->n_offload_lcores; i++) {
		if (plan->offload_lcore[i] == lcore)
			return true;
	}
	return false;
}

/* Lcores that the EAL has and that are not for packets. */
static unsigned count_offload(const struct plan *plan)
{
	unsigned lcore, n = 0;

	RTE_LCORE_FOREACH_WORKER (lcore)
		n += does_crypto(plan, lcore);
	return n;
}

unsigned size_lcores(const struct plan *plan)
{
	unsigned n = plan->n_workers + 1;

	for (unsigned i = 0; i < plan->n_offload_lcores; i++)
		n = RTE_MAX(n, plan->offload_lcore[i] + 1u);
	return n;
}

int size_choose_mode(struct plan *plan, struct why *why)
{
	unsigned wanted = plan->n_workers + 1, have = rte_lcore_count() - count_offload(plan);

	if (!plan->has_mode)
		plan->mode = have >= wanted || plan->n_workers > 1 ? LAP_COLD : LAP_ONE_CORE;
	if (plan->mode == LAP_COLD && have < wanted)
		return why_set(why, -EBUSY,
			"%u worker%s and a feeder need %u lcores, and there %s %u", plan->n_workers,
			plan->n_workers == 1 ? "" : "s", wanted, have == 1 ? "is" : "are", have);
	return 0;
}

unsigned size_megabytes(const struct plan *plan)
{
	return 384 + 64 * plan->n_workers + plan->n_sas / 16;
}

/* Cold: the lcores behind main, which feeds. Else main is the worker. */
static void choose_lcores(const struct plan *plan, uint16_t lcores[])
{
	unsigned lcore;
	uint16_t n = 0;

	lcores[0] = rte_get_main_lcore();
	if (plan->mode != LAP_COLD)
		return;
	RTE_LCORE_FOREACH_WORKER (lcore) {
		if (n < plan->n_workers && !does_crypto(plan, lcore))
			lcores[n++] = lcore;
	}
}

static int say_wrong(const struct run *run, const struct row *row, enum entrant_id id,
	const struct lap *lap, struct why *why)
{
	const struct rig *rig = lineup_rig(run->lineup, id);
	char names[256] = "";

	if (rig != NULL)
		rig_exits(rig, names, sizeof(names));
	return why_set(why, -EBADMSG,
		"%s, %s, %s bytes, %s: of %" PRIu64 " packets %" PRIu64 " lost, %" PRIu64
		" wrong (%" PRIu64 " compared whole), %" PRIu64 " refused%s%s",
		run->plan->suite[row->suite].name, direction_name(row->direction), row->sizes.name,
		entrant_name(id), lap->traffic.fed, lap->traffic.lost, lap->traffic.wrong,
		lap->traffic.checked, lap->failures, names[0] != '\0' ? ": " : "", names);
}

/* How much of a lap the machine took away. */
static double disturbance(const struct lap *lap)
{
	return lap->run_delay > lap->steal ? lap->run_delay : lap->steal;
}

/* One lap that counts: the first that nothing disturbed, or the best of a few. */
static int measure(struct run *run, struct row *row, enum entrant_id id, struct subject *subject[2],
	unsigned n, struct why *why)
{
	const struct rig *rig = lineup_rig(run->lineup, id);
	bool has_ledger = rig != NULL && !run->plan->no_ledger;
	struct cell *c = &row->cell[id];
	struct ledger before, after, best = {0};
	struct lap lap, *kept = &c->lap[c->n];

	for (unsigned try = 0; try < TRIES && (try == 0 || lap_is_disturbed(kept)); try++) {
		int rc;

		for (unsigned i = 0; i < n; i++)
			traffic_begin(subject[i]->traffic, subject[i]->kind, &row->sizes);
		if (has_ledger)
			ledger_read(rig_pipeline(rig), &before);
		rc = lap_run(&run->lap, subject, n, &lap, why);
		if (rc < 0)
			return rc;
		if (!lap_is_right(&lap))
			return say_wrong(run, row, id, &lap, why);
		c->thrown_away += try > 0;
		if (try > 0 && disturbance(&lap) >= disturbance(kept))
			continue;
		*kept = lap;
		if (has_ledger) {
			ledger_read(rig_pipeline(rig), &after);
			best = (struct ledger){0};
			ledger_add(&best, &before, &after);
		}
	}
	c->state = CELL_MEASURED;
	c->disturbed += lap_is_disturbed(kept);
	c->n++;
	c->has_ledger = has_ledger;
	if (has_ledger) {
		ledger_add(&c->ledger, &(struct ledger){0}, &best);
		if (!ledger_is_closed(&best))
			return why_set(why, -EBADMSG,
				"the ledger of %s closes to %.1f %%: cycles are booked twice or "
				"not at all",
				entrant_name(id), 100 * ledger_closes(&best));
	}
	return 0;
}

/* In the direction of the row; nobody else runs meanwhile. */
static void run_openssl_speed(struct run *run, struct row *row)
{
	if (run->plan->has_openssl_speed && run->plan->is_asked[ENTRANT_OPENSSL] &&
		row->direction != DIRECTION_BOTH && row->sizes.n == 1)
		row->openssl_speed = openssl_speed(&run->plan->suite[row->suite],
			row->sizes.size[0], row->direction == DIRECTION_IN);
}

static int run_row(struct run *run, struct row *row, struct why *why)
{
	const struct suite_facts *facts = &run->result->suite[row->suite];
	int rc = 0;

	for (unsigned k = 0; k < run->plan->repeat; k++) {
		for (enum entrant_id id = 0; id < ENTRANTS && rc == 0; id++) {
			struct subject *subject[2];
			unsigned n = lineup_subjects(run->lineup, id, row->direction, subject);

			if (facts->absent[id][0] != '\0')
				row->cell[id].state = CELL_ABSENT;
			if (n > 0)
				rc = measure(run, row, id, subject, n, why);
		}
		progress_step(&run->progress, run->result->n_rows, run->n_rows);
	}
	return rc;
}

static int run_suite(struct run *run, unsigned suite, struct why *why)
{
	const struct plan *plan = run->plan;
	int rc = 0;

	for (enum direction d = 0; d < DIRECTIONS; d++) {
		for (unsigned s = 0; s < plan->n_sizes && plan->has_direction[d] && rc == 0; s++) {
			struct row *row = &run->result->row[run->result->n_rows++];

			row->suite = suite;
			row->direction = d;
			row->sizes = plan->size[s];
			run_openssl_speed(run, row);
			rc = run_row(run, row, why);
		}
	}
	return rc;
}

/* A run without any provider measures nothing that was asked for. */
static int check_anyone(const struct plan *plan, const struct suite_facts *facts, struct why *why)
{
	const char *absent = "";

	for (enum entrant_id id = 0; id < ENTRANT_BOUNDS; id++) {
		if (!plan->is_asked[id])
			continue;
		if (facts->absent[id][0] == '\0')
			return 0;
		absent = facts->absent[id];
	}
	return why_set(why, -ENODEV, "there is nothing to measure: %.400s", absent);
}

static int run_suites(struct run *run, struct lineup_setup *setup, struct why *why)
{
	int rc = 0;

	for (unsigned i = 0; i < run->plan->n_suites && rc == 0; i++) {
		struct suite_facts *facts = &run->result->suite[i];

		setup->suite = &run->plan->suite[i];
		rc = lineup_open(setup, facts, &run->lineup, why);
		if (rc < 0)
			return rc;
		rc = check_anyone(run->plan, facts, why);
		if (rc == 0)
			rc = run_suite(run, i, why);
		lineup_close(run->lineup);
	}
	return rc;
}

static unsigned count_rows(const struct plan *plan)
{
	unsigned n = 0;

	for (enum direction d = 0; d < DIRECTIONS; d++)
		n += plan->has_direction[d] ? plan->n_suites * plan->n_sizes : 0;
	return n;
}

int size_run(const struct plan *plan, struct result *out, struct why *why)
{
	uint16_t lcores[WIRE_QUEUES_MAX];
	struct wire lan, wan;
	struct run run = {
		.plan = plan,
		.result = out,
		.n_rows = count_rows(plan),
		.lap = {.mode = plan->mode,
			.seconds = plan->seconds,
			.burst = plan->burst,
			.lcores = lcores,
			.n_workers = plan->n_workers},
	};
	struct lineup_setup setup = {.plan = plan, .lcores = lcores, .lan = &lan, .wan = &wan};
	int rc;

	choose_lcores(plan, lcores);
	rc = result_open(plan, rte_get_tsc_hz(), out);
	if (rc < 0)
		return why_set(why, rc, "no memory for the result");
	setup.pool = run.lap.pool =
		rte_pktmbuf_pool_create("packets", POOL_PACKETS * plan->n_workers, 256,
			CRYPTO_JOB_SIZE, ROOM + RTE_PKTMBUF_HEADROOM, rte_socket_id());
	if (setup.pool == NULL)
		return why_set(why, -ENOMEM, "no memory for packets");
	rc = wire_open(&lan, "lan", plan->n_workers, why);
	if (rc < 0)
		return rc;
	rc = wire_open(&wan, "wan", plan->n_workers, why);
	if (rc < 0)
		return rc;
	progress_begin(&run.progress, plan->is_quiet, run.n_rows * plan->repeat);
	rc = run_suites(&run, &setup, why);
	progress_end(&run.progress);
	wire_close(&wan);
	wire_close(&lan);
	rte_mempool_free(setup.pool);
	return rc;
}
