/* SPDX-License-Identifier: BSD-3-Clause */
/* sa.c - opens and retires SAs, and keeps them by reqid and in the order they were opened. */
#include "sa.h"

#include <errno.h>
#include <rte_hash.h>
#include <rte_hash_crc.h>
#include <rte_malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "esp_template.h"
#include "lease.h"
#include "sad.h"

/* Slots are never moved or freed: policies point to them. A chunk holds this many. */
#define SLOTS_PER_CHUNK 1024

/* SAs that may wait for their last packets beside the open ones. */
#define SA_RETIRED_ROOM 4096

struct slot_chunk {
	struct slot_chunk *next;
	unsigned n;
	struct sa_reqid slot[SLOTS_PER_CHUNK];
};

struct sa_db {
	struct sa_setup setup;
	struct sad *sad;
	TAILQ_HEAD(sa_list, sa) open; /* in the order of opening */
	uint32_t n;
	struct sa *retired; /* until the next publish */
	struct sa *parked; /* published as retired, packets hold them */
	uint32_t n_retired; /* in both lists */
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
	TAILQ_INIT(&db->open);
	snprintf(name, sizeof(name), "reqids%u", serial++);
	db->slot_of = rte_hash_create(&params);
	if (db->slot_of == NULL)
		goto free_db;
	rc = sad_open(setup->rcu, setup->max_sas, &db->sad, why);
	if (rc < 0)
		goto free_db;
	*out = db;
	return 0;

free_db:
	if (db->slot_of != NULL)
		rte_hash_free(db->slot_of);
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

static void close_sessions(struct sa *sa)
{
	if (sa->first != NULL)
		crypto_session_close(sa->db->setup.crypto, sa->first);
	if (sa->spare != NULL)
		crypto_session_close(sa->db->setup.crypto, sa->spare);
}

static void sa_free(struct sa *sa)
{
	close_sessions(sa);
	rte_free(sa->ring);
	rte_free(sa);
}

/* What the fallback's want means to the SA. Why was the provider's, or is empty. */
static void warn(struct why *why, const struct sa *sa, const char *fallback)
{
	char reason[sizeof(why->text)];

	if (why == NULL)
		return;
	snprintf(reason, sizeof(reason), "%s", why->text);
	if (sa->first == NULL)
		why_set(why, 0, "%s; it runs on its fallback, %s", reason, sa_provider(sa));
	else
		why_set(why, 0, "%s; the fallback %s could not take over", reason, fallback);
}

/* Opens a session on the SA's provider and one on its fallback; one of them suffices. */
static int open_sessions(
	struct sa_db *db, const struct sa_spec *spec, struct sa *sa, struct why *why)
{
	enum crypto_direction direction =
		spec->direction == SA_OUT ? CRYPTO_ENCRYPT : CRYPTO_DECRYPT;
	int rc = crypto_session_open(
		db->setup.crypto, spec->provider, &spec->crypto, direction, &sa->first, why);
	int spare;

