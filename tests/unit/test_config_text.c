/* SPDX-License-Identifier: BSD-3-Clause */
/* test_config_text.c - files that are none, or are odd as text: a clear error, or read all the same. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "config_fixture.h"

static const struct config_case cases[] = {
	{"lines end in CR LF",
		"version: 1\r\nports:\r\n  - {name: lan, device: d0, side: protected}\r\n", {NULL}},
	{"no newline at the end",
		"version: 1\nports: [{name: lan, device: d0, side: protected}]\nstate_dir: /x",
		{NULL}},
	{"a byte order mark", "\xef\xbb\xbf" PORTS, {NULL}},
	{"tabs between values",
		"version:\t1\nports:\t[{name:\tlan,\tdevice:\td0, side: protected}]\n", {NULL}},
	{"characters beyond ASCII in a comment", "# \xc3\xa9\xe2\x82\xac\xf0\x9f\x94\x91\n" PORTS,
		{NULL}},
	{"columns count characters", PORTS "# \xc3\xa9\nlog: {\"\xc3\xa9\": 1, foo: 1}\n",
		{"6:7: log.\xc3\xa9: there is no key '\xc3\xa9'", "6:15: log.foo: there is no"}},
	{"a control character", PORTS "log: \x01\n",
		{"5:6: file: there is a byte 0x01 that is no text"}},
	{"a delete", PORTS "log: \x7f\n", {"5:6: file: there is a byte 0x7f that is no text"}},
	{"a control character of two bytes", PORTS "log: \xc2\x9b\n",
		{"5:6: file: there is a byte 0xc2 that is no text"}},
	{"the same by escape", PORTS "log: {level: \"\\x9b2J\"}\n",
		{"5:14: log.level: '?2J' is not taken"}},
	{"an empty key", PORTS "log: {\"\": 1}\n", {"5:7: log.'': there is no key"}},
	{"a character cut short", PORTS "log: \xe2\x82\n",
		{"5:6: file: there is a byte 0xe2 that is"}},
	{"a character too long", PORTS "log: \xc0\xaf\n",
		{"5:6: file: there is a byte 0xc0 that is"}},
	{"half of a surrogate", PORTS "log: \xed\xa0\x80\n",
		{"5:6: file: there is a byte 0xed that is"}},
	{"beyond Unicode", PORTS "log: \xf4\x90\x80\x80\n",
		{"5:6: file: there is a byte 0xf4 that is"}},
	{"the last byte alone", PORTS "log: \xf0", {"5:6: file: there is a byte 0xf0 that is"}},
	{"a name in two lines", PORTS "state_dir: \"a\n  b\"\n", {NULL}},
	{"a control character by escape", PORTS "log: {level: \"\\x1b[2J\"}\n",
		{"5:14: log.level: '?[2J' is not taken"}},
};

START_TEST(text_is_read_or_refused_where_it_is_odd)
{
	config_fixture_hold(&cases[_i]);
}
END_TEST

static void hold_file(const char *path, const char *says)
{
	char said[1000] = "";
	struct config_report report = {.to = fmemopen(said, sizeof(said), "w")};
	struct config c;

	ck_assert_int_lt(config_load(&path, 1, &c, &report), 0);
	fclose(report.to);
	ck_assert_uint_eq(report.errors, 1);
	ck_assert_str_eq(said, says);
	ck_assert_ptr_null(c.arena);
}

START_TEST(what_is_no_file_is_refused)
{
	int fd = open("huge", O_WRONLY | O_CREAT, 0600);

	ck_assert_int_eq(ftruncate(fd, (256 << 20) + 1), 0);
	close(fd);
	ck_assert_int_eq(mkdir("folder", 0700), 0);
	ck_assert_int_eq(mkfifo("pipe", 0600), 0);
	hold_file("huge",
		"huge:1:1: file: it is larger than 256 MiB, split it; --config may be given "
		"several times\n");
	hold_file("folder", "folder:1:1: file: it is a directory, a file is wanted\n");
	hold_file("none", "none:1:1: file: it cannot be opened, No such file or directory\n");
	/* nobody writes into it, and nobody waits for that */
	hold_file("pipe", "pipe:1:1: file: there is nothing in it; it begins with 'version: 1'\n");
	hold_file("/dev/zero", "/dev/zero:1:1: file: there is a byte 0x00 that is no text, UTF-8 "
			       "without control characters is wanted\n");
	unlink("huge");
}
END_TEST

