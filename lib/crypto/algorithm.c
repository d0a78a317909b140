/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithm.c - the table of ESP algorithms: one row, one RFC name. */
#include <string.h>

#include "algorithm.h"

#define AEAD(text, fam, key, salt, icv)                                                            \
	{                                                                                          \
		.name = (text), .kind = ALGORITHM_AEAD, .family = (fam), .key_len = (key),         \
		.salt_len = (salt), .iv_len = 8, .icv_len = (icv), .block = 4                      \
	}
#define CIPHER(text, fam, key, salt, iv, pad_to)                                                   \
	{                                                                                          \
		.name = (text), .kind = ALGORITHM_CIPHER, .family = (fam), .key_len = (key),       \
		.salt_len = (salt), .iv_len = (iv), .block = (pad_to)                              \
	}
#define AUTH(text, fam, digest, key, icv)                                                          \
	{                                                                                          \
		.name = (text), .kind = ALGORITHM_AUTH, .family = (fam), .hash = (digest),         \
		.key_len = (key), .icv_len = (icv), .block = 4                                     \
	}

/* DES, 3DES and MD5 are left out (RFC 8221 5 and 6). */
static const struct algorithm table[] = {
	AEAD("aes-128-gcm", ALGORITHM_GCM, 16, 4, 16),
	AEAD("aes-192-gcm", ALGORITHM_GCM, 24, 4, 16),
	AEAD("aes-256-gcm", ALGORITHM_GCM, 32, 4, 16),
	AEAD("aes-128-gcm-12", ALGORITHM_GCM, 16, 4, 12),
	AEAD("aes-192-gcm-12", ALGORITHM_GCM, 24, 4, 12),
	AEAD("aes-256-gcm-12", ALGORITHM_GCM, 32, 4, 12),
	AEAD("aes-128-gcm-8", ALGORITHM_GCM, 16, 4, 8),
	AEAD("aes-192-gcm-8", ALGORITHM_GCM, 24, 4, 8),
	AEAD("aes-256-gcm-8", ALGORITHM_GCM, 32, 4, 8),
	AEAD("aes-128-ccm", ALGORITHM_CCM, 16, 3, 16),
	AEAD("aes-256-ccm", ALGORITHM_CCM, 32, 3, 16),
	AEAD("chacha20-poly1305", ALGORITHM_CHACHAPOLY, 32, 4, 16),
	AEAD("aes-128-gmac", ALGORITHM_GMAC, 16, 4, 16),
	AEAD("aes-192-gmac", ALGORITHM_GMAC, 24, 4, 16),
	AEAD("aes-256-gmac", ALGORITHM_GMAC, 32, 4, 16),
	CIPHER("null", ALGORITHM_NULL, 0, 0, 0, 4),
	CIPHER("aes-128-cbc", ALGORITHM_CBC, 16, 0, 16, 16),
	CIPHER("aes-192-cbc", ALGORITHM_CBC, 24, 0, 16, 16),
	CIPHER("aes-256-cbc", ALGORITHM_CBC, 32, 0, 16, 16),
	CIPHER("aes-128-ctr", ALGORITHM_CTR, 16, 4, 8, 4),
	CIPHER("aes-192-ctr", ALGORITHM_CTR, 24, 4, 8, 4),
	CIPHER("aes-256-ctr", ALGORITHM_CTR, 32, 4, 8, 4),
	/* The key is as long as the hash, the ICV half of it (RFC 4868 2.1.1, 2.3); SHA-1's is 96
	 * bits (RFC 2404 2). */
	AUTH("hmac-sha1-96", ALGORITHM_HMAC, HASH_SHA1, 20, 12),
	AUTH("hmac-sha2-256-128", ALGORITHM_HMAC, HASH_SHA256, 32, 16),
	AUTH("hmac-sha2-384-192", ALGORITHM_HMAC, HASH_SHA384, 48, 24),
	AUTH("hmac-sha2-512-256", ALGORITHM_HMAC, HASH_SHA512, 64, 32),
	AUTH("aes-xcbc-96", ALGORITHM_XCBC, HASH_NONE, 16, 12),
	AUTH("aes-cmac-96", ALGORITHM_CMAC, HASH_NONE, 16, 12),
};

#define ROWS (sizeof(table) / sizeof(table[0]))

const struct algorithm *algorithm_at(unsigned n)
{
	return n < ROWS ? &table[n] : NULL;
}

const struct algorithm *algorithm_find(enum algorithm_kind kind, const char *name)
{
	for (unsigned n = 0; n < ROWS; n++) {
		if (table[n].kind == kind && strcmp(table[n].name, name) == 0)
			return &table[n];
	}
	return NULL;
}