	if (spec->fallback != SA_NO_PROVIDER && spec->fallback != spec->provider &&
		(rc == 0 || rc == -ENODEV || rc == -ENOTSUP)) {
		spare = crypto_session_open(db->setup.crypto, spec->fallback, &spec->crypto,
			direction, &sa->spare, rc == 0 ? why : NULL);
		if (rc < 0 && spare < 0)
			return rc;
		atomic_init(&sa->session, rc == 0 ? sa->first : sa->spare);
		if (rc < 0 || spare < 0)
			warn(why, sa, crypto_provider_name(spec->fallback));
		return 0;
	}
	atomic_init(&sa->session, sa->first);
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

/* What a key is known by when it is wiped. */
static int take_prints(const struct sa_spec *spec, struct sa *sa)
{
	int rc = key_fingerprint(&spec->crypto.key, sa->key_print[0]);

	return rc < 0 ? rc : key_fingerprint(&spec->crypto.auth_key, sa->key_print[1]);
}

int sa_prepare(struct sa_db *db, const struct sa_spec *spec, struct sa **out, struct why *why)
{
	size_t size = sizeof(struct sa) + db->setup.n_workers * sizeof(struct sa_line);
	struct sa *sa;
	int rc;

	if (why != NULL)
		why->text[0] = '\0';
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
	if (rc == 0)
		rc = take_prints(spec, sa);
	if (rc < 0) {
		why_set(why, rc, "no memory or no random numbers for the SA");
		goto free_sa;
	}
	rc = open_sessions(db, spec, sa, why);
	if (rc < 0)
		goto free_sa;
	sa->spec = *spec;
	key_wipe(&sa->spec.crypto.key);
	key_wipe(&sa->spec.crypto.auth_key);
	if (spec->direction == SA_OUT)
		open_sequence(spec, sa);
	else if ((rc = open_window(spec, sa)) < 0)
		goto close_session;
	*out = sa;
	return 0;

close_session:
	why_set(why, rc, "no memory for the window of SPI %#x", spec->spi);
	close_sessions(sa);
free_sa:
	rte_free(sa->ring);
	rte_free(sa);
	return rc;
}

void sa_discard(struct sa *sa)
{
	sa_free(sa);
}

int sa_enter(struct sa *sa, struct why *why)
{
	struct sa_db *db = sa->db;
	int rc;

	if (db->n + db->n_retired >= db->setup.max_sas + SA_RETIRED_ROOM ||
		db->n == db->setup.max_sas)
		return why_set(why, -ENOMEM, "%u SAs are open, there is room for no more", db->n);
	if (sa->direction == SA_IN) {
		rc = sad_add(db->sad, &sa->spec, sa);
		if (rc < 0)
			return why_set(why, rc,
				rc == -EEXIST ? "SPI %#x is taken for this destination"
					      : "no memory for SPI %#x",
				sa->spec.spi);
	}
	TAILQ_INSERT_TAIL(&db->open, sa, link);
	db->n++;
	return 0;
}

int sa_open(struct sa_db *db, const struct sa_spec *spec, struct sa **out, struct why *why)
{
	int rc = sa_prepare(db, spec, out, why);

	if (rc < 0)
		return rc;
	rc = sa_enter(*out, why);
	if (rc < 0)
		sa_discard(*out);
	else if (spec->direction == SA_OUT)
		atomic_store_explicit(&(*out)->slot->newest, *out, memory_order_release);
	return rc;
}

void sa_db_order(struct sa_db *db, struct sa *const sa[], uint32_t n)
{
	TAILQ_INIT(&db->open);
	for (uint32_t i = 0; i < n; i++)
		TAILQ_INSERT_TAIL(&db->open, sa[i], link);
	for (uint32_t i = n; i-- > 0;)
		sa[i]->slot->is_ordered = false;
	/* From the last to the first: the first that is met is the newest, and no slot is ever empty
	 * in between. */
	for (uint32_t i = n; i-- > 0;) {
		if (sa[i]->direction != SA_OUT || sa[i]->slot->is_ordered)
			continue;
		sa[i]->slot->is_ordered = true;
		atomic_store_explicit(&sa[i]->slot->newest, sa[i], memory_order_release);
	}
}

static bool key_is(const struct key *key, const uint8_t print[KEY_FINGERPRINT])
{
	uint8_t its[KEY_FINGERPRINT];

	return key_fingerprint(key, its) == 0 && memcmp(its, print, sizeof(its)) == 0;
}

bool sa_is_as(const struct sa *sa, const struct sa_spec *b)
{
	const struct sa_spec *a = &sa->spec;

	return strcmp(a->name, b->name) == 0 && a->direction == b->direction && a->spi == b->spi &&
	       ipaddr_equal(&a->src, &b->src) && ipaddr_equal(&a->dst, &b->dst) &&
	       a->lookup == b->lookup && a->reqid == b->reqid && a->crypto.aead == b->crypto.aead &&
	       a->crypto.cipher == b->crypto.cipher && a->crypto.auth == b->crypto.auth &&
	       a->provider == b->provider && a->fallback == b->fallback && a->esn == b->esn &&
	       a->window == b->window && a->seq_next == b->seq_next && a->seq_top == b->seq_top &&
	       a->df == b->df && a->dscp == b->dscp && a->ecn == b->ecn &&
	       a->flow_label == b->flow_label && a->outer_ttl == b->outer_ttl && a->mtu == b->mtu &&
	       a->mark == b->mark && a->if_id == b->if_id &&
	       key_is(&b->crypto.key, sa->key_print[0]) &&
	       key_is(&b->crypto.auth_key, sa->key_print[1]);
}

/* What must not meet the same number twice: the cipher's key, or the ICV's where nothing is enciphered. */
static const uint8_t *nonce_print(const struct sa *sa)
{
	const struct crypto_spec *c = &sa->spec.crypto;

	return sa->key_print[c->aead == NULL && c->cipher->key_len == 0];
}

bool sa_shares_key(const struct sa *a, const struct sa *b)
{
	return memcmp(nonce_print(a), nonce_print(b), KEY_FINGERPRINT) == 0;
}

int sa_open_lease(struct sa *sa, struct lease_journal *journal, struct why *why)
{
	return lease_open(journal, nonce_print(sa), sa->spec.seq_next, &sa->seq, &sa->lease, why);
}

void sa_end_lease(struct sa *sa)
{
	if (sa->lease != NULL)
		lease_close(sa->lease);
	sa->lease = NULL;
}

void sa_set_source(struct sa *sa, const struct source *source)
{
	sa->spec.source = *source;
}

/* Whether a packet that waits somewhere points to it. Called after a grace period, when no packet can
 * begin to wait with it but one that has waited before. A packet that goes from one wait into the
 * next is counted in before it is counted out: if what came out by now is as much as has gone in a
 * little later, nothing was inside in between. */
static bool is_parked(const struct sa *sa)
{
	uint64_t in = 0, out = 0;

	for (uint16_t i = 0; i < sa->n_lines; i++)
		out += atomic_load_explicit(&sa->line[i].parked_out, memory_order_acquire);
	for (uint16_t i = 0; i < sa->n_lines; i++)
		in += atomic_load_explicit(&sa->line[i].parked_in, memory_order_acquire);
	return in != out;
}

uint32_t sa_db_reap(struct sa_db *db)
{
	struct sa **at = &db->parked, *sa;
	uint32_t waiting = 0;

	while ((sa = *at) != NULL) {
		if (is_parked(sa)) {
			waiting++;
			at = &sa->next_retired;
			continue;
		}
		*at = sa->next_retired;
		db->n_retired--;
		sa_free(sa);
	}
	return waiting;
}

int sa_db_publish(struct sa_db *db, struct why *why)
{
	int rc = sad_publish(db->sad, why);

	if (rc < 0)
		return rc;
	if (db->retired != NULL)
		rcu_wait(db->setup.rcu);
	while (db->retired != NULL) {
		struct sa *sa = db->retired;

		db->retired = sa->next_retired;
		sa_end_lease(sa); /* nobody can take a number any more */
		sa->next_retired = db->parked;
		db->parked = sa;
	}
	sa_db_reap(db);
	return 0;
}

struct sa_fall_back sa_db_fall_back(struct sa_db *db)
{
	struct sa_fall_back done = {0};
	struct sa *sa;

