/* SPDX-License-Identifier: BSD-3-Clause */
/* lint.c - holds every op to what QAT demands of it, so that software devices, which forgive much,
 * prove something about a card.
 *
 * Demands are those of DPDK 22.11.11's drivers/crypto/qat and of its guide: the card reads and writes
 * by DMA at the IOVAs that the op names, in whole blocks, and in place. */
#include <rte_cryptodev.h>
#include <rte_mbuf.h>
#include <rte_memory.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "watch.h"

#define SEGMENTS_MAX 16 /* QAT_SYM_SGL_MAX_NUMBER */
#define GCM_AAD_MAX  240
#define GMAC_MAX     16383 /* QAT_AES_GMAC_SPC_MAX_SIZE */
#define CCM_AAD_MAX  224
#define CCM_HEAD     18 /* where QAT builds B0 and the AAD's length, before the AAD */
#define CCM_COUNTER  4 /* 15 less the nonce: bytes of B0 that hold the text's length */

/* The op that is looked at, and the first thing that is wrong with it. */
struct look {
	const struct rte_crypto_op *op;
	const struct rte_mbuf *m;
	struct watched_session session;
	char wrong[200];
};

/* Bytes that the device reads or writes. */
struct area {
	const char *name;
	const uint8_t *at;
	uint32_t len;
};

/* Leaves the function: the op breaks a rule. */
#define DEMAND(claim, ...)                                                                         \
	do {                                                                                       \
		if (!(claim))                                                                      \
			return broken(l, __VA_ARGS__);                                             \
	} while (0)

__attribute__((format(printf, 2, 3))) static bool broken(struct look *l, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(l->wrong, sizeof(l->wrong), format, args);
	va_end(args);
	return false;
}

static bool is_within(const struct area *a, const void *start, uint32_t len)
{
	return a->at >= (const uint8_t *)start && a->at + a->len <= (const uint8_t *)start + len;
}

/* What lies before the packet and is the application's. */
static bool is_private(const struct look *l, const struct area *a)
{
	return is_within(a, l->m + 1, l->m->priv_size);
}

/* The IOVA that the EAL knows of this byte. */
static rte_iova_t iova_of(const uint8_t *at)
{
	const struct rte_memseg *seg = rte_mem_virt2memseg(at, NULL);

	return seg != NULL ? seg->iova + RTE_PTR_DIFF(at, seg->addr) : RTE_BAD_IOVA;
}

static bool has_iova(struct look *l, const struct area *a, rte_iova_t iova)
{
	rte_iova_t first = iova_of(a->at);

	DEMAND(first != RTE_BAD_IOVA, "the %s at %p is in no memory of the EAL", a->name, a->at);
	DEMAND(iova == first, "the IOVA of the %s is %#" PRIx64 ", the EAL has it at %#" PRIx64,
		a->name, iova, first);
	DEMAND(a->len == 0 || iova_of(a->at + a->len - 1) == first + a->len - 1,
		"the %s of %u bytes at %p is not in one piece for the device", a->name, a->len,
		a->at);
	return true;
}

static bool are_apart(struct look *l, const struct area *a, const struct area *b)
{
	DEMAND(a->at + a->len <= b->at || b->at + b->len <= a->at,
		"the %s at %p + %u and the %s at %p + %u overlap", a->name, a->at, a->len, b->name,
		b->at, b->len);
	return true;
}

static bool op_is_right(struct look *l)
{
	const struct rte_crypto_op *op = l->op;
	struct area a = {"op", (const void *)op, sizeof(*op) + sizeof(*op->sym)};

	DEMAND(op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC, "the op's type is %u", op->type);
	DEMAND(op->status == RTE_CRYPTO_OP_STATUS_NOT_PROCESSED,
		"the op's status is %u before it is processed", op->status);
	DEMAND(op->sess_type == RTE_CRYPTO_OP_WITH_SESSION, "the op has no session but kind %u",
		op->sess_type);
	DEMAND(op->sym->m_src != NULL, "the op has no packet");
	DEMAND(op->sym->m_dst == NULL, "the op is not in place");
	l->m = op->sym->m_src;
	DEMAND(is_private(l, &a), "the op at %p is not in the private area of its packet at %p",
		(const void *)op, (const void *)l->m);
	return has_iova(l, &a, op->phys_addr);
}