START_TEST(a_line_of_4_KiB_is_read)
{
	char yaml[8192];

	snprintf(yaml, sizeof(yaml), "%slog: {level: info} # %04096d\nstate_dir: /%*s\n", PORTS, 0,
		0, "x");
	ck_assert_int_eq(config_fixture_load(1, yaml)->rc, 0);
}
END_TEST

START_TEST(a_name_of_4_KiB_is_shortened_in_its_error)
{
	char yaml[8192], name[4096 + 1] = "";
	struct config_loaded *l;

	for (unsigned i = 0; i < sizeof(name) - 1; i++)
		name[i] = i % 2 == 0 ? 'n' : '-';
	snprintf(yaml, sizeof(yaml),
		"version: 1\nports: [{name: %s, device: a, side: protected}]\n", name);
	l = config_fixture_load(1, yaml);
	ck_assert_uint_eq(l->errors, 1);
	ck_assert_uint_lt(strlen(l->said), 400);
}
END_TEST

START_TEST(laughs_by_the_billion_are_not_laughed)
{
	char yaml[4096];
	size_t n = snprintf(yaml, sizeof(yaml), "a: &a [x, x, x, x, x, x, x, x, x, x]\n");

	for (char c = 'b'; c < 'k'; c++)
		n += snprintf(yaml + n, sizeof(yaml) - n,
			"%c: &%c [*%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c]\n", c, c, c - 1,
			c - 1, c - 1, c - 1, c - 1, c - 1, c - 1, c - 1, c - 1);
	/* ten anchors, ten keys that there are not, nine times nine aliases */
	ck_assert_uint_eq(config_fixture_load(1, yaml)->errors, 10 + 10 + 81 + 2);
}
END_TEST

START_TEST(too_many_values_are_refused_before_they_are_kept)
{
	size_t n = 5 << 20;
	char *yaml = malloc(n + 1);
	struct config_loaded *l;

	memset(yaml, '[', n);
	yaml[n] = '\0';
	l = config_fixture_load(1, yaml);
	free(yaml);
	ck_assert_str_eq(l->said, "a.yaml:1:4194305: file: there are more than 4194304 values, "
				  "split it or shorten its lists\n");
}
END_TEST

static char *big_file(unsigned n)
{
	size_t size = 512 * (size_t)n + 1024, at;
	char *yaml = malloc(size);

	at = snprintf(yaml, size, PORTS "sas:\n");
	for (unsigned i = 0; i < n; i++)
		at += snprintf(yaml + at, size - at,
			"  - name: sa-%u\n    direction: %s\n    spi: %u\n    src: 192.0.2.1\n"
			"    dst: 192.0.2.2\n    reqid: %u\n    aead: aes-128-gcm\n"
			"    key: 0x%040x\n",
			i, i % 2 == 0 ? "out" : "in", 256 + i, i / 2 + 1, i);
	at += snprintf(yaml + at, size - at, "policies:\n");
	for (unsigned i = 0; i < n; i++)
		at += snprintf(yaml + at, size - at,
			"  - {name: p-%u, direction: %s, action: protect, reqid: %u, priority: %u, "
			"src: 10.%u.%u.0/24}\n",
			i, i % 2 == 0 ? "out" : "in", i / 2 + 1, i, i >> 8, i & 255);
	return yaml;
}

START_TEST(ten_thousand_sas_and_policies_load_at_once)
{
	char *yaml = big_file(10000);
	struct timespec from, to;
	struct config_loaded *l;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	l = config_fixture_load(1, yaml);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	ck_assert_msg(l->rc == 0, "%s", l->said);
	ck_assert_uint_eq(l->config.n_sas, 10000);
	ck_assert_uint_eq(l->config.n_policies, 10000);
	printf("10,000 SAs and 10,000 policies: %.3f s of one core\n",
		(to.tv_sec - from.tv_sec) + (to.tv_nsec - from.tv_nsec) / 1e9);
	config_close(&l->config);
	free(yaml);
}
END_TEST

int main(void)
{
	const struct config_test tests[] = {
		{text_is_read_or_refused_where_it_is_odd, COUNT(cases)},
		{what_is_no_file_is_refused, 0},
		{a_line_of_4_KiB_is_read, 0},
		{a_name_of_4_KiB_is_shortened_in_its_error, 0},
		{laughs_by_the_billion_are_not_laughed, 0},
		{too_many_values_are_refused_before_they_are_kept, 0},
		{ten_thousand_sas_and_policies_load_at_once, 0},
	};

	return config_fixture_run("config_text", tests, COUNT(tests));
}
