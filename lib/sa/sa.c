/* SPDX-License-Identifier: BSD-3-Clause */
/* sa.c - opens and retires SAs, and keeps them by reqid and in the order they were opened. */
#include "sa.h"

#include <errno.h>
#include <rte_hash.h>
#include <rte_hash_crc.h>
#include <rte_malloc.h>
#include <stdlib.h>
#include <string.h>

#include "esp_template.h"
#include "sad.h"

/* Slots are never moved or freed: policies point to them. A chunk holds this many. */
#define SLOTS_PER_CHUNK 1024

struct slot_chunk {
	struct slot_chunk *next;
	unsigned n;
	struct sa_reqid slot[SLOTS_PER_CHUNK];
};

struct sa_db {
	struct sa_setup setup;
	struct sad *sad;
	struct sa **sa; /* in the order of opening */
	uint32_t n;
	struct sa **retired; /* freed after the next publish */
	uint32_t n_retired;
	struct rte_hash *slot_of; /* reqid -> slot */
	struct slot_chunk *chunks;
};

int sa_db_open(const struct sa_setup *setup, struct sa_db **out, struct why *why)
{
	static unsigned serial;
	char name[RTE_HASH_NAMESIZE];
	struct rte_hash_parameters params = {
		.name = name,
		.entries = RTE_MAX(setup->max_sas * 2, 1024u),
		.key_len = sizeof(uint32_t),
		.hash_func = rte_hash_crc,
		.extra_flag = RTE_HASH_EXTRA_FLAGS_EXT_TABLE,
	};
	struct sa_db *db = calloc(1, sizeof(*db));
	int rc = -ENOMEM;

	if (db == NULL)
		goto no_memory;
	db->setup = *setup;
	db->sa = calloc(setup->max_sas + 1, sizeof(struct sa *));
	db->retired = calloc(setup->max_sas + 1, sizeof(struct sa *));
	snprintf(name, sizeof(name), "reqids%u", serial++);
	db->slot_of = rte_hash_create(&params);
	if (db->sa == NULL || db->retired == NULL || db->slot_of == NULL)
		goto free_db;
	rc = sad_open(setup->rcu, setup->max_sas, &db->sad, why);
	if (rc < 0)
		goto free_db;
	*out = db;
	return 0;

free_db:
	if (db->slot_of != NULL)
		rte_hash_free(db->slot_of);
	free(db->retired);
	free(db->sa);
	free(db);
no_memory:
	return rc == -ENOMEM ? why_set(why, rc, "no memory for the SA tables") : rc;
}

const struct sad *sa_db_sad(const struct sa_db *db)
{
	return db->sad;
}

struct sa_reqid *sa_reqid_slot(struct sa_db *db, uint32_t reqid)
{
	struct slot_chunk *chunk = db->chunks;
	struct sa_reqid *slot;
	void *found;

	if (rte_hash_lookup_data(db->slot_of, &reqid, &found) >= 0)
		return found;
	if (chunk == NULL || chunk->n == SLOTS_PER_CHUNK) {
		chunk = calloc(1, sizeof(*chunk));
		if (chunk == NULL)
			return NULL;
		chunk->next = db->chunks;
		db->chunks = chunk;
	}
	slot = &chunk->slot[chunk->n];
	slot->reqid = reqid;
	if (rte_hash_add_key_data(db->slot_of, &reqid, slot) < 0)
		return NULL;
	chunk->n++;
	return slot;
}

static void sa_free(struct sa *sa)
{
	crypto_session_close(sa->db->setup.crypto, sa->session);
	rte_free(sa->ring);
	rte_free(sa);
}

/* Opens the session on the SA's provider, or else on its fallback. Why is the provider's. */
static int open_session(
	struct sa_db *db, const struct sa_spec *spec, struct sa *sa, struct why *why)
{
	enum crypto_direction direction =
		spec->direction == SA_OUT ? CRYPTO_ENCRYPT : CRYPTO_DECRYPT;
	int rc = crypto_session_open(
		db->setup.crypto, spec->provider, &spec->crypto, direction, &sa->session, why);

	if ((rc == -ENODEV || rc == -ENOTSUP) && spec->fallback != SA_NO_PROVIDER)
		rc = crypto_session_open(db->setup.crypto, spec->fallback, &spec->crypto, direction,
			&sa->session, NULL);
	return rc;
}

static int open_window(const struct sa_spec *spec, struct sa *sa)
{
	uint32_t bytes = replay_ring_bytes(spec->window);

	if (bytes > 0) {
		sa->ring = rte_zmalloc("replay", bytes, RTE_CACHE_LINE_SIZE);
		if (sa->ring == NULL)
			return -ENOMEM;
	}
	atomic_init(&sa->in.owner, SA_NO_OWNER);
	replay_init(&sa->in.replay, sa->ring, spec->window, spec->esn, spec->seq_top);
	return 0;
}

/* Nothing can be taken until a lease says so. */
static void open_sequence(const struct sa_spec *spec, struct sa *sa)
{
	atomic_init(&sa->seq.next, spec->seq_next);
	atomic_init(&sa->seq.limit, 0);
	sa->seq.end = spec->esn ? UINT64_MAX : UINT64_C(1) << 32;
}

