/* SPDX-License-Identifier: BSD-3-Clause */
/* arena.c - a bump allocator over large chunks, wiped before they are freed. */
#include "arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE (256 * 1024)

struct arena_chunk {
	struct arena_chunk *next;
	size_t size, used; /* of bytes */
	alignas(max_align_t) char bytes[];
};

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_chunk *c = a->chunks;
	char *at;

	size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	if (c == NULL || c->size - c->used < size) {
		size_t room = size > CHUNK_SIZE ? size : CHUNK_SIZE;

		c = calloc(1, sizeof(*c) + room);
		if (c == NULL)
			return NULL;
		c->size = room;
		c->next = a->chunks;
		a->chunks = c;
	}
	at = c->bytes + c->used;
	c->used += size;
	return at;
}

char *arena_text(struct arena *a, const char *text, size_t len)
{
	char *copy = arena_alloc(a, len + 1);

	if (copy != NULL)
		memcpy(copy, text, len);
	return copy;
}

void arena_close(struct arena *a)
{
	while (a->chunks != NULL) {
		struct arena_chunk *c = a->chunks;

		a->chunks = c->next;
		explicit_bzero(c->bytes, c->used);
		free(c);
	}
}