	TAILQ_FOREACH (sa, &db->open, link) {
		struct crypto_session *now = sa_session(sa);

		if (!crypto_session_is_stalled(db->setup.crypto, now))
			continue;
		if (now == sa->spare || sa->spare == NULL ||
			crypto_session_is_stalled(db->setup.crypto, sa->spare)) {
			done.stopped++;
			continue;
		}
		atomic_store_explicit(&sa->session, sa->spare, memory_order_release);
		done.moved++;
	}
	return done;
}

/* The newest outbound SA of this reqid that is left, NULL: none. */
static struct sa *newest_left(const struct sa_db *db, uint32_t reqid)
{
	struct sa *sa;

	TAILQ_FOREACH_REVERSE(sa, &db->open, sa_list, link)
	{
		if (sa->direction == SA_OUT && sa->reqid == reqid)
			return sa;
	}
	return NULL;
}

void sa_retire(struct sa_db *db, struct sa *sa)
{
	TAILQ_REMOVE(&db->open, sa, link);
	db->n--;
	if (sa->direction == SA_IN)
		sad_del(db->sad, &sa->spec);
	else if (sa_newest(sa->slot) == sa)
		atomic_store_explicit(
			&sa->slot->newest, newest_left(db, sa->reqid), memory_order_release);
	sa->next_retired = db->retired;
	db->retired = sa;
	db->n_retired++;
}

static void free_all(struct sa *sa)
{
	for (struct sa *next; sa != NULL; sa = next) {
		next = sa->next_retired;
		sa_free(sa);
	}
}

void sa_db_close(struct sa_db *db)
{
	struct sa *sa;

	if (db == NULL)
		return;
	while ((sa = TAILQ_FIRST(&db->open)) != NULL) {
		TAILQ_REMOVE(&db->open, sa, link);
		sa_free(sa);
	}
	free_all(db->retired);
	free_all(db->parked);
	sad_close(db->sad);
	rte_hash_free(db->slot_of);
	for (struct slot_chunk *c = db->chunks, *next; c != NULL; c = next) {
		next = c->next;
		free(c);
	}
	free(db);
}

int sa_db_walk(struct sa_db *db, int (*visit)(struct sa *sa, void *arg), void *arg)
{
	struct sa *sa;

	TAILQ_FOREACH (sa, &db->open, link) {
		int rc = visit(sa, arg);

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
	return crypto_session_provider(sa_session(sa));
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
