/* SPDX-License-Identifier: BSD-3-Clause */
/* replay.h - the anti-replay window of an inbound SA (RFC 4303 3.4.3, A2), exact for 1 to 65536.
 *
 *                     top - W + 1              top
 *   ... too old ...  |---------- window ---------|  ... new ...
 *
 * A ring of 64-bit words holds a bit per number; the ring has one word more than the window needs,
 * so that moving on never clears a bit that is still inside (RFC 6479).
 *
 * One worker owns a window: no function here may run beside another on the same one. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct replay {
	uint64_t top; /* highest number accepted; 0: none yet */
	uint32_t size; /* W in packets; 0: everything passes, top still follows (ESN needs it) */
	uint32_t mask; /* words in the ring - 1; the ring is a power of 2 */
	uint64_t *ring;
	bool esn;
};

/* Bytes of ring that a window of this size needs; 0 for 0. */
uint32_t replay_ring_bytes(uint32_t size);

/* Number 1..top count as seen: nothing at or below top will pass. ring: replay_ring_bytes(), owned
 * by the caller. */
void replay_init(struct replay *r, uint64_t *ring, uint32_t size, bool esn, uint64_t top);

/* The whole number that these 32 bits from the wire stand for (RFC 4303 A2.2); without ESN the same. */
static inline uint64_t replay_infer(const struct replay *r, uint32_t low);

/* Whether the number could be accepted now: new, or inside and not seen. Changes nothing. 0 never
 * passes while the window is on. */
static inline bool replay_check(const struct replay *r, uint64_t seq);

/* After the ICV is verified: accepts the number once. False: it is a replay or too old. */
static inline bool replay_accept(struct replay *r, uint64_t seq);
