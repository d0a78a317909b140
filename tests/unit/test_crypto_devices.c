/* SPDX-License-Identifier: BSD-3-Clause */
/* test_crypto_devices.c - libraries and named devices are opened when needed, and none stays behind. */
#include <check.h>
#include <errno.h>
#include <rte_cryptodev.h>
#include <stdlib.h>
#include <string.h>

#include "crypto_fixture.h"

static struct rte_mempool *pool;

static struct crypto_spec gcm(void)
{
	struct crypto_spec spec = {.aead = algorithm_find(ALGORITHM_AEAD, "aes-128-gcm")};

	fixture_keys(&spec);
	return spec;
}

static struct crypto_spec cbc(void)
{
	struct crypto_spec spec = {
		.cipher = algorithm_find(ALGORITHM_CIPHER, "aes-128-cbc"),
		.auth = algorithm_find(ALGORITHM_AUTH, "hmac-sha1-96"),
	};

	fixture_keys(&spec);
	return spec;
}

static struct crypto *open_room(struct crypto_setup setup)
{
	struct crypto *c;
	struct why why;

	setup.in_flight = 256;
	setup.max_sessions = 10;
	setup.session_headroom = 5;
	ck_assert_msg(crypto_open(&setup, &c, &why) == 0, "%s", why.text);
	return c;
}

static void encrypts_as_evp(
	struct crypto *c, struct crypto_session *s, const struct crypto_spec *spec, uint16_t worker)
{
	static struct shape plain, wire;
	struct crypto_job *job;

	fixture_random(&plain, sizeof(plain));
	plain.aad_len = 8;
	plain.text_len = 64;
	wire = plain;
	oracle_encrypt(spec, &wire);
	job = fixture_job(pool, s, spec, &plain);
	ck_assert_int_eq(fixture_run(c, worker, job), CRYPTO_OK);
	ck_assert_mem_eq(fixture_text(job, &wire), wire.text, wire.text_len);
	fixture_free(job);
}

START_TEST(libraries_are_opened_for_the_first_session_and_make_no_cryptodev)
{
	struct crypto *a = open_room((struct crypto_setup){.n_workers = 2});
	struct crypto *b = open_room((struct crypto_setup){.n_workers = 1});
	struct crypto_spec spec = gcm(), chained = cbc();
	unsigned before = rte_cryptodev_count();
	struct crypto_session *s[4];

	ck_assert_ptr_null(crypto_device_name(a, 0));
	ck_assert_int_eq(
		crypto_session_open(a, CRYPTO_OPENSSL, &spec, CRYPTO_ENCRYPT, &s[0], NULL), 0);
	ck_assert_ptr_eq(strstr(crypto_device_name(a, 0), "OpenSSL 3."), crypto_device_name(a, 0));
	ck_assert_ptr_null(crypto_device_name(a, 1));
	ck_assert_int_eq(
		crypto_session_open(b, CRYPTO_OPENSSL, &spec, CRYPTO_ENCRYPT, &s[1], NULL), 0);
	ck_assert_str_eq(crypto_device_name(b, 0), crypto_device_name(a, 0));
	ck_assert_int_eq(
		crypto_session_open(a, CRYPTO_AESNI_MB, &spec, CRYPTO_ENCRYPT, &s[2], NULL), 0);
	ck_assert_ptr_eq(
		strstr(crypto_device_name(a, 1), "intel-ipsec-mb "), crypto_device_name(a, 1));
	ck_assert_uint_eq(rte_cryptodev_count(), before);
	ck_assert_int_eq(
		crypto_session_open(a, CRYPTO_AESNI_MB, &chained, CRYPTO_ENCRYPT, &s[3], NULL), 0);
	ck_assert_ptr_null(crypto_device_name(a, 2));
	ck_assert_str_eq(crypto_session_provider(s[0]), "openssl");
	ck_assert_str_eq(crypto_session_provider(s[2]), "aesni_mb");
	for (unsigned i = 0; i < 4; i++) {
		struct crypto_device_stats stats;
		struct crypto *c = i == 1 ? b : a;

		ck_assert(!s[i]->is_lookaside && !s[i]->is_device);
		ck_assert(crypto_device_stats(c, s[i]->device, &stats));
		ck_assert_int_eq(stats.kind, CRYPTO_LIBRARY);
	}
	for (unsigned w = 0; w < 2; w++) {
		encrypts_as_evp(a, s[0], &spec, w);
		encrypts_as_evp(a, s[2], &spec, w);
		encrypts_as_evp(a, s[3], &chained, w);
	}
	encrypts_as_evp(b, s[1], &spec, 0);
	crypto_session_close(a, s[0]);
	crypto_session_close(b, s[1]);
	crypto_session_close(a, s[2]);
	crypto_session_close(a, s[3]);
	crypto_close(a);
	crypto_close(b);
}
END_TEST

