/* SPDX-License-Identifier: BSD-3-Clause */
/* sad.c - inbound SAs by SPI, SPI+dst or SPI+dst+src: a tree that the control thread knows, and per
 * family two tables made from it, of which workers read one. */
#include "sad.h"

#include <errno.h>
#include <rte_byteorder.h>
#include <search.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "sad_dp.h"

enum family { V4, V6, FAMILIES };

/* RTE_IPSEC_SAD_SPI_ONLY, _SPI_DIP, _SPI_DIP_SIP, each with tables of its own inside. */
#define TYPES RTE_IPSEC_SAD_KEY_TYPE_MASK

#define LEAST_ROOM 64u

struct sad_key { /* compared as bytes; what its type does not look at is zero */
	uint32_t family, type;
	union rte_ipsec_sad_key rte;
};

struct sad_entry {
	struct sad_key key;
	struct sa *sa; /* what workers find after the next publish; NULL: nothing */
	bool is_queued;
	STAILQ_ENTRY(sad_entry) next;
};

struct table {
	struct rte_ipsec_sad *rte; /* NULL: empty, or yet to be made */
	uint32_t room[TYPES];
};

struct sad {
	_Atomic(struct rte_ipsec_sad *) live[FAMILIES]; /* workers read */
	_Atomic uint32_t generation; /* the same */

	/* control plane only */
	alignas(RTE_CACHE_LINE_SIZE) struct rcu *rcu;
	struct table table[FAMILIES][2];
	uint8_t live_index[FAMILIES]; /* which of the two is live */
	uint32_t expected;
	uint32_t n[FAMILIES][TYPES]; /* after the next publish */
	void *tree; /* of struct sad_entry */
	STAILQ_HEAD(, sad_entry) queue; /* changed since the last publish */
	uint32_t serial; /* makes the names of tables unique */
};

int sad_open(struct rcu *rcu, uint32_t expected, struct sad **out, struct why *why)
{
	struct sad *sad = aligned_alloc(RTE_CACHE_LINE_SIZE, sizeof(*sad));

	if (sad == NULL)
		return why_set(why, -ENOMEM, "no memory for the SAD");
	memset(sad, 0, sizeof(*sad));
	sad->rcu = rcu;
	sad->expected = RTE_MAX(expected, LEAST_ROOM);
	STAILQ_INIT(&sad->queue);
	*out = sad;
	return 0;
}

void sad_close(struct sad *sad)
{
	for (int f = 0; f < FAMILIES; f++)
		for (int i = 0; i < 2; i++)
			rte_ipsec_sad_destroy(sad->table[f][i].rte);
	tdestroy(sad->tree, free);
	free(sad);
}

/* The keys that an SA stands under: one, or one for each family. -EINVAL: an address is missing. */
static int make_keys(const struct sa_spec *spec, struct sad_key keys[static FAMILIES])
{
	static const uint32_t types[] = {[SA_LOOKUP_SPI] = RTE_IPSEC_SAD_SPI_ONLY,
		[SA_LOOKUP_SPI_DST] = RTE_IPSEC_SAD_SPI_DIP,
		[SA_LOOKUP_SPI_DST_SRC] = RTE_IPSEC_SAD_SPI_DIP_SIP};
	struct sad_key *key = &keys[0];

	memset(keys, 0, FAMILIES * sizeof(*keys));
	key->family = spec->dst.family == 6 ? V6 : V4;
	key->type = types[spec->lookup];
	key->rte.v4.spi = rte_cpu_to_be_32(spec->spi); /* first in both families' keys */
	if (spec->lookup == SA_LOOKUP_SPI) {
		keys[1] = keys[0];
		keys[1].family = V6;
		return ipaddr_is_any(&spec->dst) ? 2 : 1;
	}
	if (ipaddr_is_any(&spec->dst))
		return -EINVAL;
	if (key->family == V4)
		memcpy(&key->rte.v4.dip, spec->dst.bytes, 4);
	else
		memcpy(&key->rte.v6.dip, spec->dst.bytes, 16);
	if (spec->lookup == SA_LOOKUP_SPI_DST)
		return 1;
	if (spec->src.family != spec->dst.family)
		return -EINVAL;
	if (key->family == V4)
		memcpy(&key->rte.v4.sip, spec->src.bytes, 4);
	else
		memcpy(&key->rte.v6.sip, spec->src.bytes, 16);
	return 1;
}

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct sad_key)); /* an entry begins with its key */
}

