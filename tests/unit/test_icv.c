/* SPDX-License-Identifier: BSD-3-Clause */
/* test_icv.c - every bit of an ICV counts, and none beyond it. */
#include <check.h>
#include <stdlib.h>

#include "icv.h"

static const unsigned lengths[] = {8, 12, 16, 24, 32};

START_TEST(every_bit_counts_and_none_beyond)
{
	uint8_t a[40], b[40];
	unsigned len = lengths[_i];

	for (unsigned i = 0; i < sizeof(a); i++)
		a[i] = b[i] = rand();
	ck_assert(!icv_differs(a, b, len));
	for (unsigned bit = 0; bit < 8 * sizeof(a); bit++) {
		b[bit / 8] ^= 1 << bit % 8;
		ck_assert_msg(
			icv_differs(a, b, len) == (bit < 8 * len), "bit %u of %u bytes", bit, len);
		b[bit / 8] ^= 1 << bit % 8;
	}
}
END_TEST

START_TEST(two_differences_do_not_cancel)
{
	uint8_t a[32] = {0}, b[32] = {0};
	unsigned len = lengths[_i];

	for (unsigned i = 0; i < len; i++) {
		for (unsigned k = i + 1; k < len; k++) {
			b[i] = b[k] = 0x80;
			ck_assert_msg(icv_differs(a, b, len), "bytes %u and %u of %u", i, k, len);
			b[i] = b[k] = 0;
		}
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("icv");
	TCase *t = tcase_create("all");
	SRunner *r;
	int failed;

	tcase_add_loop_test(
		t, every_bit_counts_and_none_beyond, 0, sizeof(lengths) / sizeof(lengths[0]));
	tcase_add_loop_test(
		t, two_differences_do_not_cancel, 0, sizeof(lengths) / sizeof(lengths[0]));
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
