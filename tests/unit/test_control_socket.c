/* SPDX-License-Identifier: BSD-3-Clause */
/* test_control_socket.c - what clients do wrong hurts nobody but themselves. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <jansson.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "socket.h"

#define MANY   60 /* clients at once, as many as wait without being refused */
#define MOVES  2000 /* control_serve() until a test gives up; each follows a poll */
#define SECOND UINT64_C(1000000000)

static char folder[] = "/tmp/test_control.XXXXXX";
static char path[64];
static struct control *ctl;
static unsigned calls; /* of the handlers */

static json_t *echo(const json_t *request, void *arg, struct why *why)
{
	(void)why;
	calls++;
	return json_pack("{s:s, s:O?}", "by", arg, "said", json_object_get(request, "say"));
}

static json_t *refuse(const json_t *request, void *arg, struct why *why)
{
	(void)request;
	(void)arg;
	why_set(why, 0, "not today");
	return NULL;
}

/* Four megabytes: no socket buffer takes that. */
static json_t *fill(const json_t *request, void *arg, struct why *why)
{
	json_t *all = json_array();

	(void)request;
	(void)arg;
	(void)why;
	calls++;
	for (int i = 0; i < 40000; i++)
		json_array_append_new(all, json_sprintf("%0100d", i));
	return all;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * SECOND + (uint64_t)ts.tv_nsec;
}

static void setup(void)
{
	struct why why;

	strcpy(strrchr(folder, '.'), ".XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/control", folder);
	ck_assert_msg(control_open(path, 0600, "", &ctl, &why) == 0, "%s", why.text);
	ck_assert_str_eq(why.text, "");
	ck_assert_int_eq(control_handle(ctl, "echo", echo, "me", "Says it again."), 0);
	ck_assert_int_eq(control_handle(ctl, "refuse", refuse, NULL, "Does not."), 0);
	ck_assert_int_eq(control_handle(ctl, "fill", fill, NULL, "Says a lot."), 0);
	calls = 0;
}

static void teardown(void)
{
	if (ctl != NULL)
		control_close(ctl);
	ctl = NULL;
	ck_assert_int_eq(access(path, F_OK), -1);
	ck_assert_int_eq(rmdir(folder), 0);
}

static int dial(void)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

	strcpy(to.sun_path, path);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	return fd;
}

static void say(int fd, const void *text, size_t len)
{
	ck_assert_int_eq(send(fd, text, len, MSG_NOSIGNAL), (ssize_t)len);
}

static bool is_ready(void)
{
	struct pollfd p = {.fd = control_fd(ctl), .events = POLLIN};

	return poll(&p, 1, 0) == 1;
}

/* Until it has nothing more to do; it must come to rest by itself. */
static void serve(void)
{
	int i;

	for (i = 0; i < MOVES && is_ready(); i++)
		control_serve(ctl);
	ck_assert_msg(i < MOVES, "the control loop spins");
}

/* Serves and reads until the line is whole or the gateway hangs up (then NULL). For free(). */
static char *hear(int fd)
{
	size_t len = 0, size = 8 << 20;
	char *text = malloc(size);

	for (int i = 0; i < MOVES * 10; i++) {
		ssize_t n;

		if (is_ready())
			control_serve(ctl);
		n = recv(fd, text + len, size - len, 0);
		if (n == 0 || (n < 0 && errno != EAGAIN))
			break;
		len += n > 0 ? (size_t)n : 0;
		if (len > 0 && text[len - 1] == '\n') {
			text[len] = '\0';
			return text;
		}
	}
	free(text);
	return NULL;
}

static void expect(int fd, const char *answer)
{
	char *heard = hear(fd);

	ck_assert_ptr_nonnull(heard);
	ck_assert_str_eq(heard, answer);
	free(heard);
}

static void expect_refusal(int fd, const char *part)
{
	char *heard = hear(fd);

	ck_assert_ptr_nonnull(heard);
	ck_assert_msg(strncmp(heard, "{\"ok\":false,\"error\":\"", 21) == 0, "%s", heard);
	ck_assert_msg(strstr(heard, part) != NULL, "%s", heard);
	free(heard);
}