int sa_open(struct sa_db *db, const struct sa_spec *spec, struct sa **out, struct why *why)
{
	size_t size = sizeof(struct sa) + db->setup.n_workers * sizeof(struct sa_line);
	struct sa *sa;
	int rc;

	if (db->n == db->setup.max_sas)
		return why_set(why, -ENOMEM, "%u SAs are open, there is room for no more", db->n);
	sa = rte_zmalloc("sa", size, RTE_CACHE_LINE_SIZE);
	if (sa == NULL)
		return why_set(why, -ENOMEM, "no memory for the SA");
	sa->db = db;
	sa->n_lines = db->setup.n_workers;
	sa->reqid = spec->reqid;
	sa->spi_be = rte_cpu_to_be_32(spec->spi);
	sa->direction = spec->direction;
	sa->slot = sa_reqid_slot(db, spec->reqid);
	rc = sa->slot == NULL ? -ENOMEM : esp_template_compile(spec, sa);
	if (rc < 0) {
		why_set(why, rc, "no memory or no random numbers for the SA");
		goto free_sa;
	}
	rc = open_session(db, spec, sa, why);
	if (rc < 0)
		goto free_sa;
	sa->spec = *spec;
	key_wipe(&sa->spec.crypto.key);
	key_wipe(&sa->spec.crypto.auth_key);
	if (spec->direction == SA_IN) {
		rc = open_window(spec, sa);
		if (rc == 0)
			rc = sad_add(db->sad, spec, sa);
		if (rc < 0) {
			why_set(why, rc,
				rc == -EEXIST ? "SPI %#x is taken for this destination"
					      : "no memory for the window of SPI %#x",
				spec->spi);
			goto close_session;
		}
	} else {
		open_sequence(spec, sa);
		atomic_store_explicit(&sa->slot->newest, sa, memory_order_release);
	}
	db->sa[db->n++] = sa;
	*out = sa;
	return 0;

close_session:
	crypto_session_close(db->setup.crypto, sa->session);
free_sa:
	rte_free(sa->ring);
	rte_free(sa);
	return rc;
}

int sa_db_publish(struct sa_db *db, struct why *why)
{
	int rc = sad_publish(db->sad, why);

	if (rc < 0)
		return rc;
	if (db->n_retired > 0)
		rcu_wait(db->setup.rcu);
	for (uint32_t i = 0; i < db->n_retired; i++)
		sa_free(db->retired[i]);
	db->n_retired = 0;
	return 0;
}

/* The newest outbound SA of this reqid that is left, NULL: none. */
static struct sa *newest_left(const struct sa_db *db, uint32_t reqid)
{
	for (uint32_t i = db->n; i > 0; i--) {
		if (db->sa[i - 1]->direction == SA_OUT && db->sa[i - 1]->reqid == reqid)
			return db->sa[i - 1];
	}
	return NULL;
}

void sa_retire(struct sa_db *db, struct sa *sa)
{
	for (uint32_t i = 0; i < db->n; i++) {
		if (db->sa[i] == sa) {
			memmove(&db->sa[i], &db->sa[i + 1], (--db->n - i) * sizeof(db->sa[0]));
			break;
		}
	}
	if (sa->direction == SA_IN)
		sad_del(db->sad, &sa->spec);
	else if (sa_newest(sa->slot) == sa)
		atomic_store_explicit(
			&sa->slot->newest, newest_left(db, sa->reqid), memory_order_release);
	db->retired[db->n_retired++] = sa;
}

void sa_db_close(struct sa_db *db)
{
	if (db == NULL)
		return;
	for (uint32_t i = 0; i < db->n; i++)
		sa_free(db->sa[i]);
	for (uint32_t i = 0; i < db->n_retired; i++)
		sa_free(db->retired[i]);
	sad_close(db->sad);
	rte_hash_free(db->slot_of);
	for (struct slot_chunk *c = db->chunks, *next; c != NULL; c = next) {
		next = c->next;
		free(c);
	}
	free(db->retired);
	free(db->sa);
	free(db);
}

int sa_db_walk(struct sa_db *db, int (*visit)(struct sa *sa, void *arg), void *arg)
{
	for (uint32_t i = 0; i < db->n; i++) {
		int rc = visit(db->sa[i], arg);

		if (rc != 0)
			return rc;
	}
	return 0;
}

const struct sa_spec *sa_spec_of(const struct sa *sa)
{
	return &sa->spec;
}

const char *sa_provider(const struct sa *sa)
{
	return crypto_session_provider(sa->session);
}

struct sa_count sa_count_of(const struct sa *sa)
{
	struct sa_count sum = {0};

	for (uint16_t i = 0; i < sa->n_lines; i++) {
		sum.packets += sa->line[i].packets;
		sum.bytes += sa->line[i].bytes;
	}
	return sum;
}

uint64_t sa_sequence(const struct sa *sa)
{
	return sa->direction == SA_OUT ? atomic_load_explicit(&sa->seq.next, memory_order_relaxed)
				       : sa->in.replay.top;
}

enum sa_news sa_news(struct sa *sa)
{
	enum sa_news now = SA_NO_NEWS;

	if (sa->direction == SA_OUT && sequence_is_spent(&sa->seq))
		now = SA_NUMBERS_SPENT;
	else if (sa->direction == SA_OUT && sequence_is_low(&sa->seq))
		now = SA_NUMBERS_LOW;
	if (now <= sa->told)
		return SA_NO_NEWS;
	sa->told = now;
	return now;
}

struct sequence *sa_sequence_numbers(struct sa *sa)
{
	return &sa->seq;
}
