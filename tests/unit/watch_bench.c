/* SPDX-License-Identifier: BSD-3-Clause */
/* watch_bench.c - opens and closes what the watch is tested with. */
#include "watch_bench.h"

#include <check.h>
#include <rte_cryptodev.h>
#include <stdlib.h>
#include <string.h>

struct rte_mempool *bench_pool;
struct shape bench_shape;

void bench_open(struct bench *b, enum bench_kind kind)
{
	struct why why;

	memset(b, 0, sizeof(*b));
	if (kind == CBC) {
		b->spec.cipher = algorithm_find(ALGORITHM_CIPHER, "aes-128-cbc");
		b->spec.auth = algorithm_find(ALGORITHM_AUTH, "hmac-sha1-96");
	} else {
		b->spec.aead =
			algorithm_find(ALGORITHM_AEAD, kind == GCM ? "aes-128-gcm" : "aes-128-ccm");
	}
	ck_assert(kind == CBC || b->spec.aead != NULL);
	fixture_keys(&b->spec);
	b->room = fixture_room_named(1, 256, CRYPTO_OPENSSL, "crypto_openssl0");
	ck_assert_msg(crypto_session_open(b->room, CRYPTO_OPENSSL, &b->spec, CRYPTO_ENCRYPT,
			      &b->session, &why) == 0,
		"%s", why.text);
	b->queue = crypto_queues(b->room, 0)[b->session->device];
	b->id = rte_cryptodev_get_dev_id(crypto_device_name(b->room, 0));
	fixture_random(&bench_shape, sizeof(bench_shape));
	bench_shape.aad_len = 8;
	bench_shape.text_len = 64;
	b->job = fixture_job(bench_pool, b->session, &b->spec, &bench_shape);
	b->other = rte_pktmbuf_alloc(bench_pool);
	ck_assert_ptr_nonnull(b->other);
}

void bench_close(struct bench *b)
{
	rte_pktmbuf_free(b->other);
	fixture_free(b->job);
	crypto_session_close(b->room, b->session);
	crypto_close(b->room);
}

void bench_run_right(struct bench *b)
{
	ck_assert_int_eq(fixture_run(b->room, 0, b->job), CRYPTO_OK);
	b->job->op.status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
}

int bench_main(const char *name, TCase *t)
{
	char *vdevs[] = {"--vdev=crypto_openssl0"};
	Suite *s = suite_create(name);
	SRunner *r;
	int failed;

	fixture_eal(vdevs, RTE_DIM(vdevs));
	bench_pool = fixture_pool(127);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