static void expect_end(int fd)
{
	ck_assert_ptr_null(hear(fd));
}

#define ECHO      "{\"do\":\"echo\",\"say\":1}\n"
#define ECHO_BACK "{\"ok\":true,\"data\":{\"by\":\"me\",\"said\":1}}\n"
#define FILL      "{\"do\":\"fill\"}\n"

/* The same client gets a proper answer afterwards: a bad line costs that line. */
static const struct {
	const char *line;
	size_t len; /* 0: strlen */
	const char *part;
} bad[] = {
	{"\n", 0, "not a JSON object"},
	{"hello\n", 0, "not a JSON object"},
	{"{\"do\":\"echo\"\n", 0, "not a JSON object"},
	{"{\"do\":\"echo\"} {\"do\":\"echo\"}\n", 0, "not a JSON object"},
	{"{\"do\":\"echo\",\"do\":\"refuse\"}\n", 0, "duplicate"},
	{"{\"do\":\"ec\0ho\"}\n", 15, "not a JSON object"},
	{"\xff\xfe\x00\n", 4, "not a JSON object"},
	{"{\"do\":\"\xc3\x28\"}\n", 0, "not a JSON object"},
	{"[\"do\",\"echo\"]\n", 0, "word"},
	{"{}\n", 0, "word"},
	{"{\"do\":7}\n", 0, "word"},
	{"{\"do\":null}\n", 0, "word"},
	{"{\"do\":\"nonsense\"}\n", 0,
		"no command \\\"nonsense\\\"; there are: help, echo, refuse, fill"},
	{"{\"do\":\"\"}\n", 0, "there are: help, echo, refuse, fill"},
	{"{\"do\":\"refuse\"}\n", 0, "not today"},
};

START_TEST(a_bad_request_is_refused_in_words)
{
	int fd = dial();

	say(fd, bad[_i].line, bad[_i].len > 0 ? bad[_i].len : strlen(bad[_i].line));
	expect_refusal(fd, bad[_i].part);
	say(fd, ECHO, strlen(ECHO));
	expect(fd, ECHO_BACK);
	close(fd);
}
END_TEST

START_TEST(deep_nesting_is_refused_or_answered_but_survived)
{
	char line[4096];
	int fd = dial();

	memset(line, '[', sizeof(line));
	line[sizeof(line) - 1] = '\n';
	say(fd, line, sizeof(line));
	expect_refusal(fd, "not a JSON object");
	close(fd);
}
END_TEST

START_TEST(random_bytes_are_survived)
{
	srand(7);
	for (int round = 0; round < 300; round++) {
		unsigned char noise[600];
		size_t len = 1 + (size_t)rand() % sizeof(noise);
		int fd = dial();

		for (size_t i = 0; i < len; i++)
			noise[i] = (unsigned char)(rand() % 4 == 0 ? "{}[]\":,\ndo\\u"[rand() % 12]
								   : rand());
		say(fd, noise, len);
		if (rand() % 2 == 0)
			shutdown(fd, SHUT_WR);
		serve();
		close(fd);
		serve();
	}
	a_bad_request_is_refused_in_words_fn(0);
}
END_TEST

START_TEST(a_request_may_come_byte_by_byte)
{
	int fd = dial();

	for (const char *c = ECHO; *c != '\0'; c++) {
		ck_assert_uint_eq(calls, 0);
		say(fd, c, 1);
		serve();
	}
	expect(fd, ECHO_BACK);
	close(fd);
}
END_TEST

START_TEST(requests_sent_together_are_answered_in_order)
{
	char heard[512];
	int fd = dial();

	say(fd, ECHO "{\"do\":\"refuse\"}\n" ECHO, 2 * strlen(ECHO) + 16);
	serve();
	ssize_t n = recv(fd, heard, sizeof(heard) - 1, 0);
	ck_assert_int_gt(n, 0);
	heard[n] = '\0';
	ck_assert_str_eq(heard, ECHO_BACK "{\"ok\":false,\"error\":\"not today\"}\n" ECHO_BACK);
	close(fd);
}
END_TEST

