/* SPDX-License-Identifier: BSD-3-Clause */
/* test_library_queue.c - of a library called directly, whose provider the command line names: every
 * algorithm in one burst, in both directions; every bit of every ICV counts; a job that cannot be done
 * stops no other; workers share sessions. */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "crypto_fixture.h"

#define WORKERS   2
#define IN_FLIGHT 128
#define PACKETS   511

static struct rte_mempool *pool;
static struct crypto *room;
static enum crypto_provider provider;

/* All algorithms, without and with ESN. */
static struct crypto_spec specs[128];
static struct crypto_session *sessions[128][2];
static unsigned n_specs;

static void open_sessions(void)
{
	struct crypto_spec spec;
	struct why why;

	n_specs = 0;
	for (unsigned i = 0; fixture_spec(i / 2, &spec); i++) {
		spec.esn = i % 2;
		ck_assert_msg(crypto_can(room, provider, &spec, &why) == 0, "%s", why.text);
		specs[n_specs] = spec;
		fixture_keys(&specs[n_specs]);
		for (unsigned d = 0; d < 2; d++)
			ck_assert_msg(crypto_session_open(room, provider, &specs[n_specs], d,
					      &sessions[n_specs][d], &why) == 0,
				"%s", why.text);
		n_specs++;
	}
	ck_assert_uint_eq(n_specs, 2 * (15 + 7 * 6));
}

static void close_sessions(void)
{
	for (unsigned i = 0; i < n_specs; i++) {
		crypto_session_close(room, sessions[i][0]);
		crypto_session_close(room, sessions[i][1]);
	}
	ck_assert_uint_eq(rte_mempool_avail_count(pool), PACKETS);
}

static struct crypto_queue *queue_of(uint16_t worker)
{
	return crypto_queues(room, worker)[sessions[0][0]->device];
}

static struct crypto_packet packets[IN_FLIGHT];

static void make_packet(struct crypto_packet *p, unsigned spec, unsigned direction, unsigned len)
{
	fixture_packet(p, pool, sessions[spec][direction], &specs[spec], direction, len);
}

/* Submits the first n packets and sees all of them back as they should be. */
static void run(unsigned n, unsigned quota)
{
	struct crypto_job *jobs[IN_FLIGHT];

	for (unsigned i = 0; i < n; i++)
		jobs[i] = packets[i].job;
	ck_assert_uint_eq(crypto_submit(queue_of(0), jobs, n), n);
	ck_assert_uint_eq(crypto_in_flight(queue_of(0)), n);
	fixture_poll(queue_of(0), packets, n, quota);
	for (unsigned i = 0; i < n; i++)
		fixture_packet_check(&packets[i]);
}

START_TEST(a_burst_of_all_algorithms_and_directions_comes_back_in_order)
{
	static const unsigned longest[] = {0, 64, 300, 1500, 9000};

	for (unsigned round = 0; round < 60; round++) {
		unsigned n = 1 + rand() % IN_FLIGHT;

		for (unsigned i = 0; i < n; i++)
			make_packet(&packets[i], rand() % n_specs, rand() % 2,
				rand() % (longest[rand() % RTE_DIM(longest)] + 1));
		run(n, 1 + rand() % IN_FLIGHT);
	}
}
END_TEST

START_TEST(few_sessions_fill_the_lanes_with_many_packets_each)
{
	for (unsigned round = 0; round < 60; round++) {
		unsigned first = rand() % n_specs;

		for (unsigned i = 0; i < IN_FLIGHT; i++)
			make_packet(&packets[i], (first + rand() % 3) % n_specs, rand() % 2,
				rand() % 300);
		run(IN_FLIGHT, IN_FLIGHT);
	}
}
END_TEST

START_TEST(every_bit_of_an_icv_counts)
{
	for (unsigned i = 0; i < n_specs; i++) {
		unsigned bits = 8 * fixture_icv_len(&specs[i]);

		for (unsigned bit = 0; bit <= bits; bit++) {
			struct crypto_packet *p = &packets[0];

			make_packet(p, i, CRYPTO_DECRYPT, 40);
			while (p->expected != CRYPTO_OK) {
				fixture_free(p->job);
				make_packet(p, i, CRYPTO_DECRYPT, 40);
			}
			if (bit < bits) {
				p->job->icv[bit / 8] ^= 1 << bit % 8;
				p->after.icv[bit / 8] ^= 1 << bit % 8;
				p->expected = CRYPTO_BAD_ICV;
			}
			run(1, 1);
		}
	}
}
END_TEST

