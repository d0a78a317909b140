/* SPDX-License-Identifier: BSD-3-Clause */
/* test_queue.c - workers get queue pairs of their own, on as few devices as that takes. */
#include <check.h>
#include <stdlib.h>

#include "queue.h"

static const struct {
	unsigned devices, pairs, workers, group;
	const char *what;
} layouts[] = {
	{1, 2, 1, 1, "one VF, one worker"},
	{1, 2, 2, 1, "one VF serves two workers"},
	{1, 2, 3, 0, "one VF is too few for three"},
	{2, 2, 3, 2, "two VFs together serve three"},
	{2, 2, 4, 2, "and four"},
	{2, 2, 5, 0, "not five"},
	{16, 2, 2, 1, "sixteen VFs make sixteen groups for two workers"},
	{16, 2, 7, 4, "and four groups for seven"},
	{4, 4, 16, 4, "generation 4 with all its pairs"},
	{3, 1, 3, 3, "a scheduler for every worker"},
	{2, 1, 3, 0, "a scheduler is missing"},
	{1, 128, 128, 1, "a software device"},
	{0, 2, 1, 0, "no device"},
	{4, 0, 1, 0, "devices without queue pairs"},
};

START_TEST(a_group_is_as_small_as_it_can_be)
{
	unsigned group = queue_group(layouts[_i].devices, layouts[_i].pairs, layouts[_i].workers);

	ck_assert_msg(group == layouts[_i].group, "%s: %u", layouts[_i].what, group);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("queue");
	TCase *t = tcase_create("all");
	SRunner *r;

	tcase_add_loop_test(
		t, a_group_is_as_small_as_it_can_be, 0, sizeof(layouts) / sizeof(layouts[0]));
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
