/* SPDX-License-Identifier: BSD-3-Clause */
/* index.c - open addressing over FNV-1a, never more than half full. */
#include "index.h"

#include <errno.h>
#include <string.h>

static uint32_t hash(const void *bytes, uint32_t len)
{
	const uint8_t *b = bytes;
	uint64_t h = 0xcbf29ce484222325;

	for (uint32_t i = 0; i < len; i++)
		h = (h ^ b[i]) * 0x100000001b3;
	return h ^ h >> 32;
}

int index_open(struct index *x, struct arena *arena, uint32_t n)
{
	uint32_t size = 8;

	while (size < 2 * n)
		size *= 2;
	x->mask = size - 1;
	x->entry = arena_alloc(arena, size * sizeof(*x->entry));
	return x->entry != NULL ? 0 : -ENOMEM;
}

/* Where these bytes stand, or would. */
static struct index_entry *probe(const struct index *x, const void *bytes, uint32_t len)
{
	for (uint32_t i = hash(bytes, len);; i++) {
		struct index_entry *e = &x->entry[i & x->mask];

		if (e->bytes == NULL || (e->len == len && memcmp(e->bytes, bytes, len) == 0))
			return e;
	}
}

uint32_t index_add(struct index *x, const void *bytes, uint32_t len, uint32_t item)
{
	struct index_entry *e = probe(x, bytes, len);

	if (e->bytes != NULL)
		return e->item;
	*e = (struct index_entry){bytes, len, item};
	return INDEX_NONE;
}

uint32_t index_find(const struct index *x, const void *bytes, uint32_t len)
{
	const struct index_entry *e = probe(x, bytes, len);

	return e->bytes != NULL ? e->item : INDEX_NONE;
}
