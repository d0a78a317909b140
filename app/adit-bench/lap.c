/* SPDX-License-Identifier: BSD-3-Clause */
/* lap.c - drives packets through a subject for a while and times what it spends on them. */
#include "lap.h"

#include <errno.h>
#include <rte_cycles.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <string.h>

#include "machine_time.h"

#define SUBJECTS_MAX     2
#define BURST_MAX        256
#define WINDOW           1024 /* packets of a queue under way, or a burst more */
#define VOLLEY           1024 /* packets that one core fills before it forwards */
#define PATIENCE_SECONDS 2 /* for packets that do not come */
#define DISTURBED        0.002 /* of a lap's time */

struct seat { /* of one worker; only its thread writes */
	alignas(RTE_CACHE_LINE_SIZE) uint64_t busy_cycles;
	uint64_t idle_cycles;
	double run_delay;
	struct course *course;
	uint16_t worker;
};

struct course {
	const struct lap_setup *setup;
	struct subject *const *subject;
	unsigned n_subjects;
	_Atomic bool is_over;
	struct rte_mbuf *again[SUBJECTS_MAX][BURST_MAX]; /* hot: the packets */
	struct seat seat[WIRE_QUEUES_MAX];
};

const char *lap_mode_name(enum lap_mode mode)
{
	static const char *const names[] = {"cold", "one core", "hot"};

	return names[mode];
}

static void seats_take(struct course *c, uint16_t worker)
{
	/* Subjects that share a lap are the two directions of one gateway: it begins once. */
	if (c->subject[0]->begin != NULL)
		c->subject[0]->begin(c->subject[0]->arg, worker);
}

static void seats_leave(struct course *c, uint16_t worker)
{
	if (c->subject[0]->end != NULL)
		c->subject[0]->end(c->subject[0]->arg, worker);
}

/* A worker's thread, until the course is over. */
static int work(void *arg)
{
	struct seat *seat = arg;
	struct course *c = seat->course;
	const struct subject *s = c->subject[0];
	uint64_t delay = machine_run_delay_ns(), start, t;

	seats_take(c, seat->worker);
	start = t = rte_rdtsc();
	while (!atomic_load_explicit(&c->is_over, memory_order_relaxed)) {
		uint16_t n = s->round(s->arg, seat->worker);
		uint64_t now = rte_rdtsc();

		if (n > 0)
			seat->busy_cycles += now - t;
		else
			seat->idle_cycles += now - t;
		t = now;
	}
	seats_leave(c, seat->worker);
	seat->run_delay = (double)(machine_run_delay_ns() - delay) / 1e9 /
			  ((double)(t - start) / (double)rte_get_tsc_hz());
	return 0;
}

static uint64_t pending(const struct course *c)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < c->n_subjects; i++) {
		for (uint16_t q = 0; q < c->setup->n_workers; q++)
			sum += traffic_pending(c->subject[i]->traffic, q);
	}
	return sum;
}

static void drain_and_free(const struct course *c, unsigned i, uint16_t q)
{
	struct rte_mbuf *pkt[BURST_MAX];
	uint16_t n = traffic_drain(c->subject[i]->traffic, q, pkt, BURST_MAX);

	rte_pktmbuf_free_bulk(pkt, n);
}

/* Feeds and drains until the time is over, then only drains. */
static void feed_others(struct course *c)
{
	const struct lap_setup *s = c->setup;
	uint64_t hz = rte_get_tsc_hz(), end = rte_rdtsc() + s->seconds * hz;
	uint64_t last = end + PATIENCE_SECONDS * hz;

	for (bool is_feeding = true; is_feeding || (pending(c) > 0 && rte_rdtsc() < last);
		is_feeding = rte_rdtsc() < end) {
		for (unsigned i = 0; i < c->n_subjects; i++) {
			for (uint16_t q = 0; q < s->n_workers; q++) {
				struct traffic *t = c->subject[i]->traffic;

				if (is_feeding && traffic_pending(t, q) < WINDOW)
					traffic_feed(t, q, s->burst, true);
				drain_and_free(c, i, q);
			}
		}
	}
}

static int run_cold(struct course *c, struct why *why)
{
	const struct lap_setup *s = c->setup;

	for (uint16_t i = 0; i < s->n_workers; i++) {
		int rc = rte_eal_remote_launch(work, &c->seat[i], s->lcores[i]);

		if (rc < 0)
			return why_set(why, rc, "lcore %u is busy", s->lcores[i]);
	}
	feed_others(c);
	atomic_store(&c->is_over, true);
	for (uint16_t i = 0; i < s->n_workers; i++)
		rte_eal_wait_lcore(s->lcores[i]);
	return 0;
}

/* Rounds until all that was fed has come out; only they are timed. */
static void forward(struct course *c)
{
	const struct subject *s = c->subject[0];
	struct seat *seat = &c->seat[0];
	uint64_t t, last;

	if (s->resume != NULL)
		s->resume(s->arg, 0);
	t = rte_rdtsc();
	last = t + PATIENCE_SECONDS * rte_get_tsc_hz();
	for (bool is_through = false; !is_through && t < last;) {
		uint64_t began = t;
		uint16_t n = s->round(s->arg, 0);

		is_through = true;
		for (unsigned i = 0; i < c->n_subjects; i++)
			is_through &= traffic_is_through(c->subject[i]->traffic, 0);
		t = rte_rdtsc();
		if (n > 0)
			seat->busy_cycles += t - began;
		else
			seat->idle_cycles += t - began;
	}
}

