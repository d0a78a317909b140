/* SPDX-License-Identifier: BSD-3-Clause */
/* lease.c - sequence numbers that survive a crash: how far each key may go, known to the disk before
 * it is known to a worker.
 *
 * Each record says where its key goes on (end), and where if the page's other copy is damaged
 * (beyond). One rule makes both safe: a limit never passes the end in the newest copy, nor the
 * beyond in the other one, both on disk. With refills of one lease at a time the other copy's
 * beyond, a lease past its end, is always far enough; a new key or a jump has its page written
 * twice. What is damaged later costs its keys a lease of numbers, never a nonce. */
#include "lease.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lease_journal.h"

#define LEASE_MIN     (UINT64_C(1) << 16)
#define LEASE_MAX     (UINT64_C(1) << 20)
#define LEASE_MAX_ESN (UINT64_C(1) << 30) /* ten seconds of a hundred million packets a second */
#define LEASE_FIRST   (UINT64_C(1) << 18) /* its rate is not known: 26 ms at ten million a second */
#define LEASE_NS      10e9

#define RECORDS (JOURNAL_PAGES * JOURNAL_PAGE_RECORDS)
#define SLOTS   (2 * RECORDS)

/* A record in memory, and the lease where one is open. */
struct lease {
	uint8_t fingerprint[KEY_FINGERPRINT];
	uint64_t end, beyond; /* as in the record; end 0: free */
	uint64_t on_disk[2]; /* the beyond that each copy has for certain */

	struct sequence *seq; /* NULL: not open */
	struct lease_journal *journal;
	uint64_t floor; /* end when it was opened: never to go below */
	uint64_t limit; /* what workers were given; behind end: a commit is due */
	uint64_t seen; /* seq->next at the last tick */
	uint64_t want; /* ten seconds at the rate seen then */
	uint32_t place; /* in open[] */
};

struct page_state {
	uint64_t generation;
	uint8_t older; /* the copy to write next */
	bool is_dirty;
};

struct lease_journal {
	struct journal_file file;
	struct page_state page[JOURNAL_PAGES];
	uint64_t last_ns; /* of the last tick; 0: none */
	uint32_t first_free; /* no record before it is free */
	uint32_t n_open;
	bool is_dirty; /* one of the pages is */
	struct lease *open[RECORDS];
	struct lease record[RECORDS];
	uint32_t slot[SLOTS]; /* by fingerprint: a record's index + 1 */
};

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t add_up_to(uint64_t a, uint64_t b, uint64_t end)
{
	return a < end ? a + min_u64(b, end - a) : end;
}

static uint64_t longest(const struct sequence *seq)
{
	return seq->end > UINT64_C(1) << 32 ? LEASE_MAX_ESN : LEASE_MAX;
}

static void touch(struct lease_journal *j, const struct lease *l)
{
	j->page[(l - j->record) / JOURNAL_PAGE_RECORDS].is_dirty = true;
	j->is_dirty = true;
}

/* The slot of this key, or the free one where it belongs. A fingerprint is a hash already. */
static uint32_t *slot_of(struct lease_journal *j, const uint8_t fingerprint[KEY_FINGERPRINT])
{
	uint32_t i;

	memcpy(&i, fingerprint, sizeof(i));
	for (;; i++) {
		uint32_t *slot = &j->slot[i % SLOTS];

		if (*slot == 0 ||
			memcmp(j->record[*slot - 1].fingerprint, fingerprint, KEY_FINGERPRINT) == 0)
			return slot;
	}
}

/* Takes the newer copy of a page. Where the other one is damaged it may have been newer still. */
static int load_page(struct lease_journal *j, uint32_t index)
{
	struct journal_page copy[2];
	int rc[2], newer;

	for (int c = 0; c < 2; c++) {
		rc[c] = journal_file_read(&j->file, index, c, &copy[c]);
		if (rc[c] < 0 && rc[c] != -EBADMSG)
			return rc[c];
	}
	if (rc[0] < 0 && rc[1] < 0)
		return -EBADMSG;
	newer = rc[0] < 0 || (rc[1] == 0 && copy[1].generation > copy[0].generation);
	j->page[index] = (struct page_state){.generation = copy[newer].generation, .older = !newer};
	for (uint32_t i = 0; i < JOURNAL_PAGE_RECORDS; i++) {
		const struct journal_record *r = &copy[newer].record[i];
		struct lease *l = &j->record[index * JOURNAL_PAGE_RECORDS + i];

		if (r->end == 0)
			continue;
		memcpy(l->fingerprint, r->fingerprint, KEY_FINGERPRINT);
		l->end = rc[!newer] == 0 ? r->end : r->beyond;
		l->beyond = r->beyond;
		/* on_disk stays 0: what an earlier process wrote may be in the page cache only */
		*slot_of(j, l->fingerprint) = l - j->record + 1;
	}
	return 0;
}

