/* SPDX-License-Identifier: BSD-3-Clause */
/* worker.c - the lcores that carry packets: set up, run to completion, stopped, counted. */
#include <errno.h>
#include <inttypes.h>
#include <rte_lcore.h>
#include <rte_malloc.h>
#include <rte_ring.h>

#include "exception_dp.h"
#include "flow_cache.h"
#include "lookaside.h"
#include "sad_cache.h"
#include "tables.h"

#define RING_SIZE     8192
#define DRAIN_SECONDS 2 /* at the end, for what waits in rings and devices */
static_assert(DRAIN_SECONDS * 1000 > CRYPTO_OVERDUE_LOOKASIDE_MS * 5 / 4,
	"what a device keeps is given up before the end");

static uint16_t poll_ports(struct worker *w)
{
	uint16_t n = 0;

	for (uint16_t i = 0; i < w->n_rx; i++) {
		const struct rx_queue *q = &w->rx[i];
		enum lane_id first =
			w->port[q->port].route.side == PORT_PROTECTED ? LANE_OUT : LANE_IN;
		uint16_t got = rx(w, q, &w->lane[first].burst);

		worker_book(w, &w->stats.rx_cycles);
		if (got > 0)
			lanes_run(w, first, 0);
		n += got;
	}
	return n;
}

/* What waits to go on here. */
static uint16_t poll_parked(struct worker *w)
{
	uint16_t n = handoff_poll(w);

	n += lookaside_poll(w);
	n += kernel_poll(w);
	n += tx_poll(w);
	tx_flush(w);
	return n;
}

static void count_round(struct worker *w, uint16_t n, uint64_t cycles)
{
	w->stats.polls++;
	if (n > 0) {
		w->stats.busy_cycles += cycles;
	} else {
		w->stats.idle_polls++;
		w->stats.idle_cycles += cycles;
	}
}

/* Every worker has ended receiving, and nothing waits anywhere: a packet in a worker's hands is
 * still counted where it waited last. */
static bool is_drained(const struct pipeline *p)
{
	uint64_t parked = 0;

	if (atomic_load(&p->n_stopped) < p->n_workers)
		return false;
	for (uint16_t i = 0; i < p->n_workers; i++)
		parked += p->worker[i]->parked_in - p->worker[i]->parked_out;
	return parked == 0;
}

/* One look for a whole round: nothing that a packet meets on its way contradicts what it met before. */
static void take_tables(struct worker *w)
{
	w->tables = atomic_load_explicit(&w->p->tables, memory_order_acquire);
}

static void drain(struct worker *w)
{
	uint64_t end = rte_rdtsc() + DRAIN_SECONDS * rte_get_tsc_hz();

	atomic_fetch_add(&w->p->n_stopped, 1);
	take_tables(w);
	do
		poll_parked(w);
	while (!is_drained(w->p) && rte_rdtsc() < end);
}

void pipeline_begin(struct pipeline *p, uint16_t worker)
{
	struct worker *w = p->worker[worker];

	w->stats.lcore = rte_lcore_id();
	rcu_join(p->setup.rcu, worker);
	pipeline_pause(p, worker);
}

void pipeline_pause(struct pipeline *p, uint16_t worker)
{
	struct worker *w = p->worker[worker];

	w->booked_tsc = w->round_tsc = rte_rdtsc();
}

uint16_t pipeline_round(struct pipeline *p, uint16_t worker)
{
	struct worker *w = p->worker[worker];
	uint64_t now;
	uint16_t n;

	take_tables(w);
	n = poll_ports(w) + poll_parked(w);

	rcu_quiescent(p->setup.rcu, worker);
	now = rte_rdtsc();
	w->stats.poll_cycles += w->has_ledger ? now - w->booked_tsc : 0;
	count_round(w, n, now - w->round_tsc);
	w->booked_tsc = w->round_tsc = now;
	return n;
}

void pipeline_end(struct pipeline *p, uint16_t worker)
{
	rcu_leave(p->setup.rcu, worker);
}

int pipeline_run(struct pipeline *p, uint16_t worker)
{
	pipeline_begin(p, worker);
	while (!p->stop)
		pipeline_round(p, worker);
	drain(p->worker[worker]);
	pipeline_end(p, worker);
	return 0;
}

void pipeline_stop(struct pipeline *p)
{
	p->stop = true;
}

/* The queues that this worker receives from: one of each port that has enough for all, and the
 * few of the others dealt out in turn. */
static void deal_rx_queues(struct worker *w)
{
	const struct pipeline *p = w->p;

	for (uint16_t port = 0; port < p->setup.n_ports; port++) {
		uint16_t n = p->port[port].n_rx_queues;

		w->port_is_shared[port] = n < p->n_workers;
		for (uint16_t q = 0; q < n; q++) {
			uint16_t owner = n < p->n_workers ? (port + q) % p->n_workers : q;

			if (owner == w->id)
				w->rx[w->n_rx++] = (struct rx_queue){port, q};
		}
	}
}

