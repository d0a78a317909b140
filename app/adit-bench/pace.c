/* SPDX-License-Identifier: BSD-3-Clause */
/* pace.c - offers packets to a subject at a fixed rate. */
#include "pace.h"

#include <rte_cycles.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "machine_time.h"

#define BURST_MAX        256
#define WINDOW           1024 /* packets under way; a subject that is slower gets no more */
#define PATIENCE_SECONDS 2 /* for packets that do not come */

struct course {
	const struct pace_setup *setup;
	_Atomic bool is_over;
	double worker_delay;
	uint64_t fed, drained;
	uint64_t since[WINDOW]; /* by packet */
	struct pace *out;
};

static void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = PACE_NAP_US * 1000}, NULL);
}

/* Sleeps end when they should for who is to nap. */
static void sleep_lightly(bool lightly)
{
	prctl(PR_SET_TIMERSLACK, lightly ? 1UL : 0UL); /* 0: the default */
}

static double delay_since(uint64_t delay, uint64_t start)
{
	double seconds = (double)(rte_rdtsc() - start) / (double)rte_get_tsc_hz();

	return (double)(machine_run_delay_ns() - delay) / 1e9 / seconds;
}

static void begin(const struct subject *s)
{
	if (s->begin != NULL)
		s->begin(s->arg, 0);
}

static void end(const struct subject *s)
{
	if (s->end != NULL)
		s->end(s->arg, 0);
}

static void resume(const struct subject *s)
{
	if (s->resume != NULL)
		s->resume(s->arg, 0);
}

/* The worker's thread. */
static int work(void *arg)
{
	struct course *c = arg;
	const struct subject *s = c->setup->subject;
	uint64_t delay = machine_run_delay_ns(), start = rte_rdtsc();

	sleep_lightly(c->setup->naps);
	begin(s);
	while (!atomic_load_explicit(&c->is_over, memory_order_relaxed)) {
		if (s->round(s->arg, 0) == 0 && c->setup->naps) {
			nap();
			resume(s);
		}
	}
	end(s);
	sleep_lightly(false);
	c->worker_delay = delay_since(delay, start);
	return 0;
}

/* Puts on the wire what is due by now; whether there was something. */
static bool feed(struct course *c, uint64_t due)
{
	bool has_fed = false;

	while (c->fed < due && c->fed - c->drained < WINDOW) {
		uint64_t most = RTE_MIN(due - c->fed, WINDOW - (c->fed - c->drained));
		uint16_t n = RTE_MIN(most, c->setup->burst);
		uint64_t now;

		if (traffic_feed(c->setup->subject->traffic, 0, n, true) == 0)
			break;
		now = rte_rdtsc();
		for (uint16_t i = 0; i < n; i++)
			c->since[c->fed++ % WINDOW] = now;
		has_fed = true;
	}
	return has_fed;
}

static bool drain(struct course *c)
{
	struct rte_mbuf *pkt[BURST_MAX];
	uint64_t now;
	uint16_t n = traffic_drain(c->setup->subject->traffic, 0, pkt, BURST_MAX);

	if (n == 0)
		return false;
	now = rte_rdtsc();
	for (uint16_t i = 0; i < n; i++)
		latency_add(&c->out->latency, now - c->since[c->drained++ % WINDOW]);
	rte_pktmbuf_free_bulk(pkt, n);
	return true;
}

/* Feeds and drains for as long as is to be measured, then until all is through. */
static void offer(struct course *c, bool forwards)
{
	const struct pace_setup *s = c->setup;
	double hz = rte_get_tsc_hz(), per_cycle = s->pps / hz;
	uint64_t start = rte_rdtsc(), now = start, stop = start + s->seconds * hz;
	uint64_t last = stop + PATIENCE_SECONDS * hz;

	for (; now < stop || (c->drained < c->fed && now < last); now = rte_rdtsc()) {
		uint64_t due = s->pps > 0 ? (now - start) * per_cycle : c->fed + s->burst;
		bool was_busy = now < stop && feed(c, due);

		if (forwards) {
			resume(s->subject);
			was_busy |= s->subject->round(s->subject->arg, 0) > 0;
		}
		was_busy |= drain(c);
		if (forwards && s->naps && !was_busy)
			nap();
	}
	c->out->seconds = (now - start) / hz;
}

static void run_here(struct course *c)
{
	sleep_lightly(c->setup->naps);
	begin(c->setup->subject);
	offer(c, true);
	end(c->setup->subject);
	sleep_lightly(false);
}

static int run_beside(struct course *c, struct why *why)
{
	int rc = rte_eal_remote_launch(work, c, c->setup->worker);

	if (rc < 0)
		return why_set(why, rc, "lcore %u is busy", c->setup->worker);
	offer(c, false);
	atomic_store(&c->is_over, true);
	rte_eal_wait_lcore(c->setup->worker);
	return 0;
}

int pace_run(const struct pace_setup *setup, struct pace *out, struct why *why)
{
	struct course c = {.setup = setup, .out = out};
	const struct subject *s = setup->subject;
	uint64_t delay = machine_run_delay_ns(), steal = machine_steal_ns();
	uint64_t start = rte_rdtsc(), failures;
	int rc = 0;

	*out = (struct pace){0};
	failures = s->failures(s->arg);
	if (setup->worker == rte_get_main_lcore())
		run_here(&c);
	else
		rc = run_beside(&c, why);
	traffic_give_up(s->traffic);
	out->traffic = traffic_count_of(s->traffic);
	out->failures = s->failures(s->arg) - failures;
	out->run_delay = RTE_MAX(delay_since(delay, start), c.worker_delay);
	out->steal = (double)(machine_steal_ns() - steal) / 1e9 / out->seconds;
	return rc;
}
