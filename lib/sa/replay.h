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
 * by the caller; may be NULL for none. */
void replay_init(struct replay *r, uint64_t *ring, uint32_t size, bool esn, uint64_t top);

/* With the window off, numbers are inferred as for the widest one: late packets still are. */
#define REPLAY_INFER_WINDOW 65536

/* The whole number that these 32 bits from the wire stand for (RFC 4303 A2.2); without ESN the same.
 *
 * Of the numbers with these low bits it is the one in the 2^32 that begin at the window's left edge.
 * That edge never lies below 0, so nothing is inferred there; and where the run would pass the last
 * number, 2^64 - 1, it is the one before, left of the window. */
static inline uint64_t replay_infer(const struct replay *r, uint32_t low)
{
	uint32_t window = r->size != 0 ? r->size : REPLAY_INFER_WINDOW;
	uint64_t left = r->top >= window ? r->top - window + 1 : 0;
	uint64_t seq = left + (uint32_t)(low - (uint32_t)left);

	if (!r->esn)
		return low;
	return seq >= left ? seq : seq - (UINT64_C(1) << 32);
}

static inline uint64_t *replay_word(const struct replay *r, uint64_t seq)
{
	return &r->ring[seq / 64 & r->mask];
}

/* Whether the number could be accepted now: new, or inside and not seen. Changes nothing. 0 never
 * passes while the window is on. */
static inline bool replay_check(const struct replay *r, uint64_t seq)
{
	if (seq > r->top || r->size == 0)
		return true;
	return r->top - seq < r->size && (*replay_word(r, seq) >> seq % 64 & 1) == 0;
}

/* The top moves to seq; the words that come into the window on the way begin empty. */
static inline void replay_move(struct replay *r, uint64_t seq)
{
	uint64_t old = r->top / 64, new = seq / 64;

	if (new - old > r->mask)
		old = new - r->mask - 1; /* once round clears the whole ring */
	while (old < new)
		r->ring[++old & r->mask] = 0;
	r->top = seq;
}

/* After the ICV is verified: accepts the number once. False: it is a replay or too old. */
static inline bool replay_accept(struct replay *r, uint64_t seq)
{
	uint64_t bit = UINT64_C(1) << seq % 64;

	if (r->size == 0) {
		r->top = seq > r->top ? seq : r->top;
		return true;
	}
	if (seq > r->top)
		replay_move(r, seq);
	else if (r->top - seq >= r->size || (*replay_word(r, seq) & bit) != 0)
		return false;
	*replay_word(r, seq) |= bit;
	return true;
}
