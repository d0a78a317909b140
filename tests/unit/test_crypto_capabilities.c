/* SPDX-License-Identifier: BSD-3-Clause */
/* test_crypto_capabilities.c - no provider loses an algorithm, and a refusal names who could. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "crypto_fixture.h"

static struct player players[PLAYERS];
static struct crypto *room; /* of the first two */

static struct crypto_spec spec_of(const char *name, const char *auth)
{
	struct crypto_spec spec = {0};

	if (strcmp(auth, "-") == 0) {
		spec.aead = algorithm_find(ALGORITHM_AEAD, name);
		ck_assert_msg(spec.aead != NULL, "%s", name);
	} else {
		spec.cipher = algorithm_find(ALGORITHM_CIPHER, name);
		spec.auth = algorithm_find(ALGORITHM_AUTH, auth);
		ck_assert_msg(spec.cipher != NULL && spec.auth != NULL, "%s %s", name, auth);
	}
	fixture_keys(&spec);
	return spec;
}

static bool can(const struct player *p, const char *name, const char *auth)
{
	unsigned n = 0;

	for (unsigned esn = 0; esn < 2; esn++) {
		struct crypto_spec spec = spec_of(name, auth);

		spec.esn = esn;
		n += crypto_can(p->room, p->provider, &spec, NULL) == 0;
	}
	ck_assert_msg(n != 1, "%s does %s %s with or without ESN only", p->name, name, auth);
	return n > 0;
}

/* A row: name, auth or "-", and for each player of the head line its name or "-". */
START_TEST(everyone_can_do_what_the_table_says_and_no_less)
{
	char line[256], name[32], auth[32], cell[PLAYERS][32];
	FILE *f = fopen(VECTORS "/capabilities.txt", "r");
	unsigned rows = 0;

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		if (line[0] == '#' || sscanf(line, "%31s %31s %31s %31s %31s %31s", name, auth,
					      cell[0], cell[1], cell[2], cell[3]) != 2 + PLAYERS)
			continue;
		for (unsigned i = 0; i < PLAYERS; i++) {
			const char *told = can(&players[i], name, auth) ? players[i].name : "-";

			ck_assert_msg(strcmp(cell[i], told) == 0,
				"%s %s by %s: is the table out of date?", name, auth,
				players[i].name);
		}
		rows++;
	}
	fclose(f);
	ck_assert_uint_eq(rows, 15 + 7 * 6);
}
END_TEST

static const struct {
	unsigned player; /* in whose room it is asked for */
	const char *name, *auth;
	int rc;
	const char *why;
} refusals[] = {
	{3, "aes-256-ccm", "-", -ENOTSUP, "qat cannot do aes-256-ccm; aesni_mb could"},
	{3, "chacha20-poly1305", "-", -ENOTSUP, "qat cannot do chacha20-poly1305; aesni_mb could"},
	{3, "aes-256-cbc", "aes-xcbc-96", -ENOTSUP,
		"qat cannot do aes-256-cbc with aes-xcbc-96; aesni_mb could"},
	{0, "aes-128-gcm", "-", -ENODEV, "qat: "},
};

START_TEST(a_refusal_names_algorithm_provider_and_who_could)
{
	struct crypto *asked = players[refusals[_i].player].room;
	struct crypto_spec spec = spec_of(refusals[_i].name, refusals[_i].auth);
	struct crypto_session *s;
	struct why why;

	ck_assert_int_eq(crypto_can(asked, CRYPTO_QAT, &spec, &why), refusals[_i].rc);
	ck_assert_msg(
		strncmp(why.text, refusals[_i].why, strlen(refusals[_i].why)) == 0, "%s", why.text);
	ck_assert_int_eq(crypto_session_open(asked, CRYPTO_QAT, &spec, CRYPTO_ENCRYPT, &s, &why),
		refusals[_i].rc);
	ck_assert_msg(
		strncmp(why.text, refusals[_i].why, strlen(refusals[_i].why)) == 0, "%s", why.text);
}
END_TEST

START_TEST(encryption_without_authentication_is_refused)
{
	struct crypto_spec spec = spec_of("aes-128-cbc", "hmac-sha1-96");
	struct why why;

	spec.auth = NULL;
	ck_assert_int_eq(crypto_can(room, CRYPTO_OPENSSL, &spec, &why), -ENOTSUP);
	ck_assert_ptr_nonnull(strstr(why.text, "no authentication"));
	spec.cipher = NULL;
	ck_assert_int_eq(crypto_can(room, CRYPTO_OPENSSL, &spec, &why), -ENOTSUP);
}
END_TEST

START_TEST(providers_are_found_by_their_names_alone)
{
	enum crypto_provider p;

	for (unsigned i = 0; i < CRYPTO_PROVIDERS; i++) {
		ck_assert_int_eq(crypto_provider_find(crypto_provider_name(i), &p), 0);
		ck_assert_uint_eq(p, i);
	}
	ck_assert_int_eq(crypto_provider_find("null", &p), -ENOENT);
	ck_assert_int_eq(crypto_provider_find("", &p), -ENOENT);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("crypto_capabilities");
	TCase *t = tcase_create("all");
	SRunner *r;
	int failed;

	fixture_players(players);
	room = players[0].room;
	tcase_add_test(t, everyone_can_do_what_the_table_says_and_no_less);
	tcase_add_loop_test(
		t, a_refusal_names_algorithm_provider_and_who_could, 0, RTE_DIM(refusals));
	tcase_add_test(t, encryption_without_authentication_is_refused);
	tcase_add_test(t, providers_are_found_by_their_names_alone);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	fixture_players_close(players);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
