/* SPDX-License-Identifier: BSD-3-Clause */
/* crypto_dp.h - what workers see of crypto: a job per packet, submitted and polled in bursts.
 *
 *   mbuf priv area, CRYPTO_JOB_SIZE bytes in every pool that ports receive into:
 *   +--------------------------+--------------------------+----------------------+
 *   | op and sym op, written   | what the stage says,     | AAD and ICV, where a |
 *   | for a cryptodev only     | and the nonce (a line)   | device reads by DMA  |
 *   +--------------------------+--------------------------+----------------------+
 *
 * A job lives in its packet, so nothing is allocated for it and it can never belong to another. */
#pragma once

#include <assert.h>
#include <rte_crypto.h>
#include <rte_mbuf.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>

#include "crypto.h"

enum crypto_status {
	CRYPTO_PENDING, /* submitted, not polled yet */
	CRYPTO_OK,
	CRYPTO_BAD_ICV,
	CRYPTO_FAILED, /* the device says that it could not, or has left the text as it was */
	CRYPTO_LOST, /* the device has kept it for too long: given up, and the packet still its */
	CRYPTO_LATE, /* given up before, and back now */
};

/* A job that a device keeps for longer is given up. A software device is done when it is polled; a
 * lookaside one may have thousands before it, and its thread may wait for a CPU. */
#define CRYPTO_OVERDUE_MS           10
#define CRYPTO_OVERDUE_LOOKASIDE_MS 1000

#define CRYPTO_AAD_MAX 32 /* devices read GCM AAD in zero-padded multiples of 16 */
#define CRYPTO_ICV_MIN 8
#define CRYPTO_ICV_MAX 64

/* A cryptodev that says that it is done and has left this many bytes as they were has done nothing:
 * first of the text, or of the ICV that was to be made where nothing is enciphered. */
#define CRYPTO_TELLTALE 12

#define CRYPTO_CCM_AAD_AT 18 /* cryptodevs find CCM's AAD this far behind the address of it */

struct crypto_job {
	struct rte_crypto_op op;
	struct rte_crypto_sym_op sym; /* rte_crypto_op has it right behind */

	alignas(RTE_CACHE_LINE_SIZE) struct crypto_session *session;
	uint8_t *icv; /* in the packet, or icv_aside below */
	const uint8_t *aad_at; /* of AEADs: aad below; without a device it may be in the packet */
	/* Offsets from the start of the packet's data, all in one segment. A NULL cipher has
	 * cipher_len 0; an AEAD leaves auth_* alone; GMAC is a nonce and auth_*, cipher_len 0. */
	uint16_t cipher_ofs, cipher_len; /* GCM, CCM, ChaCha20, CTR: any length; CBC: 16 n */
	uint16_t auth_ofs, auth_len;
	uint64_t since; /* on its queue's clock: when a cryptodev got it */
	uint16_t slot; /* in its queue, while a cryptodev has it */
	uint8_t status; /* enum crypto_status; the verdict once polled */
	uint8_t kept[4]; /* the submitter's own: what it puts back in the packet afterwards */
	uint8_t ccm_spare; /* a device is told that CCM's nonce begins here, and may write it */
	alignas(16) uint8_t nonce[16]; /* AEAD, GMAC: salt and IV, 11 or 12 bytes; CBC, CTR: 16 */

	/* A device may write CCM's first block and the length of its AAD here, right before the AAD. */
	alignas(RTE_CACHE_LINE_SIZE) uint8_t ccm_front[RTE_ALIGN(CRYPTO_CCM_AAD_AT, 16)];
	uint8_t aad[CRYPTO_AAD_MAX]; /* 8 or 12 bytes, then zeroes to a multiple of 16 */
	uint8_t icv_aside[CRYPTO_ICV_MAX];
	uint8_t before[CRYPTO_TELLTALE]; /* what a cryptodev has to change */
};
static_assert(offsetof(struct crypto_job, sym) ==
		      offsetof(struct crypto_job, op) + sizeof(struct rte_crypto_op),
	"the sym op does not follow its op");
static_assert(offsetof(struct crypto_job, session) / RTE_CACHE_LINE_SIZE ==
		      offsetof(struct crypto_job, nonce) / RTE_CACHE_LINE_SIZE,
	"what a library needs takes two lines");

/* Room for a job and for what the pipeline parks beside it. */
#define CRYPTO_PARK_SIZE RTE_CACHE_LINE_SIZE
#define CRYPTO_JOB_SIZE  RTE_ALIGN(sizeof(struct crypto_job) + CRYPTO_PARK_SIZE, RTE_CACHE_LINE_SIZE)

