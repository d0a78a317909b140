/* SPDX-License-Identifier: BSD-3-Clause */
/* loop.c - the control loop: one epoll over signals, leases, links and the control socket. */
#include "loop.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "load.h"
#include "log.h"

#define TICKS_PER_LOOK (1000 / LEASE_TICK_MS) /* a look at every SA and port each second */

int loop_block_signals(void)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	if (pthread_sigmask(SIG_BLOCK, &set, NULL) != 0)
		return -EINVAL;
	signal(SIGPIPE, SIG_IGN);
	fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int open_timer(void)
{
	const struct timespec tick = {.tv_nsec = LEASE_TICK_MS * 1000000L};
	const struct itimerspec every = {.it_interval = tick, .it_value = tick};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);

	if (fd >= 0)
		timerfd_settime(fd, 0, &every, NULL);
	return fd;
}

static int watch(int epoll, int fd)
{
	struct epoll_event e = {.events = EPOLLIN, .data.fd = fd};

	return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e) < 0 ? -errno : 0;
}

/* False: it is time to stop. */
static bool take_signals(struct loop *loop)
{
	struct signalfd_siginfo info;

	while (read(loop->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGHUP) {
			log_notice("stopping: %s", strsignal(info.ssi_signo));
			return false;
		}
		service_reloading(&loop->service);
		log_warning(
			"SIGHUP: this version does not reload; restart it to read the files again");
		service_reloaded(&loop->service);
	}
	return true;
}

/* Says a lasting trouble once, and its end. */
static void refill_leases(struct lease_journal *journal, uint64_t now_ns, bool *is_failing)
{
	struct why why = {0};
	bool fails = lease_journal_tick(journal, now_ns, &why) < 0;

	if (fails && !*is_failing)
		log_error("leases: %s; SAs run to the end of theirs and then stop", why.text);
	else if (!fails && *is_failing)
		log_notice("leases: the journal can be written again");
	*is_failing = fails;
}

/* RFC 4303 3.3.3: the end of an SA's numbers is an event to be seen, in good time if it can be. */
static int say_news(struct sa *sa, void *arg)
{
	const char *name = sa_spec_of(sa)->name;

	(void)arg;
	switch (sa_news(sa)) {
	case SA_NUMBERS_LOW:
		log_warning("SA %s: nine tenths of its sequence numbers are used; give it a new "
			    "key before they end",
			name);
		break;
	case SA_NUMBERS_SPENT:
		log_error("SA %s: its last sequence number is used and it sends no more; give it a "
			  "new key",
			name);
		break;
	default: break;
	}
	return 0;
}

/* A crypto device that stands still is said once, and its SAs go to their fallback. */
static void watch_crypto(struct loop *loop)
{
	struct crypto_device_stats d;
	struct sa_fall_back done;
	uint32_t stalled = 0;

	for (unsigned n = 0; crypto_device_stats(loop->crypto, n, &d); n++)
		stalled += d.is_stalled;
	if (stalled == 0 || stalled == loop->stalled)
		return;
	loop->stalled = stalled;
	for (unsigned n = 0; crypto_device_stats(loop->crypto, n, &d); n++) {
		if (!d.is_stalled)
			continue;
		crypto_give_up_device(loop->crypto, n);
		log_error("crypto: %s stands still or computes wrongly; it is given up until a "
			  "restart",
			d.name);
	}
	done = sa_db_fall_back(loop->sas);
	log_error("crypto: %" PRIu32 " SAs go on with their fallback, %" PRIu32
		  " have none and stop",
		done.moved, done.stopped);
}

/* What the kernel has learned goes into force, with the MTUs of the paths that it leads to. */
static void renew_routes(struct loop *loop, uint64_t now_ns)
{
	if (!loop->kernel->is_open || !routes_may_look(loop->routes, now_ns))
		return;
	loop->is_route_news |= kernel_side_refresh(loop->kernel);
	if (loop->is_route_news && routes_renew(loop->routes, loop->pipeline) == 0) {
		loop->is_route_news = false;
		load_path_mtus(loop->sas, loop->routes->db, loop->config);
	}
	routes_looked(loop->routes, now_ns);
}

static void tick(struct loop *loop, bool *is_failing, unsigned *ticks)
{
	struct timespec now;
	uint64_t now_ns;

	clock_gettime(CLOCK_MONOTONIC, &now);
	now_ns = now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
	service_tick(&loop->service, now_ns);
	watch_crypto(loop);
	sa_db_reap(loop->sas);
	renew_routes(loop, now_ns);
	if (loop->journal != NULL) /* NULL: no outbound SA */
		refill_leases(loop->journal, now_ns, is_failing);
	if ((*ticks)++ % TICKS_PER_LOOK != 0)
		return;
	sa_db_walk(loop->sas, say_news, NULL);
	ports_say_news(loop->ports);
	kernel_side_tick(loop->kernel, loop->ports);
}

static void run(struct loop *loop, int epoll, int timer)
{
	bool is_failing = false;
	unsigned ticks = 0;

	for (;;) {
		struct epoll_event e[8];
		int n = epoll_wait(epoll, e, 8, -1);

		for (int i = 0; i < n; i++) {
			if (e[i].data.fd == loop->signal_fd) {
				if (!take_signals(loop))
					return;
			} else if (e[i].data.fd == timer) {
				uint64_t expired;

				if (read(timer, &expired, sizeof(expired)) > 0)
					tick(loop, &is_failing, &ticks);
			} else if (e[i].data.fd == kernel_side_fd(loop->kernel)) {
				kernel_side_hear(loop->kernel);
			} else {
				control_serve(loop->control);
			}
		}
	}
}

int loop_run(struct loop *loop)
{
	int epoll = epoll_create1(EPOLL_CLOEXEC), timer = open_timer(), rc = 0;

	if (epoll < 0 || timer < 0)
		rc = -errno;
	if (rc == 0)
		rc = watch(epoll, loop->signal_fd);
	if (rc == 0)
		rc = watch(epoll, timer);
	if (rc == 0)
		rc = watch(epoll, control_fd(loop->control));
	if (rc == 0 && loop->kernel->is_open)
		rc = watch(epoll, kernel_side_fd(loop->kernel));
	if (rc == 0) {
		service_open(&loop->service, loop->pipeline);
		run(loop, epoll, timer);
		service_stopping();
	} else {
		log_error("the control loop does not start: %s", strerror(-rc));
	}
	pipeline_stop(loop->pipeline);
	if (timer >= 0)
		close(timer);
	if (epoll >= 0)
		close(epoll);
	return rc;
}
