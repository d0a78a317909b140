/* SPDX-License-Identifier: BSD-3-Clause */
/* mb_queue.c - runs jobs through intel-ipsec-mb at submission, bursts across sessions, and compares
 * the ICVs itself, in constant time. */
#include <errno.h>
#include <rte_malloc.h>

#include "icv.h"
#include "mb.h"

#define CHUNK    64 /* jobs that fill the lanes together */
#define ICV_MAX  32 /* of HMAC-SHA2-512-256 */
#define HASH_MAX 65534 /* bytes that the lanes of the library can count */

/* Touched by its worker alone. */
struct mb_queue {
	IMB_MGR *manager;
	aes_gcm_enc_dec_t gcm[2][3]; /* by enum crypto_direction and key length */
	struct gcm_context_data gcm_state; /* scratch of one call */
	alignas(RTE_CACHE_LINE_SIZE) uint8_t computed[CHUNK][ICV_MAX];
	IMB_JOB job[CHUNK];
};

int mb_queue_open(int socket, struct mb_queue **out, struct why *why)
{
	struct mb_queue *q =
		rte_zmalloc_socket("mb_queue", sizeof(*q), RTE_CACHE_LINE_SIZE, socket);
	const IMB_MGR *m;
	int rc;

	if (q == NULL)
		return why_set(why, -ENOMEM, "no memory for a queue of intel-ipsec-mb");
	rc = mb_manager_open(socket, &q->manager, why);
	if (rc < 0) {
		rte_free(q);
		return rc;
	}
	m = q->manager;
	q->gcm[CRYPTO_ENCRYPT][0] = m->gcm128_enc;
	q->gcm[CRYPTO_ENCRYPT][1] = m->gcm192_enc;
	q->gcm[CRYPTO_ENCRYPT][2] = m->gcm256_enc;
	q->gcm[CRYPTO_DECRYPT][0] = m->gcm128_dec;
	q->gcm[CRYPTO_DECRYPT][1] = m->gcm192_dec;
	q->gcm[CRYPTO_DECRYPT][2] = m->gcm256_dec;
	*out = q;
	return 0;
}

void mb_queue_close(struct mb_queue *q)
{
	if (q == NULL)
		return;
	mb_manager_close(q->manager);
	rte_free(q);
}

static inline uint8_t *data_of(struct crypto_job *job)
{
	return rte_pktmbuf_mtod(crypto_job_mbuf(job), uint8_t *);
}

/* Encrypting, the library has put the ICV in its place; decrypting, only here it is known. */
static inline uint8_t verdict(
	const struct mb_session *s, const struct crypto_job *job, const uint8_t *computed)
{
	if (s->direction == IMB_DIR_DECRYPT && icv_differs(computed, job->icv, s->icv_len))
		return CRYPTO_BAD_ICV;
	return CRYPTO_OK;
}

static inline aes_gcm_enc_dec_t gcm_call(const struct mb_queue *q, const struct mb_session *s)
{
	bool decrypt = s->direction == IMB_DIR_DECRYPT;

	return q->gcm[decrypt ? CRYPTO_DECRYPT : CRYPTO_ENCRYPT][s->key_len / 8 - 2];
}

#define AHEAD 3 /* jobs whose keys are asked for before they are needed */

/* The round keys, and as many powers of the hash key as the text has blocks: they end with the first
 * power. */
static inline void prefetch_gcm_keys(const struct crypto_job *job)
{
	const uint8_t *keys = mb_session_keys(job->session);
	const uint8_t *end = keys + sizeof(struct gcm_key_data);
	size_t powers = RTE_MIN(job->cipher_len + 64u, 48u * 16);

	for (const uint8_t *k = keys; k < keys + 176; k += RTE_CACHE_LINE_SIZE)
		rte_prefetch0(k);
	for (const uint8_t *k = end - powers; k < end; k += RTE_CACHE_LINE_SIZE)
		rte_prefetch0(k);
}

/* Jobs of one session from the first on; how many. */
static uint16_t run_gcm(struct mb_queue *q, struct crypto_job **jobs, uint16_t n)
{
	const struct crypto_session *session = jobs[0]->session;
	const struct mb_session s = *mb_session_of(session);
	aes_gcm_enc_dec_t call = gcm_call(q, &s);
	bool decrypt = s.direction == IMB_DIR_DECRYPT;
	uint16_t i = 0;

	do {
		struct crypto_job *job = jobs[i];
		uint8_t *text = data_of(job) + job->cipher_ofs;

		call(mb_session_keys(session), &q->gcm_state, text, text, job->cipher_len,
			job->nonce, job->aad_at, s.aad_len, decrypt ? q->computed[0] : job->icv,
			s.icv_len);
		job->status = verdict(&s, job, q->computed[0]);
		i++;
	} while (i < n && jobs[i]->session == session);
	return i;
}

