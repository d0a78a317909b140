/* SPDX-License-Identifier: BSD-3-Clause */
/* subject.h - what is measured: something that takes packets from one wire and puts them on the other.
 * All are polled by the same loop and timed by the same clock (lap.h). */
#pragma once

#include <stdint.h>

#include "traffic.h"
#include "wire.h"

struct subject {
	const char *name; /* of a column: "adit", "echo", "crypto_aesni_gcm" */
	enum traffic_kind kind; /* what it is fed with, and what must come out */
	struct traffic *traffic; /* its packets; it need not be its own */
	/* Called by the thread of this worker before its first round of a lap, and after its last. May be
	 * NULL. */
	void (*begin)(void *arg, uint16_t worker);
	void (*end)(void *arg, uint16_t worker);
	/* Called before a round that does not follow at once on the one before: the time in between is
	 * not the subject's. May be NULL. */
	void (*resume)(void *arg, uint16_t worker);
	/* Takes up to a burst and gives back what is done with: how many it took up or gave back. */
	uint16_t (*round)(void *arg, uint16_t worker);
	/* Packets that it could not do right since it was opened: a status, an exit. May be NULL. */
	uint64_t (*failures)(void *arg);
	void *arg;
};
