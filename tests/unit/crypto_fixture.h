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

/* Lengths that the algorithms demand, salt included; every byte random. */
void fixture_keys(struct crypto_spec *spec);
void fixture_random(void *out, size_t len);
unsigned fixture_nonce_len(const struct crypto_spec *spec);
unsigned fixture_icv_len(const struct crypto_spec *spec);

/* A packet with a job for this session; its text and ICV are the shape's. */
struct crypto_job *fixture_job(struct rte_mempool *pool, struct crypto_session *s,
	const struct crypto_spec *spec, const struct shape *shape);
uint8_t *fixture_text(struct crypto_job *job, const struct shape *shape);
uint8_t *fixture_icv(struct crypto_job *job, const struct shape *shape);
bool fixture_guards_intact(struct crypto_job *job);
void fixture_free(struct crypto_job *job);

/* Submits one job and polls until it is back; its status. */
enum crypto_status fixture_run(struct crypto *c, uint16_t worker, struct crypto_job *job);

/* What EVP makes of the shape: text encrypted in place, ICV set. */
void oracle_encrypt(const struct crypto_spec *spec, struct shape *shape);
