/* SPDX-License-Identifier: BSD-3-Clause */
/* test_exits.c - docs/exits.md has a row for every exit, and no other. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exits.h"

static char *read_doc(void)
{
	FILE *f = fopen(EXITS_MD, "r");
	static char text[65536];
	size_t n;

	ck_assert_ptr_nonnull(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = '\0';
	return text;
}

START_TEST(every_exit_has_its_row)
{
	char row[512];

	for (enum exit e = 0; e < EXIT_COUNT; e++) {
		snprintf(row, sizeof(row), "| `%s` | %s | %s |\n", exit_name(e),
			exit_becomes_name(e), exit_meaning(e));
		if (strstr(read_doc(), row) == NULL)
			ck_abort_msg("docs/exits.md lacks: %s", row);
	}
}
END_TEST

START_TEST(no_row_is_of_an_exit_that_is_gone)
{
	unsigned rows = 0;

	for (const char *at = read_doc(); (at = strstr(at, "\n| `")) != NULL; at++)
		rows++;
	ck_assert_uint_eq(rows, EXIT_COUNT);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("exits");
	TCase *t = tcase_create("all");
	SRunner *r;
	int failed;

	tcase_add_test(t, every_exit_has_its_row);
	tcase_add_test(t, no_row_is_of_an_exit_that_is_gone);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