static struct sad_entry *find(const struct sad *sad, const struct sad_key *key)
{
	struct sad_entry **node = tfind(key, &sad->tree, compare);

	return node != NULL ? *node : NULL;
}

/* Finds the entry, or makes one that stands for nothing yet. */
static struct sad_entry *find_or_make(struct sad *sad, const struct sad_key *key)
{
	struct sad_entry *e = find(sad, key);

	if (e != NULL)
		return e;
	e = calloc(1, sizeof(*e));
	if (e == NULL)
		return NULL;
	e->key = *key;
	if (tsearch(e, &sad->tree, compare) == NULL) {
		free(e);
		return NULL;
	}
	return e;
}

static void queue(struct sad *sad, struct sad_entry *e)
{
	if (e->is_queued)
		return;
	e->is_queued = true;
	STAILQ_INSERT_TAIL(&sad->queue, e, next);
}

int sad_add(struct sad *sad, const struct sa_spec *spec, struct sa *sa)
{
	struct sad_key keys[FAMILIES];
	struct sad_entry *e[FAMILIES];
	int n = make_keys(spec, keys);

	if (n < 0)
		return n;
	for (int i = 0; i < n; i++) {
		e[i] = find(sad, &keys[i]);
		if (e[i] != NULL && e[i]->sa != NULL)
			return -EEXIST;
	}
	for (int i = 0; i < n; i++) {
		e[i] = find_or_make(sad, &keys[i]);
		if (e[i] == NULL)
			return -ENOMEM;
		queue(sad, e[i]); /* the next publish sweeps up one that stays empty */
	}
	for (int i = 0; i < n; i++) {
		e[i]->sa = sa;
		sad->n[keys[i].family][keys[i].type]++;
	}
	return 0;
}

int sad_del(struct sad *sad, const struct sa_spec *spec)
{
	struct sad_key keys[FAMILIES];
	struct sad_entry *e[FAMILIES];
	int n = make_keys(spec, keys);

	if (n < 0)
		return n;
	for (int i = 0; i < n; i++) {
		e[i] = find(sad, &keys[i]);
		if (e[i] == NULL || e[i]->sa == NULL)
			return -ENOENT;
	}
	for (int i = 0; i < n; i++) {
		e[i]->sa = NULL;
		queue(sad, e[i]);
		sad->n[keys[i].family][keys[i].type]--;
	}
	return 0;
}

/* Brings one key of a table to what its entry says. Twice the same does no harm. */
static int put(const struct table *t, const struct sad_entry *e)
{
	int rc;

	if (e->sa != NULL)
		return rte_ipsec_sad_add(t->rte, &e->key.rte, e->key.type, e->sa);
	rc = rte_ipsec_sad_del(t->rte, &e->key.rte, e->key.type);
	return rc == -ENOENT ? 0 : rc;
}

static void drop(struct table *t)
{
	rte_ipsec_sad_destroy(t->rte);
	*t = (struct table){0};
}

struct filling {
	struct table *table;
	uint32_t family;
	int rc;
};

static void fill_one(const void *node, VISIT visit, void *arg)
{
	const struct sad_entry *e = *(struct sad_entry *const *)node;
	struct filling *f = arg;

	if ((visit != postorder && visit != leaf) || f->rc != 0)
		return;
	if (e->key.family == f->family && e->sa != NULL)
		f->rc = put(f->table, e);
}

/* Makes a table of everything, with room for factor times as much. */
static int make(struct sad *sad, enum family family, uint32_t factor, struct table *t)
{
	struct rte_ipsec_sad_conf conf = {
		.socket_id = SOCKET_ID_ANY, .flags = family == V6 ? RTE_IPSEC_SAD_FLAG_IPV6 : 0};
	struct filling filling = {.table = t, .family = family};
	char name[32];

	for (int i = 0; i < TYPES; i++) {
		uint32_t n = sad->n[family][i];

		if (n != 0)
			n = RTE_MAX(factor * n, sad->expected);
		conf.max_sa[i] = t->room[i] = n;
	}
	snprintf(name, sizeof(name), "%p_%u", (void *)sad, sad->serial++);
	t->rte = rte_ipsec_sad_create(name, &conf);
	if (t->rte == NULL)
		return -ENOMEM;
	twalk_r(sad->tree, fill_one, &filling);
	if (filling.rc != 0)
		drop(t);
	return filling.rc;
}

