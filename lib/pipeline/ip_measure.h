/* SPDX-License-Identifier: BSD-3-Clause */
/* ip_measure.h - measures an IP header before anything believes it: version, lengths, checksum,
 * extension headers, ports. Nothing here reads past the bytes it was given. */
#pragma once

#include <netinet/in.h>
#include <rte_byteorder.h>
#include <rte_ip.h>
#include <rte_mbuf.h>
#include <string.h>

#include "burst.h"

enum measure_verdict {
	MEASURE_OK,
	MEASURE_VERSION,
	MEASURE_LENGTH,
	MEASURE_CHECKSUM,
	MEASURE_EXTENSIONS
};

#define EXTENSIONS_MAX 8

/* Ports or types of the upper-layer header, where this packet shows them. */
static inline void ip_measure_l4(const uint8_t *ip, struct facts *f)
{
	const uint8_t *l4 = ip + f->l4_ofs;
	uint16_t room = f->len - f->l4_ofs;

	f->sport = f->dport = 0;
	if (f->opaque & SPD_OPAQUE_PORTS)
		return;
	switch (f->protocol) {
	case IPPROTO_TCP:
	case IPPROTO_UDP:
	case IPPROTO_SCTP:
	case IPPROTO_DCCP:
	case IPPROTO_UDPLITE:
		if (room < 4)
			break;
		f->sport = l4[0] << 8 | l4[1];
		f->dport = l4[2] << 8 | l4[3];
		return;
	case IPPROTO_ICMP:
	case IPPROTO_ICMPV6:
		if (room < 2)
			break;
		f->sport = l4[0];
		f->dport = l4[1];
		return;
	case IPPROTO_MH:
		if (room < 3)
			break;
		f->sport = l4[2];
		return;
	default: break;
	}
	f->opaque |= SPD_OPAQUE_PORTS;
}

static inline enum measure_verdict ip_measure4(const uint8_t *ip, uint16_t have, struct facts *f)
{
	const struct rte_ipv4_hdr *h = (const struct rte_ipv4_hdr *)ip;
	uint16_t header, frag;

	if (have > 0 && h->version_ihl >> 4 != 4)
		return MEASURE_VERSION;
	if (have < sizeof(*h))
		return MEASURE_LENGTH;
	header = (h->version_ihl & 15) * 4;
	f->len = rte_be_to_cpu_16(h->total_length);
	if (header < sizeof(*h) || f->len < header || f->len > have)
		return MEASURE_LENGTH;
	if (rte_raw_cksum(ip, header) != 0xffff)
		return MEASURE_CHECKSUM;

	f->family = 4;
	f->protocol = h->next_proto_id;
	f->l4_ofs = header;
	f->opaque = 0;
	f->flags = 0;
	frag = rte_be_to_cpu_16(h->fragment_offset);
	if (frag & (RTE_IPV4_HDR_MF_FLAG | RTE_IPV4_HDR_OFFSET_MASK)) {
		f->flags |= FACT_FRAGMENT;
		if (frag & RTE_IPV4_HDR_OFFSET_MASK) {
			f->flags |= FACT_LATER_FRAGMENT;
			f->opaque = SPD_OPAQUE_PORTS;
		}
	}
	if ((ip[16] & 0xf0) == 0xe0 || h->dst_addr == UINT32_MAX)
		f->flags |= FACT_GROUP;
	ip_measure_l4(ip, f);
	return MEASURE_OK;
}

/* The same, for what nearly all packets are: no options, no fragment, TCP, UDP or ESP to one station.
 * False: it may be right, but needs ip_measure4() to say so; f is of no meaning then. */
