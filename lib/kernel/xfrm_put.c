/* SPDX-License-Identifier: BSD-3-Clause */
/* xfrm_put.c - requests to the kernel's XFRM netlink. */
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "xfrm_wire.h"

/* A message with head bytes of zeroes, and room for attrs bytes of attributes; NULL: too small. */
static struct nlmsghdr *begin(void *buf, size_t size, uint16_t type, uint16_t flags, uint32_t seq,
	size_t head, size_t attrs)
{
	struct nlmsghdr *m = buf;

	if (size < sizeof(*m) + NLMSG_ALIGN(head) + attrs)
		return NULL;
	m = mnl_nlmsg_put_header(buf);
	m->nlmsg_type = type;
	m->nlmsg_flags = NLM_F_REQUEST | flags;
	m->nlmsg_seq = seq;
	if (head > 0)
		mnl_nlmsg_put_extra_header(m, head);
	return m;
}

int xfrm_put_dump_sas(void *buf, size_t size, uint32_t seq)
{
	struct nlmsghdr *m = begin(buf, size, XFRM_MSG_GETSA, NLM_F_DUMP, seq, 0, 0);

	return m == NULL ? -ENOBUFS : (int)m->nlmsg_len;
}

int xfrm_put_dump_policies(void *buf, size_t size, uint32_t seq)
{
	struct nlmsghdr *m = begin(buf, size, XFRM_MSG_GETPOLICY, NLM_F_DUMP, seq, 0, 0);

	return m == NULL ? -ENOBUFS : (int)m->nlmsg_len;
}

#define MARK_SIZE (NLA_HDRLEN + sizeof(struct xfrm_mark))

static void put_mark(struct nlmsghdr *m, uint64_t mark)
{
	struct xfrm_mark value = {.v = mark, .m = mark >> 32};

	if (mark != 0)
		mnl_attr_put(m, XFRMA_MARK, sizeof(value), &value);
}

int xfrm_put_get_sa(void *buf, size_t size, uint32_t seq, const struct xfrm_sa_id *id)
{
	struct xfrm_usersa_id *to;
	struct nlmsghdr *m =
		begin(buf, size, XFRM_MSG_GETSA, NLM_F_ACK, seq, sizeof(*to), MARK_SIZE);

	if (m == NULL)
		return -ENOBUFS;
	to = mnl_nlmsg_get_payload(m);
	xfrm_address_put(&id->dst, &to->daddr);
	to->spi = htonl(id->spi);
	to->family = xfrm_family(&id->dst);
	to->proto = id->protocol;
	put_mark(m, id->mark);
	return m->nlmsg_len;
}

int xfrm_put_expire(void *buf, size_t size, uint32_t seq, const struct xfrm_sa_id *id, bool is_hard)
{
	struct xfrm_user_expire expire = {
		.state.id = {.spi = htonl(id->spi), .proto = id->protocol},
		.state.family = xfrm_family(&id->dst),
		.hard = is_hard,
	};
	struct nlmsghdr *m =
		begin(buf, size, XFRM_MSG_EXPIRE, NLM_F_ACK, seq, sizeof(expire), MARK_SIZE);

	if (m == NULL)
		return -ENOBUFS;
	xfrm_address_put(&id->dst, &expire.state.id.daddr);
	memcpy(mnl_nlmsg_get_payload(m), &expire, sizeof(expire));
	put_mark(m, id->mark);
	return m->nlmsg_len;
}

static void put_policy(const struct xfrm_policy *policy, struct xfrm_userpolicy_info *out)
{
	/* The kernel makes a policy of it for as long as it asks. */
	*out = (struct xfrm_userpolicy_info){
		.lft = {.soft_byte_limit = XFRM_INF,
			.hard_byte_limit = XFRM_INF,
			.soft_packet_limit = XFRM_INF,
			.hard_packet_limit = XFRM_INF},
		.priority = policy->priority,
		.index = policy->index,
		.dir = XFRM_POLICY_OUT,
		.action = XFRM_POLICY_ALLOW,
		.flags = policy->takes_icmp ? XFRM_POLICY_ICMP : 0,
	};
	xfrm_traffic_put(&policy->traffic, &out->sel);
}

int xfrm_put_acquire(void *buf, size_t size, uint32_t seq, const struct xfrm_policy *policy,
	const struct xfrm_traffic *traffic)
{
	const struct xfrm_template *t = &policy->tmpl;
	const struct ipaddr *src = ipaddr_is_any(&t->src) ? &traffic->src.first : &t->src;
	const struct ipaddr *dst = ipaddr_is_any(&t->dst) ? &traffic->dst.first : &t->dst;
	struct xfrm_user_acquire acquire = {
		.id = {.proto = IPPROTO_ESP},
		.aalgos = UINT32_MAX,
		.ealgos = UINT32_MAX,
		.calgos = UINT32_MAX,
		.seq = seq,
	};
	struct xfrm_user_tmpl tmpl = {
		.id = {.proto = IPPROTO_ESP},
		.family = xfrm_family(dst),
		.reqid = t->reqid,
		.mode = t->is_transport ? XFRM_MODE_TRANSPORT : XFRM_MODE_TUNNEL,
		.aalgos = UINT32_MAX,
		.ealgos = UINT32_MAX,
		.calgos = UINT32_MAX,
	};
	struct nlmsghdr *m = begin(buf, size, XFRM_MSG_ACQUIRE, NLM_F_ACK, seq, sizeof(acquire),
		NLA_HDRLEN + sizeof(tmpl) + MARK_SIZE + NLA_HDRLEN + sizeof(policy->if_id));

	if (m == NULL)
		return -ENOBUFS;
	xfrm_address_put(src, &acquire.saddr);
	xfrm_address_put(dst, &acquire.id.daddr);
	xfrm_address_put(&t->src, &tmpl.saddr);
	xfrm_address_put(&t->dst, &tmpl.id.daddr);
	xfrm_traffic_put(traffic, &acquire.sel);
	put_policy(policy, &acquire.policy);
	memcpy(mnl_nlmsg_get_payload(m), &acquire, sizeof(acquire));
	mnl_attr_put(m, XFRMA_TMPL, sizeof(tmpl), &tmpl);
	put_mark(m, policy->mark);
	if (policy->if_id != 0)
		mnl_attr_put_u32(m, XFRMA_IF_ID, policy->if_id);
	return m->nlmsg_len;
}
