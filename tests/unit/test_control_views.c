/* SPDX-License-Identifier: BSD-3-Clause */
/* test_control_views.c - what the commands of the control socket tell, to the letter. */
#include <check.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "fake_gateway.h"
#include "requests.h"
#include "views.h"

static struct sa sas[2];
static struct sa_db db = {sas, 2};
static struct pipeline pipeline = {fake_stats, 2};
static struct requests requests;
static size_t n_commands_max;
static int guest, watch_rc;
static struct why why;

/* What views.c knows of a control socket: a table of commands, and a place for a guest. */
int control_handle(struct control *ctl, const char *command, control_handler *handler, void *arg,
	const char *help)
{
	(void)ctl;
	if (requests.n == n_commands_max)
		return -ENOMEM;
	return requests_add(&requests, command, handler, arg, help);
}

void *control_forget(struct control *ctl, const char *command)
{
	(void)ctl;
	return requests_forget(&requests, command);
}

int control_watch(struct control *ctl, int fd, void (*serve)(void *arg), void *arg)
{
	(void)ctl;
	(void)serve;
	(void)arg;
	ck_assert_int_eq(guest, -1);
	guest = fd;
	return watch_rc;
}

void control_unwatch(struct control *ctl)
{
	(void)ctl;
	guest = -1;
}

static struct ipaddr address(const char *text)
{
	struct ipaddr a;

	ck_assert_int_eq(ipaddr_parse(text, &a), 0);
	return a;
}

static void setup(void)
{
	static const struct algorithm gcm = {.name = "aes-128-gcm"}, null = {.name = "null"},
				      sha1 = {.name = "hmac-sha1-96"};

	sas[0] = (struct sa){.provider = "aesni_mb", .count = {12, 3456}, .sequence = 13};
	strcpy(sas[0].spec.name, "to-b");
	sas[0].spec.spi = 0x2001;
	sas[0].spec.src = address("192.0.2.1");
	sas[0].spec.dst = address("2001:db8::2");
	sas[0].spec.reqid = UINT32_MAX;
	sas[0].spec.crypto.aead = &gcm;
	memset(sas[0].spec.crypto.key.bytes, 0x5a, KEY_MAX);
	sas[0].spec.esn = true;
	sas[1] = (struct sa){.provider = "qat on crypto_scheduler0",
		.count = {UINT64_C(1) << 62, INT64_MAX},
		.sequence = UINT64_MAX - 1};
	strcpy(sas[1].spec.name, "from-b");
	sas[1].spec.direction = SA_IN;
	sas[1].spec.spi = 0xffffffff;
	sas[1].spec.window = 1024;
	sas[1].spec.crypto.cipher = &null;
	sas[1].spec.crypto.auth = &sha1;
	guest = -1;
	n_commands_max = 3;
	ck_assert_int_eq(views_open(NULL, &pipeline, &db, &why), 0);
}

static void teardown(void)
{
	views_close(NULL);
	ck_assert_uint_eq(requests.n, 0);
	ck_assert_int_eq(guest, -1);
	requests_close(&requests);
}

/* The line that answers, for free(). */
static char *ask(const char *request)
{
	size_t len;
	char *answer = requests_answer(&requests, request, strlen(request), &len);

	ck_assert_ptr_nonnull(answer);
	answer[len - 1] = '\0';
	return answer;
}

START_TEST(an_sa_is_told_whole_and_without_its_key)
{
	char *answer = ask("{\"do\":\"sa\"}");

	ck_assert_str_eq(answer,
		"{\"ok\":true,\"data\":["
		"{\"name\":\"to-b\",\"direction\":\"out\",\"spi\":\"0x2001\",\"src\":\"192.0.2.1\","
		"\"dst\":\"2001:db8::2\",\"reqid\":4294967295,\"mode\":\"tunnel\","
		"\"algorithm\":\"aes-128-gcm\",\"esn\":true,\"provider\":\"aesni_mb\","
		"\"sequence\":13,\"packets\":12,\"bytes\":3456},"
		"{\"name\":\"from-b\",\"direction\":\"in\",\"spi\":\"0xffffffff\",\"src\":\"any\","
		"\"dst\":\"any\",\"reqid\":0,\"mode\":\"tunnel\","
		"\"algorithm\":\"null+hmac-sha1-96\",\"esn\":false,"
		"\"provider\":\"qat on crypto_scheduler0\",\"replay_window\":1024,"
		"\"sequence\":\"18446744073709551614\",\"packets\":4611686018427387904,"
		"\"bytes\":9223372036854775807}]}");
	free(answer);
}
END_TEST

START_TEST(one_sa_that_cannot_be_told_is_an_error_not_a_gap)
{
	char *answer;

	strcpy(sas[1].spec.name, "\xc3\x28");
	answer = ask("{\"do\":\"sa\"}");
	ck_assert_ptr_eq(strstr(answer, "{\"ok\":false,"), answer);
	free(answer);
}
END_TEST