START_TEST(submissions_add_up_until_they_are_polled)
{
	struct crypto_queue *q = queue_of(0);
	struct crypto_job *back[IN_FLIGHT];
	unsigned submitted = 0, polled = 0;

	/* Around the end of the ring, with some always inside. */
	for (unsigned round = 0; round < 50; round++) {
		for (unsigned i = 0; i < 7; i++, submitted++) {
			struct crypto_packet *p = &packets[submitted % IN_FLIGHT];

			make_packet(p, rand() % n_specs, rand() % 2, 50);
			ck_assert_uint_eq(crypto_submit(q, &p->job, 1), 1);
		}
		while (submitted - polled > (round == 49 ? 0 : 20)) {
			ck_assert_uint_eq(crypto_poll(q, back, 1), 1);
			ck_assert_ptr_eq(back[0], packets[polled % IN_FLIGHT].job);
			fixture_packet_check(&packets[polled++ % IN_FLIGHT]);
		}
		ck_assert_uint_eq(crypto_in_flight(q), submitted - polled);
	}
}
END_TEST

static const struct {
	const char *cipher, *auth;
	int less_cipher; /* bytes that are taken off the cipher */
	int auth_len; /* 0: as it was */
} odd[] = {
	{"aes-128-cbc", "hmac-sha1-96", 3, 0},
	{"aes-256-cbc", "hmac-sha2-256-128", 1, 0},
	{"aes-128-cbc", "aes-cmac-96", 5, 0},
	{"aes-128-ctr", "hmac-sha1-96", 0, 65535},
	{"null", "aes-xcbc-96", 0, 65535},
};
#define ODD_OF_ALL 3 /* the others are beyond what the lanes of intel-ipsec-mb can count */

START_TEST(a_job_that_the_library_refuses_fails_alone)
{
	unsigned spec = 0, victim = IN_FLIGHT / 2 + 1;
	struct crypto_job *jobs[IN_FLIGHT];
	struct crypto_device_stats was, is;

	ck_assert(crypto_device_stats(room, 0, &was));
	while (specs[spec].cipher == NULL ||
		strcmp(specs[spec].cipher->name, odd[_i].cipher) != 0 ||
		strcmp(specs[spec].auth->name, odd[_i].auth) != 0)
		spec++;
	for (unsigned direction = 0; direction < 2; direction++) {
		for (unsigned i = 0; i < IN_FLIGHT; i++) {
			make_packet(
				&packets[i], i % 5 == 4 ? rand() % n_specs : spec, direction, 64);
			jobs[i] = packets[i].job;
		}
		packets[victim].expected = CRYPTO_FAILED;
		memcpy(packets[victim].after.icv, jobs[victim]->icv, CRYPTO_ICV_MAX / 2);
		jobs[victim]->cipher_len -= odd[_i].less_cipher;
		if (odd[_i].auth_len != 0)
			jobs[victim]->auth_len = odd[_i].auth_len;
		ck_assert_uint_eq(crypto_submit(queue_of(0), jobs, IN_FLIGHT), IN_FLIGHT);
		fixture_poll(queue_of(0), packets, IN_FLIGHT, IN_FLIGHT);
		for (unsigned i = 0; i < IN_FLIGHT; i++)
			fixture_packet_check(&packets[i]);
	}
	ck_assert(crypto_device_stats(room, 0, &is));
	ck_assert_uint_eq(is.failed, was.failed + 2);
	ck_assert_uint_eq(is.done, was.done + 2 * IN_FLIGHT);
}
END_TEST

START_TEST(nothing_to_encipher_is_still_authenticated)
{
	for (unsigned i = 0; i < n_specs; i++) {
		for (unsigned d = 0; d < 2; d++) {
			make_packet(&packets[0], i, d, 0);
			run(1, 1);
		}
	}
}
END_TEST

