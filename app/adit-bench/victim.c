/* SPDX-License-Identifier: BSD-3-Clause */
/* victim.c - a thread that counts on a CPU whenever nobody else wants it. */
#include "victim.h"

#include <errno.h>
#include <pthread.h>
#include <rte_lcore.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TURNS 256 /* between two looks at what others see */

struct victim {
	pthread_t thread;
	_Atomic bool is_over;
	_Atomic uint64_t work;
};

static void *count(void *arg)
{
	struct victim *v = arg;
	uint64_t x = 1;

	while (!atomic_load_explicit(&v->is_over, memory_order_relaxed)) {
		for (unsigned i = 0; i < TURNS; i++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			__asm__ volatile("" : "+r"(x)); /* it is done, though nobody reads it */
		}
		atomic_fetch_add_explicit(&v->work, 1, memory_order_relaxed);
	}
	return NULL;
}

static int start(struct victim *v, unsigned lcore)
{
	rte_cpuset_t cpus = rte_lcore_cpuset(lcore);
	struct sched_param param = {0};
	pthread_attr_t attr;
	int rc = pthread_attr_init(&attr);

	if (rc != 0)
		return -rc;
	rc = pthread_attr_setaffinity_np(&attr, sizeof(cpus), &cpus);
	if (rc == 0)
		rc = pthread_create(&v->thread, &attr, count, v);
	pthread_attr_destroy(&attr);
	if (rc != 0)
		return -rc;
	return -pthread_setschedparam(v->thread, SCHED_IDLE, &param);
}

int victim_open(unsigned lcore, struct victim **out, struct why *why)
{
	struct victim *v = calloc(1, sizeof(*v));
	int rc = v != NULL ? start(v, lcore) : -ENOMEM;

	if (rc == 0) {
		*out = v;
		return 0;
	}
	if (v != NULL && v->thread != 0)
		victim_close(v);
	else
		free(v);
	return why_set(why, rc, "no thread can work beside lcore %u: %s", lcore, strerror(-rc));
}

void victim_close(struct victim *v)
{
	atomic_store(&v->is_over, true);
	pthread_join(v->thread, NULL);
	free(v);
}

uint64_t victim_work(const struct victim *v)
{
	return atomic_load_explicit(&v->work, memory_order_relaxed);
}
