/* SPDX-License-Identifier: BSD-3-Clause */
/* test_crypto_queue.c - bursts of many sessions come back whole, in order, and a queue recovers. */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "crypto_fixture.h"

#define WORKERS   2
#define IN_FLIGHT 64
#define PACKETS   255

static const struct {
	const char *aead, *cipher, *auth;
} kinds[] = {
	{"aes-128-gcm", NULL, NULL},
	{"aes-256-gcm", NULL, NULL},
	{NULL, "aes-128-cbc", "hmac-sha1-96"},
	{NULL, "aes-256-cbc", "hmac-sha2-512-256"},
	{NULL, "null", "hmac-sha2-256-128"},
	{NULL, "aes-128-ctr", "aes-cmac-96"},
};

#define SESSIONS (RTE_DIM(kinds) * 2) /* by kind and direction */

static struct rte_mempool *pool;
static struct crypto *room;
static struct crypto_spec specs[RTE_DIM(kinds)];
static struct crypto_session *sessions[CRYPTO_PROVIDERS][SESSIONS];

static void open_sessions(void)
{
	struct why why;

	for (unsigned k = 0; k < RTE_DIM(kinds); k++) {
		if (kinds[k].aead != NULL)
			specs[k].aead = algorithm_find(ALGORITHM_AEAD, kinds[k].aead);
		else {
			specs[k].cipher = algorithm_find(ALGORITHM_CIPHER, kinds[k].cipher);
			specs[k].auth = algorithm_find(ALGORITHM_AUTH, kinds[k].auth);
		}
		fixture_keys(&specs[k]);
		for (unsigned p = 0; p < CRYPTO_PROVIDERS; p++)
			for (unsigned d = 0; d < 2; d++)
				ck_assert_msg(crypto_session_open(room, p, &specs[k], d,
						      &sessions[p][2 * k + d], &why) == 0,
					"%s", why.text);
	}
}

static void close_sessions(void)
{
	for (unsigned p = 0; p < CRYPTO_PROVIDERS; p++)
		for (unsigned i = 0; i < SESSIONS; i++)
			crypto_session_close(room, sessions[p][i]);
	ck_assert_uint_eq(rte_mempool_avail_count(pool), PACKETS);
}

static struct crypto_packet packets[IN_FLIGHT * 2];

/* Session i encrypts or decrypts, by its lowest bit. */
static void make_packet(
	struct crypto_packet *p, enum crypto_provider provider, unsigned i, unsigned len)
{
	fixture_packet(p, pool, sessions[provider][i], &specs[i / 2], i % 2, len);
}

/* Sorted by device, as the pipeline does. */
static int by_device(const void *a, const void *b)
{
	const struct crypto_packet *x = a, *y = b;

	return (int)x->job->session->device - (int)y->job->session->device;
}

static void run_burst(unsigned n, unsigned quota)
{
	struct crypto_job *jobs[IN_FLIGHT];

	for (unsigned i = 0; i < n; i++)
		make_packet(
			&packets[i], rand() % CRYPTO_PROVIDERS, rand() % SESSIONS, rand() % 1500);
	qsort(packets, n, sizeof(packets[0]), by_device);
	for (unsigned i = 0, end; i < n; i = end) {
		uint16_t device = packets[i].job->session->device;
		struct crypto_queue *q = crypto_queues(room, 0)[device];

		for (end = i; end < n && packets[end].job->session->device == device; end++)
			jobs[end - i] = packets[end].job;
		ck_assert_uint_eq(crypto_submit(q, jobs, end - i), end - i);
		ck_assert_uint_eq(crypto_in_flight(q), end - i);
		fixture_poll(q, &packets[i], end - i, quota);
	}
	for (unsigned i = 0; i < n; i++)
		fixture_packet_check(&packets[i]);
	ck_assert_uint_eq(rte_mempool_avail_count(pool), PACKETS);
}

START_TEST(mixed_bursts_of_every_size_come_back_whole_and_in_order)
{
	for (unsigned n = 1; n <= 8; n++)
		for (unsigned round = 0; round < 20; round++)
			run_burst(n, 1 + rand() % 8);
	for (unsigned round = 0; round < 60; round++)
		run_burst(1 + rand() % IN_FLIGHT, 1 + rand() % IN_FLIGHT);
}
END_TEST