struct runner {
	uint16_t worker;
	struct crypto_packet packet[64];
	unsigned wrong;
	pthread_barrier_t *start;
};

/* Bursts of all algorithms: a round encrypts the packets, the next one decrypts them. */
static void *run_worker(void *arg)
{
	struct runner *r = arg;
	struct crypto_queue *q = queue_of(r->worker);
	struct crypto_job *jobs[RTE_DIM(r->packet)], *back[RTE_DIM(r->packet)];
	cpu_set_t cpus;

	/* The EAL has bound us to one CPU. */
	CPU_ZERO(&cpus);
	CPU_SET(r->worker, &cpus);
	pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus);
	pthread_barrier_wait(r->start);
	for (unsigned round = 0; round < 4000; round++) {
		unsigned got = 0;

		for (unsigned i = 0; i < RTE_DIM(jobs); i++) {
			jobs[i] = r->packet[i].job;
			jobs[i]->session = sessions[(r->packet[i].spec - specs)][round % 2];
		}
		if (crypto_submit(q, jobs, RTE_DIM(jobs)) != RTE_DIM(jobs))
			r->wrong++;
		while (got < RTE_DIM(jobs))
			got += crypto_poll(q, back + got, RTE_DIM(jobs) - got);
		for (unsigned i = 0; i < RTE_DIM(jobs); i++) {
			struct crypto_packet *p = &r->packet[i];
			struct shape *now = round % 2 == 0 ? &p->after : &p->before;

			r->wrong +=
				p->job->status != CRYPTO_OK ||
				memcmp(fixture_text(p->job, now), now->text, now->text_len) != 0 ||
				memcmp(p->job->icv, p->after.icv, fixture_icv_len(p->spec)) != 0;
		}
	}
	return NULL;
}

START_TEST(two_workers_share_all_sessions_without_harm)
{
	static struct runner runners[WORKERS];
	static pthread_barrier_t start;
	pthread_t thread[WORKERS];

	pthread_barrier_init(&start, NULL, WORKERS);
	for (unsigned w = 0; w < WORKERS; w++) {
		runners[w].worker = w;
		runners[w].start = &start;
		for (unsigned i = 0; i < RTE_DIM(runners[w].packet); i++)
			make_packet(&runners[w].packet[i], rand() % n_specs, CRYPTO_ENCRYPT,
				rand() % 200);
	}
	for (unsigned w = 0; w < WORKERS; w++)
		ck_assert_int_eq(pthread_create(&thread[w], NULL, run_worker, &runners[w]), 0);
	for (unsigned w = 0; w < WORKERS; w++)
		pthread_join(thread[w], NULL);
	for (unsigned w = 0; w < WORKERS; w++) {
		ck_assert_uint_eq(runners[w].wrong, 0);
		for (unsigned i = 0; i < RTE_DIM(runners[w].packet); i++)
			fixture_free(runners[w].packet[i].job);
	}
}
END_TEST

int main(int argc, char *argv[])
{
	Suite *s = suite_create("library_queue");
	TCase *t = tcase_create("all");
	SRunner *r;
	int failed;

	if (argc != 2 || crypto_provider_find(argv[1], &provider) < 0)
		return EXIT_FAILURE;
	fixture_eal(NULL, 0);
	pool = fixture_pool(PACKETS);
	room = fixture_room(WORKERS, IN_FLIGHT);
	srand(20261201);
	tcase_set_timeout(t, 120);
	tcase_add_checked_fixture(t, open_sessions, close_sessions);
	tcase_add_test(t, a_burst_of_all_algorithms_and_directions_comes_back_in_order);
	tcase_add_test(t, few_sessions_fill_the_lanes_with_many_packets_each);
	tcase_add_test(t, every_bit_of_an_icv_counts);
	tcase_add_test(t, submissions_add_up_until_they_are_polled);
	tcase_add_loop_test(t, a_job_that_the_library_refuses_fails_alone, 0,
		provider == CRYPTO_AESNI_MB ? RTE_DIM(odd) : ODD_OF_ALL);
	tcase_add_test(t, nothing_to_encipher_is_still_authenticated);
	tcase_add_test(t, two_workers_share_all_sessions_without_harm);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	crypto_close(room);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
