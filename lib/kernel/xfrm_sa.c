/* SPDX-License-Identifier: BSD-3-Clause */
/* xfrm_sa.c - an SA of the kernel as a spec of ours, and what the spec has no place for. */
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "xfrm_wire.h"

#define OUTER_TTL     64
#define ENCAP_ESP     2 /* UDP_ENCAP_ESPINUDP of linux/udp.h */
#define ENCAP_NON_IKE 1

bool xfrm_sa_is_larval(const struct xfrm_usersa_info *from, const struct xfrm_attrs *attrs)
{
	return from->id.proto == IPPROTO_ESP && attrs->at[XFRMA_ALG_AEAD] == NULL &&
	       attrs->at[XFRMA_ALG_CRYPT] == NULL && attrs->at[XFRMA_ALG_AUTH] == NULL &&
	       attrs->at[XFRMA_ALG_AUTH_TRUNC] == NULL;
}

static int read_direction(const struct xfrm_attrs *attrs, struct xfrm_sa *out, struct why *why)
{
	uint8_t direction;
	int rc = xfrm_attr_copy(attrs, XFRM_ATTR_SA_DIR, &direction, sizeof(direction), why);

	if (rc <= 0)
		return rc;
	if (direction != XFRM_DIR_IN && direction != XFRM_DIR_OUT)
		return why_set(why, -EBADMSG,
			"a netlink message has an SA of direction %u, 1 or 2 is wanted", direction);
	out->has_direction = true;
	out->spec.direction = direction == XFRM_DIR_IN ? SA_IN : SA_OUT;
	return 0;
}

static int read_identity(const struct xfrm_usersa_info *from, const struct xfrm_attrs *attrs,
	struct xfrm_sa *out, struct why *why)
{
	int rc = xfrm_address(&from->id.daddr, from->family, &out->id.dst, why);

	out->id.spi = ntohl(from->id.spi);
	out->id.protocol = from->id.proto;
	if (rc == 0)
		rc = xfrm_mark_read(attrs, &out->id.mark, why);
	if (rc == 0)
		rc = xfrm_address(&from->saddr, from->family, &out->spec.src, why);
	if (rc == 0)
		rc = read_direction(attrs, out, why);
	return rc;
}

int xfrm_sa_read_info(const struct xfrm_usersa_info *from, const struct xfrm_attrs *attrs,
	struct xfrm_sa *out, struct why *why)
{
	struct sa_spec *spec = &out->spec;
	int rc = read_identity(from, attrs, out, why);

	if (rc == 0)
		rc = xfrm_attr_copy(attrs, XFRMA_IF_ID, &spec->if_id, sizeof(spec->if_id), why);
	if (rc < 0)
		return rc;
	spec->source.file = "";
	spec->spi = out->id.spi;
	spec->dst = out->id.dst;
	spec->mark = out->id.mark;
	spec->lookup = SA_LOOKUP_SPI_DST;
	spec->reqid = from->reqid;
	spec->provider = spec->fallback = SA_NO_PROVIDER;
	spec->esn = spec->crypto.esn = (from->flags & XFRM_STATE_ESN) != 0;
	spec->df = from->flags & XFRM_STATE_NOPMTUDISC ? SA_DF_CLEAR : SA_DF_COPY;
	spec->ecn = from->flags & XFRM_STATE_NOECN ? SA_ECN_OFF : SA_ECN_NORMAL;
	spec->dscp = SA_DSCP_COPY;
	spec->flow_label = SA_FLOW_LABEL_COPY;
	spec->outer_ttl = OUTER_TTL;
	out->is_transport = from->mode == XFRM_MODE_TRANSPORT;
	out->decap_dscp = (from->flags & XFRM_STATE_DECAP_DSCP) != 0;
	out->takes_icmp = (from->flags & XFRM_STATE_ICMP) != 0;
	xfrm_lifetime_read(&from->lft, &out->life);
	xfrm_usage_read(&from->curlft, &out->usage);
	return 0;
}

