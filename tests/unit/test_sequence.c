/* SPDX-License-Identifier: BSD-3-Clause */
/* test_sequence.c - each number is taken by one worker, none past the limit (RFC 4303 3.3.3). */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>

#include "sequence.h"

#define WORKERS 4
#define NUMBERS 2000000

START_TEST(the_last_number_without_esn_is_all_ones)
{
	struct sequence s = {.next = 0xfffffffd, .limit = 1ULL << 32, .end = 1ULL << 32};
	uint64_t first;

	ck_assert_uint_eq(sequence_take(&s, 2, &first), 2);
	ck_assert_uint_eq(first, 0xfffffffd);
	ck_assert(!sequence_is_spent(&s));
	ck_assert_uint_eq(sequence_take(&s, 8, &first), 1);
	ck_assert_uint_eq(first, 0xffffffff);
	ck_assert_uint_eq(sequence_take(&s, 1, &first), 0);
	ck_assert(sequence_is_spent(&s));
	ck_assert_uint_eq(s.next, 1ULL << 32);
}
END_TEST

START_TEST(numbers_are_low_from_nine_tenths_on)
{
	struct sequence s = {.end = 1ULL << 32};

	s.next = s.end - 429496729 - 1; /* a tenth of 2^32 */
	ck_assert(!sequence_is_low(&s));
	s.next++;
	ck_assert(sequence_is_low(&s));
	s.end = UINT64_MAX;
	ck_assert(!sequence_is_low(&s));
	s.next = UINT64_MAX - UINT64_MAX / 10;
	ck_assert(sequence_is_low(&s));
}
END_TEST

START_TEST(nothing_is_taken_past_the_limit_until_it_moves)
{
	struct sequence s = {.next = 1, .limit = 0, .end = UINT64_MAX};
	uint64_t first;

	ck_assert_uint_eq(sequence_take(&s, 1, &first), 0);
	s.limit = 11;
	ck_assert_uint_eq(sequence_take(&s, 0, &first), 0);
	ck_assert_uint_eq(sequence_take(&s, 32, &first), 10);
	ck_assert_uint_eq(first, 1);
	ck_assert_uint_eq(sequence_take(&s, 32, &first), 0);
	s.limit = UINT64_MAX;
	ck_assert_uint_eq(sequence_take(&s, 32, &first), 32);
	ck_assert_uint_eq(first, 11);
}
END_TEST

static struct sequence shared;
static _Atomic uint8_t taken[NUMBERS];
static atomic_uint wrong;

static void *worker(void *arg)
{
	uint32_t burst = 1 + (uintptr_t)arg * 7;
	uint64_t first;

	while (atomic_load(&shared.next) < NUMBERS) {
		uint32_t n = sequence_take(&shared, burst, &first);

		for (uint32_t i = 0; i < n; i++)
			if (first + i >= NUMBERS || atomic_fetch_add(&taken[first + i], 1) != 0)
				atomic_fetch_add(&wrong, 1);
	}
	return NULL;
}

static void start(pthread_t thread[static WORKERS])
{
	atomic_store(&wrong, 0);
	atomic_store(&shared.next, 1);
	atomic_store(&shared.limit, 0);
	for (int i = 0; i < NUMBERS; i++)
		atomic_store(&taken[i], 0);
	for (uintptr_t i = 0; i < WORKERS; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, worker, (void *)i), 0);
}

START_TEST(workers_share_all_numbers_and_none_twice)
{
	pthread_t thread[WORKERS];

	start(thread);
	for (uint64_t limit = 1; limit < NUMBERS; limit += 1000)
		atomic_store(&shared.limit, limit);
	atomic_store(&shared.limit, NUMBERS);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(thread[i], NULL);
	ck_assert_uint_eq(wrong, 0);
	for (int i = 1; i < NUMBERS; i++)
		if (taken[i] != 1)
			ck_abort_msg("%d was taken %d times", i, taken[i]);
}
END_TEST

START_TEST(after_a_stop_nobody_takes_any_and_all_before_is_taken)
{
	pthread_t thread[WORKERS];
	uint64_t next;

	start(thread);
	atomic_store(&shared.limit, NUMBERS);
	while (atomic_load(&shared.next) < NUMBERS / 4)
		;
	next = sequence_stop(&shared);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(thread[i], NULL);
	ck_assert_uint_eq(wrong, 0);
	for (uint64_t i = 1; i < NUMBERS; i++)
		if (taken[i] != (i < next))
			ck_abort_msg("%lu of %lu was taken %d times", i, next, taken[i]);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("sequence");
	TCase *tc = tcase_create("sequence");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, the_last_number_without_esn_is_all_ones);
	tcase_add_test(tc, numbers_are_low_from_nine_tenths_on);
	tcase_add_test(tc, nothing_is_taken_past_the_limit_until_it_moves);
	tcase_add_test(tc, workers_share_all_numbers_and_none_twice);
	tcase_add_test(tc, after_a_stop_nobody_takes_any_and_all_before_is_taken);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
