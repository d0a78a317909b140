/* SPDX-License-Identifier: BSD-3-Clause */
/* mb.h - inside the room: intel-ipsec-mb called directly; its managers, sessions and queues.
 *
 *   struct crypto_session, struct mb_session | struct mb_keys or struct gcm_key_data
 *   one cache line, read for every packet    | on lines of their own, wiped at the end */
#pragma once

#include <intel-ipsec-mb.h>
#include <rte_common.h>
#include <stdalign.h>

#include "crypto_dp.h"
#include "why.h"

/* A manager holds lanes and scratch of one thread; keys are expanded with one too. On this NUMA
 * socket. -ENODEV: this CPU or this library is not fit for it; -ENOMEM. */
int mb_manager_open(int socket, IMB_MGR **out, struct why *why);

/* What the lanes held is wiped. */
void mb_manager_close(IMB_MGR *manager);

/* "intel-ipsec-mb 1.3.0 avx512". */
void mb_manager_name(const IMB_MGR *manager, char *buf, size_t size);

/* How a queue treats the jobs of a session. */
enum mb_way {
	MB_GCM, /* a call for each packet: GCM needs no second packet to fill its pipeline */
	MB_GMAC, /* the same with nothing to encipher: all is AAD, and stands in the packet */
	MB_BURST, /* a cipher and an HMAC: two calls for a burst, each over all lanes */
	MB_JOB, /* the others, by the manager's queue of jobs */
};

/* Begins at crypto_session.dev_session. Fixed at open. Words of the library. */
struct mb_session {
	uint32_t group; /* equal where jobs can be in one burst: cipher, hash, direction, key_len */
	uint8_t way; /* enum mb_way */
	uint8_t cipher, hash, direction, order;
	uint8_t key_len, iv_len, icv_len, aad_len;
	uint8_t block_mask; /* that the length of the ciphertext must not have bits of */
	uint16_t size; /* of the whole allocation */
};
static_assert(offsetof(struct crypto_session, dev_session) + sizeof(struct mb_session) <=
		      RTE_CACHE_LINE_SIZE,
	"a session and what it says to intel-ipsec-mb take two lines");

#define MB_ROUND_KEYS 60 /* of AES-256, in words */

/* Of every session but those of GCM and GMAC, which have struct gcm_key_data instead. */
struct mb_keys {
	/* Of the session's direction; ChaCha20: the key. */
	alignas(RTE_CACHE_LINE_SIZE) uint32_t cipher[MB_ROUND_KEYS];
	union {
		struct {
			uint8_t inner[64], outer[64]; /* states after the padded key */
		} hmac;
		struct {
			uint32_t rounds[44];
			uint8_t k2[16], k3[16];
		} xcbc, cmac;
	} auth;
};
static_assert(offsetof(struct mb_keys, auth) % 16 == 0, "intel-ipsec-mb reads these aligned");

static inline struct mb_session *mb_session_of(const struct crypto_session *s)
{
	return (struct mb_session *)s->dev_session;
}

static inline void *mb_session_keys(const struct crypto_session *s)
{
	return RTE_PTR_ADD(s, RTE_CACHE_LINE_SIZE);
}

bool mb_session_can(const struct crypto_spec *spec);

/* Any worker may use it, each with its own queue. The fields of crypto_session itself are the
 * caller's to fill. -ENOTSUP: not mb_session_can(); -ENOMEM. */
int mb_session_open(IMB_MGR *manager, const struct crypto_spec *spec,
	enum crypto_direction direction, struct crypto_session **out);

/* Wipes the expanded keys. */
void mb_session_close(struct crypto_session *s);

struct mb_queue; /* of one worker */

/* -ENOMEM; errors of mb_manager_open(). */
int mb_queue_open(int socket, struct mb_queue **out, struct why *why);
void mb_queue_close(struct mb_queue *q);

/* As crypto_run(). */
void mb_queue_run(struct mb_queue *q, struct crypto_job **jobs, uint16_t n);
