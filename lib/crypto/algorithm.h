/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithm.h - the ESP algorithms by their RFC names, and what each needs of key, IV, ICV. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum algorithm_kind { ALGORITHM_AEAD, ALGORITHM_CIPHER, ALGORITHM_AUTH };

/* How the data path treats packets of an algorithm. */
enum algorithm_family {
	ALGORITHM_GCM, /* RFC 4106 */
	ALGORITHM_CCM, /* RFC 4309 */
	ALGORITHM_CHACHAPOLY, /* RFC 7634 */
	ALGORITHM_GMAC, /* RFC 4543 */
	ALGORITHM_NULL, /* RFC 2410 */
	ALGORITHM_CBC, /* RFC 3602 */
	ALGORITHM_CTR, /* RFC 3686 */
	ALGORITHM_HMAC, /* RFC 2404, RFC 4868 */
	ALGORITHM_XCBC, /* RFC 3566 */
	ALGORITHM_CMAC, /* RFC 4494 */
};

enum algorithm_hash { HASH_NONE, HASH_SHA1, HASH_SHA256, HASH_SHA384, HASH_SHA512 };

/* Lengths in bytes. KEYMAT of the config file is key_len + salt_len bytes, salt last (RFC 4106 8.1). */
struct algorithm {
	const char *name; /* "aes-128-gcm" */
	enum algorithm_kind kind;
	enum algorithm_family family;
	enum algorithm_hash hash;
	uint8_t key_len; /* without the salt */
	uint8_t salt_len; /* 0, 3 or 4 */
	uint8_t iv_len; /* on the wire; 0 for null and auth */
	uint8_t icv_len; /* on the wire; 0 for ciphers */
	uint8_t block; /* what RFC 4303 2.4 pads the plaintext to: 4 or 16 */
};

/* NULL: no such name of this kind. The table lives for ever. */
const struct algorithm *algorithm_find(enum algorithm_kind kind, const char *name);

/* The n-th row of the table, NULL past its end. For listings and tests. */
const struct algorithm *algorithm_at(unsigned n);
