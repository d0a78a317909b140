/* SPDX-License-Identifier: BSD-3-Clause */
/* guarded.h - bytes that end where a page ends that nobody may read: one byte too far is a fault, with
 * or without a sanitizer. */
#pragma once

#include <check.h>
#include <string.h>
#include <sys/mman.h>

#define GUARDED_SIZE 16384

/* The end of the readable bytes; they live as long as the program. */
static inline uint8_t *guarded_end(void)
{
	static uint8_t *at;

	if (at == NULL) {
		at = mmap(NULL, GUARDED_SIZE + 4096, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		ck_assert_ptr_ne(at, MAP_FAILED);
		ck_assert_int_eq(mprotect(at + GUARDED_SIZE, 4096, PROT_NONE), 0);
	}
	return at + GUARDED_SIZE;
}

/* A copy of these bytes, right before the end. */
static inline uint8_t *guarded_copy(const void *bytes, size_t len)
{
	return memcpy(guarded_end() - len, bytes, len);
}
