/* SPDX-License-Identifier: BSD-3-Clause */
/* xfrm_value.c - the small parts that XFRM messages have in common: addresses, limits, marks. */
#include <assert.h>
#include <string.h>
#include <sys/socket.h>

#include "xfrm_wire.h"

static_assert(sizeof(struct xfrm_sa_id) == 32, "an id is compared with memcmp()");

int xfrm_attr_copy(
	const struct xfrm_attrs *attrs, unsigned type, void *out, size_t size, struct why *why)
{
	const struct nlattr *attr = attrs->at[type];

	if (attr == NULL)
		return 0;
	if (mnl_attr_get_payload_len(attr) < size)
		return why_set(why, -EBADMSG,
			"a netlink message has %u bytes in an attribute of type %u, %zu are wanted",
			mnl_attr_get_payload_len(attr), type, size);
	memcpy(out, mnl_attr_get_payload(attr), size);
	return 1;
}

int xfrm_address(const xfrm_address_t *from, uint16_t family, struct ipaddr *out, struct why *why)
{
	static const uint8_t zero[16];
	size_t size = family == AF_INET ? 4 : 16;

	memset(out, 0, sizeof(*out));
	if (family != AF_INET && family != AF_INET6)
		return why_set(why, -EBADMSG,
			"a netlink message has an address of family %u, 2 or 10 is wanted", family);
	if (memcmp(from, zero, size) == 0)
		return 0;
	out->family = family == AF_INET ? 4 : 6;
	memcpy(out->bytes, from, size);
	return 0;
}

void xfrm_address_put(const struct ipaddr *from, xfrm_address_t *out)
{
	memset(out, 0, sizeof(*out));
	memcpy(out, from->bytes, ipaddr_size(from));
}

uint16_t xfrm_family(const struct ipaddr *a)
{
	return a->family == 4 ? AF_INET : a->family == 6 ? AF_INET6 : AF_UNSPEC;
}

/* A limit of 0 bytes or packets is over before the first, as one of 1 is; but 0 here is none. */
static uint64_t amount(uint64_t limit)
{
	return limit == XFRM_INF ? 0 : limit == 0 ? 1 : limit;
}

static uint64_t seconds(uint64_t limit)
{
	return limit == XFRM_INF ? 0 : limit;
}

void xfrm_lifetime_read(const struct xfrm_lifetime_cfg *from, struct xfrm_lifetime *out)
{
	*out = (struct xfrm_lifetime){
		.soft_bytes = amount(from->soft_byte_limit),
		.hard_bytes = amount(from->hard_byte_limit),
		.soft_packets = amount(from->soft_packet_limit),
		.hard_packets = amount(from->hard_packet_limit),
		.soft_add_s = seconds(from->soft_add_expires_seconds),
		.hard_add_s = seconds(from->hard_add_expires_seconds),
		.soft_use_s = seconds(from->soft_use_expires_seconds),
		.hard_use_s = seconds(from->hard_use_expires_seconds),
	};
}

void xfrm_usage_read(const struct xfrm_lifetime_cur *from, struct xfrm_usage *out)
{
	*out = (struct xfrm_usage){
		.bytes = from->bytes,
		.packets = from->packets,
		.added = from->add_time,
		.first_used = from->use_time,
	};
}

int xfrm_mark_read(const struct xfrm_attrs *attrs, uint64_t *out, struct why *why)
{
	struct xfrm_mark mark = {0};
	int rc = xfrm_attr_copy(attrs, XFRMA_MARK, &mark, sizeof(mark), why);

	*out = (uint64_t)mark.m << 32 | mark.v;
	return rc < 0 ? rc : 0;
}

static int prefix(struct why *why, int rc, const char *text)
{
	struct why reason;

	if (why == NULL)
		return rc;
	reason = *why;
	/* The name of what is refused stands first; of the reason, what fits behind it. */
	return why_set(why, rc, "%s: %.400s", text, reason.text);
}

int xfrm_why_sa(struct why *why, int rc, const struct xfrm_sa_id *id)
{
	char text[IPADDR_STRLEN + 32], dst[IPADDR_STRLEN];

	snprintf(text, sizeof(text), "SPI 0x%08x to %s", id->spi,
		ipaddr_is_any(&id->dst) ? "any" : ipaddr_format(&id->dst, dst));
	return prefix(why, rc, text);
}

int xfrm_why_policy(struct why *why, int rc, const struct xfrm_policy *policy)
{
	char text[2 * IPADDR_RANGE_STRLEN + 64], src[IPADDR_RANGE_STRLEN], dst[IPADDR_RANGE_STRLEN];

	snprintf(text, sizeof(text), "kernel policy %u, %s from %s to %s", policy->index,
		policy->direction == POLICY_OUT ? "out"
		: policy->is_forward            ? "fwd"
						: "in",
		ipaddr_range_format(&policy->traffic.src, src),
		ipaddr_range_format(&policy->traffic.dst, dst));
	return prefix(why, rc, text);
}
