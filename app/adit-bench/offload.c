/* SPDX-License-Identifier: BSD-3-Clause */
/* offload.c - adit-bench offload: what a worker's CPU gets back when something else does the crypto. */
#include "offload.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <rte_cycles.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <time.h>

#include "crypto_dp.h"
#include "ledger.h"
#include "lookaside_lcore.h"
#include "progress.h"
#include "rig.h"
#include "victim.h"

#define POOL_PACKETS 8191
#define ROOM         2048 /* of a packet */
#define WINDOW       1024 /* of anti-replay, adit's default */

struct gateway {
	struct rig *rig;
	struct traffic *traffic;
	struct subject subject;
};

struct bench {
	const struct offload_setup *setup;
	struct offload_result *result;
	struct wire lan, wan;
	struct rte_mempool *pool;
	struct lookaside_lcore lookaside;
	struct gateway gateway[OFFLOAD_KINDS];
};

const char *offload_kind_name(enum offload_kind kind)
{
	static const char *const names[OFFLOAD_KINDS] = {
		"clear", "software", "lookaside (lcore)", "qat"};

	return names[kind];
}

unsigned offload_megabytes(void)
{
	return 448;
}

unsigned offload_lcores(const struct offload_setup *setup)
{
	unsigned n = 2 + setup->n_lcores;

	for (unsigned i = 0; i < setup->n_lcores; i++)
		n = RTE_MAX(n, setup->lcore[i] + 1u);
	return n;
}

static bool is_for_crypto(const struct offload_setup *s, unsigned lcore)
{
	unsigned i = 0;

	while (i < s->n_lcores && s->lcore[i] != lcore)
		i++;
	return i < s->n_lcores;
}

/* Main feeds a worker on an lcore that is nobody else's; where there is none, main is the worker too. */
static void choose_worker(const struct offload_setup *s, struct offload_result *out)
{
	unsigned lcore;

	out->worker = rte_get_main_lcore();
	out->is_one_core = true;
	RTE_LCORE_FOREACH_WORKER (lcore) {
		if (out->is_one_core && !is_for_crypto(s, lcore)) {
			out->worker = lcore;
			out->is_one_core = false;
		}
	}
}

static int open_rig(struct bench *b, enum offload_kind kind, struct why *why)
{
	struct rig_setup setup = {
		.suite = b->setup->suite,
		.provider = kind == OFFLOAD_LOOKASIDE || kind == OFFLOAD_QAT ? CRYPTO_QAT
									     : CRYPTO_AESNI_MB,
		.is_clear = kind == OFFLOAD_CLEAR,
		.n_sas = 1,
		.n_policies = 1,
		.lcores = &b->result->worker,
		.n_workers = 1,
		.burst = b->setup->burst,
		.window = WINDOW,
		.lan = &b->lan,
		.wan = &b->wan,
	};

	if (kind == OFFLOAD_LOOKASIDE) {
		if (b->setup->n_lcores == 0)
			return why_set(why, -ENODEV, "no lcores were named for it");
		setup.device[0] = b->lookaside.device[0];
		setup.n_devices = 1;
	}
	return rig_open(&setup, &b->gateway[kind].rig, why);
}

static int open_gateway(struct bench *b, enum offload_kind kind, struct why *why)
{
	struct traffic_setup setup = {
		.suite = b->setup->suite,
		.from = &b->lan,
		.to = &b->wan,
		.n_sas = 1,
		.n_flows = 1,
		.n_queues = 1,
		.sample = b->setup->sample,
		.pool = b->pool,
	};
	struct gateway *g = &b->gateway[kind];
	int rc = open_rig(b, kind, why);

	if (rc == -ENODEV || rc == -ENOTSUP) {
		g->rig = NULL;
		snprintf(b->result->kind[kind].absent, sizeof(b->result->kind[kind].absent), "%s",
			why->text);
		return 0;
	}
	if (rc < 0) {
		g->rig = NULL;
		return rc;
	}
	snprintf(b->result->kind[kind].runs_on, sizeof(b->result->kind[kind].runs_on), "%s",
		rig_device(g->rig));
	rig_subject(g->rig, &g->subject);
	g->subject.name = offload_kind_name(kind);
	g->subject.kind = kind == OFFLOAD_CLEAR ? TRAFFIC_CLEAR : TRAFFIC_OUT;
	rc = traffic_open(&setup, false, &g->traffic, why);
	g->subject.traffic = g->traffic;
	return rc;
}

