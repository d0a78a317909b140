/* SPDX-License-Identifier: BSD-3-Clause */
/* xfrm.c - tells which kind a message of XFRM netlink is, and takes it to pieces. */
#include "xfrm_wire.h"

#include <string.h>
#include <sys/socket.h>

#define PROTO_ANY 255 /* of a flush: all */

/* What stands before the attributes, by type; 0: a message that is not looked into. */
static size_t head_size(uint16_t type)
{
	switch (type) {
	case XFRM_MSG_NEWSA:
	case XFRM_MSG_UPDSA: return sizeof(struct xfrm_usersa_info);
	case XFRM_MSG_DELSA: return sizeof(struct xfrm_usersa_id);
	case XFRM_MSG_EXPIRE: return sizeof(struct xfrm_user_expire);
	case XFRM_MSG_FLUSHSA: return sizeof(struct xfrm_usersa_flush);
	case XFRM_MSG_NEWPOLICY:
	case XFRM_MSG_UPDPOLICY: return sizeof(struct xfrm_userpolicy_info);
	case XFRM_MSG_DELPOLICY: return sizeof(struct xfrm_userpolicy_id);
	case XFRM_MSG_POLEXPIRE: return sizeof(struct xfrm_user_polexpire);
	case XFRM_MSG_ACQUIRE: return sizeof(struct xfrm_user_acquire);
	default: return 0;
	}
}

static int read_attrs(const uint8_t *at, size_t left, struct xfrm_attrs *out, struct why *why)
{
	while (left >= sizeof(struct nlattr)) {
		const struct nlattr *attr = (const struct nlattr *)at;
		size_t step = NLA_ALIGN(attr->nla_len);

		if (attr->nla_len < sizeof(*attr) || attr->nla_len > left)
			return why_set(why, -EBADMSG,
				"a netlink message has an attribute of %u bytes where %zu are left",
				attr->nla_len, left);
		if (mnl_attr_get_type(attr) < XFRM_ATTRS)
			out->at[mnl_attr_get_type(attr)] = attr;
		at += step < left ? step : left;
		left -= step < left ? step : left;
	}
	return 0;
}

static int read_sa(const struct nlmsghdr *m, const struct xfrm_attrs *attrs,
	struct xfrm_message *out, struct why *why)
{
	struct xfrm_usersa_info info;

	memcpy(&info, mnl_nlmsg_get_payload(m), sizeof(info));
	if (xfrm_sa_is_larval(&info, attrs))
		return 0;
	out->kind = m->nlmsg_type == XFRM_MSG_NEWSA ? XFRM_KIND_SA_NEW : XFRM_KIND_SA_UPDATE;
	return xfrm_sa_read(&info, attrs, &out->sa, why);
}

static int read_sa_delete(const struct nlmsghdr *m, const struct xfrm_attrs *attrs,
	struct xfrm_message *out, struct why *why)
{
	struct xfrm_sa *sa = &out->sa;
	struct xfrm_usersa_id id;
	int rc;

	memcpy(&id, mnl_nlmsg_get_payload(m), sizeof(id));
	out->kind = XFRM_KIND_SA_DELETE;
	rc = xfrm_address(&id.daddr, id.family, &sa->id.dst, why);
	if (rc == 0)
		rc = xfrm_mark_read(attrs, &sa->id.mark, why);
	sa->id.spi = sa->spec.spi = ntohl(id.spi);
	sa->id.protocol = id.proto;
	sa->spec.dst = sa->id.dst;
	return rc;
}

static int read_sa_expire(const struct nlmsghdr *m, const struct xfrm_attrs *attrs,
	struct xfrm_message *out, struct why *why)
{
	struct xfrm_user_expire expire;

	memcpy(&expire, mnl_nlmsg_get_payload(m), sizeof(expire));
	/* One that waited in vain for an IKE daemon's answer. */
	if (expire.state.id.spi == 0)
		return 0;
	out->kind = XFRM_KIND_SA_EXPIRE;
	out->is_hard = expire.hard != 0;
	return xfrm_sa_read_info(&expire.state, attrs, &out->sa, why);
}

static int read_policy(const struct xfrm_userpolicy_info *info, enum xfrm_kind kind,
	const struct xfrm_attrs *attrs, struct xfrm_message *out, struct why *why)
{
	/* Behind the three directions are those of single sockets, by which IKE daemons let their own
	 * packets pass. */
	if (info->dir >= XFRM_POLICY_MAX && info->dir < 2 * XFRM_POLICY_MAX)
		return 0;
	out->kind = kind;
	return xfrm_policy_read(info, attrs, &out->policy, why);
}

static int read_policy_delete(
	const struct xfrm_attrs *attrs, struct xfrm_message *out, struct why *why)
{
	struct xfrm_userpolicy_info info;
	int rc = xfrm_attr_copy(attrs, XFRMA_POLICY, &info, sizeof(info), why);

	if (rc == 0)
		return why_set(
			why, -EBADMSG, "a netlink message deletes a policy and does not say which");
	if (rc < 0)
		return rc;
	rc = read_policy(&info, XFRM_KIND_POLICY_DELETE, attrs, out, why);
	/* It goes, whether it was one that could be mirrored or not. */
	return rc == -ENOTSUP ? 0 : rc;
}

static int read_policy_expire(const struct nlmsghdr *m, const struct xfrm_attrs *attrs,
	struct xfrm_message *out, struct why *why)
{
	struct xfrm_user_polexpire expire;
	int rc;