static bool packet_is_right(struct look *l)
{
	uint32_t len = 0, n = 0;

	DEMAND(l->m->nb_segs <= SEGMENTS_MAX, "the packet has %u segments", l->m->nb_segs);
	for (const struct rte_mbuf *s = l->m; s != NULL; s = s->next, n++) {
		struct area a = {"buffer", s->buf_addr, s->buf_len};

		DEMAND(RTE_MBUF_DIRECT(s), "segment %u does not own its data", n);
		DEMAND(rte_mbuf_refcnt_read(s) == 1, "segment %u is shared by %u", n,
			rte_mbuf_refcnt_read(s));
		DEMAND(s->data_off + s->data_len <= s->buf_len, "segment %u is past its buffer", n);
		if (!has_iova(l, &a, rte_mbuf_iova_get(s)))
			return false;
		len += s->data_len;
	}
	DEMAND(n == l->m->nb_segs && len == l->m->pkt_len,
		"the packet says %u bytes in %u segments and has %u in %u", l->m->pkt_len,
		l->m->nb_segs, len, n);
	return true;
}

static bool session_is_right(struct look *l, uint16_t dev_id)
{
	const void *session = l->op->sym->session;
	struct area a = {"session", session, 1};

	DEMAND(watch_session_find(session, &l->session) == 0, "nobody made the session at %p",
		session);
	DEMAND(l->session.dev_id == dev_id, "the session is of device %u", l->session.dev_id);
	return has_iova(l, &a, iova_of(a.at));
}

/* The part of the packet that is ciphered or hashed: it starts in the first segment, which is the
 * only one here, as ESP is built and opened in one. */
static bool find_part(
	struct look *l, const char *name, uint32_t offset, uint32_t len, struct area *out)
{
	DEMAND(offset < l->m->data_len && len <= l->m->data_len - offset,
		"the %s part at %u + %u is not in the packet of %u bytes", name, offset, len,
		l->m->data_len);
	*out = (struct area){name, rte_pktmbuf_mtod_offset(l->m, const uint8_t *, offset), len};
	return true;
}

static bool find_iv(
	struct look *l, uint32_t offset, uint32_t len, uint32_t demanded, struct area *out)
{
	*out = (struct area){"IV", (const uint8_t *)l->op + offset, len};
	DEMAND(len == demanded, "the IV has %u bytes instead of %u", len, demanded);
	DEMAND(is_private(l, out) && offset >= sizeof(*l->op) + sizeof(*l->op->sym),
		"the IV at %u + %u from the op is not behind it in the private area", offset, len);
	return true;
}

static bool find_digest(
	struct look *l, const uint8_t *at, rte_iova_t iova, uint32_t len, struct area *out)
{
	const struct rte_mbuf *last = rte_pktmbuf_lastseg((struct rte_mbuf *)l->m);

	*out = (struct area){"digest", at, len};
	DEMAND(is_private(l, out) ||
			is_within(out, rte_pktmbuf_mtod(last, const void *), last->data_len),
		"the digest at %p + %u is neither in the last segment nor in the private area", at,
		len);
	return has_iova(l, out, iova);
}

/* The device reads whole blocks. */
static bool find_aad(struct look *l, uint32_t len, uint32_t len_max, struct area *out)
{
	*out = (struct area){"AAD", l->op->sym->aead.aad.data, RTE_ALIGN(len, 16)};
	DEMAND(len <= len_max, "the AAD has %u bytes", len);
	DEMAND(is_private(l, out), "the AAD at %p + %u is not in the private area", out->at,
		out->len);
	for (uint32_t i = len; i < out->len; i++)
		DEMAND(out->at[i] == 0, "byte %u behind the AAD's %u is %#x, not 0", i, len,
			out->at[i]);
	return has_iova(l, out, l->op->sym->aead.aad.phys_addr);
}

/* QAT writes B0, the nonce in it, the AAD's length and its padding, before it reads the IV. */
static bool find_ccm_aad(struct look *l, uint32_t len, struct area *out)
{
	*out = (struct area){"AAD", l->op->sym->aead.aad.data, RTE_ALIGN(CCM_HEAD + len, 16)};
	DEMAND(len <= CCM_AAD_MAX, "the AAD has %u bytes", len);
	DEMAND(is_private(l, out),
		"the AAD with what stands before it, at %p + %u, is not in the "
		"private area",
		out->at, out->len);
	return has_iova(l, out, l->op->sym->aead.aad.phys_addr);
}

