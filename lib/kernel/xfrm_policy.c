/* SPDX-License-Identifier: BSD-3-Clause */
/* xfrm_policy.c - a policy of the kernel as one of ours. */
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "xfrm_wire.h"

static int refuse_template(const struct xfrm_user_tmpl *from, struct why *why)
{
	if (from->id.proto != IPPROTO_ESP)
		return why_set(why, -ENOTSUP, "it wants %s (protocol %u), ESP is wanted",
			from->id.proto == IPPROTO_AH     ? "AH"
			: from->id.proto == IPPROTO_COMP ? "IPComp"
							 : "Mobile IPv6",
			from->id.proto);
	if (from->mode != XFRM_MODE_TUNNEL && from->mode != XFRM_MODE_TRANSPORT)
		return why_set(why, -ENOTSUP,
			"mode %u of its template is not offered, tunnel or transport is wanted",
			from->mode);
	if (from->optional)
		return why_set(why, -ENOTSUP,
			"its template is optional (level use), so that packets without ESP would "
			"pass; level required is wanted");
	if (from->reqid == 0)
		return why_set(why, -ENOTSUP,
			"its template has no reqid, which ties SAs to policies here; one is "
			"wanted");
	return 0;
}

static int read_template(
	const struct xfrm_user_tmpl *from, struct xfrm_template *out, struct why *why)
{
	int rc = refuse_template(from, why);

	if (rc == 0)
		rc = xfrm_address(&from->saddr, from->family, &out->src, why);
	if (rc == 0)
		rc = xfrm_address(&from->id.daddr, from->family, &out->dst, why);
	if (rc < 0)
		return rc;
	out->reqid = from->reqid;
	out->spi = ntohl(from->id.spi);
	out->is_transport = from->mode == XFRM_MODE_TRANSPORT;
	return 0;
}

/* 1: there is one, that we can do; 0: there is none. */
static int read_templates(
	const struct xfrm_attrs *attrs, struct xfrm_template *out, struct why *why)
{
	const struct nlattr *attr = attrs->at[XFRMA_TMPL];
	struct xfrm_user_tmpl from;
	uint16_t len = attr == NULL ? 0 : mnl_attr_get_payload_len(attr);
	int rc;

	if (len % sizeof(from) != 0)
		return why_set(why, -EBADMSG,
			"its message has templates of %u bytes, a multiple of %zu is wanted", len,
			sizeof(from));
	if (len == 0)
		return 0;
	if (len > sizeof(from))
		return why_set(why, -ENOTSUP,
			"it wants packets to go through %zu SAs one in the other, one is wanted",
			len / sizeof(from));
	memcpy(&from, mnl_attr_get_payload(attr), sizeof(from));
	rc = read_template(&from, out, why);
	return rc < 0 ? rc : 1;
}

static int read_direction(
	const struct xfrm_userpolicy_info *from, struct xfrm_policy *out, struct why *why)
{
	if (from->dir > XFRM_POLICY_FWD)
		return why_set(why, -EBADMSG,
			"a netlink message has a policy of direction %u, 0 to 2 is wanted",
			from->dir);
	out->direction = from->dir == XFRM_POLICY_OUT ? POLICY_OUT : POLICY_IN;
	out->is_forward = from->dir == XFRM_POLICY_FWD;
	return 0;
}

static int read_action(const struct xfrm_userpolicy_info *from, const struct xfrm_attrs *attrs,
	struct xfrm_policy *out, struct why *why)
{
	struct xfrm_userpolicy_type type = {.type = XFRM_POLICY_TYPE_MAIN};
	int rc = xfrm_attr_copy(attrs, XFRMA_POLICY_TYPE, &type, sizeof(type), why);

	if (rc < 0)
		return rc;
	if (type.type != XFRM_POLICY_TYPE_MAIN)
		return why_set(why, -ENOTSUP, "its type is sub, main is wanted");
	rc = read_templates(attrs, &out->tmpl, why);
	if (rc < 0)
		return rc;
	if (from->action == XFRM_POLICY_BLOCK)
		out->action = POLICY_DISCARD;
	else if (from->action == XFRM_POLICY_ALLOW)
		out->action = rc > 0 ? POLICY_PROTECT : POLICY_BYPASS;
	else
		return why_set(
			why, -ENOTSUP, "its action %u is unknown, 0 or 1 is wanted", from->action);
	return 0;
}

static int read_names(const struct xfrm_userpolicy_info *from, const struct xfrm_attrs *attrs,
	struct xfrm_policy *out, struct why *why)
{
	int rc = read_direction(from, out, why);

	if (rc == 0)
		rc = xfrm_mark_read(attrs, &out->mark, why);
	if (rc == 0)
		rc = xfrm_attr_copy(attrs, XFRMA_IF_ID, &out->if_id, sizeof(out->if_id), why);
	if (rc >= 0 && from->sel.family == AF_UNSPEC)
		rc = why_set(
			why, -EBADMSG, "a netlink message has a policy for addresses of no family");
	return rc < 0 ? rc : 0;
}

int xfrm_policy_read(const struct xfrm_userpolicy_info *from, const struct xfrm_attrs *attrs,
	struct xfrm_policy *out, struct why *why)
{
	int rc = read_names(from, attrs, out, why);

	if (rc < 0)
		return rc;
	out->index = from->index;
	out->priority = from->priority;
	out->takes_icmp = (from->flags & XFRM_POLICY_ICMP) != 0;
	xfrm_lifetime_read(&from->lft, &out->life);
	xfrm_usage_read(&from->curlft, &out->usage);
	rc = xfrm_traffic_read(&from->sel, &out->traffic, why);
	if (rc == 0)
		rc = read_action(from, attrs, out, why);
	if (rc == -ENOTSUP) {
		out->action = POLICY_DISCARD;
		memset(&out->tmpl, 0, sizeof(out->tmpl));
		xfrm_why_policy(why, rc, out);
	}
	return rc;
}

static struct policy_field field(const struct policy_range *range, uint16_t most)
{
	if (range->first == 0 && range->last == most)
		return (struct policy_field){.match = POLICY_ANY};
	return (struct policy_field){POLICY_RANGES, range, 1};
}

void xfrm_policy_spec(
	const struct xfrm_policy *policy, struct xfrm_lists *lists, struct policy_spec *out)
{
	const struct xfrm_traffic *t = &policy->traffic;

	*out = (struct policy_spec){
		.source.file = "",
		.direction = policy->direction,
		.action = policy->action,
		.reqid = policy->action == POLICY_PROTECT ? policy->tmpl.reqid : 0,
		.priority = policy->priority,
		.src = &t->src,
		.dst = &t->dst,
		.n_src = 1,
		.n_dst = 1,
		.src_ports = field(&t->src_ports, UINT16_MAX),
		.dst_ports = field(&t->dst_ports, UINT16_MAX),
		.icmp_type = field(&t->icmp_type, UINT8_MAX),
		.icmp_code = field(&t->icmp_code, UINT8_MAX),
		.mh_type = field(&t->mh_type, UINT8_MAX),
	};
	snprintf(out->name, sizeof(out->name), "xfrm-%s-%u",
		policy->direction == POLICY_OUT ? "out"
		: policy->is_forward            ? "fwd"
						: "in",
		policy->index);
	if (t->protocol != 0) {
		lists->protocol = (struct policy_range){t->protocol, t->protocol};
		out->protocol = (struct policy_field){POLICY_RANGES, &lists->protocol, 1};
	}
}
