/* SPDX-License-Identifier: BSD-3-Clause */
/* socket.c - the control socket: who waits for what, who has waited too long, whose turn it is. */
#include "socket.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "conn.h"
#include "listener.h"

#define SECOND UINT64_C(1000000000)

struct control {
	int epoll;
	int timer; /* ticks each second while something may become due: silence, a free place */
	struct listener listener;
	bool is_resting; /* the listener is not polled */
	unsigned n_clients;
	struct requests requests;
	struct {
		int fd; /* -1: none */
		void (*serve)(void *arg);
		void *arg;
	} guest;
	struct conn conn[CONTROL_CLIENTS_MAX];
};

/* Cannot fail: the fd is in the set. */
static void poll_for(struct control *ctl, int fd, void *who, uint32_t events)
{
	epoll_ctl(ctl->epoll, EPOLL_CTL_MOD, fd,
		&(struct epoll_event){.events = events, .data.ptr = who});
}

static int watch(struct control *ctl, int fd, void *who, uint32_t events)
{
	return epoll_ctl(ctl->epoll, EPOLL_CTL_ADD, fd,
		       &(struct epoll_event){.events = events, .data.ptr = who}) == 0
		       ? 0
		       : -errno;
}

/* The listener rests while nobody can be let in: until somebody leaves, or for a tick. */
static void rest(struct control *ctl, bool is_resting)
{
	ctl->is_resting = is_resting;
	poll_for(ctl, ctl->listener.fd, &ctl->listener, is_resting ? 0 : EPOLLIN);
}

static void tick_if_needed(struct control *ctl)
{
	time_t period = ctl->n_clients > 0 || ctl->is_resting ? 1 : 0;

	timerfd_settime(ctl->timer, 0,
		&(struct itimerspec){.it_interval.tv_sec = period, .it_value.tv_sec = period},
		NULL);
}

static void drop(struct control *ctl, struct conn *c)
{
	conn_close(c); /* leaves the epoll set by itself */
	ctl->n_clients--;
	if (ctl->is_resting)
		rest(ctl, false);
	tick_if_needed(ctl);
}

static void step(struct control *ctl, struct conn *c, uint64_t now_ns)
{
	if (conn_step(c, &ctl->requests, now_ns))
		poll_for(ctl, c->fd, c, conn_wants_to_write(c) ? EPOLLOUT : EPOLLIN);
	else
		drop(ctl, c);
}

static void drop_silent(struct control *ctl, uint64_t now_ns)
{
	for (unsigned i = 0; i < CONTROL_CLIENTS_MAX; i++) {
		struct conn *c = &ctl->conn[i];

		if (c->fd >= 0 && now_ns - c->active_ns >= CONTROL_IDLE_S * SECOND)
			drop(ctl, c);
	}
}

/* A free place, or that of whoever has been silent longest, if that is long enough. NULL: none. */
static struct conn *place_for_one_more(struct control *ctl, uint64_t now_ns)
{
	struct conn *oldest = &ctl->conn[0];

	for (unsigned i = 0; i < CONTROL_CLIENTS_MAX; i++) {
		struct conn *c = &ctl->conn[i];

		if (c->fd < 0)
			return c;
		if (c->active_ns < oldest->active_ns)
			oldest = c;
	}
	if (now_ns - oldest->active_ns < CONTROL_YIELD_S * SECOND)
		return NULL;
	drop(ctl, oldest);
	return oldest;
}

/* One at a time: whether another waits behind is what the next poll tells. */
static void let_in(struct control *ctl, uint64_t now_ns)
{
	struct conn *c = place_for_one_more(ctl, now_ns);
	int fd = c == NULL ? -1
			   : accept4(ctl->listener.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd >= 0 && watch(ctl, fd, c, EPOLLIN) == 0) {
		conn_open(c, fd, now_ns);
		ctl->n_clients++;
	} else {
		if (fd >= 0)
			close(fd);
		/* Also where this process has no fd left: to try again at once would only spin. */
		rest(ctl, true);
	}
	tick_if_needed(ctl);
}

