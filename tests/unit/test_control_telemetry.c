/* SPDX-License-Identifier: BSD-3-Clause */
/* test_control_telemetry.c - threads of DPDK's ask, the control loop answers, neither hangs. */
#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <rte_telemetry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpdk_compat.h"
#include "fake_gateway.h"
#include "telemetry.h"

static struct sa sas[3];
static struct sa_db db = {sas, 3};
static struct pipeline pipeline = {fake_stats, 2};
static const struct views_of of = {
	.pipeline = &pipeline, .sas = &db, .ports = fake_ports, .n_ports = 2};
static struct telemetry *telemetry;
static struct why why;

/* DPDK's side: four commands, and a dictionary that is kept as text. */
static struct {
	const char *name;
	telemetry_cb answer;
} commands[8];
static unsigned n_commands;

struct rte_tel_data {
	char text[16 * 1024];
};

int rte_telemetry_register_cmd(const char *cmd, telemetry_cb fn, const char *help)
{
	ck_assert_str_ne(help, "");
	commands[n_commands].name = cmd;
	commands[n_commands++].answer = fn;
	return 0;
}

int rte_tel_data_start_dict(struct rte_tel_data *d)
{
	d->text[0] = '\0';
	return 0;
}

int rte_tel_data_add_dict_uint(struct rte_tel_data *d, const char *name, uint64_t val)
{
	char *end = d->text + strlen(d->text);

	sprintf(end, "%s %" PRIu64 "\n", name, val);
	return 0;
}

static void setup(void)
{
	sas[0] = (struct sa){.spec.direction = SA_OUT, .count = {1, 10}};
	sas[1] = (struct sa){.spec.direction = SA_IN, .count = {2, 20}};
	sas[2] = (struct sa){.spec.direction = SA_OUT, .count = {4, 40}};
	ck_assert_int_eq(telemetry_open(&of, &telemetry, &why), 0);
}

static void teardown(void)
{
	if (telemetry != NULL)
		telemetry_close(telemetry);
}

struct scrape { /* one of DPDK's threads */
	pthread_t thread;
	const char *command, *params;
	struct rte_tel_data data;
	int rc;
};

static void *scrape_main(void *arg)
{
	struct scrape *s = arg;

	s->rc = -ENOENT;
	for (unsigned i = 0; i < n_commands; i++)
		if (strcmp(commands[i].name, s->command) == 0)
			s->rc = commands[i].answer(s->command, s->params, &s->data);
	return NULL;
}

static void begin(struct scrape *s, const char *command, const char *params)
{
	s->command = command;
	s->params = params;
	ck_assert_int_eq(pthread_create(&s->thread, NULL, scrape_main, s), 0);
}

static int end(struct scrape *s)
{
	pthread_join(s->thread, NULL);
	return s->rc;
}

/* One turn of the control loop, as soon as somebody asks. */
static void serve(void)
{
	struct pollfd p = {.fd = telemetry_fd(telemetry), .events = POLLIN};

	ck_assert_int_eq(poll(&p, 1, 5000), 1);
	telemetry_serve(telemetry);
}

