/* SPDX-License-Identifier: BSD-3-Clause */
/* test_lease.c - no number is sent twice under one key, whatever happens to process, disk and file. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lease_journal.h"

#define N(a)        (int)(sizeof(a) / sizeof((a)[0]))
#define END_32      (UINT64_C(1) << 32)
#define FIRST_LEASE (UINT64_C(1) << 18)
#define LONGEST     (UINT64_C(1) << 20)
#define PAGE        (off_t)sizeof(struct journal_page)
#define TICK_NS     (LEASE_TICK_MS * UINT64_C(1000000))

/* Where page p's copy c begins. */
#define PLACE(p, c) (PAGE * (1 + (c)*JOURNAL_PAGES + (p)))

/* The journal's own fdatasync(): counted, looked at and refused at will. */
static int syncs, syncs_to_pass, syncs_to_refuse;
static void (*before_sync)(void), (*after_sync)(void);

int fdatasync(int fd)
{
	int rc;

	syncs++;
	if (before_sync != NULL)
		before_sync();
	if (syncs_to_pass > 0) {
		syncs_to_pass--;
	} else if (syncs_to_refuse > 0) {
		syncs_to_refuse--;
		errno = EIO;
		return -1;
	}
	rc = syscall(SYS_fdatasync, fd);
	if (after_sync != NULL)
		after_sync();
	return rc;
}

static char dir[64], path[96];
static struct lease_journal *journal;
static struct why why;
static uint64_t now_ns;