START_TEST(the_end_of_input_ends_the_last_request)
{
	int fd = dial();

	say(fd, ECHO, strlen(ECHO) - 1);
	shutdown(fd, SHUT_WR);
	expect(fd, ECHO_BACK);
	expect_end(fd);
	close(fd);
}
END_TEST

START_TEST(a_request_fits_up_to_its_limit_and_not_beyond)
{
	char line[CONTROL_REQUEST_MAX + 1];
	int fd = dial();

	memset(line, ' ', sizeof(line));
	memcpy(line, ECHO, strlen(ECHO) - 1);
	line[CONTROL_REQUEST_MAX - 1] = '\n';
	say(fd, line, CONTROL_REQUEST_MAX);
	expect(fd, ECHO_BACK);
	line[CONTROL_REQUEST_MAX - 1] = ' ';
	line[CONTROL_REQUEST_MAX] = '\n';
	say(fd, line, CONTROL_REQUEST_MAX + 1);
	expect_refusal(fd, "at most 4096 bytes");
	expect_end(fd);
	close(fd);
}
END_TEST

START_TEST(help_lists_every_command)
{
	int fd = dial();

	say(fd, "{\"do\":\"help\"}\n", 14);
	expect(fd, "{\"ok\":true,\"data\":[{\"do\":\"echo\",\"help\":\"Says it again.\"},"
		   "{\"do\":\"refuse\",\"help\":\"Does not.\"},{\"do\":\"fill\",\"help\":\"Says a "
		   "lot.\"}]}\n");
	close(fd);
}
END_TEST

START_TEST(a_forgotten_command_is_unknown)
{
	int fd = dial();

	ck_assert_str_eq(control_forget(ctl, "echo"), "me");
	ck_assert_ptr_null(control_forget(ctl, "echo"));
	say(fd, ECHO, strlen(ECHO));
	expect_refusal(fd, "no command \\\"echo\\\"; there are: help, refuse, fill");
	close(fd);
}
END_TEST

static void count_bytes(void *arg)
{
	char c;

	while (read(*(int *)arg, &c, 1) == 1)
		calls++;
}

START_TEST(a_guests_fd_is_served_until_it_leaves)
{
	int in_out[2];

	ck_assert_int_eq(pipe2(in_out, O_NONBLOCK), 0);
	ck_assert_int_eq(control_watch(ctl, in_out[0], count_bytes, &in_out[0]), 0);
	ck_assert_int_eq(control_watch(ctl, in_out[1], count_bytes, NULL), -EBUSY);
	ck_assert_int_eq(write(in_out[1], "abc", 3), 3);
	serve();
	ck_assert_uint_eq(calls, 3);
	control_unwatch(ctl);
	ck_assert_int_eq(write(in_out[1], "d", 1), 1);
	serve();
	ck_assert_uint_eq(calls, 3);
	close(in_out[0]);
	close(in_out[1]);
}
END_TEST

START_TEST(a_long_answer_arrives_whole)
{
	int fd = dial();
	char *heard;
	json_t *answer, *data;

	say(fd, FILL, strlen(FILL));
	heard = hear(fd);
	ck_assert_ptr_nonnull(heard);
	answer = json_loads(heard, 0, NULL);
	data = json_object_get(answer, "data");
	ck_assert_uint_eq(json_array_size(data), 40000);
	ck_assert_int_eq(atoi(json_string_value(json_array_get(data, 39999))), 39999);
	json_decref(answer);
	free(heard);
	close(fd);
}
END_TEST

START_TEST(who_does_not_read_gets_one_answer_made_and_holds_up_nobody)
{
	int stuck = dial(), other;

	for (int i = 0; i < 50; i++)
		say(stuck, FILL, strlen(FILL));
	serve();
	ck_assert_uint_eq(calls, 1);
	other = dial();
	say(other, ECHO, strlen(ECHO));
	expect(other, ECHO_BACK);
	ck_assert_uint_eq(calls, 2);
	close(other);
	close(stuck);
	serve();
}
END_TEST

