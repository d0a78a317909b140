/* SPDX-License-Identifier: BSD-3-Clause */
/* lookaside.h - packets that a lookaside crypto device has, and a bounded backlog of those that it has
 * no room for yet: in the order they came, so that an SA's packets stay in order. */
#pragma once

#include "park.h"

/* Whether the device of this session takes another packet; asked before a sequence number is spent.
 * EXIT_COUNT: it does. A burst that was let in is taken whole. */
static inline enum exit lookaside_room(const struct worker *w, const struct crypto_session *s)
{
	if (likely(!s->is_device))
		return EXIT_COUNT;
	if (unlikely(crypto_is_stalled(w->queue[s->device])))
		return EXIT_CRYPT_STALLED;
	if (s->is_lookaside && unlikely(w->lookaside[s->device].n >= w->p->setup.backlog))
		return EXIT_CRYPT_QUEUE_FULL;
	return EXIT_COUNT;
}

/* Lets those packets of the burst wait whose jobs are for this lookaside device, and hands the device
 * what it takes. They are its or the backlog's then, and the caller takes them out of the burst. */
void lookaside_submit(struct worker *w, struct burst *b, uint16_t device);

/* Goes on with what came back, and hands on from the backlog; how many. */
uint16_t lookaside_poll(struct worker *w);

/* Packet i, which its device has kept for too long, leaves by crypt_stalled, but for its memory. */
void lookaside_lose(struct worker *w, struct burst *b, uint16_t i);
