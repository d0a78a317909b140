/* SPDX-License-Identifier: BSD-3-Clause */
/* sequence.h - the numbers of an outbound SA: taken in runs by any worker, never twice, never past
 * the limit (RFC 4303 3.3.3). The control thread moves the limit; it never moves back. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct sequence {
	_Atomic uint64_t next; /* the first number that nobody has taken */
	_Atomic uint64_t limit; /* one past the last that may be taken: end of the lease */
	uint64_t end; /* one past the last there will ever be: 2^32, or UINT64_MAX with ESN */
};

/* Takes up to n consecutive numbers; *first is the first of them. Returns how many, 0 at the limit.
 * Exact under contention: a number is taken once or not at all. */
static inline uint32_t sequence_take(struct sequence *s, uint32_t n, uint64_t *first)
{
	uint64_t next = atomic_load_explicit(&s->next, memory_order_relaxed);

	for (;;) {
		uint64_t limit = atomic_load_explicit(&s->limit, memory_order_relaxed);
		uint64_t left = next < limit ? limit - next : 0;
		uint32_t got = left < n ? left : n;

		if (got == 0)
			return 0;
		if (atomic_compare_exchange_weak_explicit(&s->next, &next, next + got,
			    memory_order_relaxed, memory_order_relaxed)) {
			*first = next;
			return got;
		}
	}
}

/* Every number there is was taken: the SA sends no more (RFC 4303 3.3.3). */
static inline bool sequence_is_spent(const struct sequence *s)
{
	return atomic_load_explicit(&s->next, memory_order_relaxed) >= s->end;
}

/* Nine tenths of all numbers are taken: it is time for a new key. */
static inline bool sequence_is_low(const struct sequence *s)
{
	return atomic_load_explicit(&s->next, memory_order_relaxed) >= s->end - s->end / 10;
}

/* Takes all that is left, so that nobody takes any more: returns the first that was never taken.
 * Exact under contention too. */
static inline uint64_t sequence_stop(struct sequence *s)
{
	return atomic_exchange_explicit(&s->next, UINT64_MAX, memory_order_relaxed);
}
