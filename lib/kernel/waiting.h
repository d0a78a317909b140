/* SPDX-License-Identifier: BSD-3-Clause */
/* waiting.h - packets that wait for the MAC address of their next hop: a few for each neighbour, a bounded
 * number of neighbours, a bounded time (RFC 1122 2.3.2.2, RFC 4861 7.2.2). Kernel thread only; private to
 * the room. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define WAITING_NEIGHBOURS 512
#define WAITING_PACKETS    8 /* for each; RFC 1122 wants one at least */
#define WAITING_NS         UINT64_C(3000000000) /* as long as the kernel asks */

struct netlink_asker;
struct pipeline;
struct waiting;

/* index: of the kernel's interface of each port; 0: it has none. Copies nothing. NULL: no memory. */
struct waiting *waiting_open(
	struct pipeline *p, struct netlink_asker *asker, const unsigned index[]);

/* Nothing waits any more. */
void waiting_close(struct waiting *w);

/* Takes what workers have that waits and asks for whom it waits; has what waited go on when routes or
 * neighbours have changed, and leave when it has waited long enough, or when workers end. From time to
 * time; returns how many were taken or went. */
unsigned waiting_serve(struct waiting *w, uint64_t now_ns);
