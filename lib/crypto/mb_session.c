/* SPDX-License-Identifier: BSD-3-Clause */
/* mb_session.c - sessions of intel-ipsec-mb: its words for a spec, and the keys expanded once. */
#include <errno.h>
#include <rte_malloc.h>
#include <string.h>

#include "mb.h"

static const struct {
	enum algorithm_family family;
	enum mb_way way;
	uint8_t cipher, hash;
	uint8_t nonce_len;
} aeads[] = {
	{ALGORITHM_GCM, MB_GCM, IMB_CIPHER_GCM, IMB_AUTH_AES_GMAC, 12},
	{ALGORITHM_GMAC, MB_GMAC, IMB_CIPHER_GCM, IMB_AUTH_AES_GMAC, 12},
	{ALGORITHM_CCM, MB_JOB, IMB_CIPHER_CCM, IMB_AUTH_AES_CCM, 11},
	{ALGORITHM_CHACHAPOLY, MB_JOB, IMB_CIPHER_CHACHA20_POLY1305, IMB_AUTH_CHACHA20_POLY1305,
		12},
};

static const struct {
	enum algorithm_family family;
	uint8_t cipher;
} ciphers[] = {
	{ALGORITHM_NULL, IMB_CIPHER_NULL},
	{ALGORITHM_CBC, IMB_CIPHER_CBC},
	{ALGORITHM_CTR, IMB_CIPHER_CNTR},
};

static const struct {
	enum algorithm_family family;
	enum algorithm_hash digest;
	enum mb_way way;
	uint8_t hash;
} auths[] = {
	{ALGORITHM_HMAC, HASH_SHA1, MB_BURST, IMB_AUTH_HMAC_SHA_1},
	{ALGORITHM_HMAC, HASH_SHA256, MB_BURST, IMB_AUTH_HMAC_SHA_256},
	{ALGORITHM_HMAC, HASH_SHA384, MB_BURST, IMB_AUTH_HMAC_SHA_384},
	{ALGORITHM_HMAC, HASH_SHA512, MB_BURST, IMB_AUTH_HMAC_SHA_512},
	{ALGORITHM_XCBC, HASH_NONE, MB_JOB, IMB_AUTH_AES_XCBC},
	{ALGORITHM_CMAC, HASH_NONE, MB_JOB, IMB_AUTH_AES_CMAC},
};

static bool name_aead(const struct crypto_spec *spec, bool encrypt, struct mb_session *out)
{
	for (unsigned i = 0; i < RTE_DIM(aeads); i++) {
		if (aeads[i].family != spec->aead->family)
			continue;
		out->way = aeads[i].way;
		out->cipher = aeads[i].cipher;
		out->hash = aeads[i].hash;
		out->key_len = spec->aead->key_len;
		out->iv_len = aeads[i].nonce_len;
		out->icv_len = spec->aead->icv_len;
		out->aad_len = spec->esn ? 12 : 8;
		/* CCM's MAC is over the plaintext (RFC 3610 2.2): first of all, and last of all. */
		if (spec->aead->family == ALGORITHM_CCM)
			out->order = encrypt ? IMB_ORDER_HASH_CIPHER : IMB_ORDER_CIPHER_HASH;
		return true;
	}
	return false;
}

static bool name_cipher(const struct algorithm *a, struct mb_session *out)
{
	for (unsigned i = 0; i < RTE_DIM(ciphers); i++) {
		if (ciphers[i].family != a->family)
			continue;
		out->cipher = ciphers[i].cipher;
		out->key_len = a->key_len;
		out->iv_len = 16;
		out->block_mask = a->family == ALGORITHM_CBC ? 15 : 0;
		return true;
	}
	return false;
}

static bool name_auth(const struct algorithm *a, struct mb_session *out)
{
	for (unsigned i = 0; i < RTE_DIM(auths); i++) {
		if (auths[i].family != a->family || auths[i].digest != a->hash)
			continue;
		out->way = auths[i].way;
		out->hash = auths[i].hash;
		out->icv_len = a->icv_len;
		return true;
	}
	return false;
}

/* The spec in the library's words; false: it has none. */
static bool translate(const struct crypto_spec *spec, bool encrypt, struct mb_session *out)
{
	memset(out, 0, sizeof(*out));
	out->direction = encrypt ? IMB_DIR_ENCRYPT : IMB_DIR_DECRYPT;
	/* RFC 4303 3.3.2 and 3.4.4: encrypt, then authenticate; verify, then decrypt. */
	out->order = encrypt ? IMB_ORDER_CIPHER_HASH : IMB_ORDER_HASH_CIPHER;
	if (spec->aead != NULL) {
		if (spec->cipher != NULL || spec->auth != NULL || !name_aead(spec, encrypt, out))
			return false;
	} else if (spec->cipher == NULL || spec->auth == NULL || !name_cipher(spec->cipher, out) ||
		   !name_auth(spec->auth, out)) {
		return false;
	}
	out->group =
		(uint32_t)out->cipher << 24 | out->hash << 16 | out->direction << 8 | out->key_len;
	return true;
}

bool mb_session_can(const struct crypto_spec *spec)
{
	struct mb_session unused;

	return translate(spec, true, &unused);
}

