/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.h - what goes into the thing that is measured, and whether what comes out is right.
 *
 *   in ring -> feed -> [ subject ] -> drain -> check
 *
 * Packet k of a queue is of flow order[k % n]; each flow meets a policy of its own, and the SA of its
 * number modulo the SAs. Inner packets are UDP over IPv4 that have their serial number and flow in them
 * and are otherwise all alike, so that each can be written once more and compared. */
#pragma once

#include <rte_mbuf.h>
#include <stdbool.h>

#include "oracle.h"
#include "sizes.h"
#include "wire.h"

enum traffic_kind {
	TRAFFIC_OUT, /* inner packets, which come out as ESP */
	TRAFFIC_IN, /* ESP, which comes out as inner packets */
	TRAFFIC_CLEAR, /* inner packets, which come out with one hop less */
	TRAFFIC_OUT_SAME, /* inner packets, of which no more is known than that they come out */
	TRAFFIC_IN_SAME, /* the same with ESP */
};

/* Addresses of the bench, RFC 2544's block outside; in host order. */
#define TRAFFIC_SRC       0x0a000009 /* 10.0.0.9 */
#define TRAFFIC_DST       0x0a400000 /* 10.64.0.0 + the flow */
#define TRAFFIC_LOCAL     0xc6120001 /* 198.18.0.1 */
#define TRAFFIC_PEER      0xc6130000 /* 198.19.0.0 + the SA */
#define TRAFFIC_SPI       0x1000 /* + the SA; in: + TRAFFIC_SPI_IN too */
#define TRAFFIC_SPI_IN    0x100000
#define TRAFFIC_SAS_MAX   65536
#define TRAFFIC_FLOWS_MAX 65535

extern const uint8_t traffic_mac_lan[6], traffic_mac_wan[6], traffic_mac_peer[6];

struct traffic_setup {
	const struct suite *suite; /* of ESP */
	struct wire *from, *to;
	uint32_t n_sas, n_flows; /* flows: a multiple of the SAs */
	uint16_t n_queues;
	uint32_t sample; /* one of so many packets is checked whole; 0: none */
	struct rte_mempool *pool;
};

struct traffic_count {
	uint64_t fed, drained;
	uint64_t bytes; /* of the inner packets drained */
	uint64_t checked; /* whole */
	uint64_t wrong; /* not the packet that was to come next: altered, out of order, doubled */
	uint64_t lost; /* fed, and did not come */
};

struct traffic;

/* One direction of a subject: it keeps the sequence numbers, so it lives as long as that. */
int traffic_open(
	const struct traffic_setup *setup, bool is_inbound, struct traffic **out, struct why *why);
void traffic_close(struct traffic *t);

/* From now on packets are of this kind and these sizes. Everything fed must have been drained. */
void traffic_begin(struct traffic *t, enum traffic_kind kind, const struct sizes *sizes);

/* Puts n packets (up to 256) on a queue's wire; how many: all or none. whole: every byte is written;
 * else outbound packets keep what their memory has behind their headers, but those to be checked. */
uint16_t traffic_feed(struct traffic *t, uint16_t queue, uint16_t n, bool whole);

/* The same with these mbufs, which were packets before. */
uint16_t traffic_feed_again(struct traffic *t, uint16_t queue, struct rte_mbuf *pkt[], uint16_t n);

/* Takes what has come out, up to max, and looks at it; the packets are the caller's. */
uint16_t traffic_drain(struct traffic *t, uint16_t queue, struct rte_mbuf *pkt[], uint16_t max);

/* All that was fed is on the far wire. */
bool traffic_is_through(const struct traffic *t, uint16_t queue);

/* Fed and not drained yet. */
uint64_t traffic_pending(const struct traffic *t, uint16_t queue);

/* Since traffic_begin(), over all queues. */
struct traffic_count traffic_count_of(const struct traffic *t);

/* What was fed and has not come is lost. */
void traffic_give_up(struct traffic *t);
