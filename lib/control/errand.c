/* SPDX-License-Identifier: BSD-3-Clause */
/* errand.c - what another thread has the control loop do. */
#include "errand.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/queue.h>
#include <time.h>
#include <unistd.h>

struct errand { /* on the stack of whoever waits for it */
	STAILQ_ENTRY(errand) next;
	void (*run)(void *arg);
	void *arg;
	bool is_done;
};

struct errands {
	int fd;
	pthread_mutex_t lock; /* over the list, and while one runs */
	pthread_cond_t done;
	STAILQ_HEAD(, errand) waiting;
};

int errands_open(struct errands **out)
{
	struct errands *e = calloc(1, sizeof(*e));
	pthread_condattr_t attr;
	int rc;

	if (e == NULL)
		return -ENOMEM;
	e->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (e->fd < 0) {
		rc = -errno;
		free(e);
		return rc;
	}
	STAILQ_INIT(&e->waiting);
	pthread_mutex_init(&e->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&e->done, &attr);
	pthread_condattr_destroy(&attr);
	*out = e;
	return 0;
}

void errands_close(struct errands *e)
{
	pthread_cond_destroy(&e->done);
	pthread_mutex_destroy(&e->lock);
	close(e->fd);
	free(e);
}

int errands_fd(const struct errands *e)
{
	return e->fd;
}

void errands_serve(struct errands *e)
{
	struct errand *first;
	uint64_t n;

	if (read(e->fd, &n, sizeof(n)) < 0)
		return;
	pthread_mutex_lock(&e->lock);
	while ((first = STAILQ_FIRST(&e->waiting)) != NULL) {
		STAILQ_REMOVE_HEAD(&e->waiting, next);
		first->run(first->arg);
		first->is_done = true;
	}
	pthread_cond_broadcast(&e->done);
	pthread_mutex_unlock(&e->lock);
}

int errand_run(struct errands *e, void (*run)(void *arg), void *arg)
{
	struct errand mine = {.run = run, .arg = arg};
	struct timespec until;
	int rc = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec++;
	pthread_mutex_lock(&e->lock);
	STAILQ_INSERT_TAIL(&e->waiting, &mine, next);
	eventfd_write(e->fd, 1);
	while (!mine.is_done && rc == 0)
		rc = pthread_cond_timedwait(&e->done, &e->lock, &until);
	if (!mine.is_done)
		STAILQ_REMOVE(&e->waiting, &mine, errand, next);
	pthread_mutex_unlock(&e->lock);
	return mine.is_done ? 0 : -ETIMEDOUT;
}
