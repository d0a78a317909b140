/* SPDX-License-Identifier: BSD-3-Clause */
/* crypto_fixture.h - packets with jobs in them, and what OpenSSL's EVP says should come out. */
#pragma once

#include <rte_mbuf.h>

#include "crypto_dp.h"

#define TEXT_MAX 9216
#define GUARD    16 /* bytes before and behind the packet that nobody may touch */

/* What goes into a packet: aad in front, for an AEAD in the job as well; then text, then the ICV. */
struct shape {
	uint8_t nonce[16];
	uint8_t aad[32];
	uint16_t aad_len;
	uint8_t text[TEXT_MAX];
	uint16_t text_len;
	uint8_t icv[CRYPTO_ICV_MAX];
};

/* Exits the program where it cannot. The pool's packets hold TEXT_MAX and a job. */
void fixture_eal(char *const extra[], int n_extra);
struct rte_mempool *fixture_pool(unsigned n);
struct crypto *fixture_room(uint16_t n_workers, uint32_t in_flight);
struct crypto *fixture_room_named(
	uint16_t n_workers, uint32_t in_flight, enum crypto_provider p, const char *device);
struct crypto *fixture_room_of(struct crypto_setup setup); /* the number of sessions is set */

/* Who computes: a provider as it comes, or a named cryptodev, whose ops are as QAT's would be. */
struct player {
	const char *name;
	enum crypto_provider provider;
	struct crypto *room;
};
#define PLAYERS 4

/* The EAL with the cryptodevs named, and rooms of one worker. */
void fixture_players(struct player players[PLAYERS]);
void fixture_players_close(struct player players[PLAYERS]);

/* Every AEAD, and every cipher with every auth: the n-th, without keys. False past the end. */
bool fixture_spec(unsigned n, struct crypto_spec *spec);

/* Lengths that the algorithms demand, salt included; every byte random. */
void fixture_keys(struct crypto_spec *spec);
void fixture_random(void *out, size_t len);
unsigned fixture_nonce_len(const struct crypto_spec *spec);
bool fixture_is_enciphered(const struct crypto_spec *spec);
unsigned fixture_icv_len(const struct crypto_spec *spec);

/* A packet with a job for this session; its text and ICV are the shape's. */
struct crypto_job *fixture_job(struct rte_mempool *pool, struct crypto_session *s,
	const struct crypto_spec *spec, const struct shape *shape);
uint8_t *fixture_text(struct crypto_job *job, const struct shape *shape);
uint8_t *fixture_icv(struct crypto_job *job, const struct shape *shape);
bool fixture_guards_intact(struct crypto_job *job);
void fixture_free(struct crypto_job *job);

/* A packet, and what it must become. */
struct crypto_packet {
	struct shape before, after;
	const struct crypto_spec *spec;
	struct crypto_job *job;
	enum crypto_status expected;
};

/* Of this length, for CBC the next multiple of 16. A quarter of what is decrypted is forged, and half
 * of the ICVs are aside, in the job. */
void fixture_packet(struct crypto_packet *p, struct rte_mempool *pool, struct crypto_session *s,
	const struct crypto_spec *spec, enum crypto_direction direction, unsigned len);

/* It has become that; frees it. */
void fixture_packet_check(const struct crypto_packet *p);

/* Polls until n are back, at most quota at once: each of them once, those of one session in the
 * order of their packets. */
void fixture_poll(struct crypto_queue *q, struct crypto_packet *first, unsigned n, unsigned quota);

/* Submits one job and polls until it is back; its status. */
enum crypto_status fixture_run(struct crypto *c, uint16_t worker, struct crypto_job *job);

/* What EVP makes of the shape: text encrypted in place, ICV set. */
void oracle_encrypt(const struct crypto_spec *spec, struct shape *shape);
