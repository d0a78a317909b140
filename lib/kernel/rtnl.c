/* SPDX-License-Identifier: BSD-3-Clause */
/* rtnl.c - what rtnetlink messages say. */
#include "rtnl.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <string.h>

#define ATTRS_MAX 64

/* The attributes behind a family header; NULL: none of that type. Attributes are not aligned to more than
 * four bytes, and are copied out. */
struct attrs {
	const struct nlattr *at[ATTRS_MAX];
};

static int bad(struct why *why, const char *what)
{
	return why_set(why, -EBADMSG, "a netlink message %s", what);
}

/* Any bytes: what is no whole attribute ends the walk with -EBADMSG. */
static int walk(const uint8_t *at, size_t size, struct attrs *out, struct why *why)
{
	memset(out, 0, sizeof(*out));
	while (size >= sizeof(struct nlattr)) {
		const struct nlattr *a = (const struct nlattr *)at;
		size_t step = MNL_ALIGN(a->nla_len);

		if (a->nla_len < sizeof(*a) || a->nla_len > size)
			return bad(why, "has an attribute that ends outside of it");
		if (mnl_attr_get_type(a) < ATTRS_MAX)
			out->at[mnl_attr_get_type(a)] = a;
		at += step < size ? step : size;
		size -= step < size ? step : size;
	}
	return 0;
}

static bool get_u32(const struct nlattr *a, uint32_t *out)
{
	if (a == NULL || mnl_attr_get_payload_len(a) < sizeof(*out))
		return false;
	memcpy(out, mnl_attr_get_payload(a), sizeof(*out));
	return true;
}

static bool get_mac(const struct nlattr *a, uint8_t mac[6])
{
	if (a == NULL || mnl_attr_get_payload_len(a) != 6)
		return false;
	memcpy(mac, mnl_attr_get_payload(a), 6);
	return true;
}

static bool get_ipaddr(const struct nlattr *a, uint8_t af, struct ipaddr *out)
{
	size_t size = af == AF_INET ? 4 : 16;

	if (a == NULL || mnl_attr_get_payload_len(a) != size)
		return false;
	*out = (struct ipaddr){.family = af == AF_INET ? 4 : 6};
	memcpy(out->bytes, mnl_attr_get_payload(a), size);
	return true;
}

static bool is_ip(uint8_t af)
{
	return af == AF_INET || af == AF_INET6;
}

static int parse_link(
	const struct ifinfomsg *h, const struct attrs *a, struct rtnl_link *out, struct why *why)
{
	const struct nlattr *name = a->at[IFLA_IFNAME];
	size_t len = name == NULL
			     ? 0
			     : strnlen(mnl_attr_get_payload(name), mnl_attr_get_payload_len(name));

	if (h->ifi_index <= 0 || len == 0 || len >= sizeof(out->name))
		return bad(why, "speaks of a link without an index or a name");
	*out = (struct rtnl_link){.index = h->ifi_index, .is_up = h->ifi_flags & IFF_UP};
	memcpy(out->name, mnl_attr_get_payload(name), len);
	get_u32(a->at[IFLA_MTU], &out->mtu);
	out->has_mac = get_mac(a->at[IFLA_ADDRESS], out->mac);
	return 0;
}

/* IFA_LOCAL is our end where the link has two, IFA_ADDRESS the prefix's. */
static int parse_address(
	const struct ifaddrmsg *h, const struct attrs *a, struct rtnl_address *out, struct why *why)
{
	const struct nlattr *mine =
		a->at[IFA_LOCAL] != NULL ? a->at[IFA_LOCAL] : a->at[IFA_ADDRESS];

	*out = (struct rtnl_address){.index = h->ifa_index, .address.len = h->ifa_prefixlen};
	if (!get_ipaddr(mine, h->ifa_family, &out->address.addr) ||
		h->ifa_prefixlen > 8 * ipaddr_size(&out->address.addr))
		return bad(why, "speaks of an address and does not tell it");
	return 0;
}

/* RFC 5549: an IPv4 route may have an IPv6 next hop, in RTA_VIA. */
static bool get_via(const struct attrs *a, uint8_t af, struct ipaddr *out)
{
	const struct nlattr *via = a->at[RTA_VIA];
	uint16_t family;

	if (a->at[RTA_GATEWAY] != NULL)
		return get_ipaddr(a->at[RTA_GATEWAY], af, out);
	if (via == NULL)
		return true; /* on link */
	if (mnl_attr_get_payload_len(via) != sizeof(family) + 16)
		return false;
	memcpy(&family, mnl_attr_get_payload(via), sizeof(family));
	if (family != AF_INET6)
		return false;
	*out = (struct ipaddr){.family = 6};
	memcpy(out->bytes, (const uint8_t *)mnl_attr_get_payload(via) + sizeof(family), 16);
	return true;
}

static int parse_legs(
	const struct nlattr *multipath, uint8_t af, struct rtnl_route *out, struct why *why)
{
	const uint8_t *at = mnl_attr_get_payload(multipath);
	size_t size = mnl_attr_get_payload_len(multipath);

	while (size >= sizeof(struct rtnexthop) && out->n_legs < RTNL_LEGS_MAX) {
		const struct rtnexthop *h = (const struct rtnexthop *)at;
		struct rtnl_leg *leg = &out->leg[out->n_legs++];
		size_t step = RTNH_ALIGN(h->rtnh_len);
		struct attrs a;

		if (h->rtnh_len < sizeof(*h) || h->rtnh_len > size)
			return bad(why, "has a next hop that ends outside of it");
		if (walk(at + sizeof(*h), h->rtnh_len - sizeof(*h), &a, why) < 0)
			return -EBADMSG;
		*leg = (struct rtnl_leg){.index = h->rtnh_ifindex,
			.is_dead = h->rtnh_flags & (RTNH_F_DEAD | RTNH_F_LINKDOWN)};
		if (!get_via(&a, af, &leg->via))
			return bad(why, "has a next hop of another family");
		at += step < size ? step : size;
		size -= step < size ? step : size;
	}
	return 0;
}