START_TEST(no_sas_are_an_empty_list)
{
	char *answer;

	db.n = 0;
	answer = ask("{\"do\":\"sa\"}");
	ck_assert_str_eq(answer, "{\"ok\":true,\"data\":[]}");
	free(answer);
}
END_TEST

START_TEST(every_exit_is_told_and_summed_over_workers)
{
	char *answer = ask("{\"do\":\"exits\"}");
	json_t *parsed = json_loads(answer, 0, NULL), *data = json_object_get(parsed, "data"),
	       *exit;
	size_t i;

	ck_assert_uint_eq(json_array_size(data), EXIT_COUNT);
	json_array_foreach(data, i, exit)
	{
		long long packets = i == EXIT_TTL_EXPIRED ? 7 : i == EXIT_TX_FULL ? 5 : 0;

		ck_assert_str_eq(
			json_string_value(json_object_get(exit, "name")), exit_name((enum exit)i));
		ck_assert_int_eq(json_integer_value(json_object_get(exit, "packets")), packets);
	}
	ck_assert_ptr_nonnull(strstr(answer, "{\"name\":\"ttl_expired\",\"becomes\":\"reply\","
					     "\"packets\":7,\"meaning\":\"the hop limit "
					     "ends here\"}"));
	json_decref(parsed);
	free(answer);
}
END_TEST

START_TEST(exits_are_told_per_worker_on_request)
{
	char *answer = ask("{\"do\":\"exits\",\"per_worker\":true}");

	ck_assert_ptr_nonnull(
		strstr(answer, "\"packets\":7,\"meaning\":\"the hop limit ends here\","
			       "\"per_worker\":[7,0]}"));
	ck_assert_ptr_nonnull(strstr(answer, "\"per_worker\":[3,2]}"));
	free(answer);
}
END_TEST

START_TEST(workers_are_told_with_their_books_and_stages)
{
	char *answer = ask("{\"do\":\"workers\"}");

	ck_assert_str_eq(answer,
		"{\"ok\":true,\"data\":{\"workers\":["
		"{\"worker\":0,\"lcore\":1,\"received\":100,\"made\":5,\"sent\":80,\"exits\":10,"
		"\"merged\":1,\"parked\":2,\"polls\":50,\"idle_polls\":20,\"busy_cycles\":3000,"
		"\"idle_cycles\":1000,\"idle_percent\":25.0},"
		"{\"worker\":1,\"lcore\":3,\"received\":10,\"made\":0,\"sent\":20,\"exits\":2,"
		"\"merged\":0,\"parked\":0,\"polls\":0,\"idle_polls\":0,\"busy_cycles\":0,"
		"\"idle_cycles\":0,\"idle_percent\":null}],"
		"\"books\":{\"received\":110,\"made\":5,\"sent\":100,\"exits\":12,\"merged\":1,"
		"\"parked\":2,\"in_hand\":0},"
		"\"stages\":[{\"lane\":\"outbound\",\"stage\":\"rx\",\"packets\":4,\"cycles\":1000,"
		"\"cycles_per_packet\":250.0},"
		"{\"lane\":\"inbound\",\"stage\":\"in_sad\",\"packets\":0,\"cycles\":0,"
		"\"cycles_per_packet\":null}]}}");
	free(answer);
}
END_TEST

START_TEST(books_that_do_not_close_say_by_how_much)
{
	struct worker_stats off = fake_stats[0];
	char *answer;

	pipeline = (struct pipeline){&off, 1};
	answer = ask("{\"do\":\"workers\"}");
	ck_assert_ptr_nonnull(strstr(answer, "\"in_hand\":12}"));
	free(answer);
	off.sent += 13;
	answer = ask("{\"do\":\"workers\"}");
	ck_assert_ptr_nonnull(strstr(answer, "\"in_hand\":-1}"));
	free(answer);
}
END_TEST

START_TEST(what_cannot_be_opened_whole_is_not_open)
{
	views_close(NULL);
	n_commands_max = 2;
	ck_assert_int_eq(views_open(NULL, &pipeline, &db, &why), -ENOMEM);
	ck_assert_str_eq(why.text, "views: out of memory");
	ck_assert_uint_eq(requests.n, 0);
	ck_assert_int_eq(guest, -1);
	watch_rc = -ENOSPC;
	ck_assert_int_eq(views_open(NULL, &pipeline, &db, &why), -ENOSPC);
	guest = -1;
	views_close(NULL); /* as a start-up that failed does */
}
END_TEST

int main(void)
{
	Suite *s = suite_create("control_views");
	TCase *t = tcase_create("all");
	SRunner *r;

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, an_sa_is_told_whole_and_without_its_key);
	tcase_add_test(t, one_sa_that_cannot_be_told_is_an_error_not_a_gap);
	tcase_add_test(t, no_sas_are_an_empty_list);
	tcase_add_test(t, every_exit_is_told_and_summed_over_workers);
	tcase_add_test(t, exits_are_told_per_worker_on_request);
	tcase_add_test(t, workers_are_told_with_their_books_and_stages);
	tcase_add_test(t, books_that_do_not_close_say_by_how_much);
	tcase_add_test(t, what_cannot_be_opened_whole_is_not_open);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
