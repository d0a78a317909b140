/* SPDX-License-Identifier: BSD-3-Clause */
/* worker_dp.h - a worker's own state, and the lanes that its bursts run through. */
#pragma once

#include <rte_cycles.h>

#include "bucket.h"
#include "burst.h"
#include "route_dp.h"
#include "sad_dp.h"
#include "tables.h"
#include "worker.h"

#define LANE_STAGES_MAX 12

/* A step of a packet's journey. run() takes the burst's packets, leaves survivors in front, sets and
 * returns b->n. */
struct stage {
	const char *name;
	uint16_t (*run)(struct worker *w, struct burst *b);
	const char *does;
};

/* A list of stages that a burst runs through in order. */
enum lane_id {
	LANE_OUT, /* from a protected port to ESP */
	LANE_OUT_BYPASS, /* what the SPD lets out in clear */
	LANE_IN, /* ESP for us, to the inner packet */
	LANE_IN_CLEAR, /* what came in clear from an unprotected port */
	LANE_REPLY, /* ICMP of ours to the protected side */
	LANE_REPLY_PROTECT, /* ICMP of ours that goes back through a tunnel */
	LANE_KERNEL, /* what the kernel sends by an unprotected port, judged by the SPD */
	LANE_KERNEL_OUT, /* what it may send in clear */
	LANE_NO_NEIGHBOUR, /* what has waited for a neighbour that does not answer */
	LANES
};

struct lane {
	const char *name;
	const char *does;
	const struct stage *stage; /* ends with a NULL name */
};

extern const struct lane lanes[LANES];

/* The tables behind lanes[]: outbound.c and inbound.c. */
extern const struct stage outbound_stages[], out_bypass_stages[], reply_stages[],
	reply_protect_stages[];
extern const struct stage inbound_stages[], in_clear_stages[];
extern const struct stage kernel_stages[], kernel_out_stages[], no_neighbour_stages[];

struct lane_state {
	struct burst burst;
	uint64_t cycles[LANE_STAGES_MAX];
	uint64_t packets[LANE_STAGES_MAX];
};

/* An RX queue that a worker polls. */
struct rx_queue {
	uint16_t port;
	uint16_t queue;
};

struct tx_buffer {
	uint16_t n;
	struct rte_mbuf *pkt[BURST_MAX];
};

/* What waits for room in a lookaside device. */
struct lookaside {
	struct rte_mbuf *first, *last; /* of a list through struct parked */
	uint32_t n;
	bool is_polled;
};

struct flow_cache;
struct sad_cache;

struct pipeline {
	struct pipeline_setup setup;
	struct port port[WORKER_PORTS_MAX];
	const struct sad *sad;
	volatile bool stop;
	uint16_t n_workers;
	struct worker *worker[SA_WORKERS_MAX];
	struct rte_ring *punted; /* to the kernel thread; NULL: no port has a kernel side */
	struct rte_ring *unresolved; /* to it too: packets whose next hop it is to ask for */
	_Atomic uint16_t n_stopped; /* workers that receive no more */
	_Atomic(struct tables *) tables; /* in force */
	_Atomic uint32_t n_replaced; /* how often there were others */
};

/* Only its own lcore writes; displays read the counters. */
struct worker {
	struct pipeline *p;
	const struct tables *tables; /* in this round */
	const struct port *port;
	struct crypto_queue *const *queue; /* by crypto_session.device */
	uint16_t id;
	struct rx_queue rx[WORKER_PORTS_MAX];
	uint16_t n_rx;
	bool port_is_shared[WORKER_PORTS_MAX]; /* not every worker has an RX queue of it */
	struct bucket icmp; /* replies that may be made */
	struct bucket punt[PUNT_KINDS]; /* packets that the kernel may be given */

	struct lookaside lookaside[CRYPTO_DEVICES_MAX]; /* by crypto_session.device */
	uint16_t polled[CRYPTO_DEVICES_MAX]; /* the devices that have packets of ours */
	uint16_t n_polled;
	uint32_t proof_in; /* packets until the next one that is proved */
	struct flow_cache *flows;
	struct sad_cache *sas;

