/* SPDX-License-Identifier: BSD-3-Clause */
/* test_service.c - what a service manager hears, by workers whose polls the test makes. */
#include "service.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define MS UINT64_C(1000000)

static struct pipeline {
	uint16_t n;
	uint64_t polls[2];
} fake;
static struct service service;
static char folder[] = "/tmp/test_service.XXXXXX";
static struct sockaddr_un at = {.sun_family = AF_UNIX};
static char heard[512];
static int manager;

uint16_t pipeline_workers(const struct pipeline *p)
{
	return p->n;
}

void pipeline_stats(const struct pipeline *p, uint16_t worker, struct worker_stats *out)
{
	*out = (struct worker_stats){.polls = p->polls[worker]};
}

/* The next message, or "". */
static const char *hear(void)
{
	ssize_t n = recv(manager, heard, sizeof(heard) - 1, MSG_DONTWAIT);

	heard[n < 0 ? 0 : n] = '\0';
	return heard;
}

static void setup(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(at.sun_path, sizeof(at.sun_path), "%s/notify", folder);
	manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(bind(manager, (struct sockaddr *)&at, sizeof(at)), 0);
	setenv("NOTIFY_SOCKET", at.sun_path, 1);
	setenv("WATCHDOG_USEC", "4000000", 1); /* a look each second */
	unsetenv("WATCHDOG_PID");
	fake = (struct pipeline){.n = 2};
	service_open(&service, &fake);
}

static void teardown(void)
{
	close(manager);
	unlink(at.sun_path);
	rmdir(folder);
}

static void all_poll(void)
{
	fake.polls[0]++;
	fake.polls[1]++;
}

/* Forwards since 10 ms, and has said so. */
static void get_ready(void)
{
	all_poll();
	service_tick(&service, 10 * MS);
	ck_assert_str_eq(hear(), "READY=1\nSTATUS=forwarding, 2 workers");
	ck_assert_str_eq(hear(), "WATCHDOG=1");
}

START_TEST(ready_is_when_the_last_worker_polls)
{
	service_tick(&service, 10 * MS);
	ck_assert_str_eq(hear(), "");
	fake.polls[0]++;
	service_tick(&service, 20 * MS);
	ck_assert_str_eq(hear(), "");
	all_poll();
	service_tick(&service, 30 * MS);
	ck_assert_str_eq(hear(), "READY=1\nSTATUS=forwarding, 2 workers");
	ck_assert_str_eq(hear(), "WATCHDOG=1");
	all_poll();
	service_tick(&service, 40 * MS);
	ck_assert_str_eq(hear(), "");
}
END_TEST

START_TEST(the_watchdog_hears_four_times_in_its_patience)
{
	get_ready();
	for (unsigned ms = 20; ms <= 4010; ms += 10) {
		all_poll();
		service_tick(&service, ms * MS);
		ck_assert_str_eq(hear(), ms % 1000 == 10 ? "WATCHDOG=1" : "");
	}
}
END_TEST

START_TEST(a_worker_that_hangs_keeps_the_watchdog_waiting)
{
	get_ready();
	for (unsigned s = 1; s <= 3; s++) {
		fake.polls[0]++;
		service_tick(&service, (s * 1000 + 10) * MS);
		ck_assert_str_eq(hear(), "");
	}
	all_poll();
	service_tick(&service, 4010 * MS);
	ck_assert_str_eq(hear(), "WATCHDOG=1");
}
END_TEST

START_TEST(nobody_who_watches_is_told_nothing)
{
	unsetenv("WATCHDOG_USEC");
	service_open(&service, &fake);
	all_poll();
	service_tick(&service, 10 * MS);
	ck_assert_str_eq(hear(), "READY=1\nSTATUS=forwarding, 2 workers");
	all_poll();
	service_tick(&service, 100000 * MS);
	ck_assert_str_eq(hear(), "");
}
END_TEST

START_TEST(a_reload_begins_and_ends_but_not_before_it_is_ready)
{
	unsigned long long us;

	service_reloading(&service);
	service_reloaded(&service);
	ck_assert_str_eq(hear(), "");
	get_ready();
	service_reloading(&service);
	ck_assert_int_eq(sscanf(hear(), "RELOADING=1\nMONOTONIC_USEC=%llu", &us), 1);
	service_reloaded(&service);
	ck_assert_str_eq(hear(), "READY=1");
	service_stopping();
	ck_assert_str_eq(hear(), "STOPPING=1\nSTATUS=sending what is in flight");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("service");
	TCase *t = tcase_create("all");
	SRunner *r;

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, ready_is_when_the_last_worker_polls);
	tcase_add_test(t, the_watchdog_hears_four_times_in_its_patience);
	tcase_add_test(t, a_worker_that_hangs_keeps_the_watchdog_waiting);
	tcase_add_test(t, nobody_who_watches_is_told_nothing);
	tcase_add_test(t, a_reload_begins_and_ends_but_not_before_it_is_ready);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