static void run_gmac(struct mb_queue *q, const struct mb_session *s, struct crypto_job *job)
{
	uint8_t *covered = data_of(job) + job->auth_ofs;
	uint8_t *icv = s->direction == IMB_DIR_DECRYPT ? q->computed[0] : job->icv;

	q->gcm[CRYPTO_ENCRYPT][s->key_len / 8 - 2](mb_session_keys(job->session), &q->gcm_state,
		covered, covered, 0, job->nonce, covered, job->auth_len, icv, s->icv_len);
	job->status = verdict(s, job, icv);
}

static inline void fill_hmac(IMB_JOB *to, const struct mb_keys *keys)
{
	to->u.HMAC._hashed_auth_key_xor_ipad = keys->auth.hmac.inner;
	to->u.HMAC._hashed_auth_key_xor_opad = keys->auth.hmac.outer;
}

/* Everything but what the hash wants for its own. */
static inline void fill(IMB_JOB *to, struct crypto_job *job, uint8_t *computed)
{
	const struct mb_session *s = mb_session_of(job->session);
	const struct mb_keys *keys = mb_session_keys(job->session);

	to->enc_keys = keys->cipher;
	to->dec_keys = keys->cipher;
	to->key_len_in_bytes = s->key_len;
	to->src = data_of(job);
	to->dst = data_of(job) + job->cipher_ofs;
	to->cipher_start_src_offset_in_bytes = job->cipher_ofs;
	to->msg_len_to_cipher_in_bytes = job->cipher_len;
	to->hash_start_src_offset_in_bytes = job->auth_ofs;
	to->msg_len_to_hash_in_bytes = job->auth_len;
	to->iv = job->nonce;
	to->iv_len_in_bytes = s->iv_len;
	to->auth_tag_output = s->direction == IMB_DIR_ENCRYPT ? job->icv : computed;
	to->auth_tag_output_len_in_bytes = s->icv_len;
	to->status = IMB_STATUS_BEING_PROCESSED;
	to->cipher_mode = s->cipher;
	to->cipher_direction = s->direction;
	to->hash_alg = s->hash;
	to->chain_order = s->order;
	to->user_data = job;
}

static void fill_other(IMB_JOB *to, struct crypto_job *job, uint8_t *computed)
{
	const struct mb_session *s = mb_session_of(job->session);
	const struct mb_keys *keys = mb_session_keys(job->session);

	fill(to, job, computed);
	switch (s->hash) {
	case IMB_AUTH_AES_CCM:
		to->u.CCM.aad = job->aad_at;
		to->u.CCM.aad_len_in_bytes = s->aad_len;
		break;
	case IMB_AUTH_CHACHA20_POLY1305:
		to->u.CHACHA20_POLY1305.aad = job->aad_at;
		to->u.CHACHA20_POLY1305.aad_len_in_bytes = s->aad_len;
		break;
	case IMB_AUTH_AES_XCBC:
		to->u.XCBC._k1_expanded = keys->auth.xcbc.rounds;
		to->u.XCBC._k2 = keys->auth.xcbc.k2;
		to->u.XCBC._k3 = keys->auth.xcbc.k3;
		break;
	case IMB_AUTH_AES_CMAC:
		to->u.CMAC._key_expanded = keys->auth.cmac.rounds;
		to->u.CMAC._skey1 = keys->auth.cmac.k2;
		to->u.CMAC._skey2 = keys->auth.cmac.k3;
		break;
	default: fill_hmac(to, keys);
	}
	if (job->session->is_aead) {
		to->hash_start_src_offset_in_bytes = job->cipher_ofs;
		to->msg_len_to_hash_in_bytes = job->cipher_len;
	} else if (job->cipher_len == 0) {
		to->cipher_mode = IMB_CIPHER_NULL; /* the library refuses to cipher nothing */
	}
}

static void finish(const IMB_JOB *from)
{
	struct crypto_job *job = from->user_data;

	if (likely(from->status == IMB_STATUS_COMPLETED))
		job->status = verdict(mb_session_of(job->session), job, from->auth_tag_output);
	else
		job->status = CRYPTO_FAILED;
}

