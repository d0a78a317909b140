/* SPDX-License-Identifier: BSD-3-Clause */
/* worker.h - the lcores that carry packets, for the control plane: set up, run, stopped, counted. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "crypto.h"
#include "exits.h"
#include "rcu.h"
#include "route.h"
#include "sa.h"
#include "spd.h"

#define WORKER_PORTS_MAX 32

/* A port as the pipeline sees it; index in the array is its number in route.h too. */
struct port {
	char name[64];
	uint16_t ethdev; /* of rte_ethdev */
	uint16_t n_rx_queues; /* one per worker, or fewer: then it is shared */
	uint16_t n_tx_queues; /* one per worker, or fewer: then one worker sends for all */
	bool does_rss; /* the device spreads flows over its RX queues */
	struct route_port route;
};

/* What is for the kernel, each with a rate of its own, so that a flood of one leaves the others alone. */
enum punt_kind {
	PUNT_ARP,
	PUNT_ND,
	PUNT_IKE,
	PUNT_LOCAL, /* to one of our own addresses */
	PUNT_GROUP, /* multicast and broadcast */
	PUNT_KINDS
};

struct pipeline; /* what all workers share, and the workers */

struct pipeline_setup {
	const uint16_t *lcores; /* one worker on each */
	uint16_t n_workers;
	uint16_t burst; /* 1..256 */
	const struct port *ports;
	uint16_t n_ports;
	struct rcu *rcu;
	struct crypto *crypto;
	struct sa_db *sas;
	struct spd *spd;
	struct route_db *routes;
	bool builtin_arp, builtin_nd, builtin_ike;
	uint32_t backlog; /* packets that may wait for room in a lookaside device, of each worker */
	uint32_t proof_every; /* one of so many packets of a lookaside device is proved; 0: none */
	uint32_t icmp_rate; /* replies a second, of all workers together */
	uint32_t punt_rate[PUNT_KINDS]; /* packets a second, of all workers together */
	bool no_ledger; /* the cycles of single stages are not booked */
};

/* Ports are started and have a queue pair per worker that is given one. Copies the ports. -ENOMEM. */
int pipeline_open(const struct pipeline_setup *setup, struct pipeline **out, struct why *why);
void pipeline_close(struct pipeline *p);

/* The same by hand: a thread that is this worker begins, polls every port and what waits, again and
 * again, and ends. A round returns how many packets it took up; time that passes between two rounds is
 * in nobody's books after pipeline_pause(). */
void pipeline_begin(struct pipeline *p, uint16_t worker);
uint16_t pipeline_round(struct pipeline *p, uint16_t worker);
void pipeline_pause(struct pipeline *p, uint16_t worker);
void pipeline_end(struct pipeline *p, uint16_t worker);

/* The body of a worker: returns when pipeline_stop() was called and what it had is sent. Runs on
 * the lcore of this worker. */
int pipeline_run(struct pipeline *p, uint16_t worker);

/* From their next round on workers go by this SPD and these routes, both at once, and by nothing that
 * they kept of the ones before, which nobody looks at after return. NULL: as it is. Policies that are in
 * both SPDs go on counting. Control thread. -ENOMEM: nothing has changed. */
int pipeline_replace(struct pipeline *p, struct spd *spd, struct route_db *routes);

/* What is in force. Control thread. */
struct spd *pipeline_spd(const struct pipeline *p);
struct route_db *pipeline_routes(const struct pipeline *p);

/* Asks all workers to drain and return. Async-signal-safe. */
void pipeline_stop(struct pipeline *p);

/* Counters of one worker since the start; other threads may read while it runs. The books close:
 * received + made = sent + exits + merged + parked. */
struct worker_stats {
	uint16_t lcore;
	uint64_t received, made, sent, merged;
	uint64_t
		parked; /* put into FIFOs by this worker less taken; the sum of all is what waits */
	uint64_t exit[EXIT_COUNT];
	uint64_t polls, idle_polls;
	uint64_t busy_cycles, idle_cycles; /* of the TSC; idle: polls that found nothing */
	/* The ledger: what a worker spends beside its stages; idle cycles are in rx and poll too. */
	uint64_t rx_cycles; /* taking bursts from ports, or finding none */
	uint64_t
		poll_cycles; /* looking at rings and devices, sending, saying that it is quiescent */
};

uint16_t pipeline_workers(const struct pipeline *p);
void pipeline_stats(const struct pipeline *p, uint16_t worker, struct worker_stats *out);

/* Packets and bytes that met the i-th policy of the SPD in force, over all workers. */
struct sa_count pipeline_policy_count(const struct pipeline *p, uint32_t policy);

/* The ledger: cycles and packets that each stage of each lane took, over all workers. name is
 * "lane.stage"; false past the end. */
struct stage_stats {
	const char *lane, *stage;
	uint64_t cycles, packets;
};
bool pipeline_stage(const struct pipeline *p, unsigned n, struct stage_stats *out);

/* Prints lanes, stages and exits: what adit --describe shows. */
void pipeline_describe(FILE *to);
