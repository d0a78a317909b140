/* SPDX-License-Identifier: BSD-3-Clause */
/* totals.h - sums over workers. */
#pragma once

#include "worker.h"

static inline void totals_add(struct worker_stats *sum, const struct worker_stats *w)
{
	sum->received += w->received;
	sum->made += w->made;
	sum->sent += w->sent;
	sum->merged += w->merged;
	sum->parked += w->parked;
	for (enum exit e = 0; e < EXIT_COUNT; e++)
		sum->exit[e] += w->exit[e];
	sum->polls += w->polls;
	sum->idle_polls += w->idle_polls;
	sum->busy_cycles += w->busy_cycles;
	sum->idle_cycles += w->idle_cycles;
}

static inline uint64_t totals_exits(const struct worker_stats *w)
{
	uint64_t n = 0;

	for (enum exit e = 0; e < EXIT_COUNT; e++)
		n += w->exit[e];
	return n;
}

/* What has come and has no other line in the books yet: 0 at rest. While workers run the counters are
 * read one after the other, so it may be a little off either way. */
static inline int64_t totals_in_hand(const struct worker_stats *w)
{
	return (int64_t)(w->received + w->made - w->sent - totals_exits(w) - w->merged - w->parked);
}
