/* SPDX-License-Identifier: BSD-3-Clause */
/* evp_session.c - sessions of OpenSSL's EVP: contexts that are keyed once and kept. */
#include <errno.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <rte_malloc.h>
#include <string.h>

#include "evp.h"

#define CCM_NONCE_LEN 11 /* RFC 4309 4 */
#define HASH_BLOCK    128 /* of SHA-512 */

/* A spec in EVP's words. */
struct words {
	struct evp_shape shape;
	const EVP_CIPHER *cipher; /* NULL: nothing is enciphered */
	const EVP_CIPHER *chain; /* of XCBC and CMAC */
	const EVP_MD *digest; /* of HMAC */
};

static bool name_aead(
	const struct evp_library *l, const struct crypto_spec *spec, struct words *out)
{
	enum algorithm_family family = spec->aead->family;

	switch (family) {
	case ALGORITHM_GCM:
	case ALGORITHM_CHACHAPOLY: out->shape.way = EVP_WAY_AEAD; break;
	case ALGORITHM_CCM: out->shape.way = EVP_WAY_CCM; break;
	case ALGORITHM_GMAC:
		out->shape.way = EVP_WAY_GMAC;
		family = ALGORITHM_GCM;
		break;
	default: return false;
	}
	out->shape.icv_len = spec->aead->icv_len;
	out->shape.aad_len = spec->esn ? 12 : 8;
	out->cipher = evp_library_cipher(l, family, spec->aead->key_len);
	return out->cipher != NULL;
}

static bool name_cipher(
	const struct evp_library *l, const struct algorithm *cipher, struct words *out)
{
	if (cipher->family == ALGORITHM_NULL)
		return true;
	out->shape.block_mask = cipher->family == ALGORITHM_CBC ? 15 : 0;
	out->cipher = evp_library_cipher(l, cipher->family, cipher->key_len);
	return out->cipher != NULL;
}

static bool name_auth(const struct evp_library *l, const struct algorithm *auth, struct words *out)
{
	out->shape.icv_len = auth->icv_len;
	if (auth->family == ALGORITHM_HMAC) {
		out->shape.way = EVP_WAY_HMAC;
		out->shape.hash = auth->hash;
		out->digest = evp_library_digest(l, auth->hash);
		return out->digest != NULL;
	}
	out->shape.way = EVP_WAY_CBC_MAC;
	out->chain = evp_library_cipher(l, ALGORITHM_CBC, auth->key_len);
	return out->chain != NULL;
}

/* False: OpenSSL has no words for it. */
static bool translate(const struct evp_library *l, const struct crypto_spec *spec, bool encrypts,
	struct words *out)
{
	memset(out, 0, sizeof(*out));
	out->shape.encrypts = encrypts;
	if (spec->aead != NULL)
		return spec->cipher == NULL && spec->auth == NULL && name_aead(l, spec, out);
	return spec->cipher != NULL && spec->auth != NULL && name_cipher(l, spec->cipher, out) &&
	       name_auth(l, spec->auth, out);
}

bool evp_session_can(const struct evp_library *l, const struct crypto_spec *spec)
{
	struct words unused;

	return translate(l, spec, true, &unused);
}

/* CCM wants the lengths of its nonce and its ICV before the key; the others have one nonce length. */
static int open_cipher(const EVP_CIPHER *cipher, const uint8_t *key, const struct evp_shape *shape,
	bool encrypts, EVP_CIPHER_CTX **out)
{
	size_t nonce_len = CCM_NONCE_LEN;
	unsigned padding = 0;
	const OSSL_PARAM ccm[] = {
		OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_AEAD_IVLEN, &nonce_len),
		OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, shape->icv_len),
		OSSL_PARAM_construct_end(),
	};
	const OSSL_PARAM others[] = {
		OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_PADDING, &padding),
		OSSL_PARAM_construct_end(),
	};
	const OSSL_PARAM *params = shape->way == EVP_WAY_CCM ? ccm : others;

	*out = EVP_CIPHER_CTX_new();
	if (*out == NULL)
		return -ENOMEM;
	if (EVP_CipherInit_ex2(*out, cipher, NULL, NULL, encrypts, params) != 1 ||
		EVP_CipherInit_ex2(*out, NULL, key, NULL, encrypts, NULL) != 1)
		return -ENOTSUP;
	return 0;
}

/* RFC 2104 2, with keys that are never longer than a block. */
static int open_hash(
	const EVP_MD *digest, const struct crypto_spec *spec, uint8_t pad, EVP_MD_CTX **out)
{
	uint8_t block[HASH_BLOCK];
	bool done;

	*out = EVP_MD_CTX_new();
	if (*out == NULL)
		return -ENOMEM;
	memset(block, pad, sizeof(block));
	for (unsigned i = 0; i < spec->auth->key_len; i++)
		block[i] ^= spec->auth_key.bytes[i];
	done = EVP_DigestInit_ex2(*out, digest, NULL) == 1 &&
	       EVP_DigestUpdate(*out, block, EVP_MD_get_block_size(digest)) == 1;
	explicit_bzero(block, sizeof(block));
	return done ? 0 : -ENOTSUP;
}

