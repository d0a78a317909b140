/* SPDX-License-Identifier: BSD-3-Clause */
/* esp_job.h - what ESP asks of the crypto for one packet, in both directions alike: nonce, AAD,
 * and which bytes are enciphered and authenticated.
 *
 *         esp            iv          text                        icv
 *         | SPI   seq    | IV        | inner packet, trailer     | ICV
 *  AEAD   AAD (hi with ESN), nonce   |<------- cipher --------->|
 *  CBC    |<----------------------- auth ---------------------->| (+ hi with ESN)
 *                  | as nonce        |<------- cipher --------->|
 *  GMAC   |<----------------------- auth ---------------------->|
 *         SPI  hi  seq | IV …  with ESN, from four bytes before esp on */
#pragma once

#include <rte_byteorder.h>
#include <string.h>

#include "burst.h"

/* GMAC with ESN: the SPI moves forward over what stands there, and the high half takes its place. */
static inline void esp_make_room(struct crypto_job *job, uint8_t *esp, uint64_t seq)
{
	uint32_t hi = rte_cpu_to_be_32(seq >> 32);

	memcpy(job->kept, esp - 4, 4);
	memcpy(esp - 4, esp, 4);
	memcpy(esp, &hi, 4);
}

/* With ESP_HIGH_WITHIN, after the crypto, whatever its verdict: each byte is where it was. */
static inline void esp_put_back(struct rte_mbuf *m, const struct crypto_job *job)
{
	uint8_t *spi = rte_pktmbuf_mtod_offset(m, uint8_t *, job->auth_ofs);

	memcpy(spi + 4, spi, 4);
	memcpy(spi, job->kept, 4);
}

/* AEAD: salt and IV; the AAD is the ESP header where it stands, unless a device wants it by DMA or the
 * high half of an ESN has to come between (RFC 4106 5). */
static inline void esp_job_aead(struct crypto_job *job, const struct crypto_session *session,
	const struct esp_shape *shape, const uint8_t *esp, uint64_t seq)
{
	uint32_t salt;
	uint64_t iv;

	memcpy(&salt, shape->salt, 4);
	memcpy(&iv, esp + ESP_HEADER_LEN, 8);
	memcpy(job->nonce, &salt, 4);
	memcpy(job->nonce + shape->salt_len, &iv, 8);
	if (likely(!session->is_device && !shape->esn)) {
		job->aad_at = esp;
		return;
	}
	job->aad_at = job->aad;
	/* Zeroes to a multiple of 16: some devices read AAD in such pieces. */
	if (shape->esn) {
		uint32_t hi = rte_cpu_to_be_32(seq >> 32);

		memcpy(job->aad, esp, 4);
		memcpy(job->aad + 4, &hi, 4);
		memcpy(job->aad + 8, esp + 4, 4);
		memset(job->aad + 12, 0, 4);
	} else {
		memcpy(job->aad, esp, 8);
		memset(job->aad + 8, 0, 8);
	}
}

/* What the other kinds authenticate beside what they encipher, and their nonces. */
static inline void esp_job_other(
	struct crypto_job *job, const struct esp_shape *shape, uint8_t *esp, uint64_t seq)
{
	const uint8_t *iv = esp + ESP_HEADER_LEN;
	uint16_t icv_ofs = job->cipher_ofs + job->cipher_len;
	uint16_t esp_ofs = job->cipher_ofs - shape->iv_len - ESP_HEADER_LEN;

	switch (shape->kind) {
	case ESP_GMAC:
		memcpy(job->nonce, shape->salt, 4);
		memcpy(job->nonce + 4, iv, 8);
		job->cipher_len = 0;
		if (shape->esn) {
			esp_make_room(job, esp, seq);
			esp_ofs -= 4;
		}
		job->auth_ofs = esp_ofs;
		job->auth_len = icv_ofs - esp_ofs;
		return;
	case ESP_CTR:
		memcpy(job->nonce, shape->salt, 4);
		memcpy(job->nonce + 4, iv, 8);
		memcpy(job->nonce + 12, (const uint8_t[]){0, 0, 0, 1}, 4);
		break;
	case ESP_CBC: memcpy(job->nonce, iv, 16); break;
	default: job->cipher_len = 0; break;
	}
	job->auth_ofs = esp_ofs;
	job->auth_len = icv_ofs - esp_ofs + (shape->esn ? 4 : 0);
	if (shape->high == ESP_HIGH_BEHIND)
		job->icv = job->icv_aside;
}

/* esp: the ESP header, esp_ofs behind the start of the packet's data; text_len: ciphertext without IV,
 * all in one segment. The IV stands in the packet. With ESP_HIGH_BEHIND the caller does what its
 * direction needs. */
static inline struct crypto_job *esp_job(struct rte_mbuf *m, struct crypto_session *session,
	const struct esp_shape *shape, uint8_t *esp, uint16_t esp_ofs, uint16_t text_len,
	uint64_t seq)
{
	struct crypto_job *job = crypto_job_of(m);

	job->session = session;
	job->icv = esp + ESP_HEADER_LEN + shape->iv_len + text_len;
	job->cipher_ofs = esp_ofs + ESP_HEADER_LEN + shape->iv_len;
	job->cipher_len = text_len;
	job->status = CRYPTO_PENDING;
	if (likely(shape->kind == ESP_AEAD))
		esp_job_aead(job, session, shape, esp, seq);
	else
		esp_job_other(job, shape, esp, seq);
	return job;
}

/* With ESP_HIGH_BEHIND: puts the high half of the number where the ICV stands in the packet (RFC 4303
 * 2.2.1: it is authenticated behind the trailer and not sent). */
static inline void esp_put_high(struct rte_mbuf *m, const struct crypto_job *job, uint64_t seq)
{
	uint32_t hi = rte_cpu_to_be_32(seq >> 32);

	memcpy(rte_pktmbuf_mtod_offset(m, uint8_t *, job->auth_ofs + job->auth_len - 4), &hi, 4);
}

/* Where the ICV stands in the packet. */
static inline uint8_t *esp_icv(struct rte_mbuf *m, const struct sa *sa)
{
	return rte_pktmbuf_mtod_offset(m, uint8_t *, rte_pktmbuf_data_len(m) - sa->shape.icv_len);
}