static void volley(struct course *c)
{
	struct rte_mbuf *pkt[BURST_MAX];

	for (unsigned i = 0; i < c->n_subjects; i++) {
		for (unsigned n = 0; n < VOLLEY; n += c->setup->burst)
			traffic_feed(c->subject[i]->traffic, 0, c->setup->burst, true);
	}
	forward(c);
	for (unsigned i = 0; i < c->n_subjects; i++) {
		uint16_t n;

		do {
			n = traffic_drain(c->subject[i]->traffic, 0, pkt, BURST_MAX);
			rte_pktmbuf_free_bulk(pkt, n);
		} while (n > 0);
	}
}

static void again(struct course *c)
{
	uint16_t burst = c->setup->burst;

	for (unsigned i = 0; i < c->n_subjects; i++)
		traffic_feed_again(c->subject[i]->traffic, 0, c->again[i], burst);
	forward(c);
	for (unsigned i = 0; i < c->n_subjects; i++)
		traffic_drain(c->subject[i]->traffic, 0, c->again[i], burst);
}

static int take_packets(struct course *c, struct why *why)
{
	for (unsigned i = 0; i < c->n_subjects; i++) {
		if (rte_pktmbuf_alloc_bulk(c->setup->pool, c->again[i], c->setup->burst) != 0)
			return why_set(why, -ENOMEM, "no packets are left");
	}
	return 0;
}

static void give_packets(struct course *c)
{
	if (pending(c) > 0) /* they are somewhere else */
		return;
	for (unsigned i = 0; i < c->n_subjects; i++)
		rte_pktmbuf_free_bulk(c->again[i], c->setup->burst);
}

static int run_here(struct course *c, struct why *why)
{
	bool is_hot = c->setup->mode == LAP_HOT;
	uint64_t delay = machine_run_delay_ns(), start = rte_rdtsc(), now = start;
	uint64_t end = start + c->setup->seconds * rte_get_tsc_hz();
	int rc = is_hot ? take_packets(c, why) : 0;

	if (rc < 0)
		return rc;
	seats_take(c, 0);
	for (; now < end && pending(c) == 0; now = rte_rdtsc()) {
		if (is_hot)
			again(c);
		else
			volley(c);
	}
	seats_leave(c, 0);
	if (is_hot)
		give_packets(c);
	c->seat[0].run_delay = (double)(machine_run_delay_ns() - delay) / 1e9 /
			       ((double)(now - start) / (double)rte_get_tsc_hz());
	return 0;
}

static void add_traffic(struct lap *out, const struct traffic *t)
{
	struct traffic_count n = traffic_count_of(t);

	out->packets += n.drained;
	out->bytes += n.bytes;
	out->traffic.fed += n.fed;
	out->traffic.drained += n.drained;
	out->traffic.bytes += n.bytes;
	out->traffic.checked += n.checked;
	out->traffic.wrong += n.wrong;
	out->traffic.lost += n.lost;
}

static uint64_t failures_of(const struct course *c)
{
	const struct subject *s = c->subject[0];

	return s->failures != NULL ? s->failures(s->arg) : 0;
}

static void sum_up(struct course *c, struct lap *out)
{
	bool is_cold = c->setup->mode == LAP_COLD;

	for (unsigned i = 0; i < c->n_subjects; i++) {
		traffic_give_up(c->subject[i]->traffic);
		add_traffic(out, c->subject[i]->traffic);
	}
	for (uint16_t i = 0; i < c->setup->n_workers; i++) {
		const struct seat *seat = &c->seat[i];

		out->cycles += seat->busy_cycles + (is_cold ? 0 : seat->idle_cycles);
		out->idle_cycles += seat->idle_cycles;
		out->run_delay = RTE_MAX(out->run_delay, seat->run_delay);
	}
}

int lap_run(const struct lap_setup *setup, struct subject *const subjects[], unsigned n,
	struct lap *out, struct why *why)
{
	struct course c = {.setup = setup, .subject = subjects, .n_subjects = n};
	uint64_t steal = machine_steal_ns(), start = rte_rdtsc(), failures;
	int rc;

	*out = (struct lap){0};
	for (uint16_t i = 0; i < setup->n_workers; i++) {
		c.seat[i].course = &c;
		c.seat[i].worker = i;
	}
	failures = failures_of(&c);
	rc = setup->mode == LAP_COLD ? run_cold(&c, why) : run_here(&c, why);
	if (rc < 0)
		return rc;
	sum_up(&c, out);
	out->failures = failures_of(&c) - failures;
	out->seconds = (double)(rte_rdtsc() - start) / (double)rte_get_tsc_hz();
	out->steal = (double)(machine_steal_ns() - steal) / 1e9 / out->seconds;
	return 0;
}

bool lap_is_disturbed(const struct lap *lap)
{
	return lap->run_delay > DISTURBED || lap->steal > DISTURBED;
}

bool lap_is_right(const struct lap *lap)
{
	return lap->packets > 0 && lap->failures == 0 && lap->traffic.wrong == 0 &&
	       lap->traffic.lost == 0;
}
