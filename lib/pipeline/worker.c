/* SPDX-License-Identifier: BSD-3-Clause */
/* worker.c - the lcores that carry packets: set up, run to completion, stopped, counted. */
#include <errno.h>
#include <rte_lcore.h>
#include <rte_malloc.h>

#include "worker_dp.h"

/* The lane that a port's packets begin in, and those that its side branches end in. */
static void run_lanes(struct worker *w, enum lane_id first)
{
	lane_run(w, first);
	for (enum lane_id id = 0; id < LANES; id++) {
		if (w->lane[id].burst.n > 0)
			lane_run(w, id);
	}
}

static uint16_t poll_ports(struct worker *w)
{
	uint16_t n = 0;

	for (uint16_t i = 0; i < w->n_rx_ports; i++) {
		const struct port *port = &w->port[w->rx_port[i]];
		enum lane_id first = port->route.side == PORT_PROTECTED ? LANE_OUT : LANE_IN;
		uint16_t got = rx(w, port, &w->lane[first].burst);

		if (got > 0)
			run_lanes(w, first);
		n += got;
	}
	return n;
}

int pipeline_run(struct pipeline *p, uint16_t worker)
{
	struct worker *w = p->worker[worker];
	uint64_t t = rte_rdtsc(), now;

	w->stats.lcore = rte_lcore_id();
	w->icmp.filled_tsc = t;
	rcu_join(p->setup.rcu, worker);
	while (!p->stop) {
		uint16_t n = poll_ports(w);

		tx_flush(w);
		rcu_quiescent(p->setup.rcu, worker);
		now = rte_rdtsc();
		w->stats.polls++;
		if (n > 0) {
			w->stats.busy_cycles += now - t;
		} else {
			w->stats.idle_polls++;
			w->stats.idle_cycles += now - t;
		}
		t = now;
	}
	tx_flush(w);
	rcu_leave(p->setup.rcu, worker);
	return 0;
}

void pipeline_stop(struct pipeline *p)
{
	p->stop = true;
}

static int worker_open(struct pipeline *p, uint16_t id, struct worker **out)
{
	int socket = rte_lcore_to_socket_id(p->setup.lcores[id]);
	struct worker *w = rte_zmalloc_socket("worker", sizeof(*w), RTE_CACHE_LINE_SIZE, socket);

	if (w == NULL)
		return -ENOMEM;
	w->policy_count = rte_zmalloc_socket("policy_count",
		sizeof(*w->policy_count) * RTE_MAX(1u, spd_policies(p->setup.spd)),
		RTE_CACHE_LINE_SIZE, socket);
	if (w->policy_count == NULL) {
		rte_free(w);
		return -ENOMEM;
	}
	w->p = p;
	w->id = id;
	w->port = p->port;
	w->queue = crypto_queues(p->setup.crypto, id);
	w->stats.lcore = p->setup.lcores[id];
	for (uint16_t i = id; i < p->setup.n_ports; i += p->n_workers)
		w->rx_port[w->n_rx_ports++] = i;
	if (p->setup.icmp_rate > 0)
		w->icmp.cost_tsc = rte_get_tsc_hz() * p->n_workers / p->setup.icmp_rate;
	*out = w;
	return 0;
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
	for (uint16_t i = 0; i < setup->n_workers; i++) {
		if (worker_open(p, i, &p->worker[i]) < 0) {
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
	for (uint16_t i = 0; i < p->n_workers; i++) {
		if (p->worker[i] != NULL)
			rte_free(p->worker[i]->policy_count);
		rte_free(p->worker[i]);
	}
	rte_free(p);
}

uint16_t pipeline_workers(const struct pipeline *p)
{
	return p->n_workers;
}

void pipeline_stats(const struct pipeline *p, uint16_t worker, struct worker_stats *out)
{
	*out = p->worker[worker]->stats;
}

struct sa_count pipeline_policy_count(const struct pipeline *p, uint32_t policy)
{
	struct sa_count sum = {0};

	for (uint16_t i = 0; i < p->n_workers; i++) {
		sum.packets += p->worker[i]->policy_count[policy].packets;
		sum.bytes += p->worker[i]->policy_count[policy].bytes;
	}
	return sum;
}
