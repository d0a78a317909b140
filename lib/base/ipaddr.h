/* SPDX-License-Identifier: BSD-3-Clause */
/* ipaddr.h - IPv4 and IPv6 addresses, prefixes and ranges, as values. Any thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* An address of either family. Unused bytes are zero, so that two equal addresses compare equal
 * with memcmp(). A zeroed struct is "any", of no family. */
struct ipaddr {
	uint8_t family; /* 4, 6, or 0 for any */
	uint8_t bytes[16]; /* network order; an IPv4 address uses the first four */
};

/* All addresses from first to last, both included; one family; first <= last. */
struct ipaddr_range {
	struct ipaddr first, last;
};

struct ipaddr_prefix {
	struct ipaddr addr; /* host bits as they were written: ipaddr_mask() clears them */
	uint8_t len; /* bits, 0 to 32 or 128 */
};

#define IPADDR_STRLEN       50 /* longest address, "/128" and the end */
#define IPADDR_RANGE_STRLEN (2 * IPADDR_STRLEN)

/* Bytes of an address of this family: 4 or 16. */
static inline unsigned ipaddr_size(const struct ipaddr *a)
{
	return a->family == 4 ? 4 : 16;
}

static inline bool ipaddr_is_any(const struct ipaddr *a)
{
	return a->family == 0;
}

bool ipaddr_equal(const struct ipaddr *a, const struct ipaddr *b);

/* Order within a family as numbers: <0, 0, >0; IPv4 stands before IPv6. */
int ipaddr_compare(const struct ipaddr *a, const struct ipaddr *b);

/* The whole text must be one address, as inet_pton(3) reads it. -EINVAL otherwise. */
int ipaddr_parse(const char *text, struct ipaddr *out);

/* "A/N"; a bare address is a prefix of full length. -EINVAL: no such form or length. */
int ipaddr_prefix_parse(const char *text, struct ipaddr_prefix *out);

/* "A", "A/N" (host bits must be zero) or "A-B". -EINVAL: no such form; -ERANGE: host bits are set,
 * A > B or the families differ. */
int ipaddr_range_parse(const char *text, struct ipaddr_range *out);

/* The prefix's first address, and its first and last. */
struct ipaddr ipaddr_mask(const struct ipaddr_prefix *p);
struct ipaddr_range ipaddr_prefix_range(const struct ipaddr_prefix *p);

bool ipaddr_in_range(const struct ipaddr *a, const struct ipaddr_range *r);
bool ipaddr_in_prefix(const struct ipaddr *a, const struct ipaddr_prefix *p);

bool ipaddr_is_multicast(const struct ipaddr *a);

/* Write into buf and return it. */
const char *ipaddr_format(const struct ipaddr *a, char buf[static IPADDR_STRLEN]);
const char *ipaddr_prefix_format(const struct ipaddr_prefix *p, char buf[static IPADDR_STRLEN]);

/* As ipaddr_range_parse() reads it: "A" of one, "A/N" where it is a prefix, else "A-B". */
const char *ipaddr_range_format(const struct ipaddr_range *r, char buf[static IPADDR_RANGE_STRLEN]);