START_TEST(a_key_change_leaves_no_session_behind)
{
	struct crypto_setup setup = {.n_workers = 2};
	struct crypto_session *s[17];
	struct crypto_spec spec = gcm();
	struct crypto *c;
	struct why why;

	setup.named[CRYPTO_AESNI_MB].device[0] = "crypto_aesni_mb0";
	setup.named[CRYPTO_AESNI_MB].n = 1;
	setup.named[CRYPTO_OPENSSL].device[0] = "crypto_openssl0";
	setup.named[CRYPTO_OPENSSL].n = 1;
	c = open_room(setup);
	for (enum crypto_provider p = 0; p < CRYPTO_QAT; p++) {
		for (unsigned round = 0; round < 200; round++) {
			ck_assert_msg(
				crypto_session_open(c, p, &spec, CRYPTO_DECRYPT, &s[0], &why) == 0,
				"%s", why.text);
			crypto_session_close(c, s[0]);
		}
		for (unsigned i = 0; i < 16; i++)
			ck_assert_int_eq(crypto_session_open(c, p, &spec, i % 2, &s[i], &why), 0);
		ck_assert_int_eq(
			crypto_session_open(c, p, &spec, CRYPTO_ENCRYPT, &s[16], &why), -ENOMEM);
		ck_assert_ptr_nonnull(strstr(why.text, "aes-128-gcm"));
		for (unsigned i = 0; i < 16; i++)
			crypto_session_close(c, s[i]);
	}
	crypto_close(c);
}
END_TEST

/* The first round key of AES is the key itself. */
static bool holds_key(struct crypto_session *s, const struct crypto_spec *spec)
{
	int id = rte_cryptodev_get_dev_id("crypto_aesni_mb0");

	return memmem(s->dev_session[0], rte_cryptodev_sym_get_private_session_size(id),
		       spec->key.bytes, 16) != NULL;
}

START_TEST(closing_a_session_wipes_its_key_in_the_cryptodev)
{
	struct crypto_setup setup = {.n_workers = 1};
	struct crypto_spec specs[] = {gcm(), cbc()};
	struct crypto *c;

	setup.named[CRYPTO_AESNI_MB].device[0] = "crypto_aesni_mb0";
	setup.named[CRYPTO_AESNI_MB].n = 1;
	c = open_room(setup);
	for (unsigned i = 0; i < RTE_DIM(specs); i++) {
		struct crypto_session *s, *copy;

		ck_assert_int_eq(crypto_session_open(
					 c, CRYPTO_AESNI_MB, &specs[i], CRYPTO_ENCRYPT, &s, NULL),
			0);
		ck_assert(holds_key(s, &specs[i]));
		copy = malloc(sizeof(*s) + sizeof(void *));
		memcpy(copy, s, sizeof(*s) + sizeof(void *));
		crypto_session_close(c, s);
		ck_assert(!holds_key(copy, &specs[i]));
		free(copy);
	}
	crypto_close(c);
}
END_TEST

START_TEST(a_provider_runs_on_named_devices_and_says_so)
{
	static const struct {
		enum crypto_provider provider;
		const char *device, *shown;
	} row[] = {
		{CRYPTO_QAT, "crypto_aesni_mb0", "qat on crypto_aesni_mb0"},
		{CRYPTO_AESNI_MB, "crypto_aesni_mb0", "aesni_mb on crypto_aesni_mb0"},
		{CRYPTO_OPENSSL, "crypto_openssl0", "openssl on crypto_openssl0"},
	};
	enum crypto_provider p = row[_i].provider;
	struct crypto_setup setup = {.n_workers = 2};
	struct crypto_spec spec = gcm(), chained = cbc();
	struct crypto_session *s[2];
	struct crypto *c;
	struct why why;

	setup.named[p].device[0] = row[_i].device;
	setup.named[p].n = 1;
	c = open_room(setup);
	ck_assert_msg(
		crypto_session_open(c, p, &spec, CRYPTO_ENCRYPT, &s[0], &why) == 0, "%s", why.text);
	ck_assert_int_eq(crypto_session_open(c, p, &chained, CRYPTO_ENCRYPT, &s[1], &why), 0);
	ck_assert_str_eq(crypto_session_provider(s[0]), row[_i].shown);
	ck_assert_str_eq(crypto_device_name(c, 0), row[_i].device);
	ck_assert_ptr_null(crypto_device_name(c, 1));
	ck_assert_uint_eq(s[0]->device, s[1]->device);
	encrypts_as_evp(c, s[0], &spec, 0);
	encrypts_as_evp(c, s[1], &chained, 1);
	crypto_session_close(c, s[0]);
	crypto_session_close(c, s[1]);
	crypto_close(c);
	ck_assert_int_ge(rte_cryptodev_get_dev_id(row[_i].device), 0);
}
END_TEST

