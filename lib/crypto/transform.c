/* SPDX-License-Identifier: BSD-3-Clause */
/* transform.c - turns a spec into cryptodev transforms, by table, and asks a device whether it fits. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "crypto_dp.h"
#include "transform.h"

#define NONCE_AT (offsetof(struct crypto_job, nonce) - offsetof(struct crypto_job, op))

static const struct {
	enum algorithm_family family;
	enum rte_crypto_aead_algorithm algo;
	uint16_t iv_at; /* from the op */
	uint16_t iv_len;
} aeads[] = {
	{ALGORITHM_GCM, RTE_CRYPTO_AEAD_AES_GCM, NONCE_AT, 12},
	/* A cryptodev keeps the byte before CCM's nonce for itself. */
	{ALGORITHM_CCM, RTE_CRYPTO_AEAD_AES_CCM, NONCE_AT - 1, 11},
	{ALGORITHM_CHACHAPOLY, RTE_CRYPTO_AEAD_CHACHA20_POLY1305, NONCE_AT, 12},
};
static_assert(offsetof(struct crypto_job, ccm_spare) + 1 == offsetof(struct crypto_job, nonce),
	"CCM's spare byte is not before the nonce");

static const struct {
	enum algorithm_family family;
	enum rte_crypto_cipher_algorithm algo;
} ciphers[] = {
	{ALGORITHM_CBC, RTE_CRYPTO_CIPHER_AES_CBC},
	{ALGORITHM_CTR, RTE_CRYPTO_CIPHER_AES_CTR},
};

static const struct {
	enum algorithm_family family;
	enum algorithm_hash hash;
	enum rte_crypto_auth_algorithm algo;
} auths[] = {
	{ALGORITHM_HMAC, HASH_SHA1, RTE_CRYPTO_AUTH_SHA1_HMAC},
	{ALGORITHM_HMAC, HASH_SHA256, RTE_CRYPTO_AUTH_SHA256_HMAC},
	{ALGORITHM_HMAC, HASH_SHA384, RTE_CRYPTO_AUTH_SHA384_HMAC},
	{ALGORITHM_HMAC, HASH_SHA512, RTE_CRYPTO_AUTH_SHA512_HMAC},
	{ALGORITHM_XCBC, HASH_NONE, RTE_CRYPTO_AUTH_AES_XCBC_MAC},
	{ALGORITHM_CMAC, HASH_NONE, RTE_CRYPTO_AUTH_AES_CMAC},
};

static int make_aead(const struct crypto_spec *spec, bool encrypt, struct rte_crypto_sym_xform *x)
{
	x->type = RTE_CRYPTO_SYM_XFORM_AEAD;
	for (unsigned i = 0; i < RTE_DIM(aeads); i++) {
		if (aeads[i].family != spec->aead->family)
			continue;
		x->aead.op = encrypt ? RTE_CRYPTO_AEAD_OP_ENCRYPT : RTE_CRYPTO_AEAD_OP_DECRYPT;
		x->aead.algo = aeads[i].algo;
		x->aead.key.data = spec->key.bytes;
		x->aead.key.length = spec->aead->key_len;
		x->aead.iv.offset = aeads[i].iv_at;
		x->aead.iv.length = aeads[i].iv_len;
		x->aead.digest_length = spec->aead->icv_len;
		x->aead.aad_length = spec->esn ? 12 : 8;
		return 0;
	}
	return -ENOTSUP;
}

/* RFC 4543 for a cryptodev: an authentication that takes an IV. */
static void make_gmac(const struct crypto_spec *spec, bool encrypt, struct rte_crypto_sym_xform *x)
{
	x->type = RTE_CRYPTO_SYM_XFORM_AUTH;
	x->auth.op = encrypt ? RTE_CRYPTO_AUTH_OP_GENERATE : RTE_CRYPTO_AUTH_OP_VERIFY;
	x->auth.algo = RTE_CRYPTO_AUTH_AES_GMAC;
	x->auth.key.data = spec->key.bytes;
	x->auth.key.length = spec->aead->key_len;
	x->auth.iv.offset = NONCE_AT;
	x->auth.iv.length = 12;
	x->auth.digest_length = spec->aead->icv_len;
}

static int make_cipher(const struct crypto_spec *spec, bool encrypt, struct rte_crypto_sym_xform *x)
{
	x->type = RTE_CRYPTO_SYM_XFORM_CIPHER;
	for (unsigned i = 0; i < RTE_DIM(ciphers); i++) {
		if (ciphers[i].family != spec->cipher->family)
			continue;
		x->cipher.op =
			encrypt ? RTE_CRYPTO_CIPHER_OP_ENCRYPT : RTE_CRYPTO_CIPHER_OP_DECRYPT;
		x->cipher.algo = ciphers[i].algo;
		x->cipher.key.data = spec->key.bytes;
		x->cipher.key.length = spec->cipher->key_len;
		x->cipher.iv.offset = NONCE_AT;
		x->cipher.iv.length = 16;
		return 0;
	}
	return -ENOTSUP;
}

