/* SPDX-License-Identifier: BSD-3-Clause */
/* exception.h - the exception path: what workers leave to the kernel, and what it sends by their ports.
 *
 *             punted                            frames to us, ARP, ND, IKE
 *   workers =========================> kernel   ------------------------> TAP of the port
 *           <========================= thread   <------------------------
 *             given                             what the kernel sends
 *           =========================>          who is 192.0.2.2?
 *             waiting                           ------------------------> netlink
 *
 * One thread beside the workers, the kernel thread, is at the other end of these rings, and it alone calls
 * what is here. It owns what it took and has not given back. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ipaddr.h"

struct pipeline;
struct rte_mbuf;

/* Whoever sends to this address by this port wants to know its MAC address. */
struct exception_wish {
	struct ipaddr address;
	uint16_t port;
};

/* Takes up to n packets for the kernel: untagged Ethernet frames of one segment, m->port is the port whose
 * TAP they are for. */
uint16_t exception_take(struct pipeline *p, struct rte_mbuf *pkt[], uint16_t n);

/* Gives frames that the kernel sent by a port, untagged, in one segment with EXCEPTION_HEADROOM in front.
 * Returns how many were taken; the rest are still the caller's. */
#define EXCEPTION_HEADROOM 128
uint16_t exception_give(struct pipeline *p, uint16_t port, struct rte_mbuf *pkt[], uint16_t n);

/* Takes up to n packets that wait for a neighbour; each is given back by exception_resume(), in order. */
uint16_t exception_take_waiting(struct pipeline *p, struct rte_mbuf *pkt[], uint16_t n);
const struct exception_wish *exception_wish_of(struct rte_mbuf *m);

/* They go on from where they waited, by the routes of then; or, where nobody answered, leave by
 * nexthop_no_neighbour. False: the ring takes no more at present, try again. */
bool exception_resume(struct pipeline *p, struct rte_mbuf *m, bool is_known);

/* Another number whenever routes or neighbours have changed: what waits may go on. */
uint32_t exception_routes(const struct pipeline *p);

/* Workers receive no more and want back what waits. */
bool exception_is_ending(const struct pipeline *p);