/* By the manager's own queue, which takes any mixture and checks each job: one that it refuses
 * comes back as invalid and stops no other. */
static void run_others(struct mb_queue *q, struct crypto_job **jobs, uint16_t n)
{
	IMB_JOB *at;

	for (uint16_t i = 0; i < n; i++) {
		fill_other(IMB_GET_NEXT_JOB(q->manager), jobs[i], q->computed[i]);
		for (at = IMB_SUBMIT_JOB(q->manager); at != NULL;
			at = IMB_GET_COMPLETED_JOB(q->manager))
			finish(at);
	}
	while ((at = IMB_FLUSH_JOB(q->manager)) != NULL)
		finish(at);
}

static bool run_cipher(struct mb_queue *q, const struct mb_session *s, uint16_t n)
{
	return s->cipher == IMB_CIPHER_NULL || IMB_SUBMIT_CIPHER_BURST_NOCHECK(q->manager, q->job,
						       n, s->cipher, s->direction, s->key_len) == n;
}

static bool run_hash(struct mb_queue *q, const struct mb_session *s, uint16_t n)
{
	return IMB_SUBMIT_HASH_BURST_NOCHECK(q->manager, q->job, n, s->hash) == n;
}

/* Jobs of one group: a call for the ciphers, a call for the hashes. Leaves the library's checks
 * out: fits_burst() has looked at what could be wrong. */
static void run_burst(struct mb_queue *q, struct crypto_job **jobs, uint16_t n)
{
	const struct mb_session *first = mb_session_of(jobs[0]->session);
	bool done;

	for (uint16_t i = 0; i < n; i++) {
		fill(&q->job[i], jobs[i], q->computed[i]);
		fill_hmac(&q->job[i], mb_session_keys(jobs[i]->session));
	}
	if (first->direction == IMB_DIR_ENCRYPT)
		done = run_cipher(q, first, n) && run_hash(q, first, n);
	else
		done = run_hash(q, first, n) && run_cipher(q, first, n);
	for (uint16_t i = 0; i < n; i++)
		jobs[i]->status =
			done ? verdict(mb_session_of(jobs[i]->session), jobs[i], q->computed[i])
			     : CRYPTO_FAILED;
}

/* Runs those of the first one's group; the others are in front then, and their number returns. */
static uint16_t run_group(struct mb_queue *q, struct crypto_job **jobs, uint16_t n)
{
	uint32_t group = mb_session_of(jobs[0]->session)->group;
	struct crypto_job *its[CHUNK];
	uint16_t n_its = 0, others = 0;

	for (uint16_t i = 0; i < n; i++) {
		if (likely(mb_session_of(jobs[i]->session)->group == group))
			its[n_its++] = jobs[i];
		else
			jobs[others++] = jobs[i];
	}
	run_burst(q, its, n_its);
	return others;
}

static inline bool fits_burst(const struct mb_session *s, const struct crypto_job *job)
{
	return s->way == MB_BURST && (job->cipher_len & s->block_mask) == 0 &&
	       (job->cipher_len > 0 || s->cipher == IMB_CIPHER_NULL) && job->auth_len > 0 &&
	       job->auth_len <= HASH_MAX;
}

static void run_chunk(struct mb_queue *q, struct crypto_job **jobs, uint16_t n)
{
	struct crypto_job *burst[CHUNK], *other[CHUNK];
	uint16_t n_burst = 0, n_other = 0;

	for (uint16_t i = 0; i < n;) {
		const struct mb_session *s = mb_session_of(jobs[i]->session);

		if (s->way == MB_GCM) {
			if (i + AHEAD < n && jobs[i + AHEAD]->session != jobs[i]->session)
				prefetch_gcm_keys(jobs[i + AHEAD]);
			i += run_gcm(q, jobs + i, n - i);
			continue;
		}
		if (likely(fits_burst(s, jobs[i])))
			burst[n_burst++] = jobs[i];
		else if (s->way == MB_GMAC)
			run_gmac(q, s, jobs[i]);
		else
			other[n_other++] = jobs[i];
		i++;
	}
	while (n_burst > 0)
		n_burst = run_group(q, burst, n_burst);
	if (n_other > 0)
		run_others(q, other, n_other);
}

void mb_queue_run(struct mb_queue *q, struct crypto_job **jobs, uint16_t n)
{
	for (uint16_t at = 0; at < n; at += CHUNK)
		run_chunk(q, jobs + at, RTE_MIN(n - at, CHUNK));
}