static bool aead_is_right(struct look *l, const struct rte_crypto_aead_xform *x)
{
	const struct rte_crypto_sym_op *sym = l->op->sym;
	struct area op = {"op", (const void *)l->op, sizeof(*l->op) + sizeof(*sym)};
	bool is_ccm = x->algo == RTE_CRYPTO_AEAD_AES_CCM;
	struct area text = {0}, iv = {0}, aad = {0}, digest = {0};

	return find_part(l, "ciphered", sym->aead.data.offset, sym->aead.data.length, &text) &&
	       find_digest(l, sym->aead.digest.data, sym->aead.digest.phys_addr, x->digest_length,
		       &digest) &&
	       (is_ccm ? find_iv(l, x->iv.offset + 1, x->iv.length, 15 - CCM_COUNTER, &iv) &&
				       find_ccm_aad(l, x->aad_length, &aad)
		       : find_iv(l, x->iv.offset, x->iv.length, 12, &iv) &&
				       find_aad(l, x->aad_length, GCM_AAD_MAX, &aad)) &&
	       are_apart(l, &text, &digest) && are_apart(l, &aad, &op) && are_apart(l, &aad, &iv) &&
	       are_apart(l, &aad, &digest) && are_apart(l, &iv, &digest);
}

static bool cipher_is_right(
	struct look *l, const struct rte_crypto_cipher_xform *x, struct area *text, struct area *iv)
{
	const struct rte_crypto_sym_op *sym = l->op->sym;

	if (x->algo == RTE_CRYPTO_CIPHER_AES_CBC)
		DEMAND(sym->cipher.data.length > 0 && sym->cipher.data.length % 16 == 0,
			"CBC of %u bytes", sym->cipher.data.length);
	return find_part(l, "ciphered", sym->cipher.data.offset, sym->cipher.data.length, text) &&
	       find_iv(l, x->iv.offset, x->iv.length, 16, iv);
}

static bool auth_is_right(struct look *l, const struct rte_crypto_auth_xform *x,
	struct area *hashed, struct area *digest)
{
	const struct rte_crypto_sym_op *sym = l->op->sym;
	struct area iv;

	if (x->algo == RTE_CRYPTO_AUTH_AES_GMAC) {
		DEMAND(sym->auth.data.length <= GMAC_MAX, "GMAC of %u bytes",
			sym->auth.data.length);
		if (!find_iv(l, x->iv.offset, x->iv.length, 12, &iv))
			return false;
	}
	return find_part(l, "hashed", sym->auth.data.offset, sym->auth.data.length, hashed) &&
	       find_digest(l, sym->auth.digest.data, sym->auth.digest.phys_addr, x->digest_length,
		       digest) &&
	       are_apart(l, hashed, digest);
}

/* What is ciphered is hashed too: else QAT might take the digest for one that is to be ciphered. */
static bool chain_is_right(struct look *l)
{
	struct area text = {0}, iv = {0}, hashed = {0}, digest = {0};

	for (unsigned i = 0; i < l->session.n; i++) {
		const struct rte_crypto_sym_xform *x = &l->session.xform[i];

		if (x->type == RTE_CRYPTO_SYM_XFORM_CIPHER
				? !cipher_is_right(l, &x->cipher, &text, &iv)
				: !auth_is_right(l, &x->auth, &hashed, &digest))
			return false;
	}
	DEMAND(hashed.at != NULL, "the session ciphers and does not authenticate");
	DEMAND(text.at == NULL || is_within(&text, hashed.at, hashed.len),
		"the ciphered part at %p + %u is not in the hashed one at %p + %u", text.at,
		text.len, hashed.at, hashed.len);
	return are_apart(l, &iv, &digest);
}

static bool is_right(struct look *l, uint16_t dev_id)
{
	if (!op_is_right(l) || !packet_is_right(l) || !session_is_right(l, dev_id))
		return false;
	return l->session.xform[0].type == RTE_CRYPTO_SYM_XFORM_AEAD
		       ? aead_is_right(l, &l->session.xform[0].aead)
		       : chain_is_right(l);
}

uint16_t lint_burst(
	uint16_t dev_id, uint16_t qp_id, struct rte_crypto_op **ops, uint16_t n, void *arg)
{
	(void)arg;
	for (uint16_t i = 0; i < n; i++) {
		struct look l = {.op = ops[i]};

		if (is_right(&l, dev_id))
			continue;
		fprintf(stderr, "watch: %s, queue pair %u, op %u of %u: %s\n",
			rte_cryptodev_name_get(dev_id), qp_id, i, n, l.wrong);
		abort();
	}
	return n;
}
