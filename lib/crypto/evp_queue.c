/* SPDX-License-Identifier: BSD-3-Clause */
/* evp_queue.c - runs jobs through the kept contexts of OpenSSL's EVP, each at its submission. */
#include <errno.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <rte_malloc.h>
#include <string.h>

#include "evp.h"
#include "icv.h"

#define BLOCK   16 /* of AES */
#define SCRATCH 1024 /* bytes of a chain that are enciphered at once; only the last block matters */

/* Touched by its worker alone. */
struct evp_queue {
	uint16_t worker;
	/* A hash at work, by enum algorithm_hash: one that changed its algorithm would have its memory,
	 * and a counter that workers share, to change too. */
	EVP_MD_CTX *hash[HASH_SHA512 + 1];
	uint8_t scratch[SCRATCH];
};

int evp_queue_open(uint16_t worker, int socket, struct evp_queue **out, struct why *why)
{
	struct evp_queue *q =
		rte_zmalloc_socket("evp_queue", sizeof(*q), RTE_CACHE_LINE_SIZE, socket);

	if (q == NULL)
		return why_set(why, -ENOMEM, "no memory for a queue of OpenSSL");
	q->worker = worker;
	for (unsigned i = HASH_SHA1; i < RTE_DIM(q->hash); i++) {
		q->hash[i] = EVP_MD_CTX_new();
		if (q->hash[i] == NULL) {
			evp_queue_close(q);
			return why_set(why, -ENOMEM, "no memory for a hash of OpenSSL");
		}
	}
	*out = q;
	return 0;
}

void evp_queue_close(struct evp_queue *q)
{
	if (q == NULL)
		return;
	for (unsigned i = HASH_SHA1; i < RTE_DIM(q->hash); i++)
		EVP_MD_CTX_free(q->hash[i]);
	explicit_bzero(q->scratch, sizeof(q->scratch));
	rte_free(q);
}

static inline uint8_t *data_at(struct crypto_job *job, uint16_t ofs)
{
	return rte_pktmbuf_mtod_offset(crypto_job_mbuf(job), uint8_t *, ofs);
}

/* What an AEAD works on. GMAC has no text. */
struct aead_work {
	const uint8_t *aad;
	uint8_t *text;
	uint16_t aad_len, text_len;
};

static inline OSSL_PARAM icv_of(const struct evp_session *s, const struct crypto_job *job)
{
	return OSSL_PARAM_construct_octet_string(
		OSSL_CIPHER_PARAM_AEAD_TAG, job->icv, s->shape.icv_len);
}

/* Nonce, for CCM the length, and AAD; decrypting, the ICV that is to come out, too. */
static inline bool begin_aead(const struct evp_session *s, const struct crypto_job *job,
	EVP_CIPHER_CTX *ctx, const struct aead_work *work)
{
	const OSSL_PARAM icv[] = {icv_of(s, job), OSSL_PARAM_construct_end()};
	int n;

	return EVP_CipherInit_ex2(
		       ctx, NULL, NULL, job->nonce, -1, s->shape.encrypts ? NULL : icv) == 1 &&
	       (s->shape.way != EVP_WAY_CCM ||
		       EVP_CipherUpdate(ctx, NULL, &n, NULL, work->text_len) == 1) &&
	       EVP_CipherUpdate(ctx, NULL, &n, work->aad, work->aad_len) == 1;
}

/* OpenSSL compares ICVs by CRYPTO_memcmp, at the end; in CCM with the text, which it clears then. */
static inline uint8_t run_aead(struct evp_queue *q, const struct evp_session *s,
	const struct crypto_job *job, const struct aead_work *work)
{
	EVP_CIPHER_CTX *ctx = s->of_worker[q->worker].cipher;
	OSSL_PARAM icv[] = {icv_of(s, job), OSSL_PARAM_construct_end()};
	bool is_ccm = s->shape.way == EVP_WAY_CCM;
	int n;

	if (unlikely(!begin_aead(s, job, ctx, work)))
		return CRYPTO_FAILED;
	if ((work->text_len > 0 || is_ccm) &&
		unlikely(EVP_CipherUpdate(ctx, work->text, &n, work->text, work->text_len) != 1))
		return is_ccm && !s->shape.encrypts ? CRYPTO_BAD_ICV : CRYPTO_FAILED;
	if (unlikely(EVP_CipherFinal_ex(ctx, q->scratch, &n) != 1))
		return s->shape.encrypts ? CRYPTO_FAILED : CRYPTO_BAD_ICV;
	if (s->shape.encrypts && unlikely(EVP_CIPHER_CTX_get_params(ctx, icv) != 1))
		return CRYPTO_FAILED;
	return CRYPTO_OK;
}

/* RFC 2104 2. Copying a state that is kept is faster than hashing the padded key again. */
static inline bool run_hmac(
	struct evp_queue *q, const struct evp_session *s, struct crypto_job *job, uint8_t *out)
{
	EVP_MD_CTX *hash = q->hash[s->shape.hash];
	unsigned len;

