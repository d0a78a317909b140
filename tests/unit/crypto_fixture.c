/* SPDX-License-Identifier: BSD-3-Clause */
/* crypto_fixture.c - packets with jobs in them, for the tests of crypto. */
#include "crypto_fixture.h"

#include <check.h>
#include <openssl/rand.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GUARD_BYTE 0xa5

void fixture_eal(char *const extra[], int n_extra)
{
	/* 22.11 refuses --in-memory together with --no-huge. */
	char *argv[24] = {"test", "--no-huge", "-m", "512", "--no-pci", "--no-shconf",
		"--no-telemetry", "-l", "0", "--log-level=error"};
	int argc = 10;

	for (int i = 0; i < n_extra; i++)
		argv[argc++] = extra[i];
	if (rte_eal_init(argc, argv) < 0) {
		fprintf(stderr, "no EAL: %s\n", rte_strerror(rte_errno));
		exit(EXIT_FAILURE);
	}
}

struct rte_mempool *fixture_pool(unsigned n)
{
	struct rte_mempool *pool = rte_pktmbuf_pool_create("packets", n, 0, CRYPTO_JOB_SIZE,
		RTE_PKTMBUF_HEADROOM + TEXT_MAX + 256, SOCKET_ID_ANY);

	if (pool == NULL) {
		fprintf(stderr, "no packets: %s\n", rte_strerror(rte_errno));
		exit(EXIT_FAILURE);
	}
	return pool;
}

struct crypto *fixture_room(uint16_t n_workers, uint32_t in_flight)
{
	return fixture_room_of((struct crypto_setup){n_workers, .in_flight = in_flight});
}

struct crypto *fixture_room_named(
	uint16_t n_workers, uint32_t in_flight, enum crypto_provider p, const char *device)
{
	struct crypto_setup setup = {n_workers, .in_flight = in_flight};

	setup.named[p].device[0] = device;
	setup.named[p].n = 1;
	return fixture_room_of(setup);
}

struct crypto *fixture_room_of(struct crypto_setup setup)
{
	struct crypto *c;
	struct why why;

	setup.max_sessions = 64;
	setup.session_headroom = 8;
	if (crypto_open(&setup, &c, &why) < 0) {
		fprintf(stderr, "no room: %s\n", why.text);
		exit(EXIT_FAILURE);
	}
	return c;
}

void fixture_players(struct player players[PLAYERS])
{
	char *vdevs[] = {"--vdev=crypto_aesni_mb0", "--vdev=crypto_aesni_gcm0"};

	fixture_eal(vdevs, RTE_DIM(vdevs));
	players[0] = (struct player){"aesni_mb", CRYPTO_AESNI_MB, fixture_room(1, 64)};
	players[1] = (struct player){"openssl", CRYPTO_OPENSSL, players[0].room};
	players[2] = (struct player){"crypto_aesni_mb", CRYPTO_QAT,
		fixture_room_named(1, 64, CRYPTO_QAT, "crypto_aesni_mb0")};
	players[3] = (struct player){"crypto_aesni_gcm", CRYPTO_QAT,
		fixture_room_named(1, 64, CRYPTO_QAT, "crypto_aesni_gcm0")};
}

void fixture_players_close(struct player players[PLAYERS])
{
	crypto_close(players[0].room);
	crypto_close(players[2].room);
	crypto_close(players[3].room);
}

void fixture_random(void *out, size_t len)
{
	ck_assert_int_eq(RAND_bytes(out, len), 1);
}

void fixture_keys(struct crypto_spec *spec)
{
	const struct algorithm *a = spec->aead != NULL ? spec->aead : spec->cipher;

	spec->key.len = a->key_len + a->salt_len;
	fixture_random(spec->key.bytes, spec->key.len);
	if (spec->auth == NULL)
		return;
	spec->auth_key.len = spec->auth->key_len;
	fixture_random(spec->auth_key.bytes, spec->auth_key.len);
}

bool fixture_spec(unsigned n, struct crypto_spec *spec)
{
	const struct algorithm *a, *auth;

	memset(spec, 0, sizeof(*spec));
	for (unsigned i = 0; (a = algorithm_at(i)) != NULL; i++) {
		if (a->kind == ALGORITHM_AEAD && n-- == 0) {
			spec->aead = a;
			return true;
		}
		for (unsigned k = 0; (auth = algorithm_at(k)) != NULL; k++) {
			if (a->kind != ALGORITHM_CIPHER || auth->kind != ALGORITHM_AUTH || n-- > 0)
				continue;
			spec->cipher = a;
			spec->auth = auth;
			return true;
		}
	}
	return false;
}

unsigned fixture_nonce_len(const struct crypto_spec *spec)
{
	if (spec->aead != NULL)
		return spec->aead->salt_len + spec->aead->iv_len;
	return spec->cipher->family == ALGORITHM_NULL ? 0 : 16;
}

bool fixture_is_enciphered(const struct crypto_spec *spec)
{
	return spec->aead != NULL ? spec->aead->family != ALGORITHM_GMAC
				  : spec->cipher->family != ALGORITHM_NULL;
}

unsigned fixture_icv_len(const struct crypto_spec *spec)
{
	return spec->aead != NULL ? spec->aead->icv_len : spec->auth->icv_len;
}

uint8_t *fixture_text(struct crypto_job *job, const struct shape *shape)
{
	return rte_pktmbuf_mtod_offset(crypto_job_mbuf(job), uint8_t *, GUARD + shape->aad_len);
}

