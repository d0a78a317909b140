/* SPDX-License-Identifier: BSD-3-Clause */
/* evp.h - inside the room: OpenSSL's EVP called directly; what is used of it, sessions and queues.
 *
 * A session is keyed when it is opened: a cipher context for every worker, as a packet changes it, and
 * the two states of HMAC behind its padded key, which are only copied and so are the same for all
 * workers (openssl-threads(7): what is const may be shared). A packet sets its IV. OpenSSL has its
 * contexts from libc, not from the NUMA socket of a worker. With OpenSSL 3.0 a session takes for each
 * worker 1.2 KiB with GCM, 1.1 with ChaCha20-Poly1305, 0.7 with CBC, CTR or CCM, and 0.7 more with XCBC or
 * CMAC; and with HMAC 0.4 to 0.6 for all workers together. */
#pragma once

#include <openssl/evp.h>
#include <rte_common.h>

#include "crypto_dp.h"
#include "why.h"

struct evp_library; /* ciphers and digests, fetched once */

/* Those that this OpenSSL lacks, or its configuration forbids, are missing in it. -ENOMEM. */
int evp_library_open(struct evp_library **out, struct why *why);
void evp_library_close(struct evp_library *l);

/* "OpenSSL 3.0.22". */
void evp_library_name(char *buf, size_t size);

/* NULL: it has none. They live as long as the library. */
const EVP_CIPHER *evp_library_cipher(
	const struct evp_library *l, enum algorithm_family family, unsigned key_len);
const EVP_MD *evp_library_digest(const struct evp_library *l, enum algorithm_hash hash);

/* How a queue treats the jobs of a session. */
enum evp_way {
	EVP_WAY_AEAD, /* GCM and ChaCha20-Poly1305 */
	EVP_WAY_CCM, /* which wants to know the length first */
	EVP_WAY_GMAC, /* GCM with nothing to encipher: all is AAD, and stands in the packet */
	EVP_WAY_HMAC, /* with a cipher or without */
	EVP_WAY_CBC_MAC, /* the same with XCBC or CMAC */
};

struct evp_shape {
	uint8_t way; /* enum evp_way */
	uint8_t hash; /* enum algorithm_hash, of HMAC */
	uint8_t icv_len, aad_len;
	uint8_t block_mask; /* that the length of the ciphertext must not have bits of */
	bool encrypts;
};

/* XCBC and CMAC are one chain of AES-CBC, whose last block has one of these XORed to it. */
struct evp_last_block {
	uint8_t whole[16], padded[16];
};

/* Begins at crypto_session.dev_session. Fixed at open but for what the contexts hold. */
struct evp_session {
	struct evp_shape shape;
	uint16_t n_workers;
	union {
		struct {
			EVP_MD_CTX *inner, *outer; /* states after the padded key */
		} hmac;
		struct evp_last_block last;
	};
	/* Of one worker, which alone touches them. */
	struct {
		EVP_CIPHER_CTX *cipher; /* NULL: nothing is enciphered */
		EVP_CIPHER_CTX *chain; /* of XCBC and CMAC */
	} of_worker[];
};

static inline struct evp_session *evp_session_of(const struct crypto_session *s)
{
	return (struct evp_session *)s->dev_session;
}

bool evp_session_can(const struct evp_library *l, const struct crypto_spec *spec);

/* Any worker may use it, each with its own queue. The fields of crypto_session itself are the
 * caller's to fill. -ENOTSUP: not evp_session_can(), or OpenSSL refuses the key; -ENOMEM. */
int evp_session_open(const struct evp_library *l, const struct crypto_spec *spec,
	enum crypto_direction direction, uint16_t n_workers, struct crypto_session **out);

/* What OpenSSL has of the keys is wiped as it frees it. */
void evp_session_close(struct crypto_session *s);

struct evp_queue; /* of one worker */

/* -ENOMEM. */
int evp_queue_open(uint16_t worker, int socket, struct evp_queue **out, struct why *why);
void evp_queue_close(struct evp_queue *q);

/* As crypto_run(). */
void evp_queue_run(struct evp_queue *q, struct crypto_job **jobs, uint16_t n);