START_TEST(a_turn_makes_one_answer_and_turns_go_round)
{
	int greedy = dial(), modest = dial();
	unsigned turns = 0;

	serve();
	for (int i = 0; i < 100; i++)
		say(greedy, "{\"do\":\"refuse\"}\n", 16);
	say(modest, ECHO, strlen(ECHO));
	while (calls == 0) {
		char some[4096];

		control_serve(ctl);
		ck_assert_uint_le(++turns, 4);
		ck_assert_int_le(recv(greedy, some, sizeof(some), 0), 33); /* one refusal */
	}
	expect(modest, ECHO_BACK);
	close(greedy);
	close(modest);
}
END_TEST

START_TEST(who_leaves_amid_an_answer_is_forgotten)
{
	char some[1000];
	int fd = dial();

	say(fd, FILL FILL, 2 * strlen(FILL));
	serve();
	ck_assert_int_eq(recv(fd, some, sizeof(some), 0), sizeof(some));
	close(fd);
	serve();
	ck_assert_uint_eq(calls, 1);
	for (int i = 0; i < CONTROL_CLIENTS_MAX + 1; i++) { /* its place is free */
		fd = dial();
		say(fd, ECHO, strlen(ECHO));
		expect(fd, ECHO_BACK);
		close(fd);
	}
}
END_TEST

START_TEST(more_clients_at_once_than_places_are_all_answered)
{
	int fd[MANY];

	for (int i = 0; i < MANY; i++) {
		fd[i] = dial();
		say(fd[i], ECHO, strlen(ECHO));
	}
	for (int i = 0; i < MANY; i++) {
		expect(fd[i], ECHO_BACK);
		close(fd[i]); /* lets another in */
	}
}
END_TEST

START_TEST(when_all_places_are_taken_the_longest_silent_yields)
{
	int fd[CONTROL_CLIENTS_MAX], late;
	uint64_t start = now_ns();

	for (int i = 0; i < CONTROL_CLIENTS_MAX; i++) {
		fd[i] = dial();
		control_serve_at(ctl, start);
	}
	control_serve_at(ctl, start + SECOND / 2);
	for (int i = 0; i < CONTROL_CLIENTS_MAX; i++) {
		if (i == 5)
			continue;
		say(fd[i], ECHO, strlen(ECHO));
		control_serve_at(ctl, start + SECOND / 2);
	}
	late = dial();
	control_serve_at(ctl, start + SECOND / 2); /* all have moved within a second: it waits */
	ck_assert_msg(!is_ready(), "the control loop spins on a client that it cannot let in");
	while (!is_ready())
		poll(NULL, 0, 50); /* the tick */
	control_serve_at(ctl, start + 5 * SECOND / 4);
	control_serve_at(ctl, start + 5 * SECOND / 4);
	say(late, ECHO, strlen(ECHO));
	expect(late, ECHO_BACK);
	expect_end(fd[5]);
	for (int i = 0; i < CONTROL_CLIENTS_MAX; i++)
		if (i != 5) {
			expect(fd[i], ECHO_BACK);
			close(fd[i]);
		}
	close(fd[5]);
	close(late);
}
END_TEST

START_TEST(silence_ends_a_connection)
{
	uint64_t start = now_ns();
	int silent = dial(), stuck = dial();

	control_serve_at(ctl, start);
	control_serve_at(ctl, start);
	say(stuck, FILL, strlen(FILL));
	for (int i = 0; i < 10; i++)
		control_serve_at(ctl, start + SECOND);
	control_serve_at(ctl, start + CONTROL_IDLE_S * SECOND);
	ck_assert_int_eq(send(silent, ECHO, 1, MSG_NOSIGNAL), -1);
	ck_assert_int_eq(send(stuck, ECHO, 1, MSG_NOSIGNAL), 1);
	control_serve_at(ctl, start + (CONTROL_IDLE_S + 1) * SECOND);
	ck_assert_int_eq(send(stuck, ECHO, 1, MSG_NOSIGNAL), -1);
	close(silent);
	close(stuck);
}
END_TEST

START_TEST(a_process_without_fds_rests_instead_of_spinning)
{
	int spare[64], n = 0, fd = dial();

	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &(struct rlimit){64, 64}), 0);
	while ((spare[n] = open("/dev/null", O_RDONLY)) >= 0)
		n++;
	serve();
	while (n > 0)
		close(spare[--n]);
	say(fd, ECHO, strlen(ECHO));
	while (!is_ready())
		poll(NULL, 0, 50);
	expect(fd, ECHO_BACK);
	close(fd);
}
END_TEST