static void make_journal(void)
{
	/* in memory where that can be: none of this is about the machine's disk */
	snprintf(dir, sizeof(dir), "%s/test_lease.XXXXXX",
		access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/sequence.journal", dir);
	ck_assert_int_eq(lease_journal_init(dir, NULL), 0);
	now_ns = 1;
	syncs = syncs_to_pass = syncs_to_refuse = 0;
	before_sync = after_sync = NULL;
}

static void remove_journal(void)
{
	char again[128];

	snprintf(again, sizeof(again), "%s.new", path);
	unlink(again);
	unlink(path);
	rmdir(dir);
}

static void open_journal(void)
{
	if (lease_journal_open(dir, &journal, &why) != 0)
		ck_abort_msg("%s", why.text);
}

static void close_journal(void)
{
	lease_journal_close(journal);
	journal = NULL;
}

/* The process dies: nothing is given back, the lock goes. */
static void crash(void)
{
	struct journal_file file;

	/* The journal begins with its file: an image of it is closed in its place. */
	memcpy(&file, journal, sizeof(file));
	journal_file_close(&file);
	free(journal);
	journal = NULL;
}

static const uint8_t *key(int i)
{
	static uint8_t fingerprint[KEY_FINGERPRINT];

	memset(fingerprint, 0, sizeof(fingerprint));
	memcpy(fingerprint, &i, sizeof(i)); /* neighbours in the table of fingerprints */
	fingerprint[KEY_FINGERPRINT - 1] = 1;
	return fingerprint;
}

static struct lease *open_key(int i, uint64_t at_least, uint64_t end, struct sequence *seq)
{
	struct lease *l;

	seq->end = end;
	if (lease_open(journal, key(i), at_least, seq, &l, &why) != 0)
		ck_abort_msg("%s", why.text);
	return l;
}

static uint64_t take(struct sequence *seq, uint32_t n)
{
	uint64_t first;

	ck_assert_uint_eq(sequence_take(seq, n, &first), n);
	return first;
}

static int tick(void)
{
	now_ns += TICK_NS;
	return lease_journal_tick(journal, now_ns, &why);
}

START_TEST(a_new_key_starts_at_1_and_sends_nothing_before_the_commit)
{
	struct sequence seq;
	uint64_t first;

	open_journal();
	open_key(1, 0, END_32, &seq);
	ck_assert_uint_eq(sequence_take(&seq, 1, &first), 0);
	ck_assert_int_eq(lease_journal_commit(journal, &why), 1);
	ck_assert_uint_eq(take(&seq, 10), 1);
	ck_assert_uint_eq(seq.limit, 1 + FIRST_LEASE);
	ck_assert_int_eq(lease_journal_commit(journal, &why), 0);
	close_journal();
}
END_TEST

START_TEST(after_a_clean_stop_it_goes_on_exactly)
{
	struct sequence seq[3];

	open_journal();
	for (int i = 0; i < 3; i++)
		open_key(i, i == 2 ? 5000 : 0, i == 1 ? UINT64_MAX : END_32, &seq[i]);
	ck_assert_int_eq(lease_journal_commit(journal, &why), 3);
	take(&seq[1], 1000);
	take(&seq[2], 7);
	close_journal();
	open_journal();
	for (int i = 0; i < 3; i++)
		open_key(i, 0, i == 1 ? UINT64_MAX : END_32, &seq[i]);
	ck_assert_int_eq(lease_journal_commit(journal, &why), 3);
	ck_assert_uint_eq(take(&seq[0], 1), 1);
	ck_assert_uint_eq(take(&seq[1], 1), 1001);
	ck_assert_uint_eq(take(&seq[2], 1), 5007);
	close_journal();
}
END_TEST

START_TEST(after_a_crash_it_goes_on_where_the_lease_ended)
{
	struct sequence seq;

	open_journal();
	open_key(1, 0, END_32, &seq);
	ck_assert_int_eq(lease_journal_commit(journal, &why), 1);
	take(&seq, 10);
	crash();
	open_journal();
	open_key(1, 0, END_32, &seq);
	ck_assert_int_eq(lease_journal_commit(journal, &why), 1);
	ck_assert_uint_eq(take(&seq, 1), 1 + FIRST_LEASE);
	close_journal();
}
END_TEST

START_TEST(an_sa_that_comes_back_in_one_process_goes_on_exactly)
{
	struct sequence seq, again;
	struct lease *l;

	open_journal();
	l = open_key(1, 0, END_32, &seq);
	lease_journal_commit(journal, &why);
	take(&seq, 10);
	lease_close(l);
	ck_assert_uint_eq(sequence_take(&seq, 1, &(uint64_t){0}), 0);
	l = open_key(1, 0, END_32, &again);
	ck_assert_int_eq(lease_journal_commit(journal, &why), 1);
	ck_assert_uint_eq(take(&again, 1), 11);
	lease_close(l);
	ck_assert_int_eq(tick(), 0); /* what it really used is on disk now */
	crash();
	open_journal();
	open_key(1, 0, END_32, &seq);
	ck_assert_uint_eq(seq.next, 12);
	close_journal();
}
END_TEST

START_TEST(one_key_has_one_lease)
{
	struct sequence seq, other;
	struct lease *l;

	open_journal();
	open_key(1, 0, END_32, &seq);
	other.end = END_32;
	ck_assert_int_eq(lease_open(journal, key(1), 0, &other, &l, &why), -EEXIST);
	ck_assert_ptr_nonnull(strstr(why.text, "nonces"));
	close_journal();
}
END_TEST

START_TEST(a_key_never_goes_back)
{
	struct sequence seq;

	open_journal();
	open_key(1, UINT64_C(1) << 40, UINT64_MAX, &seq);
	lease_journal_commit(journal, &why);
	take(&seq, 1);
	close_journal();
	open_journal();
	open_key(1, 7, END_32, &seq); /* without ESN there is nothing left */
	ck_assert_int_eq(lease_journal_commit(journal, &why), 1);
	ck_assert_uint_eq(sequence_take(&seq, 1, &(uint64_t){0}), 0);
	ck_assert(sequence_is_spent(&seq));
	syncs = 0;
	ck_assert_int_eq(tick() + tick(), 0);
	ck_assert_int_eq(syncs, 0);
	close_journal();
	open_journal();
	open_key(1, 0, UINT64_MAX, &seq);
	ck_assert_uint_eq(seq.next, (UINT64_C(1) << 40) + 1);
	close_journal();
}
END_TEST

START_TEST(a_lease_is_refilled_at_half_for_ten_seconds_of_its_rate)
{
	/* a tick's packets, and what the lease is then */
	static const struct {
		uint32_t packets;
		uint64_t end, lease;
	} rates[] = {
		{100, END_32, 100000},
		{1, END_32, 1 << 16},
		{50000, END_32, 1 << 20},
		{50000, UINT64_MAX, 50000000},
		{2000000, UINT64_MAX, 1 << 30},
	};
	struct sequence seq;
	uint32_t packets = rates[_i].packets;
	uint64_t limit;
	int rc;

	open_journal();
	open_key(1, 0, rates[_i].end, &seq);
	lease_journal_commit(journal, &why);
	tick();
	limit = seq.limit;
	for (;;) {
		uint64_t left, first;

		sequence_take(&seq, packets, &first);
		left = seq.limit - seq.next;
		rc = tick();
		ck_assert_int_ge(rc, 0);
		if (rc == 0)
			ck_assert_uint_ge(left, rates[_i].lease / 2);
		else
			break;
		ck_assert_uint_eq(seq.limit, limit);
	}
	if (rates[_i].end == END_32 || packets < FIRST_LEASE)
		ck_assert_uint_eq(seq.limit, seq.next + rates[_i].lease);
	else
		ck_assert_uint_gt(seq.limit, seq.next + FIRST_LEASE); /* it stalled in between */
	close_journal();
}
END_TEST

START_TEST(the_last_numbers_are_sent_and_then_asked_for_no_more)
{
	uint64_t end = _i ? UINT64_MAX : END_32, first;
	struct sequence seq;

	open_journal();
	open_key(1, end - 10, end, &seq);
	ck_assert_int_eq(lease_journal_commit(journal, &why), 1);
	ck_assert_uint_eq(seq.limit, end);
	ck_assert_uint_eq(take(&seq, 9), end - 10);
	ck_assert_uint_eq(sequence_take(&seq, 9, &first), 1);
	ck_assert_uint_eq(first, end - 1);
	syncs = 0;
	for (int i = 0; i < 10; i++)
		ck_assert_int_eq(tick(), 0);
	ck_assert_int_eq(syncs, 0);
	close_journal();
	open_journal();
	open_key(1, 0, end, &seq);
	ck_assert_int_ge(lease_journal_commit(journal, &why), 0);
	ck_assert_uint_eq(sequence_take(&seq, 1, &first), 0);
	close_journal();
}
END_TEST

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

START_TEST(ten_thousand_keys_take_one_commit)
{
	static struct sequence seq[10000];
	double start = seconds();

	open_journal();
	for (int i = 0; i < N(seq); i++) {
		struct lease *l;

		seq[i].end = END_32;
		if (lease_open(journal, key(i), 0, &seq[i], &l, &why) != 0)
			ck_abort_msg("%s", why.text);
	}
	syncs = 0;
	ck_assert_int_eq(lease_journal_commit(journal, &why), N(seq));
	ck_assert_int_eq(syncs, 2); /* new keys: both copies */
	tick();
	for (int refill = 0; refill < 3; refill++) {
		for (int i = 0; i < N(seq); i++)
			atomic_fetch_add(&seq[i].next, (refill ? LONGEST : FIRST_LEASE) * 5 / 6);
		syncs = 0;
		ck_assert_int_eq(tick(), N(seq));
		ck_assert_int_eq(syncs, 1);
	}
	for (int i = 0; i < 100; i++)
		ck_assert_int_eq(tick(), 0);
	ck_assert_int_eq(syncs, 1);
	close_journal();
	ck_assert_double_lt(seconds() - start, 5);
}
END_TEST

START_TEST(a_full_journal_refuses_new_keys_and_serves_old_ones)
{
	static struct sequence seq[LEASE_RECORDS + 1];
	struct lease *l;

	open_journal();
	for (int i = 0; i <= LEASE_RECORDS; i++) {
		seq[i].end = END_32;
		if (lease_open(journal, key(i), 0, &seq[i], &l, &why) !=
			(i < LEASE_RECORDS ? 0 : -ENOSPC))
			ck_abort_msg("key %d", i);
	}
	ck_assert_ptr_nonnull(strstr(why.text, "full"));
	ck_assert_int_eq(lease_journal_commit(journal, &why), LEASE_RECORDS);
	close_journal();
	open_journal();
	seq[0].end = END_32;
	ck_assert_int_eq(lease_open(journal, key(-1), 0, &seq[0], &l, &why), -ENOSPC);
	open_key(LEASE_RECORDS - 1, 0, END_32, &seq[0]);
	close_journal();
}
END_TEST

/* --- what the disk does --- */

static struct sequence watched;
static uint64_t limit_at_sync;

static void look_at_limit(void)
{
	limit_at_sync = watched.limit;
}

START_TEST(a_limit_moves_after_the_disk_has_it)
{
	open_journal();
	open_key(1, 0, END_32, &watched);
	before_sync = look_at_limit;
	limit_at_sync = 99;
	ck_assert_int_eq(lease_journal_commit(journal, &why), 1);
	ck_assert_uint_eq(limit_at_sync, 0);
	tick();
	take(&watched, 200000);
	ck_assert_int_eq(tick(), 1);
	ck_assert_uint_eq(limit_at_sync, 1 + FIRST_LEASE);
	before_sync = NULL;
	close_journal();
}
END_TEST

START_TEST(on_a_sync_error_limits_stay_and_all_is_written_again)
{
	struct journal_page page, zero = {0};
	struct journal_file file;
	uint64_t first;

	open_journal();
	open_key(1, 0, END_32, &watched);
	syncs_to_refuse = 2;
	ck_assert_int_eq(lease_journal_commit(journal, &why), -EIO);
	ck_assert_uint_eq(watched.limit, 0);
	ck_assert_ptr_nonnull(strstr(why.text, "journal"));
	ck_assert_int_eq(tick(), -EIO);
	ck_assert_int_eq(tick(), 1);
	ck_assert_uint_eq(take(&watched, 200000), 1);
	syncs_to_refuse = 1;
	ck_assert_int_eq(tick(), -EIO);
	ck_assert_uint_eq(watched.limit, 1 + FIRST_LEASE);

	/* The cache may have dropped what was written: it has to come again. */
	memcpy(&file, journal, sizeof(file));
	for (int c = 0; c < 2; c++) {
		ck_assert_int_eq(pread(file.fd, &page, sizeof(page), PLACE(0, c)), PAGE);
		if (page.record[0].end > 1 + FIRST_LEASE)
			ck_assert_int_eq(pwrite(file.fd, &zero, sizeof(zero), PLACE(0, c)), PAGE);
	}
	ck_assert_int_eq(tick(), 1);
	sequence_take(&watched, 1 << 20, &first);
	crash();
	open_journal();
	open_key(1, 0, END_32, &watched);
	ck_assert_uint_ge(watched.next, 200001 + (1 << 16));
	ck_assert_uint_lt(watched.next, 200001 + LONGEST + 1); /* both copies are whole */
	close_journal();
}
END_TEST

START_TEST(on_a_write_error_limits_stay)
{
	struct rlimit old, small = {.rlim_cur = 100};
	struct sequence seq;

	open_journal();
	open_key(1, 0, END_32, &seq);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
	small.rlim_max = old.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
	ck_assert_int_eq(lease_journal_commit(journal, &why), -EFBIG);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
	ck_assert_uint_eq(seq.limit, 0);
	ck_assert_int_eq(lease_journal_commit(journal, &why), 1);
	close_journal();
}
END_TEST

/* Power cuts: at a sync that never returns, each sector written since the last one is old, new or
 * torn. Keys stand on two pages; the disk is what both had at the last sync. */
#define CUT_PAGES 2
#define CUT_KEYS  100
#define SECTOR    512

static uint8_t disk[2][CUT_PAGES][4096];

static void each_page(int fd, ssize_t (*io)(int, int, int))
{
	for (int c = 0; c < 2; c++)
		for (int p = 0; p < CUT_PAGES; p++)
			ck_assert_int_eq(io(fd, c, p), PAGE);
}

static ssize_t remember(int fd, int c, int p)
{
	return pread(fd, disk[c][p], PAGE, PLACE(p, c));
}

static ssize_t cut(int fd, int c, int p)
{
	uint8_t now[4096];

	ck_assert_int_eq(pread(fd, now, PAGE, PLACE(p, c)), PAGE);
	for (int s = 0; s < PAGE; s += SECTOR) {
		int fate = memcmp(&now[s], &disk[c][p][s], SECTOR) != 0 ? rand() % 8 : 0;

		if (fate == 1)
			for (int i = rand() % SECTOR; i < SECTOR; i++)
				now[s + i] = rand();
		else if (fate > 4)
			memcpy(&now[s], &disk[c][p][s], SECTOR);
	}
	return pwrite(fd, now, PAGE, PLACE(p, c));
}

static int cut_fd;

static void remember_disk(void)
{
	each_page(cut_fd, remember);
}

/* The numbers of its SAs, as long as the machine has power. */
static void live_until_cut(int steps, uint64_t sent[static CUT_KEYS])
{
	static struct sequence seq[CUT_KEYS];
	struct lease *lease[CUT_KEYS] = {NULL};
	uint64_t first;

	for (int step = 0; step < steps; step++) {
		for (int i = rand() % 4; i < CUT_KEYS; i += 1 + rand() % 30) {
			uint64_t lift = rand() % 8 == 0 ? sent[i] + rand() % 10000000 : 0;

			if (lease[i] == NULL) {
				lease[i] = open_key(i, lift, UINT64_C(1) << 60, &seq[i]);
			} else if (rand() % 4 == 0) {
				lease_close(lease[i]);
				lease[i] = NULL;
			}
		}
		syncs_to_pass = rand() % 2;
		syncs_to_refuse = rand() % 3 == 0;
		tick();
		for (int i = 0; i < CUT_KEYS; i++) {
			uint32_t n = rand() % 2 ? (uint32_t)rand() % 300000 : UINT32_MAX;

			n = lease[i] != NULL ? sequence_take(&seq[i], n, &first) : 0;
			if (n == 0)
				continue;
			if (first <= sent[i])
				ck_abort_msg("key %d: %lu again, %lu was sent", i, first, sent[i]);
			sent[i] = first + n - 1;
		}
	}
}

START_TEST(after_a_power_cut_no_number_comes_again)
{
	uint64_t sent[CUT_KEYS] = {0}; /* the highest */

	srand(_i);
	cut_fd = open(path, O_RDWR);
	for (int life = 0; life < 60; life++) {
		open_journal();
		remember_disk();
		after_sync = remember_disk;
		live_until_cut(1 + rand() % 6, sent);
		after_sync = NULL;
		each_page(cut_fd, cut);
		crash();
	}
	close(cut_fd);
	for (int i = 0; i < CUT_KEYS; i++)
		ck_assert_uint_gt(sent[i], 0);
}
END_TEST

/* Whatever byte of either copy is damaged after all of it was on disk and used. */
START_TEST(a_damaged_copy_costs_a_lease_and_repeats_nothing)
{
	uint64_t lift = _i ? UINT64_C(1) << 31 : 0, sent, first;
	struct sequence seq, other;
	int fd;

	for (int offset = 0; offset < PAGE; offset += offset == 3 ? 5 : offset < 16 ? 1 : 97) {
		open_journal();
		open_key(1, lift, END_32, &seq);
		lease_journal_commit(journal, &why);
		tick();
		for (int refill = offset % 3; refill > 0; refill--) {
			sequence_take(&seq, UINT32_MAX, &first);
			ck_assert_int_eq(tick(), 1);
		}
		sequence_take(&seq, UINT32_MAX, &first);
		sent = seq.next - 1;
		crash();
		for (int c = 0; c < 2; c++) {
			uint8_t byte;

			fd = open(path, O_RDWR);
			ck_assert_int_eq(pread(fd, &byte, 1, PLACE(0, c) + offset), 1);
			byte ^= 1 << offset % 8;
			ck_assert_int_eq(pwrite(fd, &byte, 1, PLACE(0, c) + offset), 1);
			open_journal();
			open_key(1, 0, END_32, &seq);
			open_key(2, 0, END_32, &other);
			if (seq.next <= sent || seq.next > sent + 2 * LONGEST)
				ck_abort_msg("byte %d of copy %d: %lu after %lu", offset, c,
					seq.next, sent);
			crash();
			byte ^= 1 << offset % 8;
			ck_assert_int_eq(pwrite(fd, &byte, 1, PLACE(0, c) + offset), 1);
			close(fd);
		}
		ck_assert_int_eq(unlink(path), 0);
		ck_assert_int_eq(lease_journal_init(dir, &why), 0);
	}
}
END_TEST

START_TEST(a_page_with_both_copies_damaged_refuses_the_journal)
{
	int fd = open(path, O_RDWR);

	ck_assert_int_eq(pwrite(fd, "x", 1, PLACE(1040, 0) + 4000), 1);
	open_journal(); /* one copy is enough */
	crash();
	ck_assert_int_eq(pwrite(fd, "x", 1, PLACE(1040, 1) + 8), 1);
	close(fd);
	ck_assert_int_eq(lease_journal_open(dir, &journal, &why), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(why.text, "page 1040"));
}
END_TEST

START_TEST(a_page_of_another_journal_is_damage)
{
	struct journal_page page;
	int fd = open(path, O_RDWR);

	ck_assert_int_eq(pread(fd, &page, sizeof(page), PLACE(0, 0)), PAGE);
	unlink(path);
	close(fd);
	ck_assert_int_eq(lease_journal_init(dir, &why), 0);
	fd = open(path, O_RDWR);
	ck_assert_int_eq(pwrite(fd, &page, sizeof(page), PLACE(0, 0)), PAGE);
	ck_assert_int_eq(pread(fd, &page, sizeof(page), PLACE(1, 1)), PAGE);
	ck_assert_int_eq(pwrite(fd, &page, sizeof(page), PLACE(0, 1)), PAGE); /* misplaced */
	close(fd);
	ck_assert_int_eq(lease_journal_open(dir, &journal, &why), -EBADMSG);
}
END_TEST

/* --- what people do --- */

static void overwrite(off_t offset, const char *text)
{
	int fd = open(path, O_RDWR);

	ck_assert_int_eq(pwrite(fd, text, strlen(text), offset), (ssize_t)strlen(text));
	close(fd);
}

static void replace(const char *text)
{
	FILE *f;

	unlink(path);
	f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
	chmod(path, 0600);
}

static void lose_it(void)
{
	unlink(path);
}
static void lose_all(void)
{
	unlink(path);
	rmdir(dir);
}
static void cut_short(void)
{
	ck_assert_int_eq(truncate(path, PLACE(JOURNAL_PAGES, 1) - 1), 0);
}
static void cut_to_header(void)
{
	ck_assert_int_eq(truncate(path, PAGE), 0);
}
static void empty_it(void)
{
	replace("");
}
static void put_text(void)
{
	replace("interface: lan\n");
}
static void damage_header(void)
{
	overwrite(2000, "x");
}
static void damage_version(void)
{
	overwrite(16, "x");
}
static void damage_magic(void)
{
	overwrite(8, "x");
}
static void put_symlink(void)
{
	char other[128];

	snprintf(other, sizeof(other), "%s.new", path);
	ck_assert_int_eq(rename(path, other), 0);
	ck_assert_int_eq(symlink(other, path), 0);
}
static void put_folder(void)
{
	unlink(path);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
}
static void open_to_group(void)
{
	chmod(path, 0660);
}
static void open_folder(void)
{
	chmod(dir, 0777);
}

static const struct {
	void (*happens)(void);
	int rc;
	const char *says;
} mishaps[] = {
	{lose_it, -ENOENT, "--init-state"},
	{lose_all, -ENOENT, "--init-state"},
	{cut_short, -EBADMSG, "missing"},
	{cut_to_header, -EBADMSG, "missing"},
	{empty_it, -EBADMSG, "not a journal"},
	{put_text, -EBADMSG, "not a journal"},
	{damage_header, -EBADMSG, "damaged"},
	{damage_version, -EBADMSG, "damaged"},
	{damage_magic, -EBADMSG, "not a journal"},
	{put_symlink, -EBADMSG, "symbolic link"},
	{put_folder, -EBADMSG, "not a file"},
	{open_to_group, -EPERM, "0660"},
	{open_folder, -EPERM, "0777"},
};

START_TEST(what_is_not_our_journal_is_refused_in_words)
{
	mishaps[_i].happens();
	ck_assert_int_eq(lease_journal_open(dir, &journal, &why), mishaps[_i].rc);
	ck_assert_msg(strstr(why.text, mishaps[_i].says) != NULL, "%s", why.text);
	ck_assert_msg(strstr(why.text, dir) != NULL, "%s", why.text);
}
END_TEST

START_TEST(another_users_journal_is_refused)
{
	if (geteuid() != 0)
		return; /* only root can make one */
	ck_assert_int_eq(chown(path, 12345, 12345), 0);
	ck_assert_int_eq(lease_journal_open(dir, &journal, &why), -EPERM);
	ck_assert_ptr_nonnull(strstr(why.text, "12345"));
	ck_assert_int_eq(chown(path, 0, 0), 0);
	ck_assert_int_eq(chown(dir, 12345, 12345), 0);
	ck_assert_int_eq(lease_journal_open(dir, &journal, &why), -EPERM);
}
END_TEST

START_TEST(one_process_has_it)
{
	struct lease_journal *second;
	int status;

	open_journal();
	ck_assert_int_eq(lease_journal_open(dir, &second, &why), -EBUSY);
	if (fork() == 0)
		_exit(-lease_journal_open(dir, &second, NULL));
	ck_assert_int_gt(wait(&status), 0);
	ck_assert_int_eq(WEXITSTATUS(status), EBUSY);
	unlink(path); /* not even by putting a new one in its place */
	ck_assert_int_eq(lease_journal_init(dir, &why), -EEXIST);
	close_journal();
}
END_TEST

START_TEST(making_one_leaves_an_old_one_as_it_is)
{
	struct sequence seq;
	struct stat st;

	open_journal();
	open_key(1, 0, END_32, &seq);
	lease_journal_commit(journal, &why);
	close_journal();
	ck_assert_int_eq(lease_journal_init(dir, &why), -EEXIST);
	ck_assert_ptr_nonnull(strstr(why.text, "keys"));
	open_journal();
	close_journal();
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
}
END_TEST

START_TEST(making_one_makes_the_folder)
{
	struct stat st;

	lose_all();
	ck_assert_int_eq(lease_journal_init(dir, &why), 0);
	ck_assert_int_eq(stat(dir, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0700);
	open_journal();
	close_journal();
	chmod(dir, 0770);
	unlink(path);
	ck_assert_int_eq(lease_journal_init(dir, &why), -EPERM);
	ck_assert_int_eq(lease_journal_init("/proc/none", &why), -ENOENT);
}
END_TEST

START_TEST(making_one_on_a_full_disk_leaves_nothing)
{
	struct rlimit old, small = {.rlim_cur = 1 << 20};

	unlink(path);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
	small.rlim_max = old.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
	ck_assert_int_lt(lease_journal_init(dir, &why), 0);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
	ck_assert_int_eq(rmdir(dir), 0); /* it is empty */
	ck_assert_int_eq(lease_journal_init(dir, &why), 0);
}
END_TEST

/* A gateway's life until it is killed: each run of numbers is written down when it is taken. */
#define RUNS_MAX (1 << 20)

struct killed {
	_Atomic uint32_t n;
	struct {
		uint64_t first, n;
	} run[RUNS_MAX];
};

static void live(struct killed *k)
{
	struct sequence seq;
	uint64_t first = 0;

	open_journal();
	open_key(1, 0, UINT64_MAX, &seq);
	if (lease_journal_commit(journal, &why) < 0)
		_exit(1);
	for (;;) {
		for (int i = 0; i < 10 && k->n < RUNS_MAX; i++) {
			uint32_t n = sequence_take(&seq, 5000, &first);

			k->run[k->n].first = first;
			k->run[k->n].n = n;
			k->n += n != 0;
		}
		if (tick() < 0)
			_exit(1);
		usleep(100);
	}
}

START_TEST(killed_twenty_times_it_never_repeats_a_number)
{
	struct killed *k = mmap(NULL, sizeof(*k), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	uint32_t before = 0;
	int status;

	ck_assert_ptr_ne(k, MAP_FAILED);
	srand(7);
	for (int i = 0; i < 20; i++) {
		pid_t child = fork();

		if (child == 0)
			live(k);
		for (int ms = 0; k->n == before && ms < 5000; ms++)
			usleep(1000);
		usleep(rand() % 20000);
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
		ck_assert(WIFSIGNALED(status));
		ck_assert_uint_gt(k->n, before);
		before = k->n;
	}
	for (uint32_t i = 1; i < before; i++)
		if (k->run[i].first < k->run[i - 1].first + k->run[i - 1].n)
			ck_abort_msg("run %u begins at %lu, the one before ends at %lu", i,
				k->run[i].first, k->run[i - 1].first + k->run[i - 1].n);
	munmap(k, sizeof(*k));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("lease");
	TCase *tc = tcase_create("lease");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, make_journal, remove_journal);
	tcase_add_test(tc, a_new_key_starts_at_1_and_sends_nothing_before_the_commit);
	tcase_add_test(tc, after_a_clean_stop_it_goes_on_exactly);
	tcase_add_test(tc, after_a_crash_it_goes_on_where_the_lease_ended);
	tcase_add_test(tc, an_sa_that_comes_back_in_one_process_goes_on_exactly);
	tcase_add_test(tc, one_key_has_one_lease);
	tcase_add_test(tc, a_key_never_goes_back);
	tcase_add_loop_test(tc, a_lease_is_refilled_at_half_for_ten_seconds_of_its_rate, 0, 5);
	tcase_add_loop_test(tc, the_last_numbers_are_sent_and_then_asked_for_no_more, 0, 2);
	tcase_add_test(tc, ten_thousand_keys_take_one_commit);
	tcase_add_test(tc, a_full_journal_refuses_new_keys_and_serves_old_ones);
	tcase_add_test(tc, a_limit_moves_after_the_disk_has_it);
	tcase_add_test(tc, on_a_sync_error_limits_stay_and_all_is_written_again);
	tcase_add_test(tc, on_a_write_error_limits_stay);
	tcase_add_loop_test(tc, after_a_power_cut_no_number_comes_again, 0, 4);
	tcase_add_loop_test(tc, a_damaged_copy_costs_a_lease_and_repeats_nothing, 0, 2);
	tcase_add_test(tc, a_page_with_both_copies_damaged_refuses_the_journal);
	tcase_add_test(tc, a_page_of_another_journal_is_damage);
	tcase_add_loop_test(tc, what_is_not_our_journal_is_refused_in_words, 0, N(mishaps));
	tcase_add_test(tc, another_users_journal_is_refused);
	tcase_add_test(tc, one_process_has_it);
	tcase_add_test(tc, making_one_leaves_an_old_one_as_it_is);
	tcase_add_test(tc, making_one_makes_the_folder);
	tcase_add_test(tc, making_one_on_a_full_disk_leaves_nothing);
	tcase_add_test(tc, killed_twenty_times_it_never_repeats_a_number);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