static inline struct crypto_job *crypto_job_of(struct rte_mbuf *m)
{
	return rte_mbuf_to_priv(m);
}

static inline struct rte_mbuf *crypto_job_mbuf(struct crypto_job *job)
{
	return (struct rte_mbuf *)RTE_PTR_SUB(job, sizeof(struct rte_mbuf));
}

/* The IOVA of a byte inside the job, or inside its packet. */
static inline rte_iova_t crypto_job_iova(struct crypto_job *job, const void *at)
{
	struct rte_mbuf *m = crypto_job_mbuf(job);

	return rte_mbuf_iova_get(m) - RTE_PTR_DIFF(m->buf_addr, at);
}

struct crypto_device; /* inside the room */
struct crypto_queue; /* one worker's end of one device */

/* By what a device shows that it has done something. */
enum crypto_telltale { CRYPTO_NO_TELLTALE, CRYPTO_TEXT_TELLS, CRYPTO_ICV_TELLS };

/* Fixed when the session is opened; any worker reads. */
struct crypto_session {
	uint16_t device; /* index of its queue in a worker's array */
	bool is_lookaside; /* results come later, in another poll */
	bool is_device; /* of a cryptodev, whose queues may be stalled; not of a library */
	uint8_t telltale; /* enum crypto_telltale */
	bool is_aead; /* GMAC is none: all it does is authenticate */
	int16_t aad_ofs; /* from the job to where the device is told that the AAD is */
	enum crypto_provider provider;
	uint64_t op_raw; /* first word of every op: type, status, session type */
	struct crypto_device *owner;
	/* The cryptodev's, by worker; mostly one and the same. Of a library: what mb.h or evp.h says. */
	void *dev_session[];
};

/* The queues of a worker, indexed by crypto_session.device; an entry may be NULL until a session of
 * that device exists. The array lives as long as the room. */
struct crypto_queue *const *crypto_queues(const struct crypto *c, uint16_t worker);

/* Takes up to n jobs of sessions of this queue's device and returns how many, from the front. The
 * rest is the caller's still: the queue is full, or in_flight is reached. The packet must stay as it
 * is until its job is polled. Only the worker that owns the queue. */
uint16_t crypto_submit(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n);

/* Runs n jobs of any sessions of a library, whose sessions are no device's (crypto_session.is_device):
 * every verdict is in when it returns, and nothing is left to be polled. */
void crypto_run(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n);

/* Gives back up to n jobs that are done, status set, in the order of submission within one session.
 * A synchronous device has a verdict for every submitted job after finitely many calls: it flushes
 * what waits for a full lane. CRYPTO_LATE: what was given up has come; its packet is to be freed and
 * was counted. What the device returns twice, or never got, is passed over.
 *
 * ICVs are compared in constant time: by us where intel-ipsec-mb or an HMAC of OpenSSL is called
 * directly, by CRYPTO_memcmp in OpenSSL's AEADs and in crypto_openssl. Only where aesni_mb runs on a named cryptodev that is not so: crypto_aesni_mb and
 * crypto_aesni_gcm (22.11.11: pmd_aesni_mb.c verify_digest, pmd_aesni_gcm.c) call memcmp, which glibc
 * on x86-64 carries out in steps of 8 bytes and more for these lengths: its time may tell whether the
 * first 8 or 16 bytes were right, not which byte was wrong. What was decrypted is in the packet
 * whatever the verdict: the caller drops it. */
uint16_t crypto_poll(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n);

/* Gives up to n jobs up that the device has kept for too long, status CRYPTO_LOST: their packets stay
 * the device's, which may still write to them, and are not to be touched before they come back as
 * CRYPTO_LATE or crypto_stop() has freed them. Where jobs were given up before and the device has given
 * nothing back since, or where it takes nothing for that long, all goes, and the queue is stalled from
 * then on. To be called after crypto_poll(); time passes there only, and a thread that stood still
 * does not count. */
uint16_t crypto_give_up(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n);

/* What it gave back was wrong: it is stalled from now on, and crypto_give_up() gives up all it has. Any
 * thread. */
void crypto_distrust(struct crypto_queue *q);

/* It takes no more jobs, for ever. Any thread. */
bool crypto_is_stalled(const struct crypto_queue *q);

/* Submitted, neither polled nor given up. */
uint32_t crypto_in_flight(const struct crypto_queue *q);

/* Whether its device keeps jobs that were given up, so that crypto_poll() may bring one late. */
bool crypto_has_lost(const struct crypto_queue *q);

/* Whether crypto_poll() may still bring something, late jobs included. */
bool crypto_is_busy(const struct crypto_queue *q);
