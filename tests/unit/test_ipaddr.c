/* SPDX-License-Identifier: BSD-3-Clause */
/* test_ipaddr.c - addresses, prefixes and ranges parse exactly or not at all. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ipaddr.h"

static const struct {
	const char *text;
	int rc;
	const char *first, *last;
} ranges[] = {
	{"10.0.0.0/8", 0, "10.0.0.0", "10.255.255.255"},
	{"255.255.255.255", 0, "255.255.255.255", "255.255.255.255"},
	{"0.0.0.0/0", 0, "0.0.0.0", "255.255.255.255"},
	{"10.3.0.5-10.3.0.9", 0, "10.3.0.5", "10.3.0.9"},
	{"::/0", 0, "::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
	{"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128", 0,
		"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
		"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
	{"2001:db8::/33", 0, "2001:db8::", "2001:db8:7fff:ffff:ffff:ffff:ffff:ffff"},
	{"10.0.0.1/8", -ERANGE, NULL, NULL},
	{"10.0.0.9-10.0.0.5", -ERANGE, NULL, NULL},
	{"10.0.0.1-::1", -ERANGE, NULL, NULL},
	{"10.0.0.0/33", -EINVAL, NULL, NULL},
	{"10.0.0.0/", -EINVAL, NULL, NULL},
	{"10.0.0.0/08", -EINVAL, NULL, NULL},
	{"10.0.0.0/8x", -EINVAL, NULL, NULL},
	{"10.0.0", -EINVAL, NULL, NULL},
	{"10.0.0.256", -EINVAL, NULL, NULL},
	{"", -EINVAL, NULL, NULL},
	{"/8", -EINVAL, NULL, NULL},
	{"-", -EINVAL, NULL, NULL},
	{" 10.0.0.1", -EINVAL, NULL, NULL},
	{"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/8", -EINVAL, NULL, NULL},
};

START_TEST(a_range_is_read_whole_or_refused)
{
	char buf[IPADDR_STRLEN], text[IPADDR_RANGE_STRLEN];
	struct ipaddr_range r, again;

	ck_assert_int_eq(ipaddr_range_parse(ranges[_i].text, &r), ranges[_i].rc);
	if (ranges[_i].rc < 0)
		return;
	ck_assert_str_eq(ipaddr_format(&r.first, buf), ranges[_i].first);
	ck_assert_str_eq(ipaddr_format(&r.last, buf), ranges[_i].last);
	ck_assert(ipaddr_in_range(&r.first, &r) && ipaddr_in_range(&r.last, &r));
	ck_assert_int_eq(ipaddr_range_parse(ipaddr_range_format(&r, text), &again), 0);
	ck_assert(ipaddr_equal(&again.first, &r.first) && ipaddr_equal(&again.last, &r.last));
}
END_TEST

static const struct {
	const char *text, *shown;
} shown[] = {
	{"10.0.0.0/8", "10.0.0.0/8"},
	{"10.0.0.0-10.255.255.255", "10.0.0.0/8"},
	{"10.0.0.7/32", "10.0.0.7"},
	{"0.0.0.0-255.255.255.255", "0.0.0.0/0"},
	{"10.0.0.1-10.0.0.2", "10.0.0.1-10.0.0.2"},
	{"10.0.0.2-10.0.0.3", "10.0.0.2/31"},
	{"10.0.0.0-10.0.0.2", "10.0.0.0-10.0.0.2"},
	{"::/0", "::/0"},
	{"2001:db8::-2001:db8::ffff", "2001:db8::/112"},
	{"8000::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe",
		"8000::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe"},
};

START_TEST(a_range_is_shown_in_its_shortest_form)
{
	char buf[IPADDR_RANGE_STRLEN];
	struct ipaddr_range r;

	ck_assert_int_eq(ipaddr_range_parse(shown[_i].text, &r), 0);
	ck_assert_str_eq(ipaddr_range_format(&r, buf), shown[_i].shown);
}
END_TEST

START_TEST(membership_ends_at_both_edges)
{
	struct ipaddr a;
	struct ipaddr_prefix p;

	ck_assert_int_eq(ipaddr_prefix_parse("10.1.2.0/23", &p), 0);
	ipaddr_parse("10.1.1.255", &a);
	ck_assert(!ipaddr_in_prefix(&a, &p));
	ipaddr_parse("10.1.2.0", &a);
	ck_assert(ipaddr_in_prefix(&a, &p));
	ipaddr_parse("10.1.3.255", &a);
	ck_assert(ipaddr_in_prefix(&a, &p));
	ipaddr_parse("10.1.4.0", &a);
	ck_assert(!ipaddr_in_prefix(&a, &p));
	ipaddr_parse("::", &a);
	ck_assert(!ipaddr_in_prefix(&a, &p));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ipaddr");
	TCase *t = tcase_create("all");
	SRunner *r;

	tcase_add_loop_test(
		t, a_range_is_read_whole_or_refused, 0, sizeof(ranges) / sizeof(ranges[0]));
	tcase_add_loop_test(
		t, a_range_is_shown_in_its_shortest_form, 0, sizeof(shown) / sizeof(shown[0]));
	tcase_add_test(t, membership_ends_at_both_edges);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