/* The number that was sent last, and the highest that was seen. */
static void set_numbers(struct sa_spec *spec, uint64_t sent, uint64_t seen)
{
	/* One past the last number is a valid place to stand, what lies behind it is not a number. */
	spec->seq_next = sent < UINT64_MAX ? sent + 1 : UINT64_MAX;
	spec->seq_top = seen;
}

static int read_replay_esn(const struct xfrm_attrs *attrs, struct xfrm_sa *out, struct why *why)
{
	struct xfrm_replay_state_esn esn;
	size_t there;
	int rc = xfrm_attr_copy(attrs, XFRMA_REPLAY_ESN_VAL, &esn, sizeof(esn), why);

	if (rc <= 0)
		return rc;
	there = mnl_attr_get_payload_len(attrs->at[XFRMA_REPLAY_ESN_VAL]) - sizeof(esn);
	if (esn.bmp_len > there / sizeof(uint32_t) ||
		esn.replay_window > (uint64_t)esn.bmp_len * 32)
		return why_set(why, -EBADMSG,
			"its message has a replay window of %u packets in %u words, in %zu bytes",
			esn.replay_window, esn.bmp_len, there);
	if (esn.replay_window > SA_WINDOW_MAX)
		return why_set(why, -ENOTSUP,
			"its replay window of %u packets is not offered, up to %u is wanted",
			esn.replay_window, SA_WINDOW_MAX);
	out->spec.window = esn.replay_window;
	set_numbers(&out->spec, (uint64_t)esn.oseq_hi << 32 | esn.oseq,
		(uint64_t)esn.seq_hi << 32 | esn.seq);
	return 1;
}

static int read_replay(const struct xfrm_usersa_info *from, const struct xfrm_attrs *attrs,
	struct xfrm_sa *out, struct why *why)
{
	struct xfrm_replay_state state = {0};
	int rc = read_replay_esn(attrs, out, why);

	if (rc == 0 && out->spec.esn)
		return why_set(why, -EBADMSG,
			"its message has the flag esn, and no state of a 64-bit window");
	if (rc != 0)
		return rc < 0 ? rc : 0;
	rc = xfrm_attr_copy(attrs, XFRMA_REPLAY_VAL, &state, sizeof(state), why);
	out->spec.window = from->replay_window;
	set_numbers(&out->spec, state.oseq, state.seq);
	return rc < 0 ? rc : 0;
}

static int read_encap(const struct xfrm_usersa_info *from, const struct xfrm_attrs *attrs,
	struct xfrm_sa *out, struct why *why)
{
	struct xfrm_encap_tmpl encap;
	int rc = xfrm_attr_copy(attrs, XFRMA_ENCAP, &encap, sizeof(encap), why);

	if (rc <= 0)
		return rc;
	if (encap.encap_type != ENCAP_ESP)
		return why_set(why, -ENOTSUP,
			"its encapsulation %s is not offered, espinudp (RFC 3948) is wanted",
			encap.encap_type == ENCAP_NON_IKE ? "espinudp-nonike"
							  : "in something other than UDP");
	if (encap.encap_sport == 0 || encap.encap_dport == 0)
		return why_set(why, -ENOTSUP,
			"it is encapsulated in UDP from port %u to %u, two of 1 to 65535 are "
			"wanted",
			ntohs(encap.encap_sport), ntohs(encap.encap_dport));
	out->encap.sport = ntohs(encap.encap_sport);
	out->encap.dport = ntohs(encap.encap_dport);
	return xfrm_address(&encap.encap_oa, from->family, &out->encap.original, why);
}

/* What the SA's own selector lets through. */
static int read_traffic(const struct xfrm_usersa_info *from, struct xfrm_sa *out, struct why *why)
{
	const struct xfrm_selector *sel = &from->sel;

	out->is_narrow = sel->prefixlen_s != 0 || sel->prefixlen_d != 0 || sel->proto != 0 ||
			 sel->sport_mask != 0 || sel->dport_mask != 0 || sel->ifindex != 0;
	out->inner_family = sel->family == AF_INET ? 4 : sel->family == AF_INET6 ? 6 : 0;
	return xfrm_traffic_read(sel, &out->traffic, why);
}

