/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_mb_jobs.c - intel-ipsec-mb by bursts of jobs, whose fixed fields are written once. */
#include <errno.h>

#include "icv.h"
#include "reference_mb.h"

static const struct {
	enum algorithm_family family;
	IMB_CIPHER_MODE mode;
} ciphers[] = {
	{ALGORITHM_GCM, IMB_CIPHER_GCM},
	{ALGORITHM_CHACHAPOLY, IMB_CIPHER_CHACHA20_POLY1305},
	{ALGORITHM_CBC, IMB_CIPHER_CBC},
	{ALGORITHM_CTR, IMB_CIPHER_CNTR},
};

static IMB_CIPHER_MODE mode_of(const struct algorithm *a)
{
	unsigned i = 0;

	while (ciphers[i].family != a->family)
		i++;
	return ciphers[i].mode;
}

static IMB_HASH_ALG hash_of(const struct suite *s)
{
	if (s->aead != NULL)
		return s->aead->family == ALGORITHM_GCM ? IMB_AUTH_AES_GMAC
							: IMB_AUTH_CHACHA20_POLY1305;
	switch (s->auth->hash) {
	case HASH_SHA1: return IMB_AUTH_HMAC_SHA_1;
	case HASH_SHA256: return IMB_AUTH_HMAC_SHA_256;
	case HASH_SHA384: return IMB_AUTH_HMAC_SHA_384;
	default: return IMB_AUTH_HMAC_SHA_512;
	}
}

/* What stays in a job from burst to burst. The library leaves it alone. */
static void stamp(IMB_MGR *m, const struct reference_side *side, IMB_JOB *job)
{
	const struct reference *r = side->reference;
	const struct algorithm *a = r->suite.aead != NULL ? r->suite.aead : r->suite.cipher;

	*job = (IMB_JOB){
		.key_len_in_bytes = a->key_len,
		.iv_len_in_bytes = r->shape.is_aead ? 12 : 16,
		.auth_tag_output_len_in_bytes = r->shape.icv_len,
		.cipher_mode = mode_of(a),
		.hash_alg = hash_of(&r->suite),
		.cipher_direction = side->is_inbound ? IMB_DIR_DECRYPT : IMB_DIR_ENCRYPT,
		.chain_order = side->is_inbound ? IMB_ORDER_HASH_CIPHER : IMB_ORDER_CIPHER_HASH,
		.user_data = (void *)(uintptr_t)side,
	};
#if IMB_VERSION_NUM >= IMB_VERSION(1, 4, 0)
	imb_set_session(m, job);
#else
	(void)m;
#endif
}

static __rte_always_inline void fill(const struct reference *r, bool is_inbound,
	const struct reference_task *t, const struct reference_mb_key *key, IMB_JOB *job)
{
	static const uint8_t no_header[REFERENCE_ESP_LEN];
	const uint8_t *aad = is_inbound ? t->esp : no_header;

	switch (job->hash_alg) {
	case IMB_AUTH_AES_GMAC:
		job->enc_keys = job->dec_keys = &key->gcm;
		job->u.GCM.aad = aad;
		job->u.GCM.aad_len_in_bytes = REFERENCE_ESP_LEN;
		break;
	case IMB_AUTH_CHACHA20_POLY1305:
		job->enc_keys = job->dec_keys = key->encrypt;
		job->u.CHACHA20_POLY1305.aad = aad;
		job->u.CHACHA20_POLY1305.aad_len_in_bytes = REFERENCE_ESP_LEN;
		job->msg_len_to_hash_in_bytes = t->text_len;
		break;
	default:
		job->enc_keys = key->encrypt;
		job->dec_keys = key->decrypt;
		job->u.HMAC._hashed_auth_key_xor_ipad = key->inner;
		job->u.HMAC._hashed_auth_key_xor_opad = key->outer;
		job->cipher_start_src_offset_in_bytes = REFERENCE_ESP_LEN + r->shape.iv_len;
		job->msg_len_to_hash_in_bytes = REFERENCE_ESP_LEN + r->shape.iv_len + t->text_len;
	}
	job->src = r->shape.is_aead ? t->text : t->esp;
	job->dst = t->text;
	job->msg_len_to_cipher_in_bytes = t->text_len;
}

