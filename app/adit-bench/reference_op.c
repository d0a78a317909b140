/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_op.c - bare cryptodev operations: nothing is done to a packet but what they do. */
#include <errno.h>
#include <stdlib.h>

#include "reference_device.h"

static int open_ops(struct reference *r, struct why *why)
{
	r->own = calloc(1, sizeof(struct reference_device));
	if (r->own == NULL)
		return why_set(why, -ENOMEM, "no memory for %s", r->way->name);
	return reference_device_open(r->own, r, r->way->name, why);
}

static void close_ops(struct reference *r)
{
	if (r->own != NULL)
		reference_device_close(r->own, r);
	free(r->own);
}

/* Where the operation finds all from the start of the packet's data on. */
static __rte_always_inline void place(const struct reference *r, bool is_inbound,
	const struct reference_task *t, struct rte_mbuf *m, struct rte_crypto_sym_op *sym)
{
	uint8_t before = REFERENCE_ESP_LEN + r->shape.iv_len; /* the text, when HMAC covers it */

	if (!is_inbound) {
		if (!r->shape.is_aead) {
			m->data_off += RTE_ETHER_HDR_LEN;
			m->data_off -= before;
		}
		m->data_len =
			t->text + t->text_len + r->shape.icv_len - rte_pktmbuf_mtod(m, uint8_t *);
		m->pkt_len = m->data_len;
	}
	if (r->shape.is_aead) {
		sym->aead.data.offset = t->text - rte_pktmbuf_mtod(m, uint8_t *);
		sym->aead.data.length = t->text_len;
		sym->aead.digest.data = t->text + t->text_len;
		return;
	}
	sym->cipher.data.offset = t->text - rte_pktmbuf_mtod(m, uint8_t *);
	sym->cipher.data.length = t->text_len;
	sym->auth.data.offset = sym->cipher.data.offset - before;
	sym->auth.data.length = t->text_len + before;
	sym->auth.digest.data = t->text + t->text_len;
}

static __rte_always_inline uint16_t run(
	struct reference *r, bool is_inbound, uint16_t worker, struct rte_mbuf *pkt[], uint16_t n)
{
	const struct reference_device *d = r->own;
	struct crypto_session *const *session =
		d->session[is_inbound ? CRYPTO_DECRYPT : CRYPTO_ENCRYPT];
	struct rte_crypto_op *op[REFERENCE_BURST_MAX];

	for (uint16_t i = 0; i < n; i++) {
		struct reference_task t = reference_task_of(r, is_inbound, pkt[i]);
		const struct crypto_session *s = session[t.sa];
		struct crypto_job *slot = &d->slot[worker][i];

		op[i] = &slot->op;
		slot->op.raw = s->op_raw;
		slot->sym.m_src = pkt[i];
		slot->sym.session = s->dev_session[worker];
		if (r->shape.is_aead)
			slot->sym.aead.aad.data = is_inbound ? t.esp : slot->aad;
		reference_nonce(
			r, is_inbound, &t, d->salt[t.sa], ++r->count[worker].sent, slot->nonce);
		place(r, is_inbound, &t, pkt[i], &slot->sym);
	}
	return n - reference_device_run(d, worker, op, n);
}

static uint16_t run_ops(
	struct reference *r, bool is_inbound, uint16_t worker, struct rte_mbuf *pkt[], uint16_t n)
{
	return is_inbound ? run(r, true, worker, pkt, n) : run(r, false, worker, pkt, n);
}

#define OP_WAY(device)                                                                             \
	{                                                                                          \
		.name = (device), .open = open_ops, .close = close_ops, .run = run_ops             \
	}

const struct reference_way reference_op_gcm = OP_WAY("crypto_aesni_gcm");
const struct reference_way reference_op_mb = OP_WAY("crypto_aesni_mb");
const struct reference_way reference_op_openssl = OP_WAY("crypto_openssl");
