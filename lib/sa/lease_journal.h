/* SPDX-License-Identifier: BSD-3-Clause */
/* lease_journal.h - the file beneath the leases: records in pages, each page in two copies. Known to
 * lease.c only.
 *
 *   header | page 0, copy 0 | page 1, copy 0 | ... | page 0, copy 1 | page 1, copy 1 | ...
 *
 * A page is written whole, into its older copy, with the next generation: a torn write leaves the
 * other copy, which is the state before it. The copies of a page lie far apart, so that no sector
 * and no block holds two of them. The file never grows or shrinks once it is made. */
#pragma once

#include <assert.h>
#include <stdint.h>

#include "key.h"
#include "lease.h"
#include "why.h"

struct journal_record {
	uint8_t fingerprint[KEY_FINGERPRINT];
	uint64_t end; /* where the key goes on; 0: the record is free */
	uint64_t beyond; /* where it goes on if the other copy is damaged */
	uint8_t zero[32];
};

#define JOURNAL_PAGE_RECORDS 63
#define JOURNAL_PAGES        ((LEASE_RECORDS + JOURNAL_PAGE_RECORDS - 1) / JOURNAL_PAGE_RECORDS)

struct journal_page {
	uint32_t checksum; /* of all from generation on, at this place */
	uint32_t none;
	uint64_t generation;
	uint8_t journal[16]; /* the header's: a page of another journal is none of this one's */
	uint8_t zero[32];
	struct journal_record record[JOURNAL_PAGE_RECORDS];
};
static_assert(sizeof(struct journal_page) == 4096, "a page is a block of the disk");

struct journal_file {
	int dir; /* locked while it is open */
	int fd;
	uint8_t id[16];
};

/* As lease_journal_open() tells. */
int journal_file_open(const char *dir, struct journal_file *out, struct why *why);
void journal_file_close(struct journal_file *f);

/* -EBADMSG: this copy is damaged. -errno of read(2). */
int journal_file_read(
	const struct journal_file *f, uint32_t index, int copy, struct journal_page *out);

/* Fills in journal and checksum. It is on disk after journal_file_sync() only; after an
 * error of that all pages are to be written again. -errno. */
int journal_file_write(
	const struct journal_file *f, uint32_t index, int copy, struct journal_page *page);
int journal_file_sync(const struct journal_file *f);