static void serve_one(struct control *ctl, void *who, uint64_t now_ns)
{
	uint64_t ticks;

	if (who == &ctl->listener)
		let_in(ctl, now_ns);
	else if (who == &ctl->guest)
		ctl->guest.serve(ctl->guest.arg);
	else if (who != &ctl->timer)
		step(ctl, who, now_ns);
	else if (read(ctl->timer, &ticks, sizeof(ticks)) > 0 && ctl->is_resting)
		rest(ctl, false);
}

/* One at a time: an answer can take a tenth of a second to make, and the loop around has other work.
 * epoll tells in turn of those that stay ready. */
void control_serve_at(struct control *ctl, uint64_t now_ns)
{
	struct epoll_event ready;

	if (epoll_wait(ctl->epoll, &ready, 1, 0) == 1)
		serve_one(ctl, ready.data.ptr, now_ns);
	drop_silent(ctl, now_ns);
}

void control_serve(struct control *ctl)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	control_serve_at(ctl, (uint64_t)ts.tv_sec * SECOND + (uint64_t)ts.tv_nsec);
}

int control_fd(const struct control *ctl)
{
	return ctl->epoll;
}

int control_handle(struct control *ctl, const char *command, control_handler *handler, void *arg,
	const char *help)
{
	return requests_add(&ctl->requests, command, handler, arg, help);
}

void *control_forget(struct control *ctl, const char *command)
{
	return requests_forget(&ctl->requests, command);
}

int control_watch(struct control *ctl, int fd, void (*serve)(void *arg), void *arg)
{
	int rc = ctl->guest.fd >= 0 ? -EBUSY : watch(ctl, fd, &ctl->guest, EPOLLIN);

	if (rc < 0)
		return rc;
	ctl->guest.fd = fd;
	ctl->guest.serve = serve;
	ctl->guest.arg = arg;
	return 0;
}

void control_unwatch(struct control *ctl)
{
	epoll_ctl(ctl->epoll, EPOLL_CTL_DEL, ctl->guest.fd, NULL);
	ctl->guest.fd = -1;
}

int control_open(
	const char *path, mode_t mode, const char *group, struct control **out, struct why *why)
{
	struct control *ctl = calloc(1, sizeof(*ctl));
	int rc = -ENOMEM;

	if (ctl == NULL)
		return why_set(why, rc, "out of memory");
	for (unsigned i = 0; i < CONTROL_CLIENTS_MAX; i++)
		ctl->conn[i].fd = -1;
	ctl->guest.fd = -1;
	ctl->epoll = epoll_create1(EPOLL_CLOEXEC);
	ctl->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (ctl->epoll < 0 || ctl->timer < 0) {
		rc = why_set(why, -errno, "%s", strerror(errno));
		goto close_fds;
	}
	rc = listener_open(&ctl->listener, path, mode, group, why);
	if (rc < 0)
		goto close_fds;
	rc = watch(ctl, ctl->timer, &ctl->timer, EPOLLIN);
	if (rc == 0)
		rc = watch(ctl, ctl->listener.fd, &ctl->listener, EPOLLIN);
	if (rc < 0) {
		why_set(why, rc, "epoll: %s", strerror(-rc));
		goto close_listener;
	}
	*out = ctl;
	return 0;

close_listener:
	listener_close(&ctl->listener);
close_fds:
	if (ctl->timer >= 0)
		close(ctl->timer);
	if (ctl->epoll >= 0)
		close(ctl->epoll);
	free(ctl);
	return rc;
}

void control_close(struct control *ctl)
{
	for (unsigned i = 0; i < CONTROL_CLIENTS_MAX; i++)
		if (ctl->conn[i].fd >= 0)
			conn_close(&ctl->conn[i]);
	listener_close(&ctl->listener);
	close(ctl->timer);
	close(ctl->epoll);
	requests_close(&ctl->requests);
	free(ctl);
}