static void expand_gcm(IMB_MGR *m, const struct key *key, unsigned len, struct gcm_key_data *out)
{
	switch (len) {
	case IMB_KEY_128_BYTES: IMB_AES128_GCM_PRE(m, key->bytes, out); break;
	case IMB_KEY_192_BYTES: IMB_AES192_GCM_PRE(m, key->bytes, out); break;
	default: IMB_AES256_GCM_PRE(m, key->bytes, out);
	}
}

static void expand_aes(IMB_MGR *m, const struct key *key, const struct mb_session *s, uint32_t *out)
{
	alignas(16) uint32_t encrypt[MB_ROUND_KEYS] = {0}, decrypt[MB_ROUND_KEYS] = {0};
	bool is_inverse = s->cipher == IMB_CIPHER_CBC && s->direction == IMB_DIR_DECRYPT;

	switch (s->key_len) {
	case IMB_KEY_128_BYTES: IMB_AES_KEYEXP_128(m, key->bytes, encrypt, decrypt); break;
	case IMB_KEY_192_BYTES: IMB_AES_KEYEXP_192(m, key->bytes, encrypt, decrypt); break;
	default: IMB_AES_KEYEXP_256(m, key->bytes, encrypt, decrypt);
	}
	memcpy(out, is_inverse ? decrypt : encrypt, sizeof(encrypt));
	explicit_bzero(encrypt, sizeof(encrypt));
	explicit_bzero(decrypt, sizeof(decrypt));
}

static void hash_block(IMB_MGR *m, uint8_t hash, const uint8_t *block, uint8_t *state)
{
	switch (hash) {
	case IMB_AUTH_HMAC_SHA_1: IMB_SHA1_ONE_BLOCK(m, block, state); break;
	case IMB_AUTH_HMAC_SHA_256: IMB_SHA256_ONE_BLOCK(m, block, state); break;
	case IMB_AUTH_HMAC_SHA_384: IMB_SHA384_ONE_BLOCK(m, block, state); break;
	default: IMB_SHA512_ONE_BLOCK(m, block, state);
	}
}

/* RFC 2104 2, with keys that are never longer than a block. */
static void expand_hmac(IMB_MGR *m, const struct key *key, unsigned len, uint8_t hash,
	uint8_t inner[64], uint8_t outer[64])
{
	alignas(16) uint8_t block[IMB_SHA_512_BLOCK_SIZE];

	for (unsigned i = 0; i < sizeof(block); i++)
		block[i] = (i < len ? key->bytes[i] : 0) ^ 0x36;
	hash_block(m, hash, block, inner);
	for (unsigned i = 0; i < sizeof(block); i++)
		block[i] ^= 0x36 ^ 0x5c;
	hash_block(m, hash, block, outer);
	explicit_bzero(block, sizeof(block));
}

static void expand_auth(IMB_MGR *m, const struct crypto_spec *spec, uint8_t hash, struct mb_keys *k)
{
	alignas(16) uint32_t inverse[44]; /* which the library insists on making too */

	switch (hash) {
	case IMB_AUTH_AES_XCBC:
		IMB_AES_XCBC_KEYEXP(m, spec->auth_key.bytes, k->auth.xcbc.rounds, k->auth.xcbc.k2,
			k->auth.xcbc.k3);
		break;
	case IMB_AUTH_AES_CMAC:
		IMB_AES_KEYEXP_128(m, spec->auth_key.bytes, k->auth.cmac.rounds, inverse);
		explicit_bzero(inverse, sizeof(inverse));
		IMB_AES_CMAC_SUBKEY_GEN_128(
			m, k->auth.cmac.rounds, k->auth.cmac.k2, k->auth.cmac.k3);
		break;
	default:
		expand_hmac(m, &spec->auth_key, spec->auth->key_len, hash, k->auth.hmac.inner,
			k->auth.hmac.outer);
	}
}

static void expand(
	IMB_MGR *m, const struct crypto_spec *spec, const struct mb_session *words, void *keys)
{
	struct mb_keys *k = keys;

	switch (words->cipher) {
	case IMB_CIPHER_GCM: expand_gcm(m, &spec->key, words->key_len, keys); return;
	case IMB_CIPHER_CHACHA20_POLY1305:
		memcpy(k->cipher, spec->key.bytes, words->key_len);
		return;
	case IMB_CIPHER_CCM: expand_aes(m, &spec->key, words, k->cipher); return;
	case IMB_CIPHER_NULL: break;
	default: expand_aes(m, &spec->key, words, k->cipher);
	}
	expand_auth(m, spec, words->hash, k);
}

int mb_session_open(IMB_MGR *manager, const struct crypto_spec *spec,
	enum crypto_direction direction, struct crypto_session **out)
{
	struct mb_session words;
	struct crypto_session *s;

	if (!translate(spec, direction == CRYPTO_ENCRYPT, &words))
		return -ENOTSUP;
	words.size =
		RTE_CACHE_LINE_SIZE + (words.cipher == IMB_CIPHER_GCM ? sizeof(struct gcm_key_data)
								      : sizeof(struct mb_keys));
	s = rte_zmalloc("crypto_session", words.size, RTE_CACHE_LINE_SIZE);
	if (s == NULL)
		return -ENOMEM;
	*mb_session_of(s) = words;
	expand(manager, spec, &words, mb_session_keys(s));
	*out = s;
	return 0;
}

void mb_session_close(struct crypto_session *s)
{
	explicit_bzero(s, mb_session_of(s)->size);
	rte_free(s);
}