	struct rte_ring *inbox; /* packets that other workers hand over, to go on here */
	struct rte_ring *from_kernel; /* frames and packets that the kernel thread gives; or NULL */
	struct rte_ring *outbox; /* frames that others send by a port whose TX queue is ours */
	uint64_t parked_in; /* put into a FIFO by this worker */
	uint64_t parked_out; /* taken from one, and through */

	uint16_t n_dead;
	struct rte_mbuf *dead[BURST_MAX]; /* left the pipeline, to be freed in one go */
	struct tx_buffer tx[WORKER_PORTS_MAX];
	struct lane_state lane[LANES];
	struct worker_stats stats;
	bool has_ledger;
	uint64_t booked_tsc; /* every cycle before this is in the books */
	uint64_t round_tsc; /* when this round of polls began */
};

/* Books the cycles since the last booking. Whoever spends cycles books them when done, so that no
 * cycle is in two places or in none. */
static inline void worker_book(struct worker *w, uint64_t *account)
{
	uint64_t now;

	if (!w->has_ledger)
		return;
	now = rte_rdtsc();
	*account += now - w->booked_tsc;
	w->booked_tsc = now;
}

/* Stages, each in the file of its name. */
uint16_t rx(struct worker *w, const struct rx_queue *q, struct burst *b);
uint16_t out_classify(struct worker *w, struct burst *b);
uint16_t out_policy(struct worker *w, struct burst *b);
uint16_t ttl(struct worker *w, struct burst *b);
uint16_t out_mtu(struct worker *w, struct burst *b);
uint16_t out_esp(struct worker *w, struct burst *b);
uint16_t crypt_burst(struct worker *w, struct burst *b); /* crypt(3) has the short name */
uint16_t out_finish(struct worker *w, struct burst *b);
uint16_t nexthop(struct worker *w, struct burst *b);
uint16_t tx(struct worker *w, struct burst *b);
uint16_t in_classify(struct worker *w, struct burst *b);
uint16_t in_sad(struct worker *w, struct burst *b);
uint16_t handoff(struct worker *w, struct burst *b);
uint16_t in_esp(struct worker *w, struct burst *b);
uint16_t in_finish(struct worker *w, struct burst *b);
uint16_t in_policy(struct worker *w, struct burst *b);
uint16_t kernel_classify(struct worker *w, struct burst *b);
uint16_t kernel_policy(struct worker *w, struct burst *b);
uint16_t kernel_frame(struct worker *w, struct burst *b);

/* Sends what tx has gathered for every port. */
void tx_flush(struct worker *w);

/* Hands packets that are parked to these workers; what a full ring does not take leaves. */
void handoff_send(struct worker *w, struct rte_mbuf *pkt[], const uint16_t to[], uint16_t n);

/* Takes what other workers have handed over and goes on with it; how many. */
uint16_t handoff_poll(struct worker *w);

/* Takes the frames that others send by our queues; how many. */
uint16_t tx_poll(struct worker *w);

/* Takes what the kernel sends, and what has waited for a neighbour; how many. */
uint16_t kernel_poll(struct worker *w);

/* Packet i, whose next hop is not resolved, waits for it, and goes on at this stage. False: it cannot. */
bool unresolved_wait(struct worker *w, struct burst *b, uint16_t i);

/* Gives packet i, which leaves by this exit, to the kernel's side of its port, or frees it. Returns the
 * exit that it takes in the end. */
enum exit punt(struct worker *w, struct burst *b, uint16_t i, enum exit e);

/* Runs a lane on its own burst from this stage on, then the lanes that its packets branched to. */
void lanes_run(struct worker *w, enum lane_id id, unsigned from);

/* Answers packet i by ICMP if rules and rate allow, into a reply lane; frees it otherwise. */
void icmp_error(struct worker *w, struct burst *b, uint16_t i, enum exit e);

static inline void worker_free(struct worker *w, struct rte_mbuf *m)
{
	w->dead[w->n_dead++] = m;
}

/* Finds the next hop of every packet's destination, where b->nh[] has none yet; LOCAL is one of ours. */
void burst_route(const struct worker *w, struct burst *b);