START_TEST(a_scheduler_is_lookaside_and_serves_one_worker)
{
	struct crypto_setup setup = {.n_workers = 2};
	struct crypto_spec spec = gcm();
	struct crypto_session *s;
	struct crypto *c;
	struct why why;

	setup.named[CRYPTO_QAT].device[0] = "crypto_scheduler0";
	setup.named[CRYPTO_QAT].n = 1;
	c = open_room(setup);
	ck_assert_int_eq(
		crypto_session_open(c, CRYPTO_QAT, &spec, CRYPTO_ENCRYPT, &s, &why), -ENODEV);
	ck_assert_msg(strstr(why.text, "2 workers") != NULL, "%s", why.text);
	crypto_close(c);

	setup.n_workers = 1;
	c = open_room(setup);
	ck_assert_msg(crypto_session_open(c, CRYPTO_QAT, &spec, CRYPTO_ENCRYPT, &s, &why) == 0,
		"%s", why.text);
	ck_assert_str_eq(crypto_session_provider(s), "qat on crypto_scheduler0");
	ck_assert(s->is_lookaside);
	encrypts_as_evp(c, s, &spec, 0);
	crypto_session_close(c, s);
	crypto_close(c);
}
END_TEST

START_TEST(a_named_device_that_is_not_there_is_named)
{
	struct crypto_setup setup = {.n_workers = 1};
	struct crypto_spec spec = gcm();
	struct crypto_session *s;
	struct crypto *c;
	struct why why;

	setup.named[CRYPTO_AESNI_MB].device[0] = "crypto_aesni_mb7";
	setup.named[CRYPTO_AESNI_MB].n = 1;
	c = open_room(setup);
	ck_assert_int_eq(crypto_can(c, CRYPTO_AESNI_MB, &spec, &why), -ENODEV);
	ck_assert_msg(strstr(why.text, "crypto_aesni_mb7") != NULL, "%s", why.text);
	ck_assert_int_eq(
		crypto_session_open(c, CRYPTO_AESNI_MB, &spec, CRYPTO_ENCRYPT, &s, &why), -ENODEV);
	crypto_close(c);
}
END_TEST

START_TEST(a_setup_that_cannot_be_is_refused)
{
	struct crypto_setup setup = {.n_workers = 0, .in_flight = 64};
	struct crypto *c;
	struct why why;

	ck_assert_int_eq(crypto_open(&setup, &c, &why), -EINVAL);
	setup.n_workers = 129;
	ck_assert_int_eq(crypto_open(&setup, &c, &why), -EINVAL);
	setup.n_workers = 1;
	setup.in_flight = 100;
	ck_assert_int_eq(crypto_open(&setup, &c, &why), -EINVAL);
	setup.in_flight = 0;
	ck_assert_int_eq(crypto_open(&setup, &c, &why), -EINVAL);
}
END_TEST

int main(void)
{
	char *vdevs[] = {"--vdev=crypto_aesni_mb0", "--vdev=crypto_aesni_mb1",
		"--vdev=crypto_openssl0",
		"--vdev=crypto_scheduler0,worker=crypto_aesni_mb1,mode=round-robin"};
	Suite *s = suite_create("crypto_devices");
	TCase *t = tcase_create("all");
	SRunner *r;
	int failed;

	fixture_eal(vdevs, RTE_DIM(vdevs));
	pool = fixture_pool(63);
	tcase_add_test(t, libraries_are_opened_for_the_first_session_and_make_no_cryptodev);
	tcase_add_test(t, a_key_change_leaves_no_session_behind);
	tcase_add_test(t, closing_a_session_wipes_its_key_in_the_cryptodev);
	tcase_add_loop_test(t, a_provider_runs_on_named_devices_and_says_so, 0, 3);
	tcase_add_test(t, a_scheduler_is_lookaside_and_serves_one_worker);
	tcase_add_test(t, a_named_device_that_is_not_there_is_named);
	tcase_add_test(t, a_setup_that_cannot_be_is_refused);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