uint8_t *fixture_icv(struct crypto_job *job, const struct shape *shape)
{
	return fixture_text(job, shape) + shape->text_len;
}

struct crypto_job *fixture_job(struct rte_mempool *pool, struct crypto_session *s,
	const struct crypto_spec *spec, const struct shape *shape)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool);
	unsigned icv_len = fixture_icv_len(spec);
	unsigned len = 2 * GUARD + shape->aad_len + shape->text_len + icv_len;
	struct crypto_job *job;

	ck_assert_ptr_nonnull(m);
	job = crypto_job_of(m);
	memset(job, 0xee, sizeof(*job)); /* a packet's private area holds anything */
	memset(rte_pktmbuf_append(m, len), GUARD_BYTE, len);
	memcpy(rte_pktmbuf_mtod_offset(m, uint8_t *, GUARD), shape->aad, shape->aad_len);
	memcpy(fixture_text(job, shape), shape->text, shape->text_len);
	memcpy(fixture_icv(job, shape), shape->icv, icv_len);

	job->session = s;
	job->cipher_ofs = GUARD + shape->aad_len;
	job->cipher_len = fixture_is_enciphered(spec) ? shape->text_len : 0;
	job->auth_ofs = GUARD;
	job->auth_len = shape->aad_len + shape->text_len;
	job->icv = fixture_icv(job, shape);
	job->aad_at = job->aad;
	memcpy(job->nonce, shape->nonce, sizeof(job->nonce));
	memset(job->aad, 0, sizeof(job->aad));
	memcpy(job->aad, shape->aad, shape->aad_len);
	return job;
}

bool fixture_guards_intact(struct crypto_job *job)
{
	const struct rte_mbuf *m = crypto_job_mbuf(job);
	const uint8_t *first = rte_pktmbuf_mtod(m, const uint8_t *);
	const uint8_t *last = first + m->pkt_len - GUARD;

	for (unsigned i = 0; i < GUARD; i++) {
		if (first[i] != GUARD_BYTE || last[i] != GUARD_BYTE)
			return false;
	}
	return true;
}

void fixture_free(struct crypto_job *job)
{
	rte_pktmbuf_free(crypto_job_mbuf(job));
}

void fixture_packet(struct crypto_packet *p, struct rte_mempool *pool, struct crypto_session *s,
	const struct crypto_spec *spec, enum crypto_direction direction, unsigned len)
{
	bool decrypt = direction == CRYPTO_DECRYPT;
	unsigned icv_len = fixture_icv_len(spec);

	p->spec = spec;
	fixture_random(&p->before, sizeof(p->before));
	p->before.aad_len = spec->esn ? 12 : 8;
	p->before.text_len = len;
	if (spec->cipher != NULL && spec->cipher->family == ALGORITHM_CBC)
		p->before.text_len = RTE_ALIGN(RTE_MAX(len, 1u), 16);
	p->after = p->before;
	p->expected = CRYPTO_OK;
	oracle_encrypt(spec, decrypt ? &p->before : &p->after);
	if (decrypt && rand() % 4 == 0) {
		p->before.icv[rand() % icv_len] ^= 1 << rand() % 8;
		p->expected = CRYPTO_BAD_ICV;
	}
	if (decrypt)
		memcpy(p->after.icv, p->before.icv, sizeof(p->after.icv));
	p->job = fixture_job(pool, s, spec, &p->before);
	if (rand() % 2 == 0) {
		memcpy(p->job->icv_aside, p->job->icv, icv_len);
		p->job->icv = p->job->icv_aside;
	}
}

void fixture_packet_check(const struct crypto_packet *p)
{
	ck_assert_int_eq(p->job->status, p->expected);
	ck_assert(fixture_guards_intact(p->job));
	ck_assert_mem_eq(p->job->icv, p->after.icv, fixture_icv_len(p->spec));
	if (p->expected == CRYPTO_OK)
		ck_assert_mem_eq(fixture_text(p->job, &p->after), p->after.text, p->after.text_len);
	fixture_free(p->job);
}

void fixture_poll(struct crypto_queue *q, struct crypto_packet *first, unsigned n, unsigned quota)
{
	struct crypto_job *back[512];
	unsigned got = 0;

	ck_assert_uint_lt(n, RTE_DIM(back));
	for (unsigned tries = 0; got < n && tries < 100000; tries++)
		got += crypto_poll(q, &back[got], RTE_MIN(quota, n - got));
	ck_assert_uint_eq(got, n);
	ck_assert_uint_eq(crypto_in_flight(q), 0);
	ck_assert_uint_eq(crypto_poll(q, back + n, 1), 0);
	for (unsigned i = 0; i < n; i++) {
		struct crypto_session *s = first[i].job->session;
		unsigned k = 0;

		while (k < n && (back[k] == NULL || back[k]->session != s))
			k++;
		ck_assert(k < n && back[k] == first[i].job);
		back[k] = NULL;
	}
}

enum crypto_status fixture_run(struct crypto *c, uint16_t worker, struct crypto_job *job)
{
	struct crypto_queue *q = crypto_queues(c, worker)[job->session->device];
	struct crypto_job *back = NULL;

	ck_assert_uint_eq(crypto_submit(q, &job, 1), 1);
	for (unsigned tries = 0; tries < 1000000 && crypto_poll(q, &back, 1) == 0; tries++)
		;
	ck_assert_ptr_eq(back, job);
	ck_assert_uint_eq(crypto_in_flight(q), 0);
	return job->status;
}