START_TEST(a_living_gateway_keeps_its_socket)
{
	struct control *second = NULL;
	struct why why;
	int fd;

	ck_assert_int_eq(control_open(path, 0600, "", &second, &why), -EADDRINUSE);
	ck_assert_ptr_nonnull(strstr(why.text, "another adit answers"));
	for (int i = 0; i < 100; i++) { /* also while its backlog is full */
		struct sockaddr_un to = {.sun_family = AF_UNIX};

		fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		strcpy(to.sun_path, path);
		if (connect(fd, (struct sockaddr *)&to, sizeof(to)) < 0)
			break;
	}
	ck_assert_int_eq(control_open(path, 0600, "", &second, &why), -EADDRINUSE);
	ck_assert_ptr_null(second);
}
END_TEST

/* Binds, and dies without taking the socket away. */
static void leave_a_socket_behind(void)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strcpy(at.sun_path, path);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	ck_assert_int_eq(listen(fd, 1), 0);
	close(fd);
}

START_TEST(a_dead_gateways_socket_is_replaced)
{
	struct why why;
	int fd;

	control_close(ctl);
	ctl = NULL;
	leave_a_socket_behind();
	ck_assert_msg(control_open(path, 0600, "", &ctl, &why) == 0, "%s", why.text);
	ck_assert_int_eq(control_handle(ctl, "echo", echo, "me", "Says it again."), 0);
	fd = dial();
	say(fd, ECHO, strlen(ECHO));
	expect(fd, ECHO_BACK);
	close(fd);
}
END_TEST

/* One of several processes: waits for go to be closed, exits with 1 if it got the place, and keeps it
 * until all others have let go of alive. */
static void rush(const int go[2], const int alive[2])
{
	struct why why;
	char c;

	close(go[1]);
	while (read(go[0], &c, 1) > 0)
		;
	if (control_open(path, 0600, "", &ctl, &why) < 0)
		_exit(0);
	close(alive[1]);
	while (read(alive[0], &c, 1) > 0)
		;
	_exit(1);
}

START_TEST(of_many_that_start_at_once_one_gets_a_dead_gateways_place)
{
	control_close(ctl);
	ctl = NULL;
	for (int round = 0; round < 10; round++) {
		int go[2], alive[2], won = 0, status;

		leave_a_socket_behind();
		ck_assert_int_eq(pipe(go), 0);
		ck_assert_int_eq(pipe(alive), 0);
		for (int i = 0; i < 8; i++)
			if (fork() == 0)
				rush(go, alive);
		close(alive[1]);
		close(go[0]);
		close(go[1]);
		while (won < 2 && wait(&status) > 0)
			won += WEXITSTATUS(status);
		close(alive[0]);
		ck_assert_int_eq(won, 1);
		unlink(path);
	}
}
END_TEST

START_TEST(what_is_no_socket_is_left_alone)
{
	struct why why;
	int fd;

	control_close(ctl);
	ctl = NULL;
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	ck_assert_int_eq(write(fd, "mine", 4), 4);
	close(fd);
	ck_assert_int_eq(control_open(path, 0600, "", &ctl, &why), -EEXIST);
	ck_assert_ptr_nonnull(strstr(why.text, "is no socket"));
	ck_assert_int_eq(access(path, F_OK), 0);
	unlink(path);
}
END_TEST

START_TEST(close_removes_only_its_own_socket)
{
	struct stat st;

	unlink(path);
	leave_a_socket_behind();
	control_close(ctl);
	ctl = NULL;
	ck_assert_int_eq(lstat(path, &st), 0);
	unlink(path);
}
END_TEST

START_TEST(mode_and_group_are_as_asked_whatever_the_umask)
{
	struct group *g = getgrgid(getegid());
	struct why why;
	struct stat st;

	control_close(ctl);
	ctl = NULL;
	umask(0077);
	ck_assert_int_eq(control_open(path, 0660, g->gr_name, &ctl, &why), 0);
	ck_assert_str_eq(why.text, "");
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0660);
	ck_assert_uint_eq(st.st_gid, getegid());
}
END_TEST