/* The jobs of a burst, as the library wants them. */
static __rte_always_inline void take_jobs(
	const struct reference *r, struct reference_mb_worker *w, IMB_JOB *job[], uint16_t n)
{
	if (r->shape.is_aead) {
		IMB_GET_NEXT_BURST(w->manager, n, job); /* it is empty, so it has room */
		return;
	}
	for (uint16_t i = 0; i < n; i++)
		job[i] = &w->job[i];
}

/* An AEAD goes through the manager's queue. A cipher and a hash in two calls, each over all packets, are
 * faster than the queue by a tenth. They come back in the order they went in. */
static __rte_always_inline uint32_t run_jobs_of(const struct reference *r, bool is_inbound,
	struct reference_mb_worker *w, IMB_JOB *job[], uint16_t n)
{
	IMB_JOB *first = job[0];
	uint32_t done;

	if (r->shape.is_aead) {
		done = IMB_SUBMIT_BURST_NOCHECK(w->manager, n, job);
		return done == n ? n : done + IMB_FLUSH_BURST(w->manager, n - done, job + done);
	}
	if (is_inbound)
		IMB_SUBMIT_HASH_BURST_NOCHECK(w->manager, first, n, first->hash_alg);
	done = IMB_SUBMIT_CIPHER_BURST_NOCHECK(w->manager, first, n, first->cipher_mode,
		first->cipher_direction, first->key_len_in_bytes);
	if (!is_inbound)
		done = IMB_SUBMIT_HASH_BURST_NOCHECK(w->manager, first, n, first->hash_alg);
	return done;
}

/* Up to what the library takes at once. */
static __rte_always_inline uint16_t run(
	struct reference *r, bool is_inbound, uint16_t worker, struct rte_mbuf *pkt[], uint16_t n)
{
	const struct reference_mb *mb = r->own;
	struct reference_mb_worker *w = mb->worker[worker];
	const struct reference_side *side = &r->side[is_inbound];
	IMB_JOB *job[IMB_MAX_BURST_SIZE];
	const uint8_t *icv[IMB_MAX_BURST_SIZE];
	uint16_t failed = 0;
	uint32_t done;

	take_jobs(r, w, job, n);
	for (uint16_t i = 0; i < n; i++) {
		struct reference_task t = reference_task_of(r, is_inbound, pkt[i]);
		const struct reference_mb_key *key = &mb->key[t.sa];

		if (unlikely(job[i]->user_data != side))
			stamp(w->manager, side, job[i]);
		reference_nonce(r, is_inbound, &t, key->salt, ++r->count[worker].sent, w->nonce[i]);
		fill(r, is_inbound, &t, key, job[i]);
		job[i]->iv = w->nonce[i];
		icv[i] = t.text + t.text_len;
		job[i]->auth_tag_output = is_inbound ? w->icv[i] : t.text + t.text_len;
	}
	done = run_jobs_of(r, is_inbound, w, job, n);
	for (uint16_t i = 0; i < done; i++) {
		if (unlikely(job[i]->status != IMB_STATUS_COMPLETED))
			failed++;
		else if (is_inbound)
			failed += icv_differs(w->icv[i], icv[i], r->shape.icv_len);
	}
	return failed + n - done;
}

static uint16_t run_jobs(
	struct reference *r, bool is_inbound, uint16_t worker, struct rte_mbuf *pkt[], uint16_t n)
{
	uint16_t failed = 0;

	for (uint16_t at = 0; at < n; at += IMB_MAX_BURST_SIZE) {
		uint16_t part = RTE_MIN(n - at, IMB_MAX_BURST_SIZE);

		failed += is_inbound ? run(r, true, worker, pkt + at, part)
				     : run(r, false, worker, pkt + at, part);
	}
	return failed;
}

const struct reference_way reference_mb_jobs = {
	.name = "ipsec-mb jobs",
	.open = reference_mb_open,
	.close = reference_mb_close,
	.run = run_jobs,
};
