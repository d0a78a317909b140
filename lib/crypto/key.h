/* SPDX-License-Identifier: BSD-3-Clause */
/* key.h - secret key material: parsed, fingerprinted, wiped; never printed. Any thread. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define KEY_MAX         64
#define KEY_FINGERPRINT 16

struct key {
	uint16_t len;
	uint8_t bytes[KEY_MAX];
};

/* "0x" and an even number of hex digits, upper or lower case, up to KEY_MAX bytes. Runs in a time
 * that depends on the length only. -EINVAL: not of that form; -E2BIG: too long. On an error *out is
 * zeroed. */
int key_parse(const char *text, size_t len, struct key *out);

/* The same from a file: mode 0600 or 0400 and owned by us or root, or -EPERM; the text may end with
 * one newline. -errno of open(2) or read(2) too. Every buffer it used is wiped. */
int key_read_file(const char *path, struct key *out);

/* Overwrites it in a way that no compiler leaves out. */
void key_wipe(struct key *key);

/* Names a key without telling it: the head of SHA-256 over a label and the key's bytes (salt
 * included). Two SAs with equal fingerprints would share nonces: whatever their algorithms are, as
 * one key makes the same key stream under all of AES-GCM, GMAC and CTR. -ENOMEM: there is no
 * fingerprint, and the key must not be used as if it were new. */
int key_fingerprint(const struct key *key, uint8_t out[KEY_FINGERPRINT])
	__attribute__((warn_unused_result));
