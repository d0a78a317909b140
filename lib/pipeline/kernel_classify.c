/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel_classify.c - what the kernel sends by a port: measured; what stays on the protected side goes out
 * as it is, and on the unprotected side ARP, ND and IKE, by the built-in policies. The rest is judged. */
#include <rte_ether.h>

#include "builtin.h"
#include "ip_measure.h"
#include "worker_dp.h"

/* Not an exit: one of these. */
#define GOES_ON  (EXIT_COUNT + 0) /* judged by the configured policies */
#define GOES_OUT (EXIT_COUNT + 1) /* in clear */

/* Leaves the data at the IP header. EXIT_COUNT: it is IP, and f is filled. */
static enum exit open_frame(struct rte_mbuf *m, uint16_t type, struct facts *f)
{
	if (type != RTE_ETHER_TYPE_IPV4 && type != RTE_ETHER_TYPE_IPV6)
		return EXIT_KERNEL_FRAME;
	rte_pktmbuf_adj(m, RTE_ETHER_HDR_LEN);
	if (ip_measure(m, type == RTE_ETHER_TYPE_IPV4 ? 4 : 6, f) != MEASURE_OK)
		return EXIT_KERNEL_FRAME;
	return EXIT_COUNT;
}

static bool is_udp(const struct facts *f)
{
	return f->protocol == IPPROTO_UDP && !(f->opaque & SPD_OPAQUE_PORTS);
}

/* IKE has port 500 or 4500 at our end (RFC 7296 2.23): the other end's may be any behind a NAT. */
static unsigned classify_ip(const struct worker *w, const uint8_t *ip, const struct facts *f)
{
	const struct pipeline_setup *s = &w->p->setup;

	if (f->protocol == IPPROTO_ESP && !(f->opaque & SPD_OPAQUE_PROTOCOL))
		return EXIT_KERNEL_ESP;
	if (s->builtin_nd && is_nd(ip, f))
		return GOES_OUT;
	if (!is_udp(f))
		return GOES_ON;
	if (f->sport == PORT_IKE)
		return s->builtin_ike ? GOES_OUT : GOES_ON;
	if (f->sport != PORT_IKE_NATT)
		return GOES_ON;
	switch (natt_of(ip + f->l4_ofs, f->len - f->l4_ofs)) {
	case NATT_IKE:
	case NATT_KEEPALIVE: return s->builtin_ike ? GOES_OUT : GOES_ON;
	case NATT_ESP: return EXIT_KERNEL_ESP;
	default: return GOES_ON;
	}
}

static unsigned classify(const struct worker *w, struct rte_mbuf *m, struct facts *f)
{
	const struct route_port *r = &w->port[m->port].route;
	const struct rte_ether_hdr *l2 = rte_pktmbuf_mtod(m, const struct rte_ether_hdr *);
	bool is_protected = r->side == PORT_PROTECTED;
	enum exit e;

	if (m->nb_segs != 1 || rte_pktmbuf_data_len(m) < RTE_ETHER_HDR_LEN)
		return EXIT_KERNEL_FRAME;
	if (l2->ether_type == RTE_BE16(RTE_ETHER_TYPE_ARP)) {
		*f = (struct facts){0};
		rte_pktmbuf_adj(m, RTE_ETHER_HDR_LEN);
		return is_protected || w->p->setup.builtin_arp ? GOES_OUT : EXIT_KERNEL_ARP;
	}
	e = open_frame(m, rte_be_to_cpu_16(l2->ether_type), f);
	if (e != EXIT_COUNT)
		return e;
	if (is_protected)
		return f->protocol == IPPROTO_ESP && !(f->opaque & SPD_OPAQUE_PROTOCOL)
			       ? EXIT_KERNEL_ESP
			       : GOES_OUT;
	return classify_ip(w, rte_pktmbuf_mtod(m, const uint8_t *), f);
}

uint16_t kernel_classify(struct worker *w, struct burst *b)
{
	uint16_t kept = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		unsigned what = classify(w, b->pkt[i], &b->fact[i]);

		b->sa[i] = NULL;
		b->policy[i] = SPD_NOT_JUDGED;
		b->nh[i] = NULL;
		b->reach[i] = REACH_PROTECTED;
		b->out_port[i] = b->pkt[i]->port;
		if (what == GOES_ON)
			burst_keep(b, kept++, i);
		else if (what == GOES_OUT)
			burst_move(&w->lane[LANE_KERNEL_OUT].burst, b, i);
		else
			burst_leave(w, b, i, what);
	}
	return b->n = kept;
}
