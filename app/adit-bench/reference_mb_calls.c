/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_mb_calls.c - AES-GCM of intel-ipsec-mb by its call for one packet. */
#include <errno.h>

#include "icv.h"
#include "reference_mb.h"

static int open_calls(struct reference *r, struct why *why)
{
	if (r->suite.aead == NULL || r->suite.aead->family != ALGORITHM_GCM)
		return why_set(
			why, -ENOTSUP, "intel-ipsec-mb has calls for one packet with GCM only");
	return reference_mb_open(r, why);
}

static aes_gcm_enc_dec_t call_of(const IMB_MGR *m, uint8_t key_len, bool is_inbound)
{
	switch (key_len) {
	case IMB_KEY_128_BYTES: return is_inbound ? m->gcm128_dec : m->gcm128_enc;
	case IMB_KEY_192_BYTES: return is_inbound ? m->gcm192_dec : m->gcm192_enc;
	default: return is_inbound ? m->gcm256_dec : m->gcm256_enc;
	}
}

static __rte_always_inline uint16_t run(
	struct reference *r, bool is_inbound, uint16_t worker, struct rte_mbuf *pkt[], uint16_t n)
{
	static const uint8_t no_header[REFERENCE_ESP_LEN];
	const struct reference_mb *mb = r->own;
	struct reference_mb_worker *w = mb->worker[worker];
	aes_gcm_enc_dec_t call = call_of(w->manager, r->suite.aead->key_len, is_inbound);
	struct reference_task task[REFERENCE_BURST_MAX];
	uint8_t icv_len = r->shape.icv_len;
	uint16_t failed = 0;

	/* All nonces first: one that is read at once, wider than it was written, waits until the packet
	 * before it is done. */
	for (uint16_t i = 0; i < n; i++) {
		task[i] = reference_task_of(r, is_inbound, pkt[i]);
		reference_nonce(r, is_inbound, &task[i], mb->key[task[i].sa].salt,
			++r->count[worker].sent, w->nonce[i]);
	}
	for (uint16_t i = 0; i < n; i++) {
		const struct reference_task *t = &task[i];
		uint8_t *icv = t->text + t->text_len;

		call(&mb->key[t->sa].gcm, &w->gcm, t->text, t->text, t->text_len, w->nonce[i],
			is_inbound ? t->esp : no_header, REFERENCE_ESP_LEN,
			is_inbound ? w->icv[i] : icv, icv_len);
	}
	for (uint16_t i = 0; is_inbound && i < n; i++)
		failed += icv_differs(w->icv[i], task[i].text + task[i].text_len, icv_len);
	return failed;
}

static uint16_t run_calls(
	struct reference *r, bool is_inbound, uint16_t worker, struct rte_mbuf *pkt[], uint16_t n)
{
	return is_inbound ? run(r, true, worker, pkt, n) : run(r, false, worker, pkt, n);
}

const struct reference_way reference_mb_calls = {
	.name = "ipsec-mb calls",
	.open = open_calls,
	.close = reference_mb_close,
	.run = run_calls,
};