	memcpy(&expire, mnl_nlmsg_get_payload(m), sizeof(expire));
	out->is_hard = expire.hard != 0;
	rc = read_policy(&expire.pol, XFRM_KIND_POLICY_EXPIRE, attrs, out, why);
	return rc == -ENOTSUP ? 0 : rc;
}

static int read_policy_flush(
	const struct xfrm_attrs *attrs, struct xfrm_message *out, struct why *why)
{
	struct xfrm_userpolicy_type type = {.type = XFRM_POLICY_TYPE_MAIN};
	int rc = xfrm_attr_copy(attrs, XFRMA_POLICY_TYPE, &type, sizeof(type), why);

	if (rc >= 0 && type.type != XFRM_POLICY_TYPE_SUB)
		out->kind = XFRM_KIND_POLICY_FLUSH;
	return rc < 0 ? rc : 0;
}

static int read_acquire(const struct nlmsghdr *m, const struct xfrm_attrs *attrs,
	struct xfrm_message *out, struct why *why)
{
	struct xfrm_acquire *acquire = &out->acquire;
	struct xfrm_user_acquire from;
	uint16_t family;
	int rc;

	memcpy(&from, mnl_nlmsg_get_payload(m), sizeof(from));
	rc = read_policy(&from.policy, XFRM_KIND_ACQUIRE, attrs, out, why);
	if (rc < 0 || out->kind == XFRM_KIND_IGNORED)
		return rc;
	acquire->seq = from.seq;
	/* The message has no family of its outer addresses, but the template has. */
	family = xfrm_family(&out->policy.tmpl.dst);
	if (family == AF_UNSPEC)
		family = from.sel.family;
	rc = xfrm_address(&from.saddr, family, &acquire->src, why);
	if (rc == 0)
		rc = xfrm_address(&from.id.daddr, family, &acquire->dst, why);
	return rc < 0 ? rc : xfrm_traffic_read(&from.sel, &acquire->traffic, why);
}

static int read_message(const struct nlmsghdr *m, const struct xfrm_attrs *attrs,
	struct xfrm_message *out, struct why *why)
{
	const void *head = mnl_nlmsg_get_payload(m);
	struct xfrm_userpolicy_info policy;

	switch (m->nlmsg_type) {
	case XFRM_MSG_NEWSA:
	case XFRM_MSG_UPDSA: return read_sa(m, attrs, out, why);
	case XFRM_MSG_DELSA: return read_sa_delete(m, attrs, out, why);
	case XFRM_MSG_EXPIRE: return read_sa_expire(m, attrs, out, why);
	case XFRM_MSG_FLUSHSA:
		out->kind = XFRM_KIND_SA_FLUSH;
		out->protocol = *(const uint8_t *)head == PROTO_ANY ? 0 : *(const uint8_t *)head;
		return 0;
	case XFRM_MSG_NEWPOLICY:
	case XFRM_MSG_UPDPOLICY:
		memcpy(&policy, head, sizeof(policy));
		return read_policy(&policy,
			m->nlmsg_type == XFRM_MSG_NEWPOLICY ? XFRM_KIND_POLICY_NEW
							    : XFRM_KIND_POLICY_UPDATE,
			attrs, out, why);
	case XFRM_MSG_DELPOLICY: return read_policy_delete(attrs, out, why);
	case XFRM_MSG_POLEXPIRE: return read_policy_expire(m, attrs, out, why);
	case XFRM_MSG_FLUSHPOLICY: return read_policy_flush(attrs, out, why);
	case XFRM_MSG_ACQUIRE: return read_acquire(m, attrs, out, why);
	case XFRM_MSG_MIGRATE: out->kind = XFRM_KIND_MIGRATE; return 0;
	default: return 0;
	}
}

int xfrm_parse(const struct nlmsghdr *m, size_t len, struct xfrm_message *out, struct why *why)
{
	struct xfrm_attrs attrs = {0};
	size_t head, payload, start;
	int rc = 0;

	memset(out, 0, sizeof(*out));
	if (len < sizeof(*m) || m->nlmsg_len < sizeof(*m) || m->nlmsg_len > len)
		return why_set(why, -EBADMSG, "a netlink message says that it has %u bytes, of %zu",
			len < sizeof(*m) ? 0 : m->nlmsg_len, len);
	out->seq = m->nlmsg_seq;
	out->port = m->nlmsg_pid;
	head = head_size(m->nlmsg_type);
	payload = m->nlmsg_len - sizeof(*m);
	start = NLMSG_ALIGN(head);
	if (payload < head)
		rc = why_set(why, -EBADMSG,
			"a netlink message of type 0x%x has %zu bytes, %zu are wanted",
			m->nlmsg_type, payload, head);
	else if (payload > start && (head > 0 || m->nlmsg_type == XFRM_MSG_FLUSHPOLICY))
		rc = read_attrs((const uint8_t *)mnl_nlmsg_get_payload(m) + start, payload - start,
			&attrs, why);
	if (rc == 0)
		rc = read_message(m, &attrs, out, why);
	if (rc == -EBADMSG)
		xfrm_message_wipe(out);
	else if (rc < 0)
		explicit_bzero(&out->sa.spec.crypto, sizeof(out->sa.spec.crypto));
	return rc;
}

void xfrm_message_wipe(struct xfrm_message *message)
{
	explicit_bzero(message, sizeof(*message));
}