	if (likely(EVP_MD_CTX_copy_ex(hash, s->hmac.inner) == 1 &&
		    EVP_DigestUpdate(hash, data_at(job, job->auth_ofs), job->auth_len) == 1 &&
		    EVP_DigestFinal_ex(hash, out, &len) == 1 &&
		    EVP_MD_CTX_copy_ex(hash, s->hmac.outer) == 1 &&
		    EVP_DigestUpdate(hash, out, len) == 1 &&
		    EVP_DigestFinal_ex(hash, out, &len) == 1))
		return true;
	/* A copy that found no memory leaves what OpenSSL 3.5 crashes on at the next. */
	EVP_MD_CTX_reset(hash);
	return false;
}

/* XCBC and CMAC: RFC 3566 4, RFC 4493 2.4. */
static bool run_cbc_mac(
	struct evp_queue *q, const struct evp_session *s, struct crypto_job *job, uint8_t *out)
{
	static const uint8_t zero[BLOCK];
	EVP_CIPHER_CTX *chain = s->of_worker[q->worker].chain;
	const uint8_t *data = data_at(job, job->auth_ofs), *with;
	uint16_t len = job->auth_len, last = len == 0 ? 0 : (len - 1) / BLOCK * BLOCK;
	uint8_t block[BLOCK] = {0};
	int n;

	if (EVP_CipherInit_ex2(chain, NULL, NULL, zero, -1, NULL) != 1)
		return false;
	for (uint16_t at = 0, piece; at < last; at += piece) {
		piece = RTE_MIN(last - at, SCRATCH);
		if (EVP_CipherUpdate(chain, q->scratch, &n, data + at, piece) != 1)
			return false;
	}
	memcpy(block, data + last, len - last);
	if (len - last < BLOCK)
		block[len - last] = 0x80;
	with = len - last < BLOCK ? s->last.padded : s->last.whole;
	for (unsigned i = 0; i < BLOCK; i++)
		block[i] ^= with[i];
	return EVP_CipherUpdate(chain, out, &n, block, BLOCK) == 1;
}

static inline bool authenticate(
	struct evp_queue *q, const struct evp_session *s, struct crypto_job *job, uint8_t *out)
{
	return s->shape.way == EVP_WAY_HMAC ? run_hmac(q, s, job, out)
					    : run_cbc_mac(q, s, job, out);
}

/* No EVP_CipherFinal_ex(): there is no padding, and nothing is left of whole blocks. */
static inline bool encipher(
	struct evp_queue *q, const struct evp_session *s, struct crypto_job *job)
{
	EVP_CIPHER_CTX *ctx = s->of_worker[q->worker].cipher;
	uint8_t *text = data_at(job, job->cipher_ofs);
	int n;

	if (job->cipher_len == 0)
		return true;
	return EVP_CipherInit_ex2(ctx, NULL, NULL, job->nonce, -1, NULL) == 1 &&
	       EVP_CipherUpdate(ctx, text, &n, text, job->cipher_len) == 1;
}

/* RFC 4303 3.3.2 and 3.4.4: encrypt, then authenticate; verify, then decrypt. */
static inline uint8_t run_pair(
	struct evp_queue *q, const struct evp_session *s, struct crypto_job *job)
{
	uint8_t computed[EVP_MAX_MD_SIZE];

	if (unlikely((job->cipher_len & s->shape.block_mask) != 0))
		return CRYPTO_FAILED;
	if (s->shape.encrypts) {
		if (unlikely(!encipher(q, s, job) || !authenticate(q, s, job, computed)))
			return CRYPTO_FAILED;
		memcpy(job->icv, computed, s->shape.icv_len);
		return CRYPTO_OK;
	}
	if (unlikely(!authenticate(q, s, job, computed)))
		return CRYPTO_FAILED;
	if (unlikely(icv_differs(computed, job->icv, s->shape.icv_len)))
		return CRYPTO_BAD_ICV;
	return likely(encipher(q, s, job)) ? CRYPTO_OK : CRYPTO_FAILED;
}

static inline uint8_t run(struct evp_queue *q, struct crypto_job *job)
{
	const struct evp_session *s = evp_session_of(job->session);
	struct aead_work work;

	switch (s->shape.way) {
	case EVP_WAY_AEAD:
	case EVP_WAY_CCM:
		work = (struct aead_work){job->aad_at, data_at(job, job->cipher_ofs),
			s->shape.aad_len, job->cipher_len};
		return run_aead(q, s, job, &work);
	case EVP_WAY_GMAC:
		work = (struct aead_work){
			.aad = data_at(job, job->auth_ofs), .aad_len = job->auth_len};
		return run_aead(q, s, job, &work);
	default: return run_pair(q, s, job);
	}
}

void evp_queue_run(struct evp_queue *q, struct crypto_job **jobs, uint16_t n)
{
	for (uint16_t i = 0; i < n; i++)
		jobs[i]->status = run(q, jobs[i]);
}
