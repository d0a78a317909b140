/* SPDX-License-Identifier: BSD-3-Clause */
/* suite.c - the algorithms of a run by name, and each SA's keys under them. */
#include "suite.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* What the oracle can open: GCM, ChaCha20-Poly1305, and CBC or CTR with HMAC. */
static bool is_judged(const struct algorithm *a)
{
	switch (a->family) {
	case ALGORITHM_GCM:
	case ALGORITHM_CHACHAPOLY:
	case ALGORITHM_CBC:
	case ALGORITHM_CTR:
	case ALGORITHM_HMAC: return true;
	default: return false;
	}
}

static const struct algorithm *find(enum algorithm_kind kind, const char *name)
{
	const struct algorithm *a = algorithm_find(kind, name);

	return a != NULL && is_judged(a) ? a : NULL;
}

static int refuse(const char *name, struct why *why)
{
	char list[512] = "";
	size_t at = 0;

	for (unsigned i = 0; algorithm_at(i) != NULL; i++) {
		const struct algorithm *a = algorithm_at(i);

		if (is_judged(a) && at < sizeof(list))
			at += snprintf(list + at, sizeof(list) - at, " %s%s",
				a->kind == ALGORITHM_AUTH ? "+" : "", a->name);
	}
	return why_set(why, -EINVAL,
		"no suite \"%s\": an AEAD or CIPHER+AUTH of%s; the bench must be able to check it",
		name, list);
}

int suite_find(const char *name, struct suite *out, struct why *why)
{
	const char *plus = strchr(name, '+');
	char cipher[64];

	*out = (struct suite){0};
	if (strlen(name) >= sizeof(out->name))
		return refuse(name, why);
	strcpy(out->name, name);
	if (plus == NULL) {
		out->aead = find(ALGORITHM_AEAD, name);
		return out->aead != NULL ? 0 : refuse(name, why);
	}
	snprintf(cipher, sizeof(cipher), "%.*s", (int)(plus - name), name);
	out->cipher = find(ALGORITHM_CIPHER, cipher);
	out->auth = find(ALGORITHM_AUTH, plus + 1);
	return out->cipher != NULL && out->auth != NULL ? 0 : refuse(name, why);
}

static void fill(struct key *key, uint16_t len, uint32_t n, uint8_t label)
{
	uint32_t x = n * 2654435761u + label;

	key->len = len;
	for (uint16_t i = 0; i < len; i++) {
		x = x * 1664525 + 1013904223;
		key->bytes[i] = x >> 24;
	}
	memcpy(key->bytes, &n, sizeof(n)); /* no two are alike */
}

void suite_keys(const struct suite *suite, uint32_t n, struct crypto_spec *out)
{
	const struct algorithm *a = suite->aead != NULL ? suite->aead : suite->cipher;

	*out = (struct crypto_spec){
		.aead = suite->aead, .cipher = suite->cipher, .auth = suite->auth};
	fill(&out->key, a->key_len + a->salt_len, n, 1);
	if (suite->auth != NULL)
		fill(&out->auth_key, suite->auth->key_len, n, 2);
}
