/* SPDX-License-Identifier: BSD-3-Clause */
/* test_key.c - keys are read whole or not at all, from files nobody else reads, and leave nothing. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "key.h"

#define HEX_16 "000102030405060708090a0b0c0d0e0f"
#define HEX_64 HEX_16 HEX_16 HEX_16 HEX_16

static const struct {
	const char *text;
	int rc;
	unsigned len;
} texts[] = {
	{"0x00", 0, 1},
	{"0x" HEX_16, 0, 16},
	{"0x000102030405060708090A0B0C0D0E0F", 0, 16},
	{"0x" HEX_64, 0, 64},
	{"0x" HEX_64 "00", -E2BIG, 0},
	{"0x", -EINVAL, 0},
	{"", -EINVAL, 0},
	{"0x0", -EINVAL, 0},
	{"0x001", -EINVAL, 0},
	{HEX_16, -EINVAL, 0},
	{"0X00", -EINVAL, 0},
	{"0x0g", -EINVAL, 0},
	{"0x00 ", -EINVAL, 0},
	{"0x00\n", -EINVAL, 0},
	{"0x/0", -EINVAL, 0},
	{"0x0:", -EINVAL, 0},
	{"0x@0", -EINVAL, 0},
	{"0x0`", -EINVAL, 0},
	{"0x\xb0\xb0", -EINVAL, 0},
	{"0x00010203040506070809zz", -EINVAL, 0},
};

START_TEST(a_key_is_read_whole_or_leaves_zeroes)
{
	static const struct key zero;
	struct key key;

	memset(&key, 0xee, sizeof(key));
	ck_assert_int_eq(key_parse(texts[_i].text, strlen(texts[_i].text), &key), texts[_i].rc);
	if (texts[_i].rc < 0) {
		ck_assert_mem_eq(&key, &zero, sizeof(key));
		return;
	}
	ck_assert_uint_eq(key.len, texts[_i].len);
	for (unsigned i = 0; i < key.len; i++)
		ck_assert_uint_eq(key.bytes[i], i % 16);
}
END_TEST

START_TEST(every_byte_value_has_its_two_digits)
{
	char text[5];
	struct key key;

	for (unsigned v = 0; v < 256; v++) {
		snprintf(text, sizeof(text), v % 2 == 0 ? "0x%02x" : "0x%02X", v);
		ck_assert_int_eq(key_parse(text, 4, &key), 0);
		ck_assert_uint_eq(key.bytes[0], v);
	}
}
END_TEST

static char path[] = "/tmp/adit-test-key-XXXXXX";

static void write_file(const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	ck_assert_int_eq(fchmod(fd, mode), 0);
	close(fd);
}

static void make_file(void)
{
	strcpy(path + sizeof(path) - 7, "XXXXXX");
	close(mkstemp(path));
}

static void remove_file(void)
{
	unlink(path);
}

static const struct {
	const char *text;
	mode_t mode;
	int rc;
} files[] = {
	{"0x" HEX_16, 0600, 0},
	{"0x" HEX_16 "\n", 0400, 0},
	{"0x" HEX_64 "\n", 0600, 0},
	{"0x" HEX_16 "\n\n", 0600, -EINVAL},
	{"0x" HEX_16 "\r\n", 0600, -EINVAL},
	{"0x" HEX_64 "00\n", 0600, -E2BIG},
	{"0x" HEX_64 HEX_64, 0600, -E2BIG},
	{"", 0600, -EINVAL},
	{"\n", 0600, -EINVAL},
	{"0x" HEX_16, 0640, -EPERM},
	{"0x" HEX_16, 0604, -EPERM},
	{"0x" HEX_16, 0700, -EPERM},
	{"0x" HEX_16, 04600, -EPERM},
	{"0x" HEX_16, 0200, -EPERM},
};

START_TEST(a_key_file_is_private_and_holds_one_key)
{
	struct key key;

	write_file(files[_i].text, files[_i].mode);
	if (geteuid() != 0 && files[_i].mode == 0200)
		return; /* only root gets as far as the mode check */
	memset(&key, 0xee, sizeof(key));
	ck_assert_int_eq(key_read_file(path, &key), files[_i].rc);
	ck_assert_uint_eq(key.len, files[_i].rc < 0 ? 0 : (strlen(files[_i].text) - 2) / 2);
}
END_TEST

START_TEST(what_is_no_file_of_ours_is_refused)
{
	struct key key;

	ck_assert_int_eq(key_read_file("/nonexistent/key", &key), -ENOENT);
	ck_assert_int_eq(key_read_file("/", &key), -EINVAL);
	ck_assert_int_eq(key_read_file("/dev/zero", &key), -EINVAL);
	unlink(path);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(key_read_file(path, &key), -EINVAL);
	if (geteuid() != 0)
		return; /* giving a file away needs root */
	unlink(path);
	close(open(path, O_CREAT | O_WRONLY, 0600));
	write_file("0x" HEX_16, 0600);
	ck_assert_int_eq(chown(path, 12345, 0), 0);
	ck_assert_int_eq(key_read_file(path, &key), -EPERM);
}
END_TEST

START_TEST(wiping_leaves_zeroes)
{
	static const struct key zero;
	struct key key;

	ck_assert_int_eq(key_parse("0x" HEX_64, 2 + 128, &key), 0);
	key_wipe(&key);
	ck_assert_mem_eq(&key, &zero, sizeof(key));
}
END_TEST

START_TEST(a_fingerprint_depends_on_every_byte)
{
	/* printf 'adit key fingerprint 2\0\0\1…\x0f' | sha256sum */
	static const uint8_t expected[KEY_FINGERPRINT] = {0x75, 0xa0, 0x2e, 0x4d, 0x23, 0xbd, 0xb2,
		0xaf, 0x1e, 0xe3, 0x06, 0xa6, 0xa5, 0x86, 0x24, 0x8b};
	uint8_t base[KEY_FINGERPRINT], other[KEY_FINGERPRINT];
	struct key key;

	ck_assert_int_eq(key_parse("0x" HEX_16, 34, &key), 0);
	ck_assert_int_eq(key_fingerprint(&key, base), 0);
	ck_assert_mem_eq(base, expected, sizeof(base));
	for (unsigned bit = 0; bit < 8u * key.len; bit++) {
		key.bytes[bit / 8] ^= 1 << bit % 8;
		ck_assert_int_eq(key_fingerprint(&key, other), 0);
		ck_assert_mem_ne(base, other, sizeof(base));
		key.bytes[bit / 8] ^= 1 << bit % 8;
	}
	key.len--;
	ck_assert_int_eq(key_fingerprint(&key, other), 0);
	ck_assert_mem_ne(base, other, sizeof(base));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("key");
	TCase *t = tcase_create("all");
	SRunner *r;

	tcase_add_checked_fixture(t, make_file, remove_file);
	tcase_add_loop_test(
		t, a_key_is_read_whole_or_leaves_zeroes, 0, sizeof(texts) / sizeof(texts[0]));
	tcase_add_test(t, every_byte_value_has_its_two_digits);
	tcase_add_loop_test(
		t, a_key_file_is_private_and_holds_one_key, 0, sizeof(files) / sizeof(files[0]));
	tcase_add_test(t, what_is_no_file_of_ours_is_refused);
	tcase_add_test(t, wiping_leaves_zeroes);
	tcase_add_test(t, a_fingerprint_depends_on_every_byte);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
