/* SPDX-License-Identifier: BSD-3-Clause */
/* replay.c - the anti-replay window of an inbound SA before its first packet. */
#include "replay.h"

#include <rte_bitops.h>
#include <rte_common.h>
#include <string.h>

uint32_t replay_ring_bytes(uint32_t size)
{
	if (size == 0)
		return 0;
	return rte_align32pow2((size + 63) / 64 + 1) * sizeof(uint64_t);
}

void replay_init(struct replay *r, uint64_t *ring, uint32_t size, bool esn, uint64_t top)
{
	uint32_t bytes = replay_ring_bytes(size);

	*r = (struct replay){.top = top, .size = size, .ring = ring, .esn = esn};
	if (bytes == 0)
		return;
	r->mask = bytes / sizeof(uint64_t) - 1;
	/* All up to top is seen, 0 included, which therefore needs no rule of its own. Above it only
	 * the rest of top's word counts: the window clears the other words as it comes to them. */
	memset(ring, 0xff, bytes);
	ring[top / 64 & r->mask] = UINT64_MAX >> (63 - top % 64);
}
