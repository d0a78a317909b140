/* SPDX-License-Identifier: BSD-3-Clause */
/* xfrm.h - what the kernel tells of its SAs and policies by XFRM netlink, and requests to it.
 *
 * Pure: no socket, no state, any thread. Numbers in host order. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ipaddr.h"
#include "sa.h"
#include "spd.h"
#include "why.h"

enum xfrm_kind {
	XFRM_KIND_IGNORED, /* larval SAs, policies of a socket, and what the mirror has no use for */
	XFRM_KIND_SA_NEW,
	XFRM_KIND_SA_UPDATE,
	XFRM_KIND_SA_DELETE,
	XFRM_KIND_SA_EXPIRE,
	XFRM_KIND_SA_FLUSH,
	XFRM_KIND_POLICY_NEW,
	XFRM_KIND_POLICY_UPDATE,
	XFRM_KIND_POLICY_DELETE,
	XFRM_KIND_POLICY_EXPIRE,
	XFRM_KIND_POLICY_FLUSH,
	XFRM_KIND_ACQUIRE,
	XFRM_KIND_MIGRATE, /* addresses have changed: only a dump tells which */
};

/* What tells one SA of the kernel from another. Unused bytes are zero: compare with memcmp(). */
struct xfrm_sa_id {
	uint64_t mark; /* as in sa_spec */
	uint32_t spi;
	struct ipaddr dst;
	uint8_t protocol; /* 50: ESP; 51, 108, 43, 60: others, that are told but not taken */
	uint8_t unused[2];
};

/* 0: no limit. Seconds count from when it was added, or from its first packet. */
struct xfrm_lifetime {
	uint64_t soft_bytes, hard_bytes, soft_packets, hard_packets;
	uint64_t soft_add_s, hard_add_s, soft_use_s, hard_use_s;
};

/* Times in seconds since 1970; 0: never. */
struct xfrm_usage {
	uint64_t bytes, packets, added, first_used, last_used;
};

/* A selector. What is not asked for is the whole range, which also matches where a packet has no
 * such field. */
struct xfrm_traffic {
	struct ipaddr_range src, dst; /* one family; 0.0.0.0/0 and ::/0 too */
	uint8_t protocol; /* 0: any */
	struct policy_range src_ports, dst_ports; /* to 65535 */
	struct policy_range icmp_type, icmp_code, mh_type; /* to 255 */
	uint32_t ifindex; /* 0: any */
};

struct xfrm_encap {
	uint16_t sport, dport; /* 0: no ESP in UDP */
	struct ipaddr original; /* RFC 3948 3.1.2; any: not told */
};

struct xfrm_sa {
	struct xfrm_sa_id id;
	/* direction: see has_direction; both seq_next and seq_top, as the kernel has both. The provider
	 * is none, and keys are in it only with SA_NEW and SA_UPDATE. */
	struct sa_spec spec;
	bool has_direction; /* Linux 6.10 and later, where the IKE daemon says so */
	bool is_transport;
	bool is_narrow; /* traffic is less than all of its family */
	uint8_t inner_family; /* 4, 6; 0: both */
	struct xfrm_traffic
		traffic; /* the selector of the SA itself; of no use if inner_family is 0 */
	struct xfrm_encap encap;
	struct xfrm_lifetime life;
	struct xfrm_usage usage;
	uint32_t tfc_pad; /* bytes that packets are padded to; 0: none */
	uint64_t set_mark; /* that its packets carry from then on: value low, mask high */
	struct ipaddr care_of; /* of Mobile IPv6; any: none */
	bool decap_dscp; /* in: the outer DSCP goes to the inner header */
	bool takes_icmp; /* in: ICMP errors pass that quote what the selector has */
};

/* How packets are to be protected. */
struct xfrm_template {
	uint32_t reqid, spi; /* 0: any */
	struct ipaddr src, dst; /* outer; any: those of the packet, in transport mode */
	bool is_transport;
};

struct xfrm_policy {
	uint32_t index; /* the kernel's name for it, one to one; 0: not told */
	enum policy_direction direction;
	bool is_forward; /* "fwd": direction is in, the packet is not for the kernel's own host */
	enum policy_action action;
	uint32_t priority;
	struct xfrm_traffic traffic;
	struct xfrm_template tmpl; /* protect only */
	uint64_t mark; /* as in sa_spec */
	uint32_t if_id;
	struct xfrm_lifetime life;
	struct xfrm_usage usage;
	bool takes_icmp; /* ICMP errors too that quote such traffic */
};

/* The kernel asks IKE daemons for SAs. */
struct xfrm_acquire {
	uint32_t seq; /* that the SA is to carry */
	struct ipaddr src, dst; /* outer, as far as is known */
	struct xfrm_traffic traffic; /* the packet's */
};

struct xfrm_message {
	enum xfrm_kind kind;
	uint32_t seq, port; /* of the netlink header: tell an answer from news */
	bool is_hard; /* EXPIRE: it is gone; else it is to be replaced */
	uint8_t protocol; /* SA_FLUSH: SAs of this one; 0: all */
	struct xfrm_sa sa; /* SA_*; DELETE: id and spec's SPI and dst; EXPIRE: no algorithms */
	struct xfrm_policy policy; /* POLICY_*, ACQUIRE */
	struct xfrm_acquire acquire;
};

struct nlmsghdr;

/* Reads one message, and no byte beyond len or beyond the length in its header. m is aligned to 4.
 * 0: *out says it all; to be wiped. On an error *out holds no keys.
 * -EBADMSG: broken, *out is zeroes.
 * -ENOTSUP: an SA or policy that cannot be mirrored, why names it, the reason and what would be
 * right; kind, id or index, direction and marks are those of the message. A policy then is one that
 * discards: its selector covers at least the traffic that the kernel's does, so that what must be
 * protected does not go on by the next policy in clear. */
int xfrm_parse(const struct nlmsghdr *m, size_t len, struct xfrm_message *out, struct why *why);

/* Keys too. */
void xfrm_message_wipe(struct xfrm_message *message);

/* The policy as spd_open() takes it; lists are in *policy and in *lists. Named "xfrm-out-17", by
 * direction and index. */
struct xfrm_lists {
	struct policy_range protocol;
};
void xfrm_policy_spec(
	const struct xfrm_policy *policy, struct xfrm_lists *lists, struct policy_spec *out);

/* Requests, written to buf, which is aligned to 4. They return their length, or -ENOBUFS where size
 * is too small; XFRM_PUT_MAX suffices. */
#define XFRM_PUT_MAX 1024

int xfrm_put_dump_sas(void *buf, size_t size, uint32_t seq);
int xfrm_put_dump_policies(void *buf, size_t size, uint32_t seq);
int xfrm_put_get_sa(void *buf, size_t size, uint32_t seq, const struct xfrm_sa_id *id);

/* Makes the kernel tell IKE daemons that an SA has come to its soft or hard limit; on the hard one
 * it deletes the SA. */
int xfrm_put_expire(
	void *buf, size_t size, uint32_t seq, const struct xfrm_sa_id *id, bool is_hard);

/* Makes the kernel ask IKE daemons for an SA of this policy, for a packet of traffic (one address
 * and value each; ports of 0 where there are none). */
int xfrm_put_acquire(void *buf, size_t size, uint32_t seq, const struct xfrm_policy *policy,
	const struct xfrm_traffic *traffic);
