/* SPDX-License-Identifier: BSD-3-Clause */
/* test_evp_session.c - what OpenSSL frees of a session holds no key any more, nothing of it stays
 * behind, and memory that is refused is survived. */
#include <check.h>
#include <errno.h>
#include <malloc.h>
#include <openssl/crypto.h>
#include <rte_malloc.h>
#include <stdlib.h>
#include <string.h>

#include "crypto_fixture.h"

static struct rte_mempool *pool;
static struct crypto *room;
static unsigned n_specs;

/* OpenSSL's memory. */
static struct {
	unsigned live; /* blocks */
	unsigned left; /* allocations until one is refused; UINT_MAX: none is */
	unsigned refused;
	const uint8_t *key; /* looked for in all that is freed, its first 16 bytes */
	unsigned with_key;
} heap = {.left = UINT_MAX};

/* The one that is refused is the last of those that were left: the next ones are there again. */
static bool is_refused(void)
{
	if (heap.left == UINT_MAX || heap.left-- > 0)
		return false;
	heap.left = UINT_MAX;
	heap.refused++;
	return true;
}

static void look(const void *at)
{
	if (heap.key != NULL && memmem(at, malloc_usable_size((void *)at), heap.key, 16) != NULL)
		heap.with_key++;
}

static void *take(size_t size, const char *file, int line)
{
	void *at = is_refused() ? NULL : calloc(1, size);

	(void)file;
	(void)line;
	heap.live += at != NULL;
	return at;
}

static void give(void *at, const char *file, int line)
{
	(void)file;
	(void)line;
	if (at == NULL)
		return;
	look(at);
	heap.live--;
	free(at);
}

static void *retake(void *at, size_t size, const char *file, int line)
{
	void *moved = take(size, file, line);

	if (moved == NULL || at == NULL)
		return moved;
	memcpy(moved, at, RTE_MIN(size, malloc_usable_size(at)));
	give(at, file, line);
	return moved;
}

static void make_spec(unsigned n, struct crypto_spec *spec)
{
	ck_assert(fixture_spec(n, spec));
	fixture_keys(spec);
}

static unsigned rte_blocks(void)
{
	struct rte_malloc_socket_stats stats;

	ck_assert_int_eq(rte_malloc_get_socket_stats(0, &stats), 0);
	return stats.alloc_count;
}

/* Without the errors that it keeps for this thread. */
static unsigned openssl_blocks(void)
{
	OPENSSL_thread_stop();
	return heap.live;
}

/* The queues are not a session's. */
static void warm_up(void)
{
	struct crypto_session *s;
	struct crypto_spec spec;

	make_spec(0, &spec);
	ck_assert_int_eq(
		crypto_session_open(room, CRYPTO_OPENSSL, &spec, CRYPTO_ENCRYPT, &s, NULL), 0);
	crypto_session_close(room, s);
}

START_TEST(closing_a_session_wipes_its_keys_and_leaves_nothing_behind)
{
	enum crypto_direction direction = _i % 2;
	const struct key *key;
	struct crypto_session *s;
	struct crypto_spec spec;
	unsigned live, blocks;

	make_spec(_i / 4, &spec);
	key = _i / 2 % 2 == 0 ? &spec.key : &spec.auth_key;
	warm_up();
	live = openssl_blocks();
	blocks = rte_blocks();
	heap.with_key = 0;
	heap.key = key->len > 0 ? key->bytes : NULL;
	ck_assert_int_eq(crypto_session_open(room, CRYPTO_OPENSSL, &spec, direction, &s, NULL), 0);
	ck_assert_uint_gt(heap.live, live);
	crypto_session_close(room, s);
	heap.key = NULL;
	ck_assert_uint_eq(heap.with_key, 0);
	ck_assert_uint_eq(openssl_blocks(), live);
	ck_assert_uint_eq(rte_blocks(), blocks);
}
END_TEST

START_TEST(memory_that_is_refused_while_a_session_opens_is_survived)
{
	struct crypto_spec spec;
	struct crypto_session *s;
	unsigned live, blocks;
	int rc = -1;

	make_spec(_i, &spec);
	warm_up();
	live = openssl_blocks();
	blocks = rte_blocks();
	for (unsigned left = 0; rc < 0; left++) {
		struct why why;

		ck_assert_uint_lt(left, 1000);
		heap.left = left;
		rc = crypto_session_open(room, CRYPTO_OPENSSL, &spec, CRYPTO_ENCRYPT, &s, &why);
		ck_assert(rc == 0 || rc == -ENOMEM || rc == -ENOTSUP);
		ck_assert_uint_eq(rc == 0, heap.left != UINT_MAX); /* none was refused */
		heap.left = UINT_MAX;
		if (rc == 0)
			crypto_session_close(room, s);
		ck_assert_uint_eq(openssl_blocks(), live);
		ck_assert_uint_eq(rte_blocks(), blocks);
	}
}
END_TEST

/* OpenSSL 3.0 takes memory for each copy of a hash state. */
START_TEST(a_packet_that_memory_is_refused_for_fails_alone)
{
	struct crypto_spec spec = {
		.cipher = algorithm_find(ALGORITHM_CIPHER, "aes-128-cbc"),
		.auth = algorithm_find(ALGORITHM_AUTH, "hmac-sha1-96"),
	};
	struct crypto_packet p;
	struct crypto_session *s;

	fixture_keys(&spec);
	ck_assert_int_eq(crypto_session_open(room, CRYPTO_OPENSSL, &spec, _i, &s, NULL), 0);
	for (unsigned round = 0; round < 20; round++) {
		do {
			fixture_packet(&p, pool, s, &spec, _i, 100);
			if (p.expected != CRYPTO_OK)
				fixture_free(p.job);
		} while (p.expected != CRYPTO_OK);
		heap.refused = 0;
		heap.left = round % 4;
		fixture_run(room, 0, p.job);
		heap.left = UINT_MAX;
		ck_assert_int_eq(p.job->status, heap.refused > 0 ? CRYPTO_FAILED : CRYPTO_OK);
		if (heap.refused > 0)
			fixture_free(p.job);
		else
			fixture_packet_check(&p);
	}
	crypto_session_close(room, s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("evp_session");
	TCase *t = tcase_create("all");
	struct crypto_spec spec;
	SRunner *r;
	int failed;

	if (CRYPTO_set_mem_functions(take, retake, give) != 1)
		return EXIT_FAILURE;
	fixture_eal(NULL, 0);
	pool = fixture_pool(63);
	room = fixture_room(2, 64);
	while (fixture_spec(n_specs, &spec))
		n_specs++;
	tcase_add_loop_test(
		t, closing_a_session_wipes_its_keys_and_leaves_nothing_behind, 0, 4 * n_specs);
	tcase_add_loop_test(
		t, memory_that_is_refused_while_a_session_opens_is_survived, 0, n_specs);
	tcase_add_loop_test(t, a_packet_that_memory_is_refused_for_fails_alone, 0, 2);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	crypto_close(room);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