static inline bool ip_measure_plain4(const uint8_t *ip, uint16_t have, struct facts *f)
{
	uint64_t head, mid, sum;
	uint32_t dst, ports;
	uint16_t len;
	uint8_t protocol;

	if (unlikely(have < sizeof(struct rte_ipv4_hdr) + sizeof(ports)))
		return false;
	memcpy(&head, ip, 8); /* version, TOS, length, identification, fragment */
	memcpy(&mid, ip + 8, 8); /* TTL, protocol, checksum, source */
	memcpy(&dst, ip + 16, 4);
	memcpy(&ports, ip + 20, 4);
	if (unlikely((head & RTE_BE64(0xff00000000003fff)) != RTE_BE64(0x4500000000000000)))
		return false;
	sum = (head & UINT32_MAX) + (head >> 32) + (mid & UINT32_MAX) + (mid >> 32) + dst;
	sum = (sum & UINT32_MAX) + (sum >> 32);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	if (unlikely(((sum & 0xffff) + (sum >> 16)) != 0xffff))
		return false;
	len = rte_be_to_cpu_16(head >> 16);
	protocol = mid >> 8;
	if (unlikely(len > have || len < sizeof(struct rte_ipv4_hdr) + sizeof(ports) ||
		     (dst & RTE_BE32(0xf0000000)) == RTE_BE32(0xe0000000) || dst == UINT32_MAX))
		return false;
	*f = (struct facts){.family = 4,
		.protocol = protocol,
		.len = len,
		.l4_ofs = sizeof(struct rte_ipv4_hdr)};
	if (protocol == IPPROTO_ESP) {
		f->opaque = SPD_OPAQUE_PORTS;
		return true;
	}
	f->sport = rte_be_to_cpu_16(ports);
	f->dport = rte_be_to_cpu_16(ports >> 16);
	return likely(protocol == IPPROTO_UDP || protocol == IPPROTO_TCP);
}

/* Walks the extension headers to the upper-layer header (RFC 8200 4). Behind a later fragment's
 * fragment header nothing is a header: what it names is the protocol only if it is no extension. */
static inline enum measure_verdict ip_measure6_extensions(const uint8_t *ip, struct facts *f)
{
	uint8_t next = ((const struct rte_ipv6_hdr *)ip)->proto;
	uint32_t at = sizeof(struct rte_ipv6_hdr);

	for (unsigned n = 0; n <= EXTENSIONS_MAX; n++) {
		bool is_extension = next == IPPROTO_HOPOPTS || next == IPPROTO_ROUTING ||
				    next == IPPROTO_DSTOPTS;

		if (f->flags & FACT_LATER_FRAGMENT) {
			f->opaque |= SPD_OPAQUE_PORTS;
			if (is_extension || next == IPPROTO_FRAGMENT)
				f->opaque |= SPD_OPAQUE_PROTOCOL;
		} else if (next == IPPROTO_FRAGMENT) {
			uint16_t offset;

			if (at + 8 > f->len)
				return MEASURE_EXTENSIONS;
			offset = ip[at + 2] << 8 | ip[at + 3];
			if (offset & 0xfff9) /* not an atomic fragment (RFC 6946) */
				f->flags |= FACT_FRAGMENT;
			if (offset & 0xfff8)
				f->flags |= FACT_LATER_FRAGMENT;
			next = ip[at];
			at += 8;
			continue;
		} else if (is_extension) {
			if (at + 8 > f->len || at + (ip[at + 1] + 1) * 8 > f->len)
				return MEASURE_EXTENSIONS;
			next = ip[at];
			at += (ip[at + 1] + 1) * 8;
			continue;
		}
		f->protocol = next;
		f->l4_ofs = at;
		ip_measure_l4(ip, f);
		return MEASURE_OK;
	}
	return MEASURE_EXTENSIONS;
}

static inline enum measure_verdict ip_measure6(const uint8_t *ip, uint16_t have, struct facts *f)
{
	const struct rte_ipv6_hdr *h = (const struct rte_ipv6_hdr *)ip;
	uint32_t len;

	if (have > 0 && ip[0] >> 4 != 6)
		return MEASURE_VERSION;
	if (have < sizeof(*h))
		return MEASURE_LENGTH;
	len = sizeof(*h) + rte_be_to_cpu_16(h->payload_len);
	if (len > have)
		return MEASURE_LENGTH;
	f->len = len;
	f->family = 6;
	f->opaque = 0;
	f->flags = ip[offsetof(struct rte_ipv6_hdr, dst_addr)] == 0xff ? FACT_GROUP : 0;
	return ip_measure6_extensions(ip, f);
}

/* Of the IP packet of this family that starts at the data; fills f on MEASURE_OK, and trims what the
 * frame has behind it. The packet is one segment. */
static inline enum measure_verdict ip_measure(struct rte_mbuf *m, uint8_t family, struct facts *f)
{
	const uint8_t *ip = rte_pktmbuf_mtod(m, const uint8_t *);
	uint16_t have = rte_pktmbuf_data_len(m);
	enum measure_verdict v;

	if (likely(family == 4) && likely(ip_measure_plain4(ip, have, f)))
		v = MEASURE_OK;
	else
		v = family == 4 ? ip_measure4(ip, have, f) : ip_measure6(ip, have, f);
	if (v == MEASURE_OK && have > f->len)
		rte_pktmbuf_trim(m, have - f->len);
	return v;
}