static const struct {
	const char *command, *params;
	int rc;
	const char *says;
} answers[] = {
	{"/adit/sa_totals", NULL, 0,
		"out_sas 2\nout_packets 5\nout_bytes 50\nin_sas 1\nin_packets 2\nin_bytes 20\n"},
	{"/adit/workers", NULL, 0,
		"workers 2\nreceived 110\nmade 5\nsent 100\nexits 12\nmerged 1\nparked 2\n"
		"polls 50\nidle_polls 20\nbusy_cycles 3000\nidle_cycles 1000\n"},
	{"/adit/workers", "", 0, "workers 2\n"},
	{"/adit/workers", "1", 0,
		"lcore 3\nreceived 10\nmade 0\nsent 20\nexits 2\nmerged 0\n"
		"polls 0\nidle_polls 0\nbusy_cycles 0\nidle_cycles 0\n"},
	{"/adit/workers", "2", -EINVAL, ""},
	{"/adit/workers", "1x", -EINVAL, ""},
	{"/adit/workers", "-1", -EINVAL, ""},
	{"/adit/workers", "99999999999999999999", -EINVAL, ""},
	{"/adit/ports", NULL, 0,
		"ports 2\nrx_packets 1\nrx_bytes 100\nrx_dropped 5\nrx_errors 4\ntx_packets 50\n"
		"tx_bytes 5000\ntx_errors 6\n"},
	{"/adit/ports", "", 0, "ports 2\nrx_packets 1\n"},
	{"/adit/ports", "wan", 0, "ports 1\nrx_packets 0\n"},
	{"/adit/ports", "lan", 0, "ports 1\nrx_packets 1\n"},
	{"/adit/ports", "la", -EINVAL, ""},
	{"/adit/exits", NULL, 0, "out_classify_runt 0\n"},
	{"/adit/exits", NULL, 0, "\nttl_expired 7\n"},
	{"/adit/exits", NULL, 0, "\ntx_full 5\n"},
};

START_TEST(a_scrape_gets_totals)
{
	static struct scrape s;

	begin(&s, answers[_i].command, answers[_i].params);
	serve();
	ck_assert_int_eq(end(&s), answers[_i].rc);
	ck_assert_msg(strstr(s.data.text, answers[_i].says) != NULL, "%s", s.data.text);
}
END_TEST

START_TEST(scrapes_at_once_are_all_answered)
{
	static struct scrape s[10]; /* DPDK takes ten clients */

	for (unsigned i = 0; i < 10; i++)
		begin(&s[i], "/adit/sa_totals", NULL);
	for (unsigned i = 0; i < 10; i++)
		serve();
	for (unsigned i = 0; i < 10; i++) {
		ck_assert_int_eq(end(&s[i]), 0);
		ck_assert_ptr_nonnull(strstr(s[i].data.text, "out_sas 2\n"));
	}
}
END_TEST

START_TEST(a_scrape_of_a_busy_loop_is_given_up_and_never_answered_late)
{
	static struct scrape s;

	begin(&s, "/adit/sa_totals", NULL);
	ck_assert_int_eq(end(&s), -ETIMEDOUT);
	strcpy(s.data.text, "somebody else's");
	serve();
	ck_assert_str_eq(s.data.text, "somebody else's");
}
END_TEST

START_TEST(closing_answers_whoever_waits_and_nobody_after)
{
	static struct scrape s;
	struct pollfd p = {.fd = telemetry_fd(telemetry), .events = POLLIN};

	begin(&s, "/adit/sa_totals", NULL);
	ck_assert_int_eq(poll(&p, 1, 5000), 1);
	telemetry_close(telemetry);
	telemetry = NULL;
	ck_assert_int_eq(end(&s), 0);
	begin(&s, "/adit/sa_totals", NULL);
	ck_assert_int_eq(end(&s), -ENODEV);
}
END_TEST

START_TEST(it_opens_again_without_new_commands)
{
	struct telemetry *second;

	ck_assert_int_eq(telemetry_open(&of, &second, &why), -EBUSY);
	ck_assert_str_eq(why.text, "telemetry: it is open already");
	telemetry_close(telemetry);
	ck_assert_int_eq(telemetry_open(&of, &telemetry, &why), 0);
	ck_assert_uint_eq(n_commands, 4);
	a_scrape_gets_totals_fn(0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("control_telemetry");
	TCase *t = tcase_create("all");
	SRunner *r;

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, a_scrape_gets_totals, 0, sizeof(answers) / sizeof(answers[0]));
	tcase_add_test(t, scrapes_at_once_are_all_answered);
	tcase_add_test(t, a_scrape_of_a_busy_loop_is_given_up_and_never_answered_late);
	tcase_add_test(t, closing_answers_whoever_waits_and_nobody_after);
	tcase_add_test(t, it_opens_again_without_new_commands);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
