/* SPDX-License-Identifier: BSD-3-Clause */
/* test_latency.c - a histogram of latencies says what a sorted list would, to a hundredth or two. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "latency.h"

#define PACKETS 100000u

static struct latency l;
static uint64_t value[PACKETS];

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void check_quantile(double share, unsigned at)
{
	uint64_t got = latency_quantile(&l, share);

	ck_assert_uint_ge(got, value[at]);
	ck_assert_uint_le(got, value[at] + value[at] / 63);
}

START_TEST(quantiles_are_those_of_a_sorted_list)
{
	memset(&l, 0, sizeof(l));
	for (unsigned i = 0; i < PACKETS; i++) {
		value[i] = (uint64_t)rand() >> (rand() % 31);
		latency_add(&l, value[i]);
	}
	qsort(value, PACKETS, sizeof(value[0]), compare);
	check_quantile(0.5, PACKETS / 2 - 1);
	check_quantile(0.99, PACKETS / 100 * 99 - 1);
	check_quantile(0.999, PACKETS / 1000 * 999 - 1);
	check_quantile(1, PACKETS - 1);
}
END_TEST

START_TEST(every_power_of_two_is_where_it_belongs)
{
	for (unsigned power = 0; power < 64; power++) {
		for (int k = -1; k <= 1; k++) {
			uint64_t cycles = (UINT64_C(1) << power) + k;

			memset(&l, 0, sizeof(l));
			latency_add(&l, cycles);
			ck_assert_uint_ge(latency_quantile(&l, 0.5), cycles);
			ck_assert_uint_le(latency_quantile(&l, 0.5) - cycles, cycles / 63);
		}
	}
	latency_add(&l, UINT64_MAX);
	ck_assert_uint_eq(latency_quantile(&l, 1), UINT64_MAX);
}
END_TEST

START_TEST(jitter_is_between_neighbours)
{
	memset(&l, 0, sizeof(l));
	ck_assert_uint_eq(latency_quantile(&l, 0.5), 0);
	ck_assert(latency_jitter(&l) == 0);
	for (unsigned i = 0; i < 5; i++)
		latency_add(&l, i % 2 == 0 ? 100 : 130); /* up as far as down */
	ck_assert(latency_jitter(&l) == 30);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("latency");
	TCase *t = tcase_create("all");
	SRunner *r;
	int failed;

	srand(20261202);
	tcase_add_test(t, quantiles_are_those_of_a_sorted_list);
	tcase_add_test(t, every_power_of_two_is_where_it_belongs);
	tcase_add_test(t, jitter_is_between_neighbours);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
