/* SPDX-License-Identifier: BSD-3-Clause */
/* icv.h - compares ICVs in a time that does not tell where they differ. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Looks at all len bytes, a multiple of 4 as every ICV's length is; no branch depends on them. */
static inline bool icv_differs(const uint8_t *a, const uint8_t *b, unsigned len)
{
	uint32_t differences = 0;

	for (unsigned at = 0; at < len; at += 4) {
		uint32_t x, y;

		memcpy(&x, a + at, 4);
		memcpy(&y, b + at, 4);
		differences |= x ^ y;
		/* The compiler must not see that the rest no longer matters. */
		__asm__ volatile("" : "+r"(differences));
	}
	return differences != 0;
}
