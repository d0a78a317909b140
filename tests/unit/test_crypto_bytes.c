/* SPDX-License-Identifier: BSD-3-Clause */
/* test_crypto_bytes.c - every provider gives the bytes that OpenSSL's EVP gives, in both directions. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "crypto_fixture.h"

/* Lengths around block and lane edges; a CBC text is rounded up to 16. */
static const uint16_t lengths[] = {0, 1, 4, 15, 16, 17, 20, 31, 32, 33, 48, 63, 64, 65, 100, 127,
	128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1399, 1400, 1500, 4096, 9000};

static struct rte_mempool *pool;
static struct player players[PLAYERS];
static unsigned n_specs;

static void fill(struct shape *plain, const struct crypto_spec *spec, unsigned len)
{
	fixture_random(plain, sizeof(*plain));
	plain->aad_len = spec->esn ? 12 : 8;
	plain->text_len = len;
	if (spec->cipher != NULL && spec->cipher->family == ALGORITHM_CBC)
		plain->text_len = RTE_ALIGN(RTE_MAX(len, 1u), 16);
}

static void both_ways(
	const struct player *p, const struct crypto_spec *spec, struct crypto_session *s[2])
{
	static struct shape plain, cipher;

	for (unsigned i = 0; i < RTE_DIM(lengths); i++) {
		unsigned icv_len = fixture_icv_len(spec);
		struct crypto_job *job;

		fill(&plain, spec, lengths[i]);
		cipher = plain;
		oracle_encrypt(spec, &cipher);

		job = fixture_job(pool, s[CRYPTO_ENCRYPT], spec, &plain);
		ck_assert_int_eq(fixture_run(p->room, 0, job), CRYPTO_OK);
		ck_assert_msg(memcmp(fixture_text(job, &plain), cipher.text, cipher.text_len) == 0,
			"%s encrypts %u bytes otherwise", p->name, lengths[i]);
		ck_assert_mem_eq(fixture_icv(job, &plain), cipher.icv, icv_len);
		ck_assert(fixture_guards_intact(job));
		fixture_free(job);

		job = fixture_job(pool, s[CRYPTO_DECRYPT], spec, &cipher);
		ck_assert_int_eq(fixture_run(p->room, 0, job), CRYPTO_OK);
		ck_assert_mem_eq(fixture_text(job, &plain), plain.text, plain.text_len);
		ck_assert_mem_eq(fixture_icv(job, &plain), cipher.icv, icv_len);
		ck_assert(fixture_guards_intact(job));
		fixture_free(job);
	}
}

START_TEST(a_provider_gives_the_bytes_of_evp)
{
	for (unsigned esn = 0; esn < 2; esn++) {
		for (const struct player *p = players; p < players + PLAYERS; p++) {
			struct crypto_session *s[2];
			struct crypto_spec spec;
			struct why why;

			ck_assert(fixture_spec(_i, &spec));
			fixture_keys(&spec);
			spec.esn = esn;
			if (crypto_can(p->room, p->provider, &spec, NULL) < 0)
				continue; /* test_crypto_capabilities.c says who must */
			for (unsigned d = 0; d < 2; d++) {
				int rc = crypto_session_open(
					p->room, p->provider, &spec, d, &s[d], &why);

				ck_assert_msg(rc == 0, "%s", why.text);
			}
			both_ways(p, &spec, s);
			crypto_session_close(p->room, s[0]);
			crypto_session_close(p->room, s[1]);
		}
	}
}
END_TEST

int main(void)
{
	struct crypto_spec spec;
	Suite *s = suite_create("crypto_bytes");
	TCase *t = tcase_create("all");
	SRunner *r;
	int failed;

	fixture_players(players);
	pool = fixture_pool(127);
	while (fixture_spec(n_specs, &spec))
		n_specs++;
	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, a_provider_gives_the_bytes_of_evp, 0, n_specs);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	fixture_players_close(players);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
