/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.h - the prefixes of one family and who wins each. Private to the room. */
#pragma once

#include "route.h"

/* For equal prefixes the first is the strongest. */
enum plan_strength { PLAN_LOCAL, PLAN_CONFIGURED, PLAN_KERNEL, PLAN_CONNECTED };

#define PLAN_NO_ROUTE UINT32_MAX

struct plan_entry {
	struct ipaddr_prefix to; /* host bits zero */
	enum plan_strength strength;
	uint32_t metric;
	uint32_t order; /* as given */
	uint32_t route; /* of the setup's, or PLAN_NO_ROUTE */
	uint16_t nexthop; /* place in the table */
	uint16_t port;
	bool is_on_link; /* its hosts are neighbours on port */
};

struct plan {
	struct plan_entry *entry;
	uint32_t n;
	uint32_t n_settled; /* by length, then prefix; behind them come hosts in any order */
	bool has_len[129]; /* a settled prefix is so long */
};

/* -ENOMEM. Close a zeroed or opened plan, as often as you like. */
int plan_open(struct plan *p, uint32_t room);
void plan_close(struct plan *p);

/* There is room for it. */
void plan_add(struct plan *p, const struct plan_entry *e);

/* Once all but hosts are there: keeps the strongest of equal prefixes. */
void plan_settle(struct plan *p);

/* The longest settled prefix of at most max_len bits that covers the address, or NULL. */
struct plan_entry *plan_find(const struct plan *p, const struct ipaddr *address, int max_len);