static struct rte_ring *open_ring(const struct worker *w, const char *kind, int socket)
{
	char name[RTE_RING_NAMESIZE];

	snprintf(name, sizeof(name), "%s_%" PRIxPTR, kind, (uintptr_t)w);
	return rte_ring_create(name, RING_SIZE, socket, RING_F_SC_DEQ);
}

static void worker_close(struct worker *w)
{
	if (w == NULL)
		return;
	exception_leave(w);
	rte_ring_free(w->outbox);
	rte_ring_free(w->inbox);
	sad_cache_close(w->sas);
	flow_cache_close(w->flows);
	rte_free(w);
}

static struct worker *worker_open(struct pipeline *p, uint16_t id)
{
	int socket = rte_lcore_to_socket_id(p->setup.lcores[id]);
	struct worker *w = rte_zmalloc_socket("worker", sizeof(*w), RTE_CACHE_LINE_SIZE, socket);

	if (w == NULL)
		return NULL;
	w->p = p;
	w->id = id;
	w->tables = p->tables;
	w->port = p->port;
	w->queue = crypto_queues(p->setup.crypto, id);
	w->stats.lcore = p->setup.lcores[id];
	w->has_ledger = !p->setup.no_ledger;
	bucket_open(&w->icmp, p->setup.icmp_rate, p->n_workers);
	for (enum punt_kind k = 0; k < PUNT_KINDS; k++)
		bucket_open(&w->punt[k], p->setup.punt_rate[k], p->n_workers);
	w->inbox = open_ring(w, "inbox", socket);
	w->outbox = open_ring(w, "outbox", socket);
	w->flows = flow_cache_open(socket);
	w->sas = sad_cache_open(socket);
	deal_rx_queues(w);
	if (exception_join(w) < 0 || w->flows == NULL || w->sas == NULL || w->inbox == NULL ||
		w->outbox == NULL) {
		worker_close(w);
		return NULL;
	}
	return w;
}

int pipeline_open(const struct pipeline_setup *setup, struct pipeline **out, struct why *why)
{
	struct pipeline *p;

	if (setup->n_ports > WORKER_PORTS_MAX)
		return why_set(why, -EINVAL, "%u ports; the pipeline takes up to %u",
			setup->n_ports, WORKER_PORTS_MAX);
	p = rte_zmalloc("pipeline", sizeof(*p), RTE_CACHE_LINE_SIZE);
	if (p == NULL)
		return why_set(why, -ENOMEM, "no memory for the pipeline");
	p->setup = *setup;
	memcpy(p->port, setup->ports, sizeof(*setup->ports) * setup->n_ports);
	p->sad = sa_db_sad(setup->sas);
	p->n_workers = setup->n_workers;
	if (exception_open(p) < 0) {
		pipeline_close(p);
		return why_set(why, -ENOMEM, "no memory for the rings to the kernel's side");
	}
	p->tables = tables_open(setup->spd, setup->routes, p->n_workers, NULL);
	if (p->tables == NULL) {
		pipeline_close(p);
		return why_set(why, -ENOMEM, "no memory for the counters of policies");
	}
	for (uint16_t i = 0; i < setup->n_workers; i++) {
		p->worker[i] = worker_open(p, i);
		if (p->worker[i] == NULL) {
			pipeline_close(p);
			return why_set(why, -ENOMEM, "no memory for worker %u", i);
		}
	}
	*out = p;
	return 0;
}

void pipeline_close(struct pipeline *p)
{
	if (p == NULL)
		return;
	for (uint16_t i = 0; i < p->n_workers; i++)
		worker_close(p->worker[i]);
	tables_close(p->tables);
	exception_close(p);
	rte_free(p);
}

uint16_t pipeline_workers(const struct pipeline *p)
{
	return p->n_workers;
}

void pipeline_stats(const struct pipeline *p, uint16_t worker, struct worker_stats *out)
{
	const struct worker *w = p->worker[worker];

	*out = w->stats;
	out->parked = w->parked_in - w->parked_out;
}

struct sa_count pipeline_policy_count(const struct pipeline *p, uint32_t policy)
{
	return tables_count(p->tables, policy);
}

struct spd *pipeline_spd(const struct pipeline *p)
{
	return p->tables->spd;
}

struct route_db *pipeline_routes(const struct pipeline *p)
{
	return p->tables->routes;
}

int pipeline_replace(struct pipeline *p, struct spd *spd, struct route_db *routes)
{
	struct tables *was = p->tables;
	struct tables *now = tables_open(spd != NULL ? spd : was->spd,
		routes != NULL ? routes : was->routes, p->n_workers, was);

	if (now == NULL)
		return -ENOMEM;
	atomic_store_explicit(&p->tables, now, memory_order_release);
	rcu_wait(p->setup.rcu);
	tables_succeed(now, was);
	atomic_fetch_add(&p->n_replaced, 1);
	return 0;
}
