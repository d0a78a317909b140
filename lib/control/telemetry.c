/* SPDX-License-Identifier: BSD-3-Clause */
/* telemetry.c - asked by threads of DPDK, answered by the control loop. */
#include "telemetry.h"

#include <errno.h>
#include <pthread.h>
#include <rte_telemetry.h>
#include <stdlib.h>
#include <string.h>

#include "errand.h"
#include "telemetry_answers.h"

struct telemetry {
	struct views_of of;
	struct errands *errands;
};

/* DPDK hands its callbacks no argument, and cannot forget them. */
static struct {
	pthread_mutex_t lock; /* held by whoever asks, until it has its answer */
	struct telemetry *open; /* NULL: nobody answers */
	bool is_registered;
} here = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct question {
	telemetry_answer *answer;
	const struct telemetry *here;
	const char *params; /* behind the comma; NULL: none */
	struct rte_tel_data *data;
	int rc;
};

static void run(void *arg)
{
	struct question *q = arg;

	q->rc = q->answer(&q->here->of, q->params, q->data);
}

/* In a thread of DPDK's. */
static int ask(telemetry_answer *answer, const char *params, struct rte_tel_data *data)
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

static int exits(const char *cmd, const char *params, struct rte_tel_data *data)
{
	(void)cmd;
	return ask(telemetry_exits, params, data);
}

static int workers(const char *cmd, const char *params, struct rte_tel_data *data)
{
	(void)cmd;
	return ask(telemetry_workers, params, data);
}

static int ports(const char *cmd, const char *params, struct rte_tel_data *data)
{
	(void)cmd;
	return ask(telemetry_ports, params, data);
}

static int sa_totals(const char *cmd, const char *params, struct rte_tel_data *data)
{
	(void)cmd;
	return ask(telemetry_sa_totals, params, data);
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
		rc = rte_telemetry_register_cmd("/adit/ports", ports,
			"What the ports counted, together. Parameters: a port's name, for that "
			"one");
	if (rc == 0)
		rc = rte_telemetry_register_cmd("/adit/sa_totals", sa_totals,
			"Security associations, and what they carried. No parameters");
	here.is_registered = rc == 0;
	return rc;
}

int telemetry_open(const struct views_of *of, struct telemetry **out, struct why *why)
{
	struct telemetry *t;
	int rc;

	if (here.open != NULL)
		return why_set(why, -EBUSY, "telemetry: it is open already");
	t = malloc(sizeof(*t));
	if (t == NULL)
		return why_set(why, -ENOMEM, "telemetry: out of memory");
	t->of = *of;
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
