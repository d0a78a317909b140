/* SPDX-License-Identifier: BSD-3-Clause */
/* session.c - remembers what transforms every session was made of: an op says only which session. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <rte_cryptodev.h>
#include <stdlib.h>

#include "watch.h"

#define BUCKETS 65536

struct known {
	struct known *next;
	const void *session;
	struct watched_session is;
};

static struct known *bucket[BUCKETS];
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static struct known **head_of(const void *session)
{
	return &bucket[((uintptr_t)session / RTE_CACHE_LINE_SIZE) % BUCKETS];
}

static void forget(const void *session)
{
	pthread_rwlock_wrlock(&lock);
	for (struct known **at = head_of(session); *at != NULL; at = &(*at)->next) {
		struct known *k = *at;

		if (k->session != session)
			continue;
		*at = k->next;
		free(k);
		break;
	}
	pthread_rwlock_unlock(&lock);
}

static void learn(const void *session, uint8_t dev_id, const struct rte_crypto_sym_xform *x)
{
	struct known *k = calloc(1, sizeof(*k));
	struct known **head = head_of(session);

	if (k == NULL)
		abort();
	k->session = session;
	k->is.dev_id = dev_id;
	for (; x != NULL && k->is.n < RTE_DIM(k->is.xform); x = x->next)
		k->is.xform[k->is.n++] = *x;
	pthread_rwlock_wrlock(&lock);
	k->next = *head;
	*head = k;
	pthread_rwlock_unlock(&lock);
}

int watch_session_find(const void *session, struct watched_session *out)
{
	int rc = -ENOENT;

	pthread_rwlock_rdlock(&lock);
	for (struct known *k = *head_of(session); k != NULL && rc != 0; k = k->next) {
		if (k->session != session)
			continue;
		*out = k->is;
		rc = 0;
	}
	pthread_rwlock_unlock(&lock);
	return rc;
}

void *rte_cryptodev_sym_session_create(
	uint8_t dev_id, struct rte_crypto_sym_xform *xforms, struct rte_mempool *mp)
{
	static void *(*create)(uint8_t, struct rte_crypto_sym_xform *, struct rte_mempool *);
	void *session;

	if (create == NULL)
		create = dlsym(RTLD_NEXT, "rte_cryptodev_sym_session_create");
	session = create(dev_id, xforms, mp);
	if (session != NULL)
		learn(session, dev_id, xforms);
	return session;
}

int rte_cryptodev_sym_session_free(uint8_t dev_id, void *session)
{
	static int (*release)(uint8_t, void *);

	if (release == NULL)
		release = dlsym(RTLD_NEXT, "rte_cryptodev_sym_session_free");
	forget(session);
	return release(dev_id, session);
}
