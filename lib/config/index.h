/* SPDX-License-Identifier: BSD-3-Clause */
/* index.h - finds equal items among many: a hash table from bytes to the number of an item. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "arena.h"

#define INDEX_NONE UINT32_MAX

struct index_entry {
	const void *bytes;
	uint32_t len, item;
};

struct index {
	struct index_entry *entry; /* NULL bytes: free */
	uint32_t mask;
};

/* Room for n items, in the arena. -ENOMEM. */
int index_open(struct index *x, struct arena *arena, uint32_t n);

/* The item that stands under these bytes; INDEX_NONE: there was none, and now it is this one. The
 * bytes must stay where they are. */
uint32_t index_add(struct index *x, const void *bytes, uint32_t len, uint32_t item);

/* The item that stands under these bytes, or INDEX_NONE. */
uint32_t index_find(const struct index *x, const void *bytes, uint32_t len);
