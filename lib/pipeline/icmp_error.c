/* SPDX-License-Identifier: BSD-3-Clause */
/* icmp_error.c - tells a sender why its packet went no further: time exceeded, or the size that fits
 * (RFC 792, RFC 1191, RFC 4443), within RFC 1812 4.3.2's rules and a rate.
 *
 * The answer quotes the packet. What came out of a tunnel is therefore answered through the tunnel,
 * and what came from the protected side stays there. */
#include <rte_ip.h>
#include <string.h>

#include "frame.h"
#include "ip_measure.h"
#include "worker_dp.h"

#define ICMP_LEN   8
#define REPLY_TTL  64
#define REPLY_TOS  0xc0 /* internetwork control, RFC 1812 4.3.2.5 */
#define REPLY_MAX4 576 /* RFC 1812 4.3.2.3 */
#define REPLY_MAX6 1280 /* RFC 4443 2.4 c */
#define IPV4_DF    0x4000

struct icmp_words {
	uint8_t type, code;
	uint32_t rest; /* second word, host order */
};

static struct icmp_words words_for(
	const struct worker *w, const struct burst *b, uint16_t i, enum exit e)
{
	bool is4 = b->fact[i].family == 4;
	uint32_t mtu;

	if (e == EXIT_TTL_EXPIRED)
		return is4 ? (struct icmp_words){11, 0, 0} : (struct icmp_words){3, 0, 0};
	mtu = e == EXIT_OUT_MTU_TOO_BIG ? b->sa[i]->out.room : w->port[b->out_port[i]].route.mtu;
	if (is4)
		return (struct icmp_words){3, 4, mtu};
	return (struct icmp_words){2, 0, RTE_MAX(mtu, (uint32_t)REPLY_MAX6)};
}

/* RFC 1812 4.3.2.7, RFC 4443 2.4 e: never about an ICMP error, a later fragment, or what came to or
 * from more than one station. */
static bool may_answer(const uint8_t *ip, const struct facts *f)
{
	if (f->flags & (FACT_LATER_FRAGMENT | FACT_GROUP))
		return false;
	if (f->family == 4) {
		static const uint32_t queries = 1u << 0 | 1u << 8 | 1u << 13 | 1u << 14;

		if (ip[12] == 0 || ip[12] == 127 || ip[12] >= 0xe0)
			return false;
		return f->protocol != IPPROTO_ICMP ||
		       (!(f->opaque & SPD_OPAQUE_PORTS) && f->sport < 32 &&
			       (queries >> f->sport & 1));
	}
	if (ip[8] == 0xff || memcmp(ip + 8, (const uint8_t[16]){0}, 16) == 0)
		return false;
	return f->protocol != IPPROTO_ICMPV6 ||
	       (!(f->opaque & SPD_OPAQUE_PORTS) && f->sport >= 128);
}

/* Our address to answer from: of the port it came by, or, for what came out of a tunnel, of the
 * protected side that it was for. NULL: we have none. */
static const struct ipaddr *answer_from(
	const struct worker *w, uint16_t port, uint8_t family, bool from_tunnel)
{
	for (uint16_t p = 0; p < w->p->setup.n_ports; p++) {
		const struct route_port *r = &w->port[p].route;

		if (from_tunnel ? r->side != PORT_PROTECTED : p != port)
			continue;
		for (uint16_t k = 0; k < r->n_addresses; k++) {
			const struct ipaddr *a = &r->address[k].addr;

			if (a->family == family && !(family == 6 && a->bytes[0] == 0xfe))
				return a;
		}
	}
	return NULL;
}

static void put_icmp(uint8_t *icmp, const struct icmp_words *words)
{
	uint32_t rest = rte_cpu_to_be_32(words->rest);

	icmp[0] = words->type;
	icmp[1] = words->code;
	icmp[2] = icmp[3] = 0;
	memcpy(icmp + 4, &rest, 4);
}