START_TEST(a_lone_packet_returns_within_a_few_polls)
{
	for (unsigned p = 0; p < CRYPTO_PROVIDERS; p++) {
		for (unsigned i = 0; i < SESSIONS; i++) {
			struct crypto_queue *q = crypto_queues(room, 0)[sessions[p][i]->device];
			struct crypto_job *back = NULL;

			make_packet(&packets[0], p, i, 64);
			ck_assert_uint_eq(crypto_submit(q, &packets[0].job, 1), 1);
			for (unsigned polls = 0; back == NULL && polls < 3; polls++)
				crypto_poll(q, &back, 1);
			ck_assert_ptr_eq(back, packets[0].job);
			fixture_packet_check(&packets[0]);
		}
	}
}
END_TEST

START_TEST(a_full_queue_takes_no_more_and_recovers)
{
	struct crypto_job *jobs[IN_FLIGHT * 2];

	for (unsigned p = 0; p < CRYPTO_PROVIDERS; p++) {
		for (unsigned i = 0; i < SESSIONS; i++) {
			struct crypto_queue *q = crypto_queues(room, 0)[sessions[p][i]->device];

			for (unsigned k = 0; k < IN_FLIGHT * 2; k++) {
				make_packet(&packets[k], p, i, 64);
				jobs[k] = packets[k].job;
			}
			ck_assert_uint_eq(crypto_submit(q, jobs, IN_FLIGHT - 1), IN_FLIGHT - 1);
			ck_assert_uint_eq(crypto_submit(q, jobs + IN_FLIGHT - 1, 10), 1);
			ck_assert_uint_eq(crypto_submit(q, jobs + IN_FLIGHT, 10), 0);
			ck_assert_uint_eq(crypto_in_flight(q), IN_FLIGHT);
			fixture_poll(q, packets, IN_FLIGHT, 7);
			ck_assert_uint_eq(crypto_submit(q, jobs + IN_FLIGHT, IN_FLIGHT), IN_FLIGHT);
			fixture_poll(q, packets + IN_FLIGHT, IN_FLIGHT, IN_FLIGHT);
			for (unsigned k = 0; k < IN_FLIGHT * 2; k++)
				fixture_packet_check(&packets[k]);
		}
	}
	ck_assert_uint_eq(rte_mempool_avail_count(pool), PACKETS);
}
END_TEST

/* OpenSSL's cryptodev refuses CBC of a length that is no multiple of 16; the pipeline lets none through. */
START_TEST(a_job_that_the_device_chokes_on_fails_alone)
{
	struct crypto *own = fixture_room_named(1, IN_FLIGHT, CRYPTO_OPENSSL, "crypto_openssl0");
	const struct crypto_spec *spec = &specs[2];
	struct crypto_session *cbc;
	struct crypto_job *jobs[4];
	struct crypto_queue *q;

	ck_assert_int_eq(
		crypto_session_open(own, CRYPTO_OPENSSL, spec, CRYPTO_ENCRYPT, &cbc, NULL), 0);
	q = crypto_queues(own, 0)[cbc->device];
	for (unsigned k = 0; k < RTE_DIM(jobs); k++) {
		fixture_packet(&packets[k], pool, cbc, spec, CRYPTO_ENCRYPT, 64);
		jobs[k] = packets[k].job;
	}
	jobs[2]->cipher_len -= 3;
	ck_assert_uint_eq(crypto_submit(q, jobs, 4), 3);
	ck_assert_uint_eq(crypto_in_flight(q), 3);
	ck_assert_uint_eq(crypto_submit(q, jobs + 3, 1), 0);
	fixture_poll(q, packets, 3, 1);
	ck_assert_uint_eq(crypto_submit(q, jobs + 3, 1), 1);
	fixture_poll(q, packets + 3, 1, 1);
	ck_assert_int_eq(jobs[2]->status, CRYPTO_FAILED);
	fixture_free(jobs[2]);
	fixture_packet_check(&packets[0]);
	fixture_packet_check(&packets[1]);
	fixture_packet_check(&packets[3]);
	crypto_session_close(own, cbc);
	crypto_close(own);
}
END_TEST

