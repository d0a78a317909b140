/* SPDX-License-Identifier: BSD-3-Clause */
/* crypto_oracle.c - the expected bytes, by OpenSSL's EVP called directly. */
#include <check.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <string.h>

#include "crypto_fixture.h"

static const EVP_CIPHER *cipher_of(const struct algorithm *a)
{
	char name[32];

	if (a->family == ALGORITHM_CHACHAPOLY)
		return EVP_chacha20_poly1305();
	snprintf(name, sizeof(name), "aes-%u-%s", 8u * a->key_len,
		a->family == ALGORITHM_GCM || a->family == ALGORITHM_GMAC ? "gcm"
		: a->family == ALGORITHM_CCM                              ? "ccm"
		: a->family == ALGORITHM_CBC                              ? "cbc"
									  : "ctr");
	return EVP_get_cipherbyname(name);
}

static void encrypt_aead(const struct crypto_spec *spec, struct shape *s)
{
	const struct algorithm *a = spec->aead;
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n;

	ck_assert_int_eq(EVP_EncryptInit_ex(ctx, cipher_of(a), NULL, NULL, NULL), 1);
	ck_assert_int_eq(
		EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, a->salt_len + a->iv_len, NULL),
		1);
	if (a->family == ALGORITHM_CCM)
		EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, a->icv_len, NULL);
	ck_assert_int_eq(EVP_EncryptInit_ex(ctx, NULL, NULL, spec->key.bytes, s->nonce), 1);
	if (a->family == ALGORITHM_CCM)
		ck_assert_int_eq(EVP_EncryptUpdate(ctx, NULL, &n, NULL, s->text_len), 1);
	ck_assert_int_eq(EVP_EncryptUpdate(ctx, NULL, &n, s->aad, s->aad_len), 1);
	ck_assert_int_eq(EVP_EncryptUpdate(ctx, a->family == ALGORITHM_GMAC ? NULL : s->text, &n,
				 s->text, s->text_len),
		1);
	ck_assert_int_eq(EVP_EncryptFinal_ex(ctx, s->text + n, &n), 1);
	ck_assert_int_eq(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, a->icv_len, s->icv), 1);
	EVP_CIPHER_CTX_free(ctx);
}

static void encrypt_cipher(const struct crypto_spec *spec, struct shape *s)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n;

	ck_assert_int_eq(
		EVP_EncryptInit_ex(ctx, cipher_of(spec->cipher), NULL, spec->key.bytes, s->nonce),
		1);
	EVP_CIPHER_CTX_set_padding(ctx, 0);
	ck_assert_int_eq(EVP_EncryptUpdate(ctx, s->text, &n, s->text, s->text_len), 1);
	ck_assert_int_eq(EVP_EncryptFinal_ex(ctx, s->text + n, &n), 1);
	EVP_CIPHER_CTX_free(ctx);
}

static void mac_evp(const struct crypto_spec *spec, const uint8_t *data, size_t len, uint8_t *out)
{
	static char *const digests[] = {
		[HASH_SHA1] = "SHA1",
		[HASH_SHA256] = "SHA256",
		[HASH_SHA384] = "SHA384",
		[HASH_SHA512] = "SHA512",
	};
	bool is_hmac = spec->auth->family == ALGORITHM_HMAC;
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_utf8_string(
			is_hmac ? OSSL_MAC_PARAM_DIGEST : OSSL_MAC_PARAM_CIPHER,
			is_hmac ? digests[spec->auth->hash] : "AES-128-CBC", 0),
		OSSL_PARAM_construct_end(),
	};
	EVP_MAC *mac = EVP_MAC_fetch(NULL, is_hmac ? "HMAC" : "CMAC", NULL);
	EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac);
	size_t n;

	ck_assert_int_eq(EVP_MAC_init(ctx, spec->auth_key.bytes, spec->auth_key.len, params), 1);
	ck_assert_int_eq(EVP_MAC_update(ctx, data, len), 1);
	ck_assert_int_eq(EVP_MAC_final(ctx, out, &n, 64), 1);
	EVP_MAC_CTX_free(ctx);
	EVP_MAC_free(mac);
}

static void aes_block(const uint8_t key[16], const uint8_t in[16], uint8_t out[16])
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n;

	ck_assert_int_eq(EVP_EncryptInit_ex(ctx, EVP_aes_128_ecb(), NULL, key, NULL), 1);
	ck_assert_int_eq(EVP_EncryptUpdate(ctx, out, &n, in, 16), 1);
	EVP_CIPHER_CTX_free(ctx);
}

/* RFC 3566 4; OpenSSL has no XCBC. */
static void mac_xcbc(const uint8_t key[16], const uint8_t *data, size_t len, uint8_t *out)
{
	uint8_t k[3][16], block[16], e[16] = {0};
	size_t last = len == 0 ? 0 : (len - 1) / 16 * 16;

	for (unsigned i = 0; i < 3; i++) {
		memset(block, i + 1, 16);
		aes_block(key, block, k[i]);
	}
	for (size_t at = 0; at < last; at += 16) {
		for (unsigned i = 0; i < 16; i++)
			e[i] ^= data[at + i];
		aes_block(k[0], e, e);
	}
	memset(block, 0, 16);
	memcpy(block, data + last, len - last);
	if (len - last < 16)
		block[len - last] = 0x80;
	for (unsigned i = 0; i < 16; i++)
		e[i] ^= block[i] ^ k[len - last < 16 ? 2 : 1][i];
	aes_block(k[0], e, out);
}

void oracle_encrypt(const struct crypto_spec *spec, struct shape *s)
{
	uint8_t covered[sizeof(s->aad) + TEXT_MAX], mac[64];

	if (spec->aead != NULL) {
		encrypt_aead(spec, s);
		return;
	}
	if (spec->cipher->family != ALGORITHM_NULL)
		encrypt_cipher(spec, s);
	memcpy(covered, s->aad, s->aad_len);
	memcpy(covered + s->aad_len, s->text, s->text_len);
	if (spec->auth->family == ALGORITHM_XCBC)
		mac_xcbc(spec->auth_key.bytes, covered, s->aad_len + s->text_len, mac);
	else
		mac_evp(spec, covered, s->aad_len + s->text_len, mac);
	memcpy(s->icv, mac, spec->auth->icv_len);
}
