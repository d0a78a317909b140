/* SPDX-License-Identifier: BSD-3-Clause */
/* netlink.h - the sockets to rtnetlink: notices, whole tables, and the little that is asked of it. Control
 * thread only, but for netlink_asker. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ipaddr.h"
#include "rtnl.h"

enum netlink_table {
	NETLINK_LINKS,
	NETLINK_ADDRESSES,
	NETLINK_ROUTES,
	NETLINK_NEIGHBOURS,
	NETLINK_TABLES
};

struct netlink;

/* Hears of every change from now on: open it before the first dump. -errno with the reason. */
int netlink_open(struct netlink **out, struct why *why);
void netlink_close(struct netlink *n);

/* Readable: there is news. */
int netlink_fd(const struct netlink *n);

/* Reads the news, and marks the tables that they are of; all, where some were lost (ENOBUFS) or made no
 * sense. What a table holds is then read from netlink_dump(), never pieced together from news, so that
 * nothing is missed whatever is lost. Returns how often news were lost since netlink_open(). */
uint64_t netlink_serve(struct netlink *n);

/* Whether a table may have changed since it was last dumped, or never was. */
bool netlink_is_dirty(const struct netlink *n, enum netlink_table table);

/* Has the kernel list a table, in both families, and calls visit for each entry. A list that changed
 * while it was made is made again (NLM_F_DUMP_INTR), after a call of restart. -EAGAIN: it changed every
 * time, and the table stays dirty. -errno. */
int netlink_dump(struct netlink *n, enum netlink_table table, void (*restart)(void *arg),
	void (*visit)(const struct rtnl_message *m, void *arg), void *arg, struct why *why);

/* Gives an interface an address, without duplicate address detection. -EEXIST: it has it. -errno. */
int netlink_add_address(struct netlink *n, unsigned index, const struct ipaddr_prefix *address);

/* A socket of its own for another thread, which asks through it for the MAC address of a neighbour, or
 * whether it is still the same; the answer is news to netlink_serve(). No answer is waited for. */
struct netlink_asker;
int netlink_asker_open(struct netlink_asker **out, struct why *why);
void netlink_asker_close(struct netlink_asker *a);
void netlink_ask(struct netlink_asker *a, unsigned index, const struct ipaddr *address);
