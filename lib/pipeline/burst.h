/* SPDX-License-Identifier: BSD-3-Clause */
/* burst.h - up to 256 packets and what is known of each, in columns. A stage keeps survivors in
 * front with burst_keep() and names the exit of every other packet with burst_leave().
 *
 * From classify on a packet's data starts with its IP header, in one segment, and ends where the
 * IP header says; nexthop puts the Ethernet header back. */
#pragma once

#include <rte_mbuf.h>

#include "exits.h"
#include "sa_dp.h"
#include "spd_dp.h"

#define BURST_MAX 256

struct nexthop;
struct worker;

/* What classify measured of the packet that starts at the data. */
struct facts {
	uint8_t family; /* 4 or 6 */
	uint8_t protocol; /* the upper-layer protocol, behind extension headers */
	uint8_t opaque; /* SPD_OPAQUE_* */
	uint8_t flags; /* FACT_* */
	uint16_t len; /* of the IP packet */
	uint16_t l4_ofs; /* of the upper-layer header */
	uint16_t sport, dport; /* host order; ICMP: type, code; MH: type */
};

#define FACT_FRAGMENT       0x01 /* MF is set or the offset is not 0 */
#define FACT_LATER_FRAGMENT 0x02 /* the offset is not 0 */
#define FACT_GROUP          0x04 /* multicast or broadcast, of Ethernet or of IP */
#define FACT_FLOW_KNOWN     0x08 /* its flow was judged before: transit, no martian (flow_cache.h) */

/* How far a packet may go. What the SPD did not let out in clear never leaves an unprotected port. */
enum reach { REACH_PROTECTED, REACH_ANY };

struct burst {
	uint16_t n;
	uint8_t lane; /* enum lane_id */
	uint8_t stage; /* that it is in, counted from 0 */
	struct rte_mbuf *pkt[BURST_MAX];
	struct facts fact[BURST_MAX];
	struct sa *sa[BURST_MAX]; /* NULL: no ESP */
	uint64_t seq[BURST_MAX]; /* ESP: the whole sequence number */
	uint32_t policy[BURST_MAX]; /* the policy it met, or SPD_NOT_JUDGED */
	const struct nexthop *nh[BURST_MAX]; /* of its destination; NULL: not looked up */
	uint8_t reach[BURST_MAX]; /* enum reach */
	uint16_t out_port[BURST_MAX]; /* set by nexthop: index of the port it leaves by */
};

/* Moves packet `from` to place `to` of the survivors. */
static inline void burst_keep(struct burst *b, uint16_t to, uint16_t from)
{
	if (to == from)
		return;
	b->pkt[to] = b->pkt[from];
	b->fact[to] = b->fact[from];
	b->sa[to] = b->sa[from];
	b->seq[to] = b->seq[from];
	b->policy[to] = b->policy[from];
	b->nh[to] = b->nh[from];
	b->reach[to] = b->reach[from];
	b->out_port[to] = b->out_port[from];
}

/* Appends packet i of `from` to another burst, which has room. */
static inline void burst_move(struct burst *to, const struct burst *from, uint16_t i)
{
	uint16_t n = to->n++;

	to->pkt[n] = from->pkt[i];
	to->fact[n] = from->fact[i];
	to->sa[n] = from->sa[i];
	to->seq[n] = from->seq[i];
	to->policy[n] = from->policy[i];
	to->nh[n] = from->nh[i];
	to->reach[n] = from->reach[i];
	to->out_port[n] = from->out_port[i];
}

/* Packet i leaves: counted, and freed or answered. */
void burst_leave(struct worker *w, struct burst *b, uint16_t i, enum exit e);

/* The packet's IP header. */
static inline uint8_t *burst_ip(const struct burst *b, uint16_t i)
{
	return rte_pktmbuf_mtod(b->pkt[i], uint8_t *);
}