static void build4(struct rte_mbuf *m, const struct ipaddr *from, const struct icmp_words *words)
{
	struct rte_ipv4_hdr *inner = rte_pktmbuf_mtod(m, struct rte_ipv4_hdr *), *h;
	uint32_t to = inner->src_addr;
	uint16_t sum, icmp_len;
	uint8_t *icmp;

	if (rte_pktmbuf_data_len(m) > REPLY_MAX4 - sizeof(*h) - ICMP_LEN)
		rte_pktmbuf_trim(m, rte_pktmbuf_data_len(m) - (REPLY_MAX4 - sizeof(*h) - ICMP_LEN));
	icmp = (uint8_t *)rte_pktmbuf_prepend(m, ICMP_LEN);
	icmp_len = rte_pktmbuf_data_len(m);
	put_icmp(icmp, words);
	sum = ~rte_raw_cksum(icmp, icmp_len);
	memcpy(icmp + 2, &sum, 2);

	h = (struct rte_ipv4_hdr *)rte_pktmbuf_prepend(m, sizeof(*h));
	*h = (struct rte_ipv4_hdr){
		.version_ihl = RTE_IPV4_VHL_DEF,
		.type_of_service = REPLY_TOS,
		.total_length = rte_cpu_to_be_16(icmp_len + sizeof(*h)),
		.fragment_offset = RTE_BE16(IPV4_DF),
		.time_to_live = REPLY_TTL,
		.next_proto_id = IPPROTO_ICMP,
		.dst_addr = to,
	};
	memcpy(&h->src_addr, from->bytes, 4);
	h->hdr_checksum = rte_ipv4_cksum(h);
}

static void build6(struct rte_mbuf *m, const struct ipaddr *from, const struct icmp_words *words)
{
	struct rte_ipv6_hdr *h;
	uint8_t to[16], *icmp;
	uint16_t sum, icmp_len;

	memcpy(to, rte_pktmbuf_mtod_offset(m, uint8_t *, 8), 16);
	if (rte_pktmbuf_data_len(m) > REPLY_MAX6 - sizeof(*h) - ICMP_LEN)
		rte_pktmbuf_trim(m, rte_pktmbuf_data_len(m) - (REPLY_MAX6 - sizeof(*h) - ICMP_LEN));
	icmp = (uint8_t *)rte_pktmbuf_prepend(m, ICMP_LEN);
	icmp_len = rte_pktmbuf_data_len(m);
	put_icmp(icmp, words);

	h = (struct rte_ipv6_hdr *)rte_pktmbuf_prepend(m, sizeof(*h));
	h->vtc_flow = rte_cpu_to_be_32(6u << 28 | REPLY_TOS << 20);
	h->payload_len = rte_cpu_to_be_16(icmp_len);
	h->proto = IPPROTO_ICMPV6;
	h->hop_limits = REPLY_TTL;
	memcpy(&h->src_addr, from->bytes, 16);
	memcpy(&h->dst_addr, to, 16);
	sum = rte_ipv6_udptcp_cksum(h, icmp);
	memcpy(icmp + 2, &sum, 2);
}

/* Puts the answer where the packet was, and into its lane. False: there is none. */
static bool answer(struct worker *w, struct burst *b, uint16_t i, enum exit e)
{
	struct rte_mbuf *m = b->pkt[i];
	struct facts *f = &b->fact[i];
	struct sa *sa = b->sa[i], *back = NULL;
	bool from_tunnel = sa != NULL && sa->direction == SA_IN;
	struct icmp_words words;
	const struct ipaddr *from;

	if (e == EXIT_NEXTHOP_TOO_BIG && sa != NULL && !from_tunnel)
		return false; /* our own ESP: its sender is us */
	if (!may_answer(rte_pktmbuf_mtod(m, const uint8_t *), f))
		return false;
	from = answer_from(w, m->port, f->family, from_tunnel);
	if (from == NULL ||
		rte_pktmbuf_headroom(m) < sizeof(struct rte_ipv6_hdr) + ICMP_LEN + FRAME_HEADROOM)
		return false;
	if (from_tunnel) {
		back = sa_newest(sa->slot);
		if (back == NULL)
			return false;
	}
	if (!bucket_take(&w->icmp))
		return false;

	words = words_for(w, b, i, e);
	if (f->family == 4)
		build4(m, from, &words);
	else
		build6(m, from, &words);
	ip_measure(m, f->family, f);
	b->sa[i] = back;
	b->nh[i] = NULL; /* it goes back */
	b->reach[i] = w->port[m->port].route.side == PORT_PROTECTED || from_tunnel ? REACH_PROTECTED
										   : REACH_ANY;
	burst_move(&w->lane[from_tunnel ? LANE_REPLY_PROTECT : LANE_REPLY].burst, b, i);
	w->stats.made++;
	return true;
}

void icmp_error(struct worker *w, struct burst *b, uint16_t i, enum exit e)
{
	if (!answer(w, b, i, e))
		worker_free(w, b->pkt[i]);
}
