/* SPDX-License-Identifier: BSD-3-Clause */
/* evp_library.c - fetches OpenSSL's ciphers and digests once: looking one up takes a lock. */
#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>

#include "evp.h"

static const struct {
	enum algorithm_family family;
	uint8_t key_len;
	const char *name;
} ciphers[] = {
	{ALGORITHM_GCM, 16, "AES-128-GCM"},
	{ALGORITHM_GCM, 24, "AES-192-GCM"},
	{ALGORITHM_GCM, 32, "AES-256-GCM"},
	{ALGORITHM_CCM, 16, "AES-128-CCM"},
	{ALGORITHM_CCM, 32, "AES-256-CCM"},
	{ALGORITHM_CHACHAPOLY, 32, "ChaCha20-Poly1305"},
	{ALGORITHM_CBC, 16, "AES-128-CBC"},
	{ALGORITHM_CBC, 24, "AES-192-CBC"},
	{ALGORITHM_CBC, 32, "AES-256-CBC"},
	{ALGORITHM_CTR, 16, "AES-128-CTR"},
	{ALGORITHM_CTR, 24, "AES-192-CTR"},
	{ALGORITHM_CTR, 32, "AES-256-CTR"},
};

static const char *const digests[] = {
	[HASH_SHA1] = "SHA1",
	[HASH_SHA256] = "SHA2-256",
	[HASH_SHA384] = "SHA2-384",
	[HASH_SHA512] = "SHA2-512",
};

struct evp_library {
	EVP_CIPHER *cipher[RTE_DIM(ciphers)];
	EVP_MD *digest[RTE_DIM(digests)];
};

int evp_library_open(struct evp_library **out, struct why *why)
{
	struct evp_library *l = calloc(1, sizeof(*l));

	if (l == NULL)
		return why_set(why, -ENOMEM, "no memory for OpenSSL");
	for (unsigned i = 0; i < RTE_DIM(ciphers); i++)
		l->cipher[i] = EVP_CIPHER_fetch(NULL, ciphers[i].name, NULL);
	for (unsigned i = HASH_SHA1; i < RTE_DIM(digests); i++)
		l->digest[i] = EVP_MD_fetch(NULL, digests[i], NULL);
	ERR_clear_error(); /* of what is missing */
	*out = l;
	return 0;
}

void evp_library_close(struct evp_library *l)
{
	if (l == NULL)
		return;
	for (unsigned i = 0; i < RTE_DIM(ciphers); i++)
		EVP_CIPHER_free(l->cipher[i]);
	for (unsigned i = 0; i < RTE_DIM(digests); i++)
		EVP_MD_free(l->digest[i]);
	free(l);
}

void evp_library_name(char *buf, size_t size)
{
	snprintf(buf, size, "OpenSSL %s", OpenSSL_version(OPENSSL_VERSION_STRING));
}

const EVP_CIPHER *evp_library_cipher(
	const struct evp_library *l, enum algorithm_family family, unsigned key_len)
{
	for (unsigned i = 0; i < RTE_DIM(ciphers); i++) {
		if (ciphers[i].family == family && ciphers[i].key_len == key_len)
			return l->cipher[i];
	}
	return NULL;
}

const EVP_MD *evp_library_digest(const struct evp_library *l, enum algorithm_hash hash)
{
	return l->digest[hash];
}
