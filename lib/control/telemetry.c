/* SPDX-License-Identifier: BSD-3-Clause */
/* telemetry.c - totals for those who scrape DPDK. */
#include "telemetry.h"

#include <errno.h>
#include <pthread.h>
#include <rte_telemetry.h>
#include <stdlib.h>
#include <string.h>

#include "errand.h"
#include "sa.h"
#include "totals.h"

struct telemetry {
	struct pipeline *pipeline;
	struct sa_db *sas;
	struct errands *errands;
};

/* DPDK hands its callbacks no argument, and cannot forget them. */
static struct {
	pthread_mutex_t lock; /* held by whoever asks, until it has its answer */
	struct telemetry *open; /* NULL: nobody answers */
	bool is_registered;
} here = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct question {
	int (*answer)(const struct question *q);
	const struct telemetry *here;
	const char *params; /* behind the comma; NULL: none */
	struct rte_tel_data *data;
	int rc;
};

static void run(void *arg)
{
	struct question *q = arg;

	q->rc = q->answer(q);
}

/* In a thread of DPDK's. */
static int ask(
	int (*answer)(const struct question *q), const char *params, struct rte_tel_data *data)
{
	struct question q = {.answer = answer, .params = params, .data = data};
	int rc = -ENODEV;

	pthread_mutex_lock(&here.lock);
	if (here.open != NULL) {
		q.here = here.open;
		rc = errand_run(here.open->errands, run, &q);
	}
	pthread_mutex_unlock(&here.lock);
	return rc < 0 ? rc : q.rc;
}

static int put(const struct question *q, const char *name, uint64_t n)
{
	return rte_tel_data_add_dict_u64(q->data, name, n);
}

static void sum_workers(const struct pipeline *p, struct worker_stats *sum)
{
	*sum = (struct worker_stats){0};
	for (uint16_t w = 0; w < pipeline_workers(p); w++) {
		struct worker_stats stats;

		pipeline_stats(p, w, &stats);
		totals_add(sum, &stats);
	}
}

static int answer_exits(const struct question *q)
{
	struct worker_stats sum;
	int rc = 0;

	sum_workers(q->here->pipeline, &sum);
	rte_tel_data_start_dict(q->data);
	for (enum exit e = 0; e < EXIT_COUNT && rc == 0; e++)
		rc = put(q, exit_name(e), sum.exit[e]);
	return rc;
}

/* "/adit/workers": all together; "/adit/workers,1": that one. */
static int answer_workers(const struct question *q)
{
	uint16_t n_workers = pipeline_workers(q->here->pipeline);
	struct worker_stats s;
	bool is_all = q->params == NULL || q->params[0] == '\0';
	unsigned long worker;
	char *end;

	rte_tel_data_start_dict(q->data);
	if (is_all) {
		sum_workers(q->here->pipeline, &s);
		put(q, "workers", n_workers);
	} else {
		worker = strtoul(q->params, &end, 10);
		if (*end != '\0' || worker >= n_workers)
			return -EINVAL;
		pipeline_stats(q->here->pipeline, (uint16_t)worker, &s);
		put(q, "lcore", s.lcore);
	}
	put(q, "received", s.received);
	put(q, "made", s.made);
	put(q, "sent", s.sent);
	put(q, "exits", totals_exits(&s));
	put(q, "merged", s.merged);
	if (is_all) /* of one worker it may be below 0 */
		put(q, "parked", s.parked);
	put(q, "polls", s.polls);
	put(q, "idle_polls", s.idle_polls);
	put(q, "busy_cycles", s.busy_cycles);
	return put(q, "idle_cycles", s.idle_cycles);
}

struct sa_totals {
	uint64_t sas;
	struct sa_count count;
};

static int add_sa(struct sa *sa, void *arg)
{
	struct sa_totals *total = (struct sa_totals *)arg + sa_spec_of(sa)->direction;
	struct sa_count count = sa_count_of(sa);

	total->sas++;
	total->count.packets += count.packets;
	total->count.bytes += count.bytes;
	return 0;
}

static int answer_sa_totals(const struct question *q)
{
	struct sa_totals total[] = {[SA_OUT] = {0}, [SA_IN] = {0}};

	sa_db_walk(q->here->sas, add_sa, total);
	rte_tel_data_start_dict(q->data);
	put(q, "out_sas", total[SA_OUT].sas);
	put(q, "out_packets", total[SA_OUT].count.packets);
	put(q, "out_bytes", total[SA_OUT].count.bytes);
	put(q, "in_sas", total[SA_IN].sas);
	put(q, "in_packets", total[SA_IN].count.packets);
	return put(q, "in_bytes", total[SA_IN].count.bytes);
}

static int exits(const char *cmd, const char *params, struct rte_tel_data *data)
{
	(void)cmd;
	return ask(answer_exits, params, data);
}

static int workers(const char *cmd, const char *params, struct rte_tel_data *data)
{
	(void)cmd;
	return ask(answer_workers, params, data);
}

static int sa_totals(const char *cmd, const char *params, struct rte_tel_data *data)
{
	(void)cmd;
	return ask(answer_sa_totals, params, data);
}

static int register_once(void)
{
	int rc = 0;

	if (here.is_registered)
		return 0;
	rc = rte_telemetry_register_cmd(
		"/adit/exits", exits, "Packets by the exit that they took. No parameters");
	if (rc == 0)
		rc = rte_telemetry_register_cmd("/adit/workers", workers,
			"What the workers did, together. Parameters: a worker's number, for that "
			"one");
	if (rc == 0)
		rc = rte_telemetry_register_cmd("/adit/sa_totals", sa_totals,
			"Security associations, and what they carried. No parameters");
	here.is_registered = rc == 0;
	return rc;
}

int telemetry_open(
	struct pipeline *pipeline, struct sa_db *sas, struct telemetry **out, struct why *why)
{
	struct telemetry *t;
	int rc;

	if (here.open != NULL)
		return why_set(why, -EBUSY, "telemetry: it is open already");
	t = malloc(sizeof(*t));
	if (t == NULL)
		return why_set(why, -ENOMEM, "telemetry: out of memory");
	t->pipeline = pipeline;
	t->sas = sas;
	rc = errands_open(&t->errands);
	if (rc < 0) {
		why_set(why, rc, "telemetry: %s", strerror(-rc));
		goto free_telemetry;
	}
	rc = register_once();
	if (rc < 0) {
		why_set(why, rc, "telemetry: DPDK takes no more commands: %s", strerror(-rc));
		goto close_errands;
	}
	pthread_mutex_lock(&here.lock);
	here.open = t;
	pthread_mutex_unlock(&here.lock);
	*out = t;
	return 0;

close_errands:
	errands_close(t->errands);
free_telemetry:
	free(t);
	return rc;
}

void telemetry_close(struct telemetry *t)
{
	/* Whoever holds the lock waits for us to answer. */
	while (pthread_mutex_trylock(&here.lock) != 0)
		errands_serve(t->errands);
	here.open = NULL;
	pthread_mutex_unlock(&here.lock);
	errands_close(t->errands);
	free(t);
}

int telemetry_fd(const struct telemetry *t)
{
	return errands_fd(t->errands);
}

void telemetry_serve(struct telemetry *t)
{
	errands_serve(t->errands);
}