/* A block that is `fill` throughout, as one of a chain by itself. */
static bool encipher(EVP_CIPHER_CTX *chain, uint8_t fill, uint8_t out[16])
{
	static const uint8_t zero[16];
	int n;

	memset(out, fill, 16);
	return EVP_CipherInit_ex2(chain, NULL, NULL, zero, -1, NULL) == 1 &&
	       EVP_CipherUpdate(chain, out, &n, out, 16) == 1;
}

/* In GF(2^128), RFC 4493 2.3. */
static void twice(const uint8_t in[16], uint8_t out[16])
{
	uint8_t carry = in[0] >> 7;

	for (unsigned i = 0; i < 15; i++)
		out[i] = in[i] << 1 | in[i + 1] >> 7;
	out[15] = in[15] << 1 ^ carry * 0x87;
}

/* The key of the chain and what its last block takes: RFC 3566 4, RFC 4493 2.3. */
static int derive(const struct words *words, const struct crypto_spec *spec, uint8_t key[16],
	struct evp_last_block *last)
{
	EVP_CIPHER_CTX *chain;
	int rc = open_cipher(words->chain, spec->auth_key.bytes, &words->shape, true, &chain);
	bool done = false;

	if (rc == 0 && spec->auth->family == ALGORITHM_XCBC) {
		done = encipher(chain, 1, key) && encipher(chain, 2, last->whole) &&
		       encipher(chain, 3, last->padded);
	} else if (rc == 0) {
		memcpy(key, spec->auth_key.bytes, 16);
		done = encipher(chain, 0, last->padded);
		twice(last->padded, last->whole);
		twice(last->whole, last->padded);
	}
	EVP_CIPHER_CTX_free(chain);
	return rc < 0 || done ? rc : -ENOTSUP;
}

static int open_chains(
	const struct words *words, const struct crypto_spec *spec, struct evp_session *s)
{
	uint8_t key[16];
	int rc = derive(words, spec, key, &s->last);

	for (unsigned w = 0; rc == 0 && w < s->n_workers; w++)
		rc = open_cipher(words->chain, key, &s->shape, true, &s->of_worker[w].chain);
	explicit_bzero(key, sizeof(key));
	return rc;
}

static int open_contexts(
	const struct words *words, const struct crypto_spec *spec, struct evp_session *s)
{
	int rc = 0;

	for (unsigned w = 0; rc == 0 && words->cipher != NULL && w < s->n_workers; w++)
		rc = open_cipher(words->cipher, spec->key.bytes, &s->shape, s->shape.encrypts,
			&s->of_worker[w].cipher);
	if (rc == 0 && words->digest != NULL)
		rc = open_hash(words->digest, spec, 0x36, &s->hmac.inner);
	if (rc == 0 && words->digest != NULL)
		rc = open_hash(words->digest, spec, 0x5c, &s->hmac.outer);
	if (rc == 0 && words->chain != NULL)
		rc = open_chains(words, spec, s);
	return rc;
}

static size_t size_of(unsigned n_workers)
{
	const struct evp_session *s;

	return offsetof(struct crypto_session, dev_session) + sizeof(*s) +
	       n_workers * sizeof(s->of_worker[0]);
}

int evp_session_open(const struct evp_library *l, const struct crypto_spec *spec,
	enum crypto_direction direction, uint16_t n_workers, struct crypto_session **out)
{
	struct crypto_session *s;
	struct words words;
	int rc;

	if (!translate(l, spec, direction == CRYPTO_ENCRYPT, &words))
		return -ENOTSUP;
	s = rte_zmalloc("crypto_session", size_of(n_workers), RTE_CACHE_LINE_SIZE);
	if (s == NULL)
		return -ENOMEM;
	evp_session_of(s)->shape = words.shape;
	evp_session_of(s)->n_workers = n_workers;
	rc = open_contexts(&words, spec, evp_session_of(s));
	if (rc < 0) {
		evp_session_close(s);
		return rc;
	}
	*out = s;
	return 0;
}

void evp_session_close(struct crypto_session *session)
{
	struct evp_session *s = evp_session_of(session);

	for (unsigned w = 0; w < s->n_workers; w++) {
		EVP_CIPHER_CTX_free(s->of_worker[w].cipher);
		EVP_CIPHER_CTX_free(s->of_worker[w].chain);
	}
	if (s->shape.way == EVP_WAY_HMAC) {
		EVP_MD_CTX_free(s->hmac.inner);
		EVP_MD_CTX_free(s->hmac.outer);
	}
	explicit_bzero(session, size_of(s->n_workers));
	rte_free(session);
}