static int read_rest(const struct xfrm_usersa_info *from, const struct xfrm_attrs *attrs,
	struct xfrm_sa *out, struct why *why)
{
	uint32_t flags = 0, mark = 0, mask = UINT32_MAX;
	xfrm_address_t care_of;
	int rc = xfrm_attr_copy(attrs, XFRMA_SA_EXTRA_FLAGS, &flags, sizeof(flags), why);

	if (rc >= 0 && flags & XFRM_SA_XFLAG_DONT_ENCAP_DSCP)
		out->spec.dscp = 0;
	if (rc >= 0)
		rc = xfrm_attr_copy(attrs, XFRMA_TFCPAD, &out->tfc_pad, sizeof(out->tfc_pad), why);
	if (rc >= 0)
		rc = xfrm_attr_copy(attrs, XFRMA_LASTUSED, &out->usage.last_used,
			sizeof(out->usage.last_used), why);
	if (rc >= 0)
		rc = xfrm_attr_copy(attrs, XFRMA_SET_MARK_MASK, &mask, sizeof(mask), why);
	if (rc >= 0)
		rc = xfrm_attr_copy(attrs, XFRMA_SET_MARK, &mark, sizeof(mark), why);
	if (rc > 0)
		out->set_mark = (uint64_t)mask << 32 | mark;
	if (rc >= 0)
		rc = xfrm_attr_copy(attrs, XFRMA_COADDR, &care_of, sizeof(care_of), why);
	if (rc > 0)
		rc = xfrm_address(&care_of, from->family, &out->care_of, why);
	return rc < 0 ? rc : 0;
}

static int refuse_kind(const struct xfrm_usersa_info *from, struct why *why)
{
	static const char *const modes[] = {
		"transport", "tunnel", "route optimization", "in_trigger", "beet"};

	if (from->id.proto != IPPROTO_ESP)
		return why_set(why, -ENOTSUP, "it is %s (protocol %u), ESP is wanted",
			from->id.proto == IPPROTO_AH     ? "AH"
			: from->id.proto == IPPROTO_COMP ? "IPComp"
							 : "of Mobile IPv6",
			from->id.proto);
	if (from->mode != XFRM_MODE_TUNNEL && from->mode != XFRM_MODE_TRANSPORT)
		return why_set(why, -ENOTSUP,
			"its mode %s is not offered, tunnel or transport is wanted",
			from->mode < sizeof(modes) / sizeof(modes[0]) ? modes[from->mode]
								      : "is unknown and");
	if (ntohl(from->id.spi) < SA_SPI_MIN)
		return why_set(why, -ENOTSUP,
			"SPIs up to 255 are reserved, one of 256 or more is wanted (RFC 4303 2.1)");
	return 0;
}

static int read_whole(const struct xfrm_usersa_info *from, const struct xfrm_attrs *attrs,
	struct xfrm_sa *out, struct why *why)
{
	int rc = refuse_kind(from, why);

	if (rc == 0)
		rc = xfrm_crypto_read(attrs, &out->spec.crypto, why);
	if (rc == 0)
		rc = read_replay(from, attrs, out, why);
	if (rc == 0)
		rc = read_encap(from, attrs, out, why);
	if (rc == 0)
		rc = read_traffic(from, out, why);
	return rc < 0 ? rc : read_rest(from, attrs, out, why);
}

int xfrm_sa_read(const struct xfrm_usersa_info *from, const struct xfrm_attrs *attrs,
	struct xfrm_sa *out, struct why *why)
{
	char dst[IPADDR_STRLEN];
	int rc = xfrm_sa_read_info(from, attrs, out, why);

	if (rc < 0)
		return rc;
	snprintf(out->spec.name, sizeof(out->spec.name), "xfrm-%08x-%s", out->id.spi,
		ipaddr_is_any(&out->id.dst) ? "any" : ipaddr_format(&out->id.dst, dst));
	rc = read_whole(from, attrs, out, why);
	return rc < 0 ? xfrm_why_sa(why, rc, &out->id) : 0;
}