static int parse_route(
	const struct rtmsg *h, const struct attrs *a, struct rtnl_route *out, struct why *why)
{
	struct rtnl_leg *leg = &out->leg[0];

	*out = (struct rtnl_route){.table = h->rtm_table, .to.len = h->rtm_dst_len};
	out->to.addr.family = h->rtm_family == AF_INET ? 4 : 6;
	get_u32(a->at[RTA_TABLE], &out->table);
	get_u32(a->at[RTA_PRIORITY], &out->metric);
	out->is_blackhole = h->rtm_type == RTN_BLACKHOLE || h->rtm_type == RTN_UNREACHABLE ||
			    h->rtm_type == RTN_PROHIBIT;
	out->is_forwarding =
		(h->rtm_type == RTN_UNICAST || out->is_blackhole) && !(h->rtm_flags & RTM_F_CLONED);
	if (h->rtm_dst_len > 8 * ipaddr_size(&out->to.addr) ||
		(h->rtm_dst_len > 0 && !get_ipaddr(a->at[RTA_DST], h->rtm_family, &out->to.addr)))
		return bad(why, "speaks of a route and does not tell where it leads");
	if (a->at[RTA_MULTIPATH] != NULL)
		return parse_legs(a->at[RTA_MULTIPATH], h->rtm_family, out, why);
	if (!get_u32(a->at[RTA_OIF], &leg->index))
		return 0;
	leg->is_dead = h->rtm_flags & (RTNH_F_DEAD | RTNH_F_LINKDOWN);
	out->n_legs = 1;
	if (!get_via(a, h->rtm_family, &leg->via))
		return bad(why, "has a next hop of another family");
	return 0;
}

static int parse_neighbour(
	const struct ndmsg *h, const struct attrs *a, struct rtnl_neighbour *out, struct why *why)
{
	const uint16_t usable =
		NUD_REACHABLE | NUD_STALE | NUD_DELAY | NUD_PROBE | NUD_PERMANENT | NUD_NOARP;

	*out = (struct rtnl_neighbour){.index = h->ndm_ifindex};
	if (!get_ipaddr(a->at[NDA_DST], h->ndm_family, &out->address))
		return bad(why, "speaks of a neighbour and does not tell its address");
	out->is_usable = (h->ndm_state & usable) != 0 && get_mac(a->at[NDA_LLADDR], out->mac);
	out->is_stale = out->is_usable && (h->ndm_state & NUD_STALE);
	return 0;
}

static size_t header_of(uint16_t type, enum rtnl_kind *kind)
{
	switch (type) {
	case RTM_NEWLINK:
	case RTM_DELLINK: *kind = RTNL_LINK; return sizeof(struct ifinfomsg);
	case RTM_NEWADDR:
	case RTM_DELADDR: *kind = RTNL_ADDRESS; return sizeof(struct ifaddrmsg);
	case RTM_NEWROUTE:
	case RTM_DELROUTE: *kind = RTNL_ROUTE; return sizeof(struct rtmsg);
	case RTM_NEWNEIGH:
	case RTM_DELNEIGH: *kind = RTNL_NEIGHBOUR; return sizeof(struct ndmsg);
	default: *kind = RTNL_OTHER; return 0;
	}
}

int rtnl_parse(const void *bytes, size_t size, struct rtnl_message *out, struct why *why)
{
	const struct nlmsghdr *m = bytes;
	const uint8_t *family;
	struct attrs a;
	size_t header;

	memset(out, 0, sizeof(*out));
	if (size < sizeof(*m) || m->nlmsg_len < sizeof(*m) || m->nlmsg_len > size)
		return bad(why, "is not as long as it says");
	header = header_of(m->nlmsg_type, &out->kind);
	if (out->kind == RTNL_OTHER)
		return 0;
	if (m->nlmsg_len < sizeof(*m) + header)
		return bad(why, "ends before its header does");
	family = (const uint8_t *)bytes + sizeof(*m); /* of all four headers the first byte */
	if (out->kind == RTNL_LINK ? *family != AF_UNSPEC : !is_ip(*family)) {
		out->kind = RTNL_OTHER;
		return 0;
	}
	if (walk(family + MNL_ALIGN(header), m->nlmsg_len - sizeof(*m) - MNL_ALIGN(header), &a,
		    why) < 0)
		return -EBADMSG;
	out->is_gone = m->nlmsg_type == RTM_DELLINK || m->nlmsg_type == RTM_DELADDR ||
		       m->nlmsg_type == RTM_DELROUTE || m->nlmsg_type == RTM_DELNEIGH;
	switch (out->kind) {
	case RTNL_LINK: return parse_link((const void *)family, &a, &out->link, why);
	case RTNL_ADDRESS: return parse_address((const void *)family, &a, &out->address, why);
	case RTNL_ROUTE: return parse_route((const void *)family, &a, &out->route, why);
	default: return parse_neighbour((const void *)family, &a, &out->neighbour, why);
	}
}
