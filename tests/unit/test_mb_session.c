/* SPDX-License-Identifier: BSD-3-Clause */
/* test_mb_session.c - expanded keys are wiped before their memory is given back, whatever the
 * algorithm, and so is what the lanes held. */
#include <check.h>
#include <intel-ipsec-mb.h>
#include <rte_malloc.h>
#include <stdlib.h>
#include <string.h>

#include "crypto_fixture.h"
#include "mb.h"

static struct rte_mempool *pool;
static unsigned n_specs;

/* Memory that is watched, and what was in it when it was freed. */
static struct {
	void *at;
	size_t size;
	bool is_freed, is_zero;
} watched[4];
static unsigned n_watched;

/* The linker puts these in the place of DPDK's. */
void __real_rte_free(void *at);
void __wrap_rte_free(void *at);
void *__real_rte_zmalloc_socket(const char *type, size_t size, unsigned align, int socket);
void *__wrap_rte_zmalloc_socket(const char *type, size_t size, unsigned align, int socket);

static bool is_zero(const uint8_t *at, size_t size)
{
	while (size > 0 && *at == 0)
		at++, size--;
	return size == 0;
}

static void watch(void *at, size_t size)
{
	ck_assert_uint_lt(n_watched, RTE_DIM(watched));
	watched[n_watched].at = at;
	watched[n_watched].is_freed = false;
	watched[n_watched++].size = size;
}

void __wrap_rte_free(void *at)
{
	for (unsigned i = 0; i < n_watched; i++) {
		if (watched[i].at != at || watched[i].is_freed)
			continue;
		watched[i].is_freed = true;
		watched[i].is_zero = is_zero(at, watched[i].size);
	}
	__real_rte_free(at);
}

void *__wrap_rte_zmalloc_socket(const char *type, size_t size, unsigned align, int socket)
{
	void *at = __real_rte_zmalloc_socket(type, size, align, socket);

	if (strcmp(type, "mb_manager") == 0)
		watch(at, size);
	return at;
}

/* The first round key of AES is the key, the last one of its inverse too. */
static bool holds_key(const struct crypto_session *s, const struct crypto_spec *spec)
{
	const void *keys = mb_session_keys(s);
	size_t size = mb_session_of(s)->size - RTE_CACHE_LINE_SIZE;

	if (spec->cipher != NULL && spec->cipher->family == ALGORITHM_NULL)
		return !is_zero(keys, size);
	return memmem(keys, size, spec->key.bytes, 16) != NULL;
}

START_TEST(closing_a_session_wipes_its_keys)
{
	struct crypto *room = fixture_room(1, 64);

	n_watched = 0;
	for (unsigned d = 0; d < 2; d++) {
		struct crypto_session *s;
		struct crypto_spec spec;

		ck_assert(fixture_spec(_i, &spec));
		fixture_keys(&spec);
		ck_assert_int_eq(crypto_session_open(room, CRYPTO_AESNI_MB, &spec, d, &s, NULL), 0);
		ck_assert(holds_key(s, &spec));
		n_watched = 0;
		watch(s, mb_session_of(s)->size);
		crypto_session_close(room, s);
		ck_assert(watched[0].is_freed && watched[0].is_zero);
		n_watched = 0;
	}
	crypto_close(room);
}
END_TEST

START_TEST(closing_the_room_wipes_what_the_lanes_held)
{
	static struct shape plain;
	struct crypto_session *s;
	struct crypto_spec spec = {
		.cipher = algorithm_find(ALGORITHM_CIPHER, "aes-128-cbc"),
		.auth = algorithm_find(ALGORITHM_AUTH, "hmac-sha1-96"),
	};
	struct crypto_job *job;
	struct crypto *room;

	n_watched = 0;
	room = fixture_room(1, 64);
	fixture_keys(&spec);
	ck_assert_int_eq(
		crypto_session_open(room, CRYPTO_AESNI_MB, &spec, CRYPTO_ENCRYPT, &s, NULL), 0);
	fixture_random(&plain, sizeof(plain));
	plain.aad_len = 8;
	plain.text_len = 64;
	job = fixture_job(pool, s, &spec, &plain);
	ck_assert_int_eq(fixture_run(room, 0, job), CRYPTO_OK);
	fixture_free(job);
	crypto_session_close(room, s);
	ck_assert_uint_eq(n_watched, 2); /* for the keys, and for the worker */
	crypto_close(room);
	for (unsigned i = 0; i < n_watched; i++)
		ck_assert(watched[i].is_freed && watched[i].is_zero);
}
END_TEST

START_TEST(a_key_change_leaves_nothing_behind)
{
	struct crypto *room = fixture_room(1, 64);
	struct rte_malloc_socket_stats before, after;
	struct crypto_session *s;
	struct crypto_spec spec;

	n_watched = 0;
	ck_assert(fixture_spec(0, &spec));
	fixture_keys(&spec);
	for (unsigned round = 0; round < 1000; round++) {
		ck_assert_int_eq(
			crypto_session_open(room, CRYPTO_AESNI_MB, &spec, round % 2, &s, NULL), 0);
		crypto_session_close(room, s);
		if (round == 0)
			rte_malloc_get_socket_stats(0, &before);
	}
	rte_malloc_get_socket_stats(0, &after);
	ck_assert_uint_eq(after.alloc_count, before.alloc_count);
	crypto_close(room);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("mb_session");
	TCase *t = tcase_create("all");
	struct crypto_spec spec;
	SRunner *r;
	int failed;

	fixture_eal(NULL, 0);
	pool = fixture_pool(63);
	while (fixture_spec(n_specs, &spec))
		n_specs++;
	tcase_add_loop_test(t, closing_a_session_wipes_its_keys, 0, n_specs);
	tcase_add_test(t, closing_the_room_wipes_what_the_lanes_held);
	tcase_add_test(t, a_key_change_leaves_nothing_behind);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
