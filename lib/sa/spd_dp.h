/* SPDX-License-Identifier: BSD-3-Clause */
/* spd_dp.h - the SPD as workers see it: which policy a packet meets first. */
#pragma once

#include <stdint.h>

#include "spd.h"

#define SPD_NO_MATCH   UINT32_MAX /* RFC 4301 5: then it is discarded */
#define SPD_NOT_JUDGED (UINT32_MAX - 1) /* in a burst: no policy was looked for yet */

/* What a policy looks at, measured by classify. Addresses in network order, the rest in host order.
 * The padding is zero, so that a key can be hashed and compared as bytes. */
struct spd_key {
	uint8_t src[16], dst[16]; /* IPv4 in the first four */
	uint16_t sport, dport; /* ports; ICMP: type and code; MH: type; else 0 */
	uint8_t protocol; /* the upper-layer protocol, behind extension headers */
	uint8_t family; /* 4 or 6 */
	uint8_t opaque; /* SPD_OPAQUE_*: fields that this packet does not show */
	uint8_t zero;
};

#define SPD_OPAQUE_PORTS    0x01 /* sport and dport mean nothing */
#define SPD_OPAQUE_PROTOCOL 0x02 /* protocol means nothing */

struct spd_entry { /* of the i-th policy; fixed while the SPD lives */
	enum policy_action action;
	uint32_t reqid;
	struct sa_reqid *out; /* protect: where the newest outbound SA is found */
};

/* Finds for each key the first policy of this direction that matches: policy[i] is its index, or
 * SPD_NO_MATCH. Keys of both families may be mixed. Pure: any worker, no state. */
void spd_lookup(const struct spd *spd, enum policy_direction direction,
	const struct spd_key *const key[], uint32_t policy[], uint32_t n);

const struct spd_entry *spd_entries(const struct spd *spd);
