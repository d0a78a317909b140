/* SPDX-License-Identifier: BSD-3-Clause */
/* nexthop_table.c - next hops, each of them once, and the Ethernet header that goes before packets. */
#include "nexthop_table.h"

#include <assert.h>
#include <errno.h>
#include <rte_common.h>
#include <rte_ether.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static_assert(sizeof(struct nexthop) == 32, "a next hop lies across cache lines");

static int compare_nexthops(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct nexthop));
}

int nexthop_table_open(struct nexthop_table *t, uint32_t room)
{
	static const enum nexthop_kind first[] = {
		[NEXTHOP_AT_NONE] = NEXTHOP_NONE,
		[NEXTHOP_AT_LOCAL] = NEXTHOP_LOCAL,
		[NEXTHOP_AT_BLACKHOLE] = NEXTHOP_BLACKHOLE,
	};

	memset(t, 0, sizeof(*t));
	t->room = RTE_MIN(room + RTE_DIM(first), (uint32_t)ROUTE_NEXTHOPS_MAX);
	t->entry = aligned_alloc(RTE_CACHE_LINE_SIZE,
		RTE_ALIGN_CEIL(t->room * sizeof(*t->entry), RTE_CACHE_LINE_SIZE));
	if (t->entry == NULL)
		return -ENOMEM;
	memset(t->entry, 0, t->room * sizeof(*t->entry));
	for (t->n = 0; t->n < RTE_DIM(first); t->n++)
		t->entry[t->n].kind = first[t->n];
	return 0;
}

static void keep(void *entry)
{
	(void)entry; /* tdestroy() frees nodes; entries stand in one array */
}

void nexthop_table_close(struct nexthop_table *t)
{
	tdestroy(t->index, keep);
	free(t->entry);
}

int nexthop_table_add(struct nexthop_table *t, const struct nexthop *nh)
{
	struct nexthop **found = tfind(nh, &t->index, compare_nexthops);

	if (found != NULL)
		return *found - t->entry;
	if (t->n == t->room)
		return -ENOSPC;
	memcpy(&t->entry[t->n], nh, sizeof(*nh));
	if (tsearch(&t->entry[t->n], &t->index, compare_nexthops) == NULL)
		return -ENOMEM;
	return t->n++;
}

static void put_be16(struct nexthop *nh, uint16_t v)
{
	nh->l2[nh->l2_len++] = v >> 8;
	nh->l2[nh->l2_len++] = v;
}

void nexthop_make(struct nexthop *nh, const struct route_port *ports, uint16_t port,
	const uint8_t mac[6], const struct ipaddr *via, uint8_t family)
{
	const struct route_port *p = &ports[port];

	memset(nh, 0, sizeof(*nh)); /* padding too: next hops are compared as bytes */
	nh->kind = mac != NULL ? NEXTHOP_SEND : NEXTHOP_UNRESOLVED;
	nh->side = p->side;
	nh->port = port;
	nh->mtu = p->mtu;
	if (mac == NULL) {
		if (via != NULL)
			nh->via = *via;
		return;
	}
	memcpy(nh->l2, mac, RTE_ETHER_ADDR_LEN);
	memcpy(nh->l2 + RTE_ETHER_ADDR_LEN, p->mac, RTE_ETHER_ADDR_LEN);
	nh->l2_len = 2 * RTE_ETHER_ADDR_LEN;
	nh->l2_len += nexthop_put_tags(nh->l2 + nh->l2_len, p);
	put_be16(nh, family == 4 ? RTE_ETHER_TYPE_IPV4 : RTE_ETHER_TYPE_IPV6);
}