static int check(
	const struct bench *b, enum offload_kind kind, const struct pace *p, struct why *why)
{
	char names[256] = "";

	if (p->traffic.drained > 0 && p->traffic.wrong + p->traffic.lost + p->failures == 0)
		return 0;
	rig_exits(b->gateway[kind].rig, names, sizeof(names));
	return why_set(why, -EBADMSG,
		"%s: of %" PRIu64 " packets %" PRIu64 " lost, %" PRIu64 " wrong (%" PRIu64
		" compared whole), %" PRIu64 " refused%s%s",
		offload_kind_name(kind), p->traffic.fed, p->traffic.lost, p->traffic.wrong,
		p->traffic.checked, p->failures, names[0] != '\0' ? ": " : "", names);
}

static double microseconds(uint64_t cycles)
{
	return cycles * 1e6 / rte_get_tsc_hz();
}

/* At this rate; 0: as fast as it goes. */
static int run_half(struct bench *b, enum offload_kind kind, double mpps, bool naps,
	struct offload_half *out, struct why *why)
{
	struct gateway *g = &b->gateway[kind];
	struct pace_setup setup = {&g->subject, mpps * 1e6, b->setup->seconds, b->setup->burst,
		b->result->worker, naps};
	struct ledger before, after;
	struct pace pace;
	int rc;

	traffic_begin(g->traffic, g->subject.kind, &b->setup->sizes);
	ledger_read(rig_pipeline(g->rig), &before);
	rc = pace_run(&setup, &pace, why);
	if (rc == 0)
		rc = check(b, kind, &pace, why);
	if (rc < 0)
		return rc;
	ledger_read(rig_pipeline(g->rig), &after);
	*out = (struct offload_half){
		.mpps = pace.traffic.drained / pace.seconds / 1e6,
		.gbps = pace.traffic.bytes * 8 / pace.seconds / 1e9,
		.cores = (after.busy_cycles - before.busy_cycles) /
			 (pace.seconds * rte_get_tsc_hz()),
		.median_us = microseconds(latency_quantile(&pace.latency, 0.5)),
		.p99_us = microseconds(latency_quantile(&pace.latency, 0.99)),
		.p999_us = microseconds(latency_quantile(&pace.latency, 0.999)),
		.jitter_us = microseconds(latency_jitter(&pace.latency)),
		.packets = pace.traffic.drained,
		.checked = pace.traffic.checked,
		.run_delay = pace.run_delay,
		.steal = pace.steal,
	};
	return 0;
}

static void sleep_for(double seconds)
{
	struct timespec t = {seconds, (seconds - (time_t)seconds) * 1e9};

	nanosleep(&t, NULL);
}

/* Work per cycle of a victim, with a gateway beside it that carries this rate; NULL: alone. */
static int run_victim(struct bench *b, const enum offload_kind *beside, double mpps,
	struct offload_half *half, double *rate, struct why *why)
{
	struct victim *victim;
	uint64_t start;
	int rc = victim_open(b->result->worker, &victim, why);

	if (rc < 0)
		return rc;
	start = rte_rdtsc();
	if (beside != NULL)
		rc = run_half(b, *beside, mpps, true, half, why);
	else
		sleep_for(b->setup->seconds);
	*rate = (double)victim_work(victim) / (rte_rdtsc() - start);
	victim_close(victim);
	return rc;
}

