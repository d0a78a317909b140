/* SPDX-License-Identifier: BSD-3-Clause */
/* test_algorithm.c - every offered name has the lengths of its RFC, and no other name is offered. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"

static const struct {
	const char *name;
	enum algorithm_kind kind;
	unsigned key, salt, iv, icv, block;
} rows[] = {
	/* RFC 4106 5, 6, 8.1 */
	{"aes-128-gcm", ALGORITHM_AEAD, 16, 4, 8, 16, 4},
	{"aes-192-gcm", ALGORITHM_AEAD, 24, 4, 8, 16, 4},
	{"aes-256-gcm", ALGORITHM_AEAD, 32, 4, 8, 16, 4},
	{"aes-128-gcm-12", ALGORITHM_AEAD, 16, 4, 8, 12, 4},
	{"aes-192-gcm-12", ALGORITHM_AEAD, 24, 4, 8, 12, 4},
	{"aes-256-gcm-12", ALGORITHM_AEAD, 32, 4, 8, 12, 4},
	{"aes-128-gcm-8", ALGORITHM_AEAD, 16, 4, 8, 8, 4},
	{"aes-192-gcm-8", ALGORITHM_AEAD, 24, 4, 8, 8, 4},
	{"aes-256-gcm-8", ALGORITHM_AEAD, 32, 4, 8, 8, 4},
	/* RFC 4309 3, 7.1 */
	{"aes-128-ccm", ALGORITHM_AEAD, 16, 3, 8, 16, 4},
	{"aes-256-ccm", ALGORITHM_AEAD, 32, 3, 8, 16, 4},
	/* RFC 7634 2 */
	{"chacha20-poly1305", ALGORITHM_AEAD, 32, 4, 8, 16, 4},
	/* RFC 4543 3, 5.1 */
	{"aes-128-gmac", ALGORITHM_AEAD, 16, 4, 8, 16, 4},
	{"aes-192-gmac", ALGORITHM_AEAD, 24, 4, 8, 16, 4},
	{"aes-256-gmac", ALGORITHM_AEAD, 32, 4, 8, 16, 4},
	/* RFC 2410, RFC 3602 3, RFC 3686 3 and 5.1 */
	{"null", ALGORITHM_CIPHER, 0, 0, 0, 0, 4},
	{"aes-128-cbc", ALGORITHM_CIPHER, 16, 0, 16, 0, 16},
	{"aes-192-cbc", ALGORITHM_CIPHER, 24, 0, 16, 0, 16},
	{"aes-256-cbc", ALGORITHM_CIPHER, 32, 0, 16, 0, 16},
	{"aes-128-ctr", ALGORITHM_CIPHER, 16, 4, 8, 0, 4},
	{"aes-192-ctr", ALGORITHM_CIPHER, 24, 4, 8, 0, 4},
	{"aes-256-ctr", ALGORITHM_CIPHER, 32, 4, 8, 0, 4},
	/* RFC 2404 2 and 3, RFC 4868 2.6, RFC 3566 4, RFC 4494 2 */
	{"hmac-sha1-96", ALGORITHM_AUTH, 20, 0, 0, 12, 4},
	{"hmac-sha2-256-128", ALGORITHM_AUTH, 32, 0, 0, 16, 4},
	{"hmac-sha2-384-192", ALGORITHM_AUTH, 48, 0, 0, 24, 4},
	{"hmac-sha2-512-256", ALGORITHM_AUTH, 64, 0, 0, 32, 4},
	{"aes-xcbc-96", ALGORITHM_AUTH, 16, 0, 0, 12, 4},
	{"aes-cmac-96", ALGORITHM_AUTH, 16, 0, 0, 12, 4},
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

START_TEST(a_row_has_the_lengths_of_its_rfc)
{
	const struct algorithm *a = algorithm_find(rows[_i].kind, rows[_i].name);

	ck_assert_msg(a != NULL, "%s is missing", rows[_i].name);
	ck_assert_str_eq(a->name, rows[_i].name);
	ck_assert_int_eq(a->kind, rows[_i].kind);
	ck_assert_uint_eq(a->key_len, rows[_i].key);
	ck_assert_uint_eq(a->salt_len, rows[_i].salt);
	ck_assert_uint_eq(a->iv_len, rows[_i].iv);
	ck_assert_uint_eq(a->icv_len, rows[_i].icv);
	ck_assert_uint_eq(a->block, rows[_i].block);
}
END_TEST

START_TEST(a_name_is_found_only_in_its_kind)
{
	for (int kind = ALGORITHM_AEAD; kind <= ALGORITHM_AUTH; kind++) {
		if (kind != (int)rows[_i].kind)
			ck_assert_ptr_null(algorithm_find(kind, rows[_i].name));
	}
}
END_TEST

START_TEST(the_table_ends_after_the_last_row)
{
	for (unsigned n = 0; n < ROWS; n++)
		ck_assert_ptr_nonnull(algorithm_at(n));
	ck_assert_ptr_null(algorithm_at(ROWS));
	ck_assert_ptr_null(algorithm_at(~0u));
}
END_TEST

static const char *const refused[] = {"", "none", "null ", "NULL", "AES-128-GCM", "aes-128-gc",
	"aes-128-gcm-16", "aes-192-ccm", "des-cbc", "3des-cbc", "hmac-md5-96", "hmac-sha2-256-96"};

START_TEST(other_names_are_refused)
{
	for (int kind = ALGORITHM_AEAD; kind <= ALGORITHM_AUTH; kind++)
		ck_assert_ptr_null(algorithm_find(kind, refused[_i]));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("algorithm");
	TCase *t = tcase_create("all");
	SRunner *r;

	tcase_add_loop_test(t, a_row_has_the_lengths_of_its_rfc, 0, ROWS);
	tcase_add_loop_test(t, a_name_is_found_only_in_its_kind, 0, ROWS);
	tcase_add_test(t, the_table_ends_after_the_last_row);
	tcase_add_loop_test(t, other_names_are_refused, 0, sizeof(refused) / sizeof(refused[0]));
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
