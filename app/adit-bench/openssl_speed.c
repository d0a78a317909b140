/* SPDX-License-Identifier: BSD-3-Clause */
/* openssl_speed.c - what OpenSSL does alone, by its own measurement: openssl speed. */
#include "openssl_speed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "+F:25:AES-128-GCM:183864264.71": bytes a second. 0 without such a line. */
static double run(const char *what, const char *algorithm, unsigned size, const char *more)
{
	char command[128], line[256];
	double bytes = 0;
	FILE *f;

	snprintf(command, sizeof(command),
		"openssl speed -mr -seconds 1 -bytes %u %s -%s %s 2>/dev/null", size, more, what,
		algorithm);
	f = popen(command, "re");
	if (f == NULL)
		return 0;
	while (fgets(line, sizeof(line), f) != NULL) {
		if (strncmp(line, "+F:", 3) == 0)
			bytes = strtod(strrchr(line, ':') + 1, NULL);
	}
	return pclose(f) == 0 ? bytes : 0;
}

static double run_cipher(const struct algorithm *a, unsigned size, bool is_decrypting)
{
	bool is_aead = a->kind == ALGORITHM_AEAD; /* nonce, AAD and tag of each packet too */
	const char *more = is_aead         ? is_decrypting ? "-aead -decrypt" : "-aead"
			   : is_decrypting ? "-decrypt"
					   : "";
	char name[32];

	if (a->family == ALGORITHM_CHACHAPOLY)
		return run("evp", "chacha20-poly1305", size, more);
	snprintf(name, sizeof(name), "aes-%u-%s", 8u * a->key_len,
		a->family == ALGORITHM_GCM   ? "gcm"
		: a->family == ALGORITHM_CBC ? "cbc"
					     : "ctr");
	return run("evp", name, size, more);
}

static double run_hmac(const struct algorithm *a, unsigned size)
{
	switch (a->hash) {
	case HASH_SHA1: return run("hmac", "sha1", size, "");
	case HASH_SHA256: return run("hmac", "sha256", size, "");
	case HASH_SHA384: return run("hmac", "sha384", size, "");
	default: return run("hmac", "sha512", size, "");
	}
}

double openssl_speed(const struct suite *suite, unsigned size, bool is_decrypting)
{
	const struct algorithm *a = suite->aead != NULL ? suite->aead : suite->cipher;
	unsigned block = a->block < 4 ? 4 : a->block, text = (size + 2 + block - 1) / block * block;
	unsigned covered = 8 + a->iv_len + text; /* by HMAC */
	double packets = run_cipher(a, text, is_decrypting) / text, hmacs;

	if (suite->auth != NULL) {
		hmacs = run_hmac(suite->auth, covered) / covered;
		packets = packets > 0 && hmacs > 0 ? 1 / (1 / packets + 1 / hmacs) : 0;
	}
	return packets * size * 8 / 1e9;
}
