/* SPDX-License-Identifier: BSD-3-Clause */
/* punt.c - gives packets to the kernel's side of a port, as the frames they came in; of each kind so many
 * a second. */
#include <rte_ether.h>
#include <rte_ring.h>

#include "builtin.h"
#include "worker_dp.h"

static bool is_arp(enum exit e)
{
	return e == EXIT_OUT_ARP || e == EXIT_IN_ARP;
}

static enum punt_kind kind_of(const struct burst *b, uint16_t i, enum exit e)
{
	if (is_arp(e))
		return PUNT_ARP;
	if (e == EXIT_IN_IKE)
		return PUNT_IKE;
	if (is_nd(burst_ip(b, i), &b->fact[i]))
		return PUNT_ND;
	return b->fact[i].flags & FACT_GROUP ? PUNT_GROUP : PUNT_LOCAL;
}

/* The port that has the packet's destination for its own address, whichever way it came. */
static const struct port *port_of_destination(
	const struct worker *w, const uint8_t *ip, const struct facts *f)
{
	uint8_t size = f->family == 4 ? 4 : 16;
	const uint8_t *dst = f->family == 4 ? ip + offsetof(struct rte_ipv4_hdr, dst_addr)
					    : ip + offsetof(struct rte_ipv6_hdr, dst_addr);

	for (uint16_t p = 0; p < w->p->setup.n_ports; p++) {
		const struct route_port *r = &w->port[p].route;

		for (uint16_t k = 0; k < r->n_addresses; k++) {
			if (r->address[k].addr.family == f->family &&
				memcmp(r->address[k].addr.bytes, dst, size) == 0)
				return &w->port[p];
		}
	}
	return NULL;
}

/* Whose TAP it is for. What a tunnel brought is for the protected side, whatever port it came by. */
static const struct port *port_of(const struct worker *w, const struct burst *b, uint16_t i)
{
	const struct port *port;

	if (b->sa[i] == NULL)
		return &w->port[b->pkt[i]->port];
	port = port_of_destination(w, burst_ip(b, i), &b->fact[i]);
	for (uint16_t p = 0; port == NULL && p < w->p->setup.n_ports; p++) {
		if (w->port[p].route.side == PORT_PROTECTED && w->port[p].route.has_kernel)
			port = &w->port[p];
	}
	return port;
}

/* What we made, or took out of ESP, has no frame of its own any more. */
static bool has_frame(const struct burst *b, uint16_t i)
{
	return b->sa[i] == NULL && (b->lane == LANE_OUT || b->lane == LANE_IN ||
					   b->lane == LANE_OUT_BYPASS || b->lane == LANE_IN_CLEAR);
}

static void put_frame(struct burst *b, uint16_t i, const struct port *port)
{
	struct rte_ether_hdr *l2 =
		(struct rte_ether_hdr *)rte_pktmbuf_prepend(b->pkt[i], RTE_ETHER_HDR_LEN);

	if (has_frame(b, i))
		return;
	memcpy(l2->dst_addr.addr_bytes, port->route.mac, RTE_ETHER_ADDR_LEN);
	memset(l2->src_addr.addr_bytes, 0, RTE_ETHER_ADDR_LEN);
	l2->ether_type = b->fact[i].family == 4 ? RTE_BE16(RTE_ETHER_TYPE_IPV4)
						: RTE_BE16(RTE_ETHER_TYPE_IPV6);
}

enum exit punt(struct worker *w, struct burst *b, uint16_t i, enum exit e)
{
	struct rte_mbuf *m = b->pkt[i];
	const struct port *port =
		is_arp(e) ? &w->port[m->port] : port_of(w, b, i); /* ARP: no facts, no SA */

	if (port == NULL || !port->route.has_kernel) {
		worker_free(w, m);
		return e;
	}
	if (!bucket_take(&w->punt[kind_of(b, i, e)])) {
		worker_free(w, m);
		return EXIT_PUNT_RATE;
	}
	if (!is_arp(e))
		put_frame(b, i, port);
	m->port = port - w->port;
	if (rte_ring_mp_enqueue(w->p->punted, m) == 0)
		return e;
	worker_free(w, m);
	return EXIT_PUNT_FULL;
}