START_TEST(a_missing_group_is_a_warning)
{
	struct why why;

	control_close(ctl);
	ctl = NULL;
	ck_assert_int_eq(control_open(path, 0660, "no-such-group", &ctl, &why), 0);
	ck_assert_ptr_nonnull(strstr(why.text, "there is no group no-such-group"));
}
END_TEST

START_TEST(a_missing_folder_is_made_and_removed)
{
	char below[96], deeper[128];
	struct control *second = NULL;
	struct why why;
	struct stat st;

	umask(0077);
	snprintf(below, sizeof(below), "%s/run", folder);
	snprintf(deeper, sizeof(deeper), "%s/run/control", folder);
	ck_assert_int_eq(control_open(deeper, 0600, "", &second, &why), 0);
	ck_assert_int_eq(stat(below, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0755);
	control_close(second);
	ck_assert_int_eq(access(below, F_OK), -1);
	snprintf(deeper, sizeof(deeper), "%s/run/adit/control", folder);
	ck_assert_int_eq(control_open(deeper, 0600, "", &second, &why), -ENOENT);
	ck_assert_int_eq(access(below, F_OK), -1);
}
END_TEST

START_TEST(a_path_that_no_socket_can_have_is_refused)
{
	char longest[200];
	struct control *second = NULL;
	struct why why;

	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	ck_assert_int_eq(control_open(longest, 0600, "", &second, &why), -ENAMETOOLONG);
	ck_assert_int_eq(control_open("", 0600, "", &second, &why), -EINVAL);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("control_socket");
	TCase *t = tcase_create("requests"), *c = tcase_create("clients"),
	      *p = tcase_create("place");
	SRunner *r;

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, a_bad_request_is_refused_in_words, 0, sizeof(bad) / sizeof(bad[0]));
	tcase_add_test(t, deep_nesting_is_refused_or_answered_but_survived);
	tcase_add_test(t, random_bytes_are_survived);
	tcase_add_test(t, a_request_may_come_byte_by_byte);
	tcase_add_test(t, requests_sent_together_are_answered_in_order);
	tcase_add_test(t, the_end_of_input_ends_the_last_request);
	tcase_add_test(t, a_request_fits_up_to_its_limit_and_not_beyond);
	tcase_add_test(t, help_lists_every_command);
	tcase_add_test(t, a_forgotten_command_is_unknown);
	tcase_add_test(t, a_guests_fd_is_served_until_it_leaves);
	suite_add_tcase(s, t);
	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, a_long_answer_arrives_whole);
	tcase_add_test(c, who_does_not_read_gets_one_answer_made_and_holds_up_nobody);
	tcase_add_test(c, a_turn_makes_one_answer_and_turns_go_round);
	tcase_add_test(c, who_leaves_amid_an_answer_is_forgotten);
	tcase_add_test(c, more_clients_at_once_than_places_are_all_answered);
	tcase_add_test(c, when_all_places_are_taken_the_longest_silent_yields);
	tcase_add_test(c, silence_ends_a_connection);
	tcase_add_test(c, a_process_without_fds_rests_instead_of_spinning);
	suite_add_tcase(s, c);
	tcase_add_checked_fixture(p, setup, teardown);
	tcase_add_test(p, a_living_gateway_keeps_its_socket);
	tcase_add_test(p, a_dead_gateways_socket_is_replaced);
	tcase_add_test(p, of_many_that_start_at_once_one_gets_a_dead_gateways_place);
	tcase_add_test(p, what_is_no_socket_is_left_alone);
	tcase_add_test(p, close_removes_only_its_own_socket);
	tcase_add_test(p, mode_and_group_are_as_asked_whatever_the_umask);
	tcase_add_test(p, a_missing_group_is_a_warning);
	tcase_add_test(p, a_missing_folder_is_made_and_removed);
	tcase_add_test(p, a_path_that_no_socket_can_have_is_refused);
	tcase_set_timeout(p, 60);
	suite_add_tcase(s, p);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
