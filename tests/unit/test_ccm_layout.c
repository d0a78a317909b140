/* SPDX-License-Identifier: BSD-3-Clause */
/* test_ccm_layout.c - a CCM op has room for all that QAT's driver writes into it before the device sees
 * it (DPDK 22.11, drivers/crypto/qat/dev/qat_crypto_pmd_gens.h): its first block, before the AAD. */
#define ALLOW_EXPERIMENTAL_API /* callbacks of cryptodevs */
#include <check.h>
#include <rte_byteorder.h>
#include <rte_cryptodev.h>
#include <stdlib.h>
#include <string.h>

#include "crypto_fixture.h"

#define NONCE_LEN 11
#define LEN_LEN   (15 - NONCE_LEN) /* of the field that has the text's length */

static struct player players[PLAYERS];
static struct rte_mempool *pool;
static const struct crypto_spec *spec; /* of the ops that are to come */
static struct shape plain;
static unsigned seen;

/* Writes what the driver writes, in its order, and holds it to what it should be. */
static uint16_t as_qat(
	uint16_t device, uint16_t queue, struct rte_crypto_op **ops, uint16_t n, void *arg)
{
	unsigned iv_at = offsetof(struct crypto_job, nonce) - offsetof(struct crypto_job, op) - 1;
	uint8_t aad_len = spec->esn ? 12 : 8, counter[1 + NONCE_LEN];

	(void)device;
	(void)queue;
	(void)arg;
	for (uint16_t i = 0; i < n; i++) {
		uint8_t *block = ops[i]->sym->aead.aad.data;
		uint8_t *iv = rte_crypto_op_ctod_offset(ops[i], uint8_t *, iv_at);
		rte_be32_t len = rte_cpu_to_be_32(ops[i]->sym->aead.data.length);
		rte_be16_t aad_be = rte_cpu_to_be_16(aad_len);

		block[0] = 1 << 6 | (spec->aead->icv_len - 2) / 2 << 3 | (LEN_LEN - 1);
		memcpy(block + 1 + NONCE_LEN, &len, LEN_LEN);
		memcpy(block + 16, &aad_be, 2);
		memset(block + CRYPTO_CCM_AAD_AT + aad_len, 0, 32 - CRYPTO_CCM_AAD_AT - aad_len);
		memcpy(counter + 1, iv + 1, NONCE_LEN);
		memcpy(block + 1, iv + 1, NONCE_LEN);

		ck_assert_mem_eq(counter + 1, plain.nonce, NONCE_LEN);
		ck_assert_mem_eq(block + 1, plain.nonce, NONCE_LEN);
		ck_assert_mem_eq(block + 1 + NONCE_LEN, &len, LEN_LEN);
		ck_assert_mem_eq(block + CRYPTO_CCM_AAD_AT, plain.aad, aad_len);
		ck_assert_int_eq(ops[i]->sym->aead.aad.phys_addr,
			ops[i]->phys_addr + (block - (uint8_t *)ops[i]));
		seen++;
	}
	return n;
}

START_TEST(what_the_driver_writes_before_the_aad_harms_nothing)
{
	const struct player *p = &players[2];
	struct crypto_spec s = {
		.aead = algorithm_find(ALGORITHM_AEAD, _i & 1 ? "aes-128-ccm" : "aes-256-ccm"),
		.esn = _i & 2,
	};
	int dev = rte_cryptodev_get_dev_id("crypto_aesni_mb0");
	struct rte_cryptodev_cb *watch;
	struct crypto_session *session;
	static struct shape sealed;
	struct crypto_job *job;

	spec = &s;
	fixture_keys(&s);
	fixture_random(&plain, sizeof(plain));
	plain.aad_len = s.esn ? 12 : 8;
	plain.text_len = 100;
	sealed = plain;
	oracle_encrypt(&s, &sealed);
	ck_assert_int_eq(
		crypto_session_open(p->room, p->provider, &s, CRYPTO_ENCRYPT, &session, NULL), 0);
	watch = rte_cryptodev_add_enq_callback(dev, 0, as_qat, NULL);
	ck_assert_ptr_nonnull(watch);
	seen = 0;
	job = fixture_job(pool, session, &s, &plain);
	ck_assert_int_eq(fixture_run(p->room, 0, job), CRYPTO_OK);
	ck_assert_uint_eq(seen, 1);
	ck_assert_mem_eq(fixture_text(job, &plain), sealed.text, sealed.text_len);
	ck_assert_mem_eq(fixture_icv(job, &plain), sealed.icv, s.aead->icv_len);
	rte_cryptodev_remove_enq_callback(dev, 0, watch);
	fixture_free(job);
	crypto_session_close(p->room, session);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ccm_layout");
	TCase *t = tcase_create("all");
	SRunner *r;
	int failed;

	fixture_players(players);
	pool = fixture_pool(15);
	tcase_add_loop_test(t, what_the_driver_writes_before_the_aad_harms_nothing, 0, 4);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	fixture_players_close(players);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