struct runner {
	uint16_t worker;
	struct crypto_session *s[2];
	struct crypto_packet packet[8];
	unsigned wrong;
	pthread_barrier_t *start;
};

/* The same session from two threads at once, each by its own queue. */
static void *run_worker(void *arg)
{
	struct runner *r = arg;
	struct crypto_queue *q = crypto_queues(room, r->worker)[r->s[0]->device];
	cpu_set_t cpus;

	/* The EAL has bound us to one CPU. */
	CPU_ZERO(&cpus);
	CPU_SET(r->worker, &cpus);
	pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus);
	pthread_barrier_wait(r->start);
	for (unsigned round = 0; round < 40000; round++) {
		struct crypto_packet *p = &r->packet[round % RTE_DIM(r->packet)];
		struct shape *in = round % 2 == 0 ? &p->before : &p->after;
		struct shape *out = round % 2 == 0 ? &p->after : &p->before;
		struct crypto_job *back = NULL;

		p->job->session = r->s[round % 2];
		memcpy(fixture_text(p->job, in), in->text, in->text_len);
		memcpy(p->job->icv, p->after.icv, 16);
		while (crypto_submit(q, &p->job, 1) == 0)
			;
		while (crypto_poll(q, &back, 1) == 0)
			;
		r->wrong += back->status != CRYPTO_OK ||
			    memcmp(fixture_text(back, out), out->text, out->text_len) != 0 ||
			    memcmp(back->icv, p->after.icv, 16) != 0;
	}
	return NULL;
}

START_TEST(two_workers_share_a_session_without_harm)
{
	static struct runner runners[WORKERS];
	static pthread_barrier_t start;
	pthread_t thread[WORKERS];

	pthread_barrier_init(&start, NULL, WORKERS);
	for (unsigned p = 0; p < CRYPTO_PROVIDERS; p++) {
		for (unsigned w = 0; w < WORKERS; w++) {
			runners[w].worker = w;
			runners[w].start = &start;
			runners[w].s[0] = sessions[p][0];
			runners[w].s[1] = sessions[p][1];
			for (unsigned i = 0; i < RTE_DIM(runners[w].packet); i++)
				make_packet(&runners[w].packet[i], p, CRYPTO_ENCRYPT, 64 + i);
		}
		for (unsigned w = 0; w < WORKERS; w++)
			ck_assert_int_eq(
				pthread_create(&thread[w], NULL, run_worker, &runners[w]), 0);
		for (unsigned w = 0; w < WORKERS; w++)
			pthread_join(thread[w], NULL);
		for (unsigned w = 0; w < WORKERS; w++) {
			ck_assert_uint_eq(runners[w].wrong, 0);
			for (unsigned i = 0; i < RTE_DIM(runners[w].packet); i++)
				fixture_free(runners[w].packet[i].job);
		}
	}
}
END_TEST

/* QAT is played by the cryptodev of intel-ipsec-mb, which then runs beside the libraries. */
int main(void)
{
	char *vdevs[] = {"--vdev=crypto_aesni_mb0", "--vdev=crypto_openssl0"};
	Suite *s = suite_create("crypto_queue");
	TCase *t = tcase_create("all");
	SRunner *r;
	int failed;

	fixture_eal(vdevs, RTE_DIM(vdevs));
	pool = fixture_pool(PACKETS);
	room = fixture_room_named(WORKERS, IN_FLIGHT, CRYPTO_QAT, "crypto_aesni_mb0");
	srand(20261201);
	tcase_set_timeout(t, 120);
	tcase_add_checked_fixture(t, open_sessions, close_sessions);
	tcase_add_test(t, mixed_bursts_of_every_size_come_back_whole_and_in_order);
	tcase_add_test(t, a_lone_packet_returns_within_a_few_polls);
	tcase_add_test(t, a_full_queue_takes_no_more_and_recovers);
	tcase_add_test(t, a_job_that_the_device_chokes_on_fails_alone);
	tcase_add_test(t, two_workers_share_a_session_without_harm);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	crypto_close(room);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