/* Each kind in turn, so that what the machine does to one it does to all. */
static int run_once(struct bench *b, unsigned run, struct why *why)
{
	double mpps = b->result->mpps, alone, rate = 0;
	int rc = run_victim(b, NULL, 0, NULL, &alone, why);

	for (enum offload_kind kind = 0; kind < OFFLOAD_KINDS && rc == 0; kind++) {
		struct offload_run *r = &b->result->kind[kind].run[run];

		if (b->gateway[kind].rig == NULL)
			continue;
		rc = run_half(b, kind, mpps, false, &r->alone, why);
		if (rc == 0)
			rc = run_victim(b, &kind, mpps, &r->beside, &rate, why);
		if (rc < 0)
			return rc;
		r->beside.victim = alone > 0 ? rate / alone : NAN;
		b->result->kind[kind].n++;
	}
	return rc;
}

static int choose_rate(struct bench *b, struct why *why)
{
	struct offload_result *out = b->result;
	struct offload_half as_fast_as_it_goes = {0};
	int rc;

	out->mpps = b->setup->mpps;
	if (out->mpps > 0)
		return 0;
	if (b->gateway[OFFLOAD_SOFTWARE].rig == NULL)
		return why_set(why, -ENODEV, "no half of what software carries: %.400s",
			out->kind[OFFLOAD_SOFTWARE].absent);
	rc = run_half(b, OFFLOAD_SOFTWARE, 0, false, &as_fast_as_it_goes, why);
	out->max_mpps = as_fast_as_it_goes.mpps;
	out->mpps = out->max_mpps / 2;
	return rc;
}

static int run_all(struct bench *b, struct why *why)
{
	struct progress progress;
	int rc = choose_rate(b, why);

	if (rc < 0)
		return rc;
	progress_begin(&progress, b->setup->is_quiet, b->setup->runs);
	for (unsigned run = 0; run < b->setup->runs && rc == 0; run++) {
		rc = run_once(b, run, why);
		progress_step(&progress, run + 1, b->setup->runs);
	}
	progress_end(&progress);
	return rc;
}

static int open_bench(struct bench *b, struct why *why)
{
	const struct offload_setup *s = b->setup;
	int rc;

	b->pool = rte_pktmbuf_pool_create("packets", POOL_PACKETS, 256, CRYPTO_JOB_SIZE,
		ROOM + RTE_PKTMBUF_HEADROOM, rte_socket_id());
	if (b->pool == NULL)
		return why_set(why, -ENOMEM, "no memory for packets");
	rc = wire_open(&b->lan, "lan", 1, why);
	if (rc == 0)
		rc = wire_open(&b->wan, "wan", 1, why);
	if (rc == 0 && s->n_lcores > 0)
		rc = lookaside_lcore_open(
			s->lcore, s->n_lcores, &b->result->worker, 1, &b->lookaside, why);
	for (enum offload_kind kind = 0; kind < OFFLOAD_KINDS && rc == 0; kind++)
		rc = open_gateway(b, kind, why);
	return rc;
}

static void close_bench(struct bench *b)
{
	for (enum offload_kind kind = 0; kind < OFFLOAD_KINDS; kind++) {
		rig_close(b->gateway[kind].rig);
		traffic_close(b->gateway[kind].traffic);
	}
	lookaside_lcore_close(&b->lookaside);
	if (b->wan.n_queues > 0)
		wire_close(&b->wan);
	if (b->lan.n_queues > 0)
		wire_close(&b->lan);
	rte_mempool_free(b->pool);
}

int offload_run(const struct offload_setup *setup, struct offload_result *out, struct why *why)
{
	struct bench b = {.setup = setup, .result = out};
	int rc;

	*out = (struct offload_result){.setup = setup};
	choose_worker(setup, out);
	rc = open_bench(&b, why);
	if (rc == 0)
		rc = run_all(&b, why);
	close_bench(&b);
	return rc;
}