int lease_journal_open(const char *dir, struct lease_journal **out, struct why *why)
{
	struct lease_journal *j = calloc(1, sizeof(*j));
	int rc;

	if (j == NULL)
		return why_set(why, -ENOMEM, "no memory for the lease journal");
	rc = journal_file_open(dir, &j->file, why);
	if (rc < 0)
		goto free_journal;
	for (uint32_t i = 0; i < JOURNAL_PAGES; i++) {
		rc = load_page(j, i);
		if (rc == -EBADMSG)
			why_set(why, rc,
				"%s/sequence.journal: both copies of page %u are damaged, and with "
				"them what its keys have sent; make new keys and a new journal",
				dir, i);
		else if (rc < 0)
			why_set(why, rc, "%s/sequence.journal: %s", dir, strerror(-rc));
		if (rc < 0)
			goto close_file;
	}
	*out = j;
	return 0;

close_file:
	journal_file_close(&j->file);
free_journal:
	free(j);
	return rc;
}

int lease_open(struct lease_journal *j, const uint8_t fingerprint[KEY_FINGERPRINT],
	uint64_t at_least, struct sequence *seq, struct lease **out, struct why *why)
{
	uint32_t *slot = slot_of(j, fingerprint);
	struct lease *l;
	uint64_t next;

	if (*slot == 0) {
		while (j->first_free < LEASE_RECORDS && j->record[j->first_free].end != 0)
			j->first_free++;
		if (j->first_free == LEASE_RECORDS)
			return why_set(why, -ENOSPC,
				"the lease journal is full: it has room for %u keys, ever",
				LEASE_RECORDS);
		*slot = j->first_free + 1;
		l = &j->record[j->first_free];
		memcpy(l->fingerprint, fingerprint, KEY_FINGERPRINT);
		l->end = 1; /* RFC 4303 3.3.3: the first number is 1 */
	}
	l = &j->record[*slot - 1];
	if (l->seq != NULL)
		return why_set(why, -EEXIST,
			"another SA with the same key is open: they would "
			"share nonces");
	next = min_u64(max_u64(l->end, at_least), seq->end);
	atomic_store_explicit(&seq->next, next, memory_order_relaxed);
	atomic_store_explicit(&seq->limit, 0, memory_order_relaxed);
	l->seq = seq;
	l->journal = j;
	l->floor = l->end;
	l->limit = 0;
	l->seen = next;
	l->want = LEASE_MIN;
	/* A key that went further under ESN has nothing left here, and does not forget it. */
	l->end = max_u64(l->end, add_up_to(next, LEASE_FIRST, seq->end));
	l->beyond = max_u64(l->beyond, add_up_to(l->end, longest(seq), UINT64_MAX));
	touch(j, l);
	l->place = j->n_open;
	j->open[j->n_open++] = l;
	*out = l;
	return 0;
}

void lease_close(struct lease *l)
{
	struct lease_journal *j = l->journal;
	uint64_t next = sequence_stop(l->seq);

	l->end = max_u64(next, l->floor);
	l->beyond = add_up_to(l->end, longest(l->seq), UINT64_MAX);
	touch(j, l);
	l->seq = NULL;
	j->open[l->place] = j->open[--j->n_open];
	j->open[l->place]->place = l->place;
}

static int write_page(struct lease_journal *j, uint32_t index)
{
	const struct page_state *state = &j->page[index];
	const struct lease *l = &j->record[index * JOURNAL_PAGE_RECORDS];
	struct journal_page page = {.generation = state->generation + 1};

	for (uint32_t i = 0; i < JOURNAL_PAGE_RECORDS; i++) {
		memcpy(page.record[i].fingerprint, l[i].fingerprint, KEY_FINGERPRINT);
		page.record[i].end = l[i].end;
		page.record[i].beyond = l[i].beyond;
	}
	return journal_file_write(&j->file, index, state->older, &page);
}

