/* SPDX-License-Identifier: BSD-3-Clause */
/* spd.h - the security policy database (RFC 4301 4.4.1): ordered policies, first match wins, exact
 * for every valid set. Control plane. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ipaddr.h"
#include "sa.h"

enum policy_direction { POLICY_OUT, POLICY_IN, POLICY_DIRECTIONS };
enum policy_action { POLICY_PROTECT, POLICY_BYPASS, POLICY_DISCARD };

struct policy_range {
	uint16_t first, last;
};

/* ANY: matches also what is not available. OPAQUE: only where the field is not available in the
 * packet (a later fragment; no such field in the protocol). RANGES: where it is available and in one
 * of them (RFC 4301 4.4.1.1). A range that spans all values is given as ANY. */
enum policy_match { POLICY_ANY, POLICY_OPAQUE, POLICY_RANGES };

struct policy_field {
	enum policy_match match;
	const struct policy_range *range; /* owned by whoever owns the spec */
	uint16_t n;
};

struct policy_spec {
	char name[SA_NAME_MAX];
	struct source source;
	enum policy_direction direction;
	enum policy_action action;
	uint32_t reqid; /* protect only */
	uint32_t priority; /* lower is looked at first; equal: the order of the array */
	/* Empty: any address of either family. A policy with both families' ranges on both sides
	 * stands in both tables. */
	const struct ipaddr_range *src, *dst;
	uint32_t n_src, n_dst;
	struct policy_field protocol; /* 0..255 */
	struct policy_field src_ports; /* TCP, UDP, SCTP, DCCP, UDP-Lite */
	struct policy_field dst_ports;
	struct policy_field icmp_type; /* ICMP and ICMPv6; other protocols do not match RANGES */
	struct policy_field icmp_code;
	struct policy_field mh_type; /* mobility header (135) */
};

struct spd; /* laid out behind spd_dp.h */

/* Compiles all policies of one generation; copies what it needs. The order of the array is the
 * order of the file. Takes under a second for 10,000 policies of any shape. -ENOMEM. -E2BIG: more
 * than SPD_POLICIES_MAX. */
#define SPD_POLICIES_MAX 65535
int spd_open(const struct policy_spec *policies, uint32_t n, struct sa_db *sas, struct spd **out,
	struct why *why);
void spd_close(struct spd *spd);

/* The i-th policy of the array given to spd_open(), as it was given (lists copied). */
const struct policy_spec *spd_policy(const struct spd *spd, uint32_t i);
uint32_t spd_policies(const struct spd *spd);

/* The same in everything but where they were written. */
bool policy_equal(const struct policy_spec *a, const struct policy_spec *b);

/* The index of the same policy, else SPD_NO_POLICY. */
#define SPD_NO_POLICY UINT32_MAX
uint32_t spd_find(const struct spd *spd, const struct policy_spec *policy);

/* Which of them is looked at when, both directions together: the index of the turn-th. */
uint32_t spd_turn(const struct spd *spd, uint32_t turn);
