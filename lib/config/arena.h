/* SPDX-License-Identifier: BSD-3-Clause */
/* arena.h - memory that is given back all at once, and wiped then: keys pass through it. */
#pragma once

#include <stddef.h>

struct arena_chunk;

struct arena { /* zeroed: empty */
	struct arena_chunk *chunks;
};

/* Zeroed, aligned for anything. NULL: no memory. */
void *arena_alloc(struct arena *a, size_t size);

/* A copy with a NUL behind it. NULL: no memory. */
char *arena_text(struct arena *a, const char *text, size_t len);

/* Overwrites and frees everything. */
void arena_close(struct arena *a);
