/* SPDX-License-Identifier: BSD-3-Clause */
/* oracle.c - ESP by another path: OpenSSL's EVP and RFC 4303 read once more. */
#include "oracle.h"

#include <errno.h>
#include <netinet/in.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <rte_byteorder.h>
#include <rte_ip.h>
#include <stdlib.h>
#include <string.h>

#define ESP_HEADER_LEN 8

struct oracle_sa {
	EVP_CIPHER_CTX *seal, *unseal;
	EVP_MAC_CTX *mac;
	uint8_t salt[4];
};

struct oracle {
	struct suite suite;
	uint8_t iv_len, icv_len, block;
	uint32_t n_sas;
	struct oracle_sa sa[];
};

static const EVP_CIPHER *cipher_of(const struct algorithm *a)
{
	char name[32];

	if (a->family == ALGORITHM_CHACHAPOLY)
		return EVP_chacha20_poly1305();
	snprintf(name, sizeof(name), "aes-%u-%s", 8u * a->key_len,
		a->family == ALGORITHM_GCM   ? "gcm"
		: a->family == ALGORITHM_CBC ? "cbc"
					     : "ctr");
	return EVP_get_cipherbyname(name);
}

static const char *digest_of(const struct algorithm *a)
{
	switch (a->hash) {
	case HASH_SHA1: return "SHA1";
	case HASH_SHA256: return "SHA256";
	case HASH_SHA384: return "SHA384";
	default: return "SHA512";
	}
}

static EVP_CIPHER_CTX *keyed_cipher(const struct algorithm *a, const struct key *key, int seals)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

	if (ctx != NULL &&
		EVP_CipherInit_ex(ctx, cipher_of(a), NULL, key->bytes, NULL, seals) == 1) {
		EVP_CIPHER_CTX_set_padding(ctx, 0);
		return ctx;
	}
	EVP_CIPHER_CTX_free(ctx);
	return NULL;
}

static EVP_MAC_CTX *keyed_mac(const struct algorithm *a, const struct key *key)
{
	EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
	EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac);
	OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(
				       OSSL_MAC_PARAM_DIGEST, (char *)(uintptr_t)digest_of(a), 0),
		OSSL_PARAM_construct_end()};

	EVP_MAC_free(mac);
	if (ctx != NULL && EVP_MAC_init(ctx, key->bytes, key->len, params) == 1)
		return ctx;
	EVP_MAC_CTX_free(ctx);
	return NULL;
}

static bool open_sa(const struct suite *suite, uint32_t n, struct oracle_sa *sa)
{
	const struct algorithm *a = suite->aead != NULL ? suite->aead : suite->cipher;
	struct crypto_spec keys;

	suite_keys(suite, n, &keys);
	memcpy(sa->salt, keys.key.bytes + a->key_len, a->salt_len);
	sa->seal = keyed_cipher(a, &keys.key, 1);
	sa->unseal = keyed_cipher(a, &keys.key, 0);
	if (suite->auth != NULL)
		sa->mac = keyed_mac(suite->auth, &keys.auth_key);
	return sa->seal != NULL && sa->unseal != NULL && (suite->auth == NULL || sa->mac != NULL);
}

int oracle_open(const struct suite *suite, uint32_t n_sas, struct oracle **out, struct why *why)
{
	const struct algorithm *a = suite->aead != NULL ? suite->aead : suite->cipher;
	struct oracle *o = calloc(1, sizeof(*o) + n_sas * sizeof(o->sa[0]));

	if (o == NULL)
		return why_set(why, -ENOMEM, "no memory for the check of %u SAs", n_sas);
	o->suite = *suite;
	o->iv_len = a->iv_len;
	o->block = a->block;
	o->icv_len = suite->aead != NULL ? a->icv_len : suite->auth->icv_len;
	for (; o->n_sas < n_sas; o->n_sas++) {
		if (!open_sa(suite, o->n_sas, &o->sa[o->n_sas])) {
			o->n_sas++;
			oracle_close(o);
			return why_set(why, -ENOTSUP, "OpenSSL cannot check %s", suite->name);
		}
	}
	*out = o;
	return 0;
}

void oracle_close(struct oracle *o)
{
	if (o == NULL)
		return;
	for (uint32_t i = 0; i < o->n_sas; i++) {
		EVP_CIPHER_CTX_free(o->sa[i].seal);
		EVP_CIPHER_CTX_free(o->sa[i].unseal);
		EVP_MAC_CTX_free(o->sa[i].mac);
	}
	free(o);
}

/* RFC 4106 4 and RFC 7634 2: salt, IV. RFC 3686 4: salt, IV, a counter of 1. RFC 3602: the IV. */
static void make_nonce(
	const struct oracle *o, const struct oracle_sa *sa, const uint8_t *iv, uint8_t nonce[16])
{
	if (o->suite.cipher != NULL && o->suite.cipher->family == ALGORITHM_CBC) {
		memcpy(nonce, iv, 16);
		return;
	}
	memcpy(nonce, sa->salt, 4);
	memcpy(nonce + 4, iv, 8);
	memcpy(nonce + 12, (const uint8_t[]){0, 0, 0, 1}, 4);
}

static bool run_aead(const struct oracle *o, const struct oracle_sa *sa, uint8_t *esp,
	uint16_t text_len, int seals)
{
	EVP_CIPHER_CTX *ctx = seals ? sa->seal : sa->unseal;
	uint8_t *text = esp + ESP_HEADER_LEN + o->iv_len, *icv = text + text_len, nonce[16];
	int n;

	make_nonce(o, sa, esp + ESP_HEADER_LEN, nonce);
	return EVP_CipherInit_ex(ctx, NULL, NULL, NULL, nonce, seals) == 1 &&
	       EVP_CipherUpdate(ctx, NULL, &n, esp, ESP_HEADER_LEN) == 1 &&
	       EVP_CipherUpdate(ctx, text, &n, text, text_len) == 1 &&
	       (seals || EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, o->icv_len, icv) == 1) &&
	       EVP_CipherFinal_ex(ctx, text + n, &n) == 1 &&
	       (!seals || EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, o->icv_len, icv) == 1);
}

