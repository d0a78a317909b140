/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.c - opens an Ethernet frame: is it for this port, of its VLAN, and what does it carry. */
#include "frame.h"

#include <rte_ether.h>

#include "ip_measure.h"
#include "worker_dp.h"

#define TPID_8021Q  0x8100
#define TPID_8021AD 0x88a8
#define VID_MASK    0x0fff

static uint16_t be16_at(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

static bool is_tpid(uint16_t type)
{
	return type == TPID_8021Q || type == TPID_8021AD;
}

/* Everything behind works on one segment. Ports are given buffers that hold their MTU, so a chain is
 * rare: a port's own idea, or a frame longer than the MTU. */
static bool make_one_segment(struct rte_mbuf *m)
{
	return m->nb_segs == 1 || rte_pktmbuf_linearize(m) == 0;
}

/* Takes away what lies between the MAC addresses and the Ethertype: in front of an opened packet stand the
 * 14 bytes of an untagged header, which punt() goes back to. */
static void untag(struct rte_mbuf *m, uint16_t n_bytes)
{
	uint8_t *frame = rte_pktmbuf_mtod(m, uint8_t *);

	memmove(frame + n_bytes, frame, 2 * RTE_ETHER_ADDR_LEN);
	rte_pktmbuf_adj(m, n_bytes);
}

/* Steps over the tags that the port has; *at is left at the Ethertype. A priority tag (VID 0) belongs
 * to the untagged LAN (IEEE 802.1Q 6.9). A tag that the port itself took off is in the mbuf. */
static bool step_over_tags(const struct port *port, struct rte_mbuf *m, uint16_t have, uint16_t *at)
{
	const uint8_t *frame = rte_pktmbuf_mtod(m, const uint8_t *);
	uint8_t n = 0;

	if (m->ol_flags & RTE_MBUF_F_RX_VLAN_STRIPPED) {
		uint16_t vid = m->vlan_tci & VID_MASK;

		if (vid != (port->route.n_vlans > 0 ? port->route.vlan[n++] : 0))
			return false;
	}
	for (; n < port->route.n_vlans; n++) {
		if (have < *at + 6 || !is_tpid(be16_at(frame + *at)) ||
			(be16_at(frame + *at + 2) & VID_MASK) != port->route.vlan[n])
			return false;
		*at += 4;
	}
	if (port->route.n_vlans == 0 && have >= *at + 6 && be16_at(frame + *at) == TPID_8021Q &&
		(be16_at(frame + *at + 2) & VID_MASK) == 0)
		*at += 4;
	return true;
}

static enum frame_verdict ip_to_frame(enum measure_verdict v)
{
	switch (v) {
	case MEASURE_OK: return FRAME_OK;
	case MEASURE_VERSION: return FRAME_VERSION;
	case MEASURE_LENGTH: return FRAME_LENGTH;
	case MEASURE_CHECKSUM: return FRAME_CHECKSUM;
	case MEASURE_EXTENSIONS: return FRAME_EXTENSIONS;
	}
	return FRAME_LENGTH;
}

/* What nearly all frames are: untagged, to this port, IPv4 in one segment. False: it may be one of
 * these, but it takes the long way. */
static inline bool is_plain4(const struct port *port, const struct rte_mbuf *m)
{
	const uint8_t *frame = rte_pktmbuf_mtod(m, const uint8_t *);
	uint32_t head, ours;
	uint16_t tail, our_tail, type;

	if (unlikely(m->nb_segs != 1 || rte_pktmbuf_data_len(m) < RTE_ETHER_HDR_LEN))
		return false;
	memcpy(&head, frame, 4);
	memcpy(&tail, frame + 4, 2);
	memcpy(&type, frame + 12, 2);
	memcpy(&ours, port->route.mac, 4);
	memcpy(&our_tail, port->route.mac + 4, 2);
	return head == ours && tail == our_tail && type == RTE_BE16(RTE_ETHER_TYPE_IPV4) &&
	       port->route.n_vlans == 0 && !(m->ol_flags & RTE_MBUF_F_RX_VLAN_STRIPPED);
}

/* The same as frame_open(), for such a frame. False: that has to say what is wrong. */
static inline bool open_plain4(struct rte_mbuf *m, struct facts *f)
{
	const uint8_t *ip = rte_pktmbuf_mtod_offset(m, const uint8_t *, RTE_ETHER_HDR_LEN);

	if (unlikely(m->data_off + RTE_ETHER_HDR_LEN < FRAME_HEADROOM ||
		     !ip_measure_plain4(ip, m->data_len - RTE_ETHER_HDR_LEN, f)))
		return false;
	m->data_off += RTE_ETHER_HDR_LEN;
	m->data_len = f->len;
	m->pkt_len = f->len;
	return true;
}

enum frame_verdict frame_open(const struct port *port, struct rte_mbuf *m, struct facts *f)
{
	const uint8_t *frame;
	uint16_t have, type, at = 2 * RTE_ETHER_ADDR_LEN;
	bool is_group;
	enum frame_verdict v;

	if (unlikely(!make_one_segment(m)))
		return FRAME_NO_ROOM;
	frame = rte_pktmbuf_mtod(m, const uint8_t *);
	have = rte_pktmbuf_data_len(m);
	if (unlikely(have < RTE_ETHER_HDR_LEN))
		return FRAME_RUNT;
	is_group = frame[0] & 1;
	if (unlikely(!is_group && memcmp(frame, port->route.mac, RTE_ETHER_ADDR_LEN) != 0))
		return FRAME_MAC;
	if (unlikely(!step_over_tags(port, m, have, &at)))
		return FRAME_VLAN;
	if (unlikely(have < at + 2))
		return FRAME_RUNT;
	type = be16_at(frame + at);
	if (unlikely(is_tpid(type)))
		return FRAME_VLAN;
	if (at > 2 * RTE_ETHER_ADDR_LEN)
		untag(m, at - 2 * RTE_ETHER_ADDR_LEN);
	if (type == RTE_ETHER_TYPE_ARP)
		return FRAME_ARP;
	if (unlikely(type != RTE_ETHER_TYPE_IPV4 && type != RTE_ETHER_TYPE_IPV6))
		return FRAME_NOT_IP;

	rte_pktmbuf_adj(m, RTE_ETHER_HDR_LEN);
	if (unlikely(rte_pktmbuf_headroom(m) < FRAME_HEADROOM))
		return FRAME_NO_ROOM;
	v = ip_to_frame(ip_measure(m, type == RTE_ETHER_TYPE_IPV4 ? 4 : 6, f));
	/* RFC 1122 3.3.6: what came to all stations and is meant for one is dropped. */
	if (v == FRAME_OK && is_group && !(f->flags & FACT_GROUP))
		return FRAME_MAC;
	return v;
}

uint16_t frames_open(struct worker *w, struct burst *b, const enum exit exit_of[FRAME_VERDICTS])
{
	uint16_t kept = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		struct rte_mbuf *m = b->pkt[i];
		enum frame_verdict v;

		if (i + 1 < b->n)
			rte_prefetch0(rte_pktmbuf_mtod(b->pkt[i + 1], void *));
		if (likely(is_plain4(&w->port[m->port], m)) && likely(open_plain4(m, &b->fact[i])))
			v = FRAME_OK;
		else
			v = frame_open(&w->port[m->port], m, &b->fact[i]);
		if (unlikely(v != FRAME_OK)) {
			burst_leave(w, b, i, exit_of[v]);
			continue;
		}
		b->sa[i] = NULL;
		b->policy[i] = SPD_NOT_JUDGED;
		b->nh[i] = NULL;
		b->reach[i] = REACH_PROTECTED;
		burst_keep(b, kept++, i);
	}
	return b->n = kept;
}
