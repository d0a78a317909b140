/* SPDX-License-Identifier: BSD-3-Clause */
/* xfrm_selector.c - the kernel's selectors and what they mean by protocol. */
#include <string.h>
#include <sys/socket.h>

#include "xfrm_wire.h"

enum { ICMP = 1, GRE = 47, ICMPV6 = 58, MH = 135 };

#define PORTS_ANY ((struct policy_range){0, UINT16_MAX})
#define BYTES_ANY ((struct policy_range){0, UINT8_MAX})

static bool has_ports(uint8_t protocol)
{
	return protocol == 6 || protocol == 17 || protocol == 33 || protocol == 132 ||
	       protocol == 136;
}

static bool is_any(struct policy_range range)
{
	return range.first == 0 && range.last == UINT16_MAX;
}

static int read_prefix(const xfrm_address_t *from, uint16_t family, uint8_t len,
	struct ipaddr_range *out, struct why *why)
{
	struct ipaddr_prefix p = {.addr.family = family == AF_INET6 ? 6 : 4, .len = len};
	unsigned bits = family == AF_INET6 ? 128 : 32;

	if (len > bits)
		return why_set(why, -EBADMSG,
			"a netlink message has a prefix of %u bits, up to %u are wanted", len,
			bits);
	memcpy(p.addr.bytes, from, bits / 8);
	*out = ipaddr_prefix_range(&p);
	return 0;
}

/* The numbers that are like value where mask has ones, if they are one range. */
static int read_masked(
	uint16_t value_be, uint16_t mask_be, struct policy_range *out, struct why *why)
{
	uint16_t value = ntohs(value_be), free = ~ntohs(mask_be);

	*out = PORTS_ANY;
	if ((free & (free + 1)) != 0)
		return why_set(why, -ENOTSUP,
			"the mask 0x%04x of its ports has holes, one with all its ones in front is "
			"wanted",
			ntohs(mask_be));
	*out = (struct policy_range){value & ~free, value | free};
	return 0;
}

static int read_byte(
	struct policy_range from, const char *what, struct policy_range *out, struct why *why)
{
	if (is_any(from))
		return 0;
	if (from.last > UINT8_MAX)
		return why_set(why, -ENOTSUP, "%s %u-%u is asked for, up to 255 is wanted", what,
			from.first, from.last);
	*out = from;
	return 0;
}

/* The kernel keeps type and code of ICMP, and a mobility header's type, where ports would be. */
static int place(struct policy_range sport, struct policy_range dport, struct xfrm_traffic *out,
	struct why *why)
{
	int rc;

	/* With any protocol the kernel compares the type of ICMP too, which nobody means by a port. */
	if (out->protocol == 0 || has_ports(out->protocol)) {
		out->src_ports = sport;
		out->dst_ports = dport;
		return 0;
	}
	if (out->protocol == ICMP || out->protocol == ICMPV6) {
		rc = read_byte(sport, "ICMP type", &out->icmp_type, why);
		return rc < 0 ? rc : read_byte(dport, "ICMP code", &out->icmp_code, why);
	}
	if (is_any(sport) && is_any(dport))
		return 0;
	if (out->protocol == MH && is_any(dport))
		return read_byte(sport, "mobility header type", &out->mh_type, why);
	if (out->protocol == GRE)
		return why_set(why, -ENOTSUP,
			"it asks for a key of GRE, which is not looked at here; one without 'key' "
			"is wanted");
	return why_set(why, -ENOTSUP,
		"it asks for ports, which protocol %u does not have; one without is wanted",
		out->protocol);
}

int xfrm_traffic_read(const struct xfrm_selector *from, struct xfrm_traffic *out, struct why *why)
{
	struct policy_range sport = PORTS_ANY, dport = PORTS_ANY;
	int rc;

	*out = (struct xfrm_traffic){
		.protocol = from->proto,
		.src_ports = PORTS_ANY,
		.dst_ports = PORTS_ANY,
		.icmp_type = BYTES_ANY,
		.icmp_code = BYTES_ANY,
		.mh_type = BYTES_ANY,
		.ifindex = from->ifindex,
	};
	if (from->family != AF_INET && from->family != AF_INET6 && from->family != AF_UNSPEC)
		return why_set(why, -EBADMSG,
			"a netlink message has a selector of family %u, 2 or 10 is wanted",
			from->family);
	rc = read_prefix(&from->saddr, from->family, from->prefixlen_s, &out->src, why);
	if (rc == 0)
		rc = read_prefix(&from->daddr, from->family, from->prefixlen_d, &out->dst, why);
	if (rc == 0)
		rc = read_masked(from->sport, from->sport_mask, &sport, why);
	if (rc == 0)
		rc = read_masked(from->dport, from->dport_mask, &dport, why);
	return rc < 0 ? rc : place(sport, dport, out, why);
}

static uint8_t prefix_len(const struct ipaddr_range *range)
{
	uint8_t len = 0, bits = 8 * ipaddr_size(&range->first);

	while (len < bits &&
		((range->first.bytes[len / 8] ^ range->last.bytes[len / 8]) & 0x80 >> len % 8) == 0)
		len++;
	return len;
}

static void put_masked(struct policy_range range, uint16_t *value_be, uint16_t *mask_be)
{
	*value_be = htons(range.first);
	*mask_be = htons(~(range.first ^ range.last));
}

void xfrm_traffic_put(const struct xfrm_traffic *from, struct xfrm_selector *out)
{
	struct policy_range sport = from->src_ports, dport = from->dst_ports;

	memset(out, 0, sizeof(*out));
	if (from->protocol == ICMP || from->protocol == ICMPV6) {
		sport = from->icmp_type.last == UINT8_MAX ? PORTS_ANY : from->icmp_type;
		dport = from->icmp_code.last == UINT8_MAX ? PORTS_ANY : from->icmp_code;
	} else if (from->protocol == MH) {
		sport = from->mh_type.last == UINT8_MAX ? PORTS_ANY : from->mh_type;
	}
	out->family = xfrm_family(&from->src.first);
	xfrm_address_put(&from->src.first, &out->saddr);
	xfrm_address_put(&from->dst.first, &out->daddr);
	out->prefixlen_s = prefix_len(&from->src);
	out->prefixlen_d = prefix_len(&from->dst);
	put_masked(sport, &out->sport, &out->sport_mask);
	put_masked(dport, &out->dport, &out->dport_mask);
	out->proto = from->protocol;
	out->ifindex = from->ifindex;
}