static void page_is_on_disk(struct lease_journal *j, uint32_t index)
{
	struct page_state *state = &j->page[index];
	struct lease *l = &j->record[index * JOURNAL_PAGE_RECORDS];

	for (uint32_t i = 0; i < JOURNAL_PAGE_RECORDS; i++)
		l[i].on_disk[state->older] = l[i].beyond;
	state->generation++;
	state->older ^= 1;
	state->is_dirty = false;
}

/* Writes the older copy of every page that has changed, and waits for the disk. On an error all of
 * them are still to be written. */
static int write_pages(struct lease_journal *j)
{
	int rc = 0;

	if (!j->is_dirty)
		return 0;
	for (uint32_t p = 0; rc == 0 && p < JOURNAL_PAGES; p++)
		if (j->page[p].is_dirty)
			rc = write_page(j, p);
	if (rc == 0)
		rc = journal_file_sync(&j->file);
	if (rc < 0)
		return rc;
	for (uint32_t p = 0; p < JOURNAL_PAGES; p++)
		if (j->page[p].is_dirty)
			page_is_on_disk(j, p);
	j->is_dirty = false;
	return 0;
}

int lease_journal_commit(struct lease_journal *j, struct why *why)
{
	int rc = write_pages(j), moved = 0;

	for (uint32_t i = 0; rc == 0 && i < j->n_open; i++) {
		const struct lease *l = j->open[i];

		if (l->end > min_u64(l->on_disk[0], l->on_disk[1]))
			touch(j, l);
	}
	if (rc == 0)
		rc = write_pages(j);
	if (rc < 0)
		return why_set(why, rc, "the lease journal cannot be written: %s", strerror(-rc));
	for (uint32_t i = 0; i < j->n_open; i++) {
		struct lease *l = j->open[i];

		if (l->limit == l->end)
			continue;
		l->limit = l->end;
		atomic_store_explicit(
			&l->seq->limit, min_u64(l->end, l->seq->end), memory_order_release);
		moved++;
	}
	return moved;
}

/* Whether less than this part (in quarters) of what it wants is left. */
static bool is_below(const struct lease *l, uint32_t quarters)
{
	uint64_t left = l->limit > l->seen ? l->limit - l->seen : 0;

	return l->limit == l->end && l->limit < l->seq->end && left < l->want / 4 * quarters;
}

static void refill(struct lease_journal *j, struct lease *l)
{
	l->end = add_up_to(l->seen, l->want, l->seq->end);
	l->beyond = add_up_to(l->end, longest(l->seq), UINT64_MAX);
	touch(j, l);
}

int lease_journal_tick(struct lease_journal *j, uint64_t now_ns, struct why *why)
{
	/* leases per number sent since the last tick */
	double scale =
		j->last_ns != 0 && now_ns > j->last_ns ? LEASE_NS / (now_ns - j->last_ns) : 0;
	bool is_due = false;

	j->last_ns = now_ns;
	for (uint32_t i = 0; i < j->n_open; i++) {
		struct lease *l = j->open[i];
		uint64_t next = atomic_load_explicit(&l->seq->next, memory_order_relaxed);
		double want = (next - l->seen) * scale;

		l->seen = next;
		l->want = want < LEASE_MIN         ? LEASE_MIN
			  : want > longest(l->seq) ? longest(l->seq)
						   : (uint64_t)want;
		is_due |= is_below(l, 2);
	}
	/* One that is due takes along those that soon will be: one wait for the disk less. */
	for (uint32_t i = 0; is_due && i < j->n_open; i++)
		if (is_below(j->open[i], 3))
			refill(j, j->open[i]);
	return j->is_dirty ? lease_journal_commit(j, why) : 0;
}

void lease_journal_close(struct lease_journal *j)
{
	while (j->n_open > 0)
		lease_close(j->open[j->n_open - 1]);
	(void)write_pages(j); /* or the leases' ends stay, which is as good as a crash */
	journal_file_close(&j->file);
	free(j);
}
