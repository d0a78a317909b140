/* SPDX-License-Identifier: BSD-3-Clause */
/* xfrm_wire.h - a message as it is on the wire, while it is read; for the files of xfrm.h only. */
#pragma once

#include <arpa/inet.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/xfrm.h>

#include "xfrm.h"

/* Attributes of Linux 6.10 and later, that the headers of older ones lack. */
enum { XFRM_ATTR_SA_DIR = 33, XFRM_ATTRS = 48 };
enum { XFRM_DIR_IN = 1, XFRM_DIR_OUT = 2 };

/* By type; NULL: not there. Of two of a type the last, as the kernel has it. */
struct xfrm_attrs {
	const struct nlattr *at[XFRM_ATTRS];
};

/* Copies an attribute's first size bytes. 1: done; 0: it is not there; -EBADMSG: it is shorter. */
int xfrm_attr_copy(
	const struct xfrm_attrs *attrs, unsigned type, void *out, size_t size, struct why *why);

/* -EBADMSG: family is neither AF_INET nor AF_INET6. 0.0.0.0 and :: become any. */
int xfrm_address(const xfrm_address_t *from, uint16_t family, struct ipaddr *out, struct why *why);
void xfrm_address_put(const struct ipaddr *from, xfrm_address_t *out);
uint16_t xfrm_family(const struct ipaddr *a); /* AF_INET, AF_INET6, or AF_UNSPEC */

/* AF_UNSPEC: addresses are 0.0.0.0/0. On -ENOTSUP *out covers more than the selector does. */
int xfrm_traffic_read(const struct xfrm_selector *from, struct xfrm_traffic *out, struct why *why);
void xfrm_traffic_put(const struct xfrm_traffic *from, struct xfrm_selector *out);

void xfrm_lifetime_read(const struct xfrm_lifetime_cfg *from, struct xfrm_lifetime *out);
void xfrm_usage_read(const struct xfrm_lifetime_cur *from, struct xfrm_usage *out);
int xfrm_mark_read(const struct xfrm_attrs *attrs, uint64_t *out, struct why *why);

/* What SA_NEW, SA_UPDATE and SA_EXPIRE begin with; then what the first two have behind it. */
int xfrm_sa_read_info(const struct xfrm_usersa_info *from, const struct xfrm_attrs *attrs,
	struct xfrm_sa *out, struct why *why);
int xfrm_sa_read(const struct xfrm_usersa_info *from, const struct xfrm_attrs *attrs,
	struct xfrm_sa *out, struct why *why);

/* Whether no key has come yet: the kernel's note to itself that an IKE daemon was asked. */
bool xfrm_sa_is_larval(const struct xfrm_usersa_info *from, const struct xfrm_attrs *attrs);

/* Algorithms and keys. -ENOTSUP: not one of ours, why says which would be. */
int xfrm_crypto_read(const struct xfrm_attrs *attrs, struct crypto_spec *out, struct why *why);

int xfrm_policy_read(const struct xfrm_userpolicy_info *from, const struct xfrm_attrs *attrs,
	struct xfrm_policy *out, struct why *why);

/* Puts "SPI 0xc0000001 to 192.0.2.1: " or "policy out 17: " before the reason. Returns rc. */
int xfrm_why_sa(struct why *why, int rc, const struct xfrm_sa_id *id);
int xfrm_why_policy(struct why *why, int rc, const struct xfrm_policy *policy);