/* Room for all, and not eight times too much of it. */
static bool fits(const struct sad *sad, enum family family, const struct table *t)
{
	for (int i = 0; i < TYPES; i++) {
		uint32_t n = sad->n[family][i];

		if (n > t->room[i] || t->room[i] > RTE_MAX(16 * n, sad->expected))
			return false;
	}
	return true;
}

static int put_queued(const struct sad *sad, enum family family, const struct table *t)
{
	const struct sad_entry *e;

	STAILQ_FOREACH (e, &sad->queue, next) {
		int rc = e->key.family == family ? put(t, e) : 0;

		if (rc < 0)
			return rc;
	}
	return 0;
}

/* Brings a table that nobody reads up to date: change by change, or made anew where it is full. A
 * cuckoo table may refuse a key before it is full, and what it holds then is not known. */
static int update(struct sad *sad, enum family family, struct table *t)
{
	int rc = -ENOSPC;

	if (sad->n[family][0] + sad->n[family][1] + sad->n[family][2] == 0) {
		drop(t);
		return 0;
	}
	if (t->rte != NULL && fits(sad, family, t) && put_queued(sad, family, t) == 0)
		return 0;
	for (uint32_t factor = 2; rc == -ENOSPC && factor <= 8; factor *= 2) {
		drop(t);
		rc = make(sad, family, factor, t);
	}
	return rc;
}

int sad_publish(struct sad *sad, struct why *why)
{
	struct sad_entry *e;

	if (STAILQ_EMPTY(&sad->queue))
		return 0;

	/* 1. The tables that nobody reads. */
	for (int f = 0; f < FAMILIES; f++) {
		int rc = update(sad, f, &sad->table[f][!sad->live_index[f]]);

		if (rc < 0)
			return why_set(why, rc,
				"no room for a table of %u SAs by SPI, %u by "
				"destination, %u by source",
				sad->n[f][0], sad->n[f][1], sad->n[f][2]);
	}

	/* 2. Workers turn to them, and forget what they have kept. */
	for (int f = 0; f < FAMILIES; f++) {
		sad->live_index[f] ^= 1;
		atomic_store_explicit(
			&sad->live[f], sad->table[f][sad->live_index[f]].rte, memory_order_release);
	}
	atomic_fetch_add_explicit(&sad->generation, 1, memory_order_release);
	rcu_wait(sad->rcu);

	/* 3. The others follow; one that cannot is empty now, and made anew at the next publish. */
	for (int f = 0; f < FAMILIES; f++)
		(void)update(sad, f, &sad->table[f][!sad->live_index[f]]);

	while ((e = STAILQ_FIRST(&sad->queue)) != NULL) {
		STAILQ_REMOVE_HEAD(&sad->queue, next);
		e->is_queued = false;
		if (e->sa == NULL) {
			tdelete(e, &sad->tree, compare);
			free(e);
		}
	}
	return 0;
}

uint32_t sad_generation(const struct sad *sad)
{
	return atomic_load_explicit(&sad->generation, memory_order_acquire);
}

static void lookup(const struct sad *sad, enum family family, const union rte_ipsec_sad_key *key[],
	struct sa *sa[], uint32_t n)
{
	struct rte_ipsec_sad *table =
		atomic_load_explicit(&sad->live[family], memory_order_acquire);

	if (table == NULL || n == 0)
		memset(sa, 0, n * sizeof(*sa));
	else
		rte_ipsec_sad_lookup(table, key, (void **)sa, n);
}

void sad_lookup4(const struct sad *sad, const struct rte_ipsec_sadv4_key *const key[],
	struct sa *sa[], uint32_t n)
{
	lookup(sad, V4, (const union rte_ipsec_sad_key **)key, sa, n);
}

void sad_lookup6(const struct sad *sad, const struct rte_ipsec_sadv6_key *const key[],
	struct sa *sa[], uint32_t n)
{
	lookup(sad, V6, (const union rte_ipsec_sad_key **)key, sa, n);
}