static bool run_cipher(const struct oracle *o, const struct oracle_sa *sa, uint8_t *esp,
	uint16_t text_len, int seals)
{
	EVP_CIPHER_CTX *ctx = seals ? sa->seal : sa->unseal;
	uint8_t *text = esp + ESP_HEADER_LEN + o->iv_len, nonce[16];
	int n;

	make_nonce(o, sa, esp + ESP_HEADER_LEN, nonce);
	return EVP_CipherInit_ex(ctx, NULL, NULL, NULL, nonce, seals) == 1 &&
	       EVP_CipherUpdate(ctx, text, &n, text, text_len) == 1 && n == text_len;
}

static bool make_icv(
	const struct oracle_sa *sa, const uint8_t *esp, uint16_t len, uint8_t icv[EVP_MAX_MD_SIZE])
{
	size_t n;

	return EVP_MAC_init(sa->mac, NULL, 0, NULL) == 1 &&
	       EVP_MAC_update(sa->mac, esp, len) == 1 &&
	       EVP_MAC_final(sa->mac, icv, &n, EVP_MAX_MD_SIZE) == 1;
}

static uint16_t text_of(const struct algorithm *a, uint16_t inner_len)
{
	uint16_t block = a->block < 4 ? 4 : a->block;

	return (inner_len + 2 + block - 1) / block * block;
}

uint16_t oracle_sealed_len(const struct suite *suite, uint16_t inner_len)
{
	const struct algorithm *a = suite->aead != NULL ? suite->aead : suite->cipher;
	uint16_t icv = suite->aead != NULL ? a->icv_len : suite->auth->icv_len;

	return ORACLE_OUTER_LEN + ESP_HEADER_LEN + a->iv_len + text_of(a, inner_len) + icv;
}

static void put_outer(uint8_t *at, uint32_t src, uint32_t dst, uint16_t len)
{
	struct rte_ipv4_hdr *h = (struct rte_ipv4_hdr *)at;

	*h = (struct rte_ipv4_hdr){
		.version_ihl = RTE_IPV4_VHL_DEF,
		.total_length = rte_cpu_to_be_16(len),
		.time_to_live = 64,
		.next_proto_id = IPPROTO_ESP,
		.src_addr = src,
		.dst_addr = dst,
	};
	h->hdr_checksum = rte_ipv4_cksum(h);
}

uint16_t oracle_seal(struct oracle *o, uint32_t n, uint32_t src, uint32_t dst, uint32_t spi,
	uint32_t seq, const uint8_t *inner, uint16_t inner_len, uint8_t *at)
{
	const struct oracle_sa *sa = &o->sa[n];
	uint16_t text_len =
		text_of(o->suite.aead != NULL ? o->suite.aead : o->suite.cipher, inner_len);
	uint16_t len = oracle_sealed_len(&o->suite, inner_len);
	uint8_t *esp = at + ORACLE_OUTER_LEN, *iv = esp + ESP_HEADER_LEN, *text = iv + o->iv_len;
	uint8_t pad = text_len - inner_len - 2, icv[EVP_MAX_MD_SIZE];
	uint32_t seq_be = rte_cpu_to_be_32(seq);

	put_outer(at, src, dst, len);
	memcpy(esp, &spi, 4);
	memcpy(esp + 4, &seq_be, 4);
	memset(iv, 0x5a, o->iv_len);
	memcpy(iv + o->iv_len - 4, &seq_be, 4);
	memcpy(text, inner, inner_len);
	for (uint8_t k = 0; k < pad; k++)
		text[inner_len + k] = k + 1;
	text[text_len - 2] = pad;
	text[text_len - 1] = IPPROTO_IPIP;
	if (o->suite.aead != NULL)
		return run_aead(o, sa, esp, text_len, 1) ? len : 0;
	if (!run_cipher(o, sa, esp, text_len, 1) || !make_icv(sa, esp, text + text_len - esp, icv))
		return 0;
	memcpy(text + text_len, icv, o->icv_len);
	return len;
}

uint16_t oracle_unseal(struct oracle *o, uint32_t n, uint8_t *packet, uint16_t len, uint8_t **inner)
{
	const struct oracle_sa *sa = &o->sa[n];
	uint8_t *esp = packet + ORACLE_OUTER_LEN, icv[EVP_MAX_MD_SIZE], pad;
	uint8_t *text = esp + ESP_HEADER_LEN + o->iv_len;
	int text_len = len - (text - packet) - o->icv_len;

	if (text_len < 2 || rte_raw_cksum(packet, ORACLE_OUTER_LEN) != 0xffff)
		return 0;
	if (o->suite.aead != NULL) {
		if (!run_aead(o, sa, esp, text_len, 0))
			return 0;
	} else if (!make_icv(sa, esp, text + text_len - esp, icv) ||
		   memcmp(icv, text + text_len, o->icv_len) != 0 ||
		   !run_cipher(o, sa, esp, text_len, 0)) {
		return 0;
	}
	pad = text[text_len - 2];
	if (pad > text_len - 2 || text[text_len - 1] != IPPROTO_IPIP)
		return 0;
	for (uint8_t k = 0; k < pad; k++) {
		if (text[text_len - 2 - pad + k] != k + 1)
			return 0;
	}
	*inner = text;
	return text_len - 2 - pad;
}