static int make_auth(const struct crypto_spec *spec, bool encrypt, struct rte_crypto_sym_xform *x)
{
	x->type = RTE_CRYPTO_SYM_XFORM_AUTH;
	for (unsigned i = 0; i < RTE_DIM(auths); i++) {
		if (auths[i].family != spec->auth->family || auths[i].hash != spec->auth->hash)
			continue;
		x->auth.op = encrypt ? RTE_CRYPTO_AUTH_OP_GENERATE : RTE_CRYPTO_AUTH_OP_VERIFY;
		x->auth.algo = auths[i].algo;
		x->auth.key.data = spec->auth_key.bytes;
		x->auth.key.length = spec->auth->key_len;
		x->auth.digest_length = spec->auth->icv_len;
		return 0;
	}
	return -ENOTSUP;
}

int transform_make(
	const struct crypto_spec *spec, enum crypto_direction direction, struct transform *t)
{
	bool encrypt = direction == CRYPTO_ENCRYPT;
	int rc;

	memset(t, 0, sizeof(*t));
	if (spec->aead != NULL) {
		if (spec->cipher != NULL || spec->auth != NULL)
			return -ENOTSUP;
		if (spec->aead->family == ALGORITHM_GMAC) {
			t->head = &t->auth;
			make_gmac(spec, encrypt, &t->auth);
			return 0;
		}
		t->head = &t->aead;
		return make_aead(spec, encrypt, &t->aead);
	}
	if (spec->cipher == NULL || spec->auth == NULL)
		return -ENOTSUP; /* never encryption without authentication (RFC 8221 4) */
	rc = make_auth(spec, encrypt, &t->auth);
	if (rc < 0)
		return rc;
	t->head = &t->auth;
	if (spec->cipher->family == ALGORITHM_NULL)
		return 0; /* nothing moves, so every device does it alike as a hash alone */
	rc = make_cipher(spec, encrypt, &t->cipher);
	if (rc < 0)
		return rc;
	/* RFC 4303 3.3.2 and 3.4.4: encrypt, then authenticate; verify, then decrypt. */
	t->head = encrypt ? &t->cipher : &t->auth;
	t->head->next = encrypt ? &t->auth : &t->cipher;
	return 0;
}

static bool one_fits(uint8_t dev_id, const struct rte_crypto_sym_xform *x)
{
	struct rte_cryptodev_sym_capability_idx idx = {.type = x->type};
	const struct rte_cryptodev_symmetric_capability *cap;

	if (x->type == RTE_CRYPTO_SYM_XFORM_AEAD)
		idx.algo.aead = x->aead.algo;
	else if (x->type == RTE_CRYPTO_SYM_XFORM_CIPHER)
		idx.algo.cipher = x->cipher.algo;
	else
		idx.algo.auth = x->auth.algo;
	cap = rte_cryptodev_sym_capability_get(dev_id, &idx);
	if (cap == NULL)
		return false;
	if (x->type == RTE_CRYPTO_SYM_XFORM_AEAD)
		return rte_cryptodev_sym_capability_check_aead(cap, x->aead.key.length,
			       x->aead.digest_length, x->aead.aad_length, x->aead.iv.length) == 0;
	if (x->type == RTE_CRYPTO_SYM_XFORM_CIPHER)
		return rte_cryptodev_sym_capability_check_cipher(
			       cap, x->cipher.key.length, x->cipher.iv.length) == 0;
	return rte_cryptodev_sym_capability_check_auth(
		       cap, x->auth.key.length, x->auth.digest_length, x->auth.iv.length) == 0;
}

bool transform_fits(uint8_t dev_id, const struct transform *t)
{
	for (const struct rte_crypto_sym_xform *x = t->head; x != NULL; x = x->next) {
		if (!one_fits(dev_id, x))
			return false;
	}
	return true;
}

const char *transform_name(const struct crypto_spec *spec, char *buf, size_t size)
{
	if (spec->aead != NULL)
		snprintf(buf, size, "%s", spec->aead->name);
	else
		snprintf(buf, size, "%s with %s", spec->cipher != NULL ? spec->cipher->name : "-",
			spec->auth != NULL ? spec->auth->name : "no authentication");
	return buf;
}
