/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.c - stands between a program and its cryptodevs when it is preloaded: puts the linter and the
 * faults on the queue pairs of every device that the program starts.
 *
 * The program knows nothing of it. A scheduler starts its children inside its own start: they get what
 * was looked at already, so only the outer start counts. */
#include <dlfcn.h>
#include <rte_cryptodev.h>
#include <stdio.h>
#include <stdlib.h>

#include "watch.h"

static struct watched_pair {
	struct rte_cryptodev_cb *lint, *enqueue, *dequeue;
	struct fault *fault;
} * watched[RTE_CRYPTO_MAX_DEVS];

static __thread unsigned depth;

/* The function that ours stands before. */
static void *next(const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);

	if (f == NULL) {
		fprintf(stderr, "watch: there is no %s to stand before\n", name);
		abort();
	}
	return f;
}

static void attach(uint8_t id)
{
	unsigned pairs = rte_cryptodev_queue_pair_count(id);
	struct watched_pair *w = calloc(pairs, sizeof(*w));

	if (w == NULL)
		abort();
	for (unsigned p = 0; p < pairs; p++) {
		/* First, as it may abort a child, which shares the EAL's memory with its parent. */
		w[p].fault = fault_open(rte_cryptodev_name_get(id));
		w[p].lint = rte_cryptodev_add_enq_callback(id, p, lint_burst, NULL);
		if (w[p].fault != NULL) {
			w[p].enqueue =
				rte_cryptodev_add_enq_callback(id, p, fault_enqueue, w[p].fault);
			w[p].dequeue =
				rte_cryptodev_add_deq_callback(id, p, fault_dequeue, w[p].fault);
		}
		if (w[p].lint == NULL || (w[p].fault != NULL && w[p].dequeue == NULL)) {
			fprintf(stderr, "watch: %s takes no callbacks\n",
				rte_cryptodev_name_get(id));
			abort();
		}
	}
	watched[id] = w;
}

static void detach(uint8_t id)
{
	struct watched_pair *w = watched[id];

	if (w == NULL)
		return;
	for (unsigned p = 0; p < rte_cryptodev_queue_pair_count(id); p++) {
		rte_cryptodev_remove_enq_callback(id, p, w[p].lint);
		if (w[p].fault == NULL)
			continue;
		rte_cryptodev_remove_enq_callback(id, p, w[p].enqueue);
		rte_cryptodev_remove_deq_callback(id, p, w[p].dequeue);
		fault_close(w[p].fault);
	}
	free(w);
	watched[id] = NULL;
}

int rte_cryptodev_start(uint8_t dev_id)
{
	int (*start)(uint8_t) = next("rte_cryptodev_start");
	int rc;

	depth++;
	rc = start(dev_id);
	depth--;
	if (rc == 0 && depth == 0 && watched[dev_id] == NULL)
		attach(dev_id);
	return rc;
}

void rte_cryptodev_stop(uint8_t dev_id)
{
	void (*stop)(uint8_t) = next("rte_cryptodev_stop");

	detach(dev_id);
	stop(dev_id);
}
