/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel_thread.c - the thread between workers and the TAPs. Workers make no system call to wake it, so it
 * looks at their rings each millisecond, and at once while there is something to do. */
#include "kernel_thread.h"

#include <errno.h>
#include <pthread.h>
#include <rte_mbuf.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "exception.h"
#include "netlink.h"
#include "waiting.h"

#define BURST   64
#define IDLE_MS 1

struct counters {
	_Atomic uint64_t to, from, lost;
	_Atomic bool is_gone;
};

struct kernel_thread {
	struct pipeline *p;
	struct kernel_port port[KERNEL_PORTS_MAX];
	unsigned index[KERNEL_PORTS_MAX];
	struct counters count[KERNEL_PORTS_MAX];
	uint16_t n_ports;
	struct netlink_asker *asker;
	struct waiting *waiting;
	int epoll;
	pthread_t thread;
	_Atomic bool stop;
};

static void count(_Atomic uint64_t *n, uint64_t more)
{
	atomic_fetch_add_explicit(n, more, memory_order_relaxed);
}

static unsigned to_kernel(struct kernel_thread *t)
{
	struct rte_mbuf *pkt[BURST];
	uint16_t n = exception_take(t->p, pkt, BURST);

	for (uint16_t i = 0; i < n; i++) {
		uint16_t port = pkt[i]->port;
		bool is_taken = tap_write(t->port[port].tap, rte_pktmbuf_mtod(pkt[i], void *),
			rte_pktmbuf_data_len(pkt[i]));

		count(is_taken ? &t->count[port].to : &t->count[port].lost, 1);
	}
	rte_pktmbuf_free_bulk(pkt, n);
	return n;
}

/* The frames that the kernel has for a port, as many as go at once. -errno: the interface is gone. */
static int read_frames(struct kernel_thread *t, uint16_t port, struct rte_mbuf *pkt[], uint16_t *n)
{
	for (*n = 0; *n < BURST;) {
		struct rte_mbuf *m = rte_pktmbuf_alloc(t->port[port].pool);
		ssize_t len;

		if (m == NULL)
			return 0; /* it waits in the TAP's own queue */
		len = tap_read(
			t->port[port].tap, rte_pktmbuf_mtod(m, void *), rte_pktmbuf_tailroom(m));
		if (len <= 0) {
			rte_pktmbuf_free(m);
			return len == -EAGAIN || len == -EINTR || len == 0 ? 0 : (int)len;
		}
		m->data_len = m->pkt_len = len;
		pkt[(*n)++] = m;
	}
	return 0;
}

static unsigned from_kernel(struct kernel_thread *t, uint16_t port)
{
	struct rte_mbuf *pkt[BURST];
	uint16_t n, given;
	int rc = read_frames(t, port, pkt, &n);

	given = exception_give(t->p, port, pkt, n);
	rte_pktmbuf_free_bulk(pkt + given, n - given);
	count(&t->count[port].from, given);
	count(&t->count[port].lost, n - given);
	if (rc < 0) {
		epoll_ctl(t->epoll, EPOLL_CTL_DEL, t->port[port].tap->fd, NULL);
		atomic_store(&t->count[port].is_gone, true);
	}
	return n;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

static void *run(void *arg)
{
	struct kernel_thread *t = arg;
	unsigned did = 0;

	while (!atomic_load(&t->stop)) {
		struct epoll_event e[KERNEL_PORTS_MAX];
		int n = epoll_wait(t->epoll, e, KERNEL_PORTS_MAX, did > 0 ? 0 : IDLE_MS);

		did = to_kernel(t);
		for (int i = 0; i < n; i++)
			did += from_kernel(t, e[i].data.u32);
		did += waiting_serve(t->waiting, now_ns());
	}
	return NULL;
}

static int watch_taps(struct kernel_thread *t)
{
	for (uint16_t i = 0; i < t->n_ports; i++) {
		struct epoll_event e = {.events = EPOLLIN, .data.u32 = i};

		if (t->port[i].tap == NULL)
			continue;
		t->index[i] = t->port[i].tap->index;
		if (epoll_ctl(t->epoll, EPOLL_CTL_ADD, t->port[i].tap->fd, &e) < 0)
			return -errno;
	}
	return 0;
}

static void free_thread(struct kernel_thread *t)
{
	waiting_close(t->waiting);
	netlink_asker_close(t->asker);
	if (t->epoll >= 0)
		close(t->epoll);
	free(t);
}

int kernel_thread_open(struct pipeline *p, const struct kernel_port ports[], uint16_t n_ports,
	struct kernel_thread **out, struct why *why)
{
	struct kernel_thread *t = calloc(1, sizeof(*t));
	int rc;

	if (t == NULL)
		return why_set(why, -ENOMEM, "no memory for the kernel thread");
	t->p = p;
	t->n_ports = n_ports;
	memcpy(t->port, ports, n_ports * sizeof(ports[0]));
	t->epoll = epoll_create1(EPOLL_CLOEXEC);
	rc = t->epoll < 0 ? -errno : watch_taps(t);
	if (rc < 0)
		why_set(why, rc, "the TAPs cannot be watched: %s", strerror(-rc));
	else
		rc = netlink_asker_open(&t->asker, why);
	if (rc < 0)
		goto free;
	t->waiting = waiting_open(p, t->asker, t->index);
	rc = t->waiting == NULL ? -ENOMEM : -pthread_create(&t->thread, NULL, run, t);
	if (rc < 0) {
		why_set(why, rc, "no kernel thread: %s", strerror(-rc));
		goto free;
	}
	pthread_setname_np(t->thread, "adit-kernel");
	*out = t;
	return 0;

free:
	free_thread(t);
	return rc;
}

void kernel_thread_close(struct kernel_thread *t)
{
	if (t == NULL)
		return;
	atomic_store(&t->stop, true);
	pthread_join(t->thread, NULL);
	free_thread(t);
}

struct kernel_counts kernel_thread_counts(const struct kernel_thread *t, uint16_t port)
{
	return (struct kernel_counts){.to = t->count[port].to,
		.from = t->count[port].from,
		.lost = t->count[port].lost,
		.is_gone = t->count[port].is_gone};
}
