/* SPDX-License-Identifier: BSD-3-Clause */
/* test_scheduler.c - all algorithms go round a device that works on other cores and answers later:
 * crypto_scheduler in multi-core mode, under the name of qat, as in docs/providers.md. */
#include <check.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crypto_fixture.h"

#define BURST   32u
#define PACKETS 192u

static struct rte_mempool *pool;
static struct crypto *room;

static struct crypto *open_room(uint16_t n_workers)
{
	struct crypto_setup setup = {
		.n_workers = n_workers,
		.in_flight = 256,
		.max_sessions = 16,
		.named[CRYPTO_QAT] = {.device = {"crypto_scheduler0", "crypto_scheduler1"}, .n = 2},
	};
	struct crypto *c;
	struct why why;

	ck_assert_msg(crypto_open(&setup, &c, &why) == 0, "%s", why.text);
	return c;
}

/* One session, so one order. */
static unsigned poll_some(struct crypto_queue *q, struct crypto_packet *packet, unsigned *next)
{
	struct crypto_job *back[BURST];
	unsigned n = crypto_poll(q, back, BURST);

	for (unsigned i = 0; i < n; i++)
		ck_assert_ptr_eq(back[i], packet[(*next)++].job);
	return n;
}

/* Sends all, up to BURST at once, and takes what comes back meanwhile. */
static void go_round(struct crypto_session *s, const struct crypto_spec *spec,
	enum crypto_direction direction, uint16_t worker)
{
	static struct crypto_packet packet[PACKETS];
	struct crypto_queue *q = crypto_queues(room, worker)[s->device];
	unsigned submitted = 0, polled = 0;
	time_t end = time(NULL) + 60;

	for (unsigned i = 0; i < PACKETS; i++)
		fixture_packet(&packet[i], pool, s, spec, direction, 1 + rand() % 1500);
	while (polled < PACKETS) {
		struct crypto_job *job[BURST];
		unsigned n = RTE_MIN(BURST, PACKETS - submitted);

		for (unsigned i = 0; i < n; i++)
			job[i] = packet[submitted + i].job;
		submitted += crypto_submit(q, job, n);
		if (poll_some(q, packet, &polled) == 0)
			sched_yield();
		ck_assert_int_lt(time(NULL), end);
	}
	ck_assert_uint_eq(crypto_in_flight(q), 0);
	for (unsigned i = 0; i < PACKETS; i++)
		fixture_packet_check(&packet[i]);
}

START_TEST(every_algorithm_goes_round_in_order)
{
	unsigned done = 0;
	struct crypto_spec spec;

	room = open_room(1);
	for (unsigned n = 0; fixture_spec(n, &spec); n++) {
		struct crypto_session *s[2];
		struct why why;

		if (crypto_can(room, CRYPTO_QAT, &spec, NULL) < 0)
			continue;
		fixture_keys(&spec);
		for (enum crypto_direction d = CRYPTO_ENCRYPT; d <= CRYPTO_DECRYPT; d++) {
			ck_assert_msg(
				crypto_session_open(room, CRYPTO_QAT, &spec, d, &s[d], &why) == 0,
				"%s", why.text);
			ck_assert(s[d]->is_lookaside);
			go_round(s[d], &spec, d, 0);
		}
		/* Two schedulers and one worker: one for each direction. */
		ck_assert_str_eq(
			crypto_session_provider(s[CRYPTO_ENCRYPT]), "qat on crypto_scheduler0/0");
		ck_assert_str_eq(
			crypto_session_provider(s[CRYPTO_DECRYPT]), "qat on crypto_scheduler1/0");
		crypto_session_close(room, s[CRYPTO_ENCRYPT]);
		crypto_session_close(room, s[CRYPTO_DECRYPT]);
		done++;
	}
	ck_assert_uint_ge(done, 20);
	crypto_stop(room);
	crypto_close(room);
}
END_TEST

START_TEST(each_worker_has_a_scheduler)
{
	struct crypto_spec spec = {.aead = algorithm_find(ALGORITHM_AEAD, "aes-128-gcm")};
	struct crypto_session *s;
	struct why why;

	fixture_keys(&spec);
	room = open_room(2);
	for (enum crypto_direction d = CRYPTO_ENCRYPT; d <= CRYPTO_DECRYPT; d++) {
		ck_assert_msg(crypto_session_open(room, CRYPTO_QAT, &spec, d, &s, &why) == 0, "%s",
			why.text);
		ck_assert_str_eq(
			crypto_session_provider(s), "qat on crypto_scheduler0,crypto_scheduler1");
		go_round(s, &spec, d, 0);
		go_round(s, &spec, d, 1);
		crypto_session_close(room, s);
	}
	crypto_stop(room);
	crypto_close(room);
}
END_TEST

static void init_eal(void)
{
	char *argv[] = {"test", "--no-huge", "-m", "512", "--no-pci", "--no-shconf",
		"--no-telemetry", "--log-level=error", "--lcores", "0@(0-1),1@(0-1),2@(0-1)",
		"--vdev=crypto_aesni_mb0", "--vdev=crypto_aesni_mb1",
		"--vdev=crypto_scheduler0,worker=crypto_aesni_mb0,mode=multi-core,"
		"ordering=enable,corelist=1",
		"--vdev=crypto_scheduler1,worker=crypto_aesni_mb1,mode=multi-core,"
		"ordering=enable,corelist=2"};

	if (rte_eal_init(RTE_DIM(argv), argv) < 0) {
		fprintf(stderr, "no EAL: %s\n", rte_strerror(rte_errno));
		exit(EXIT_FAILURE);
	}
}

int main(void)
{
	Suite *s = suite_create("scheduler");
	TCase *t = tcase_create("all");
	SRunner *r;
	int failed;

	init_eal();
	srand(20261201);
	pool = fixture_pool(255);
	tcase_set_timeout(t, 0);
	tcase_add_test(t, every_algorithm_goes_round_in_order);
	tcase_add_test(t, each_worker_has_a_scheduler);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
