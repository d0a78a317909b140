/* SPDX-License-Identifier: BSD-3-Clause */
/* xfrm_algorithm.c - the kernel's names of algorithms, and keys as its messages have them. */
#include <string.h>

#include "xfrm_wire.h"

/* What one of the kernel's algorithms is here. */
struct kernel_name {
	const char *name;
	enum algorithm_kind kind;
	enum algorithm_family family;
	enum algorithm_hash hash;
	uint16_t trunc_bits; /* where a message has no length: what the kernel cuts an ICV to */
};

static const struct kernel_name kernel_names[] = {
	{"rfc4106(gcm(aes))", ALGORITHM_AEAD, ALGORITHM_GCM, HASH_NONE, 0},
	{"rfc4309(ccm(aes))", ALGORITHM_AEAD, ALGORITHM_CCM, HASH_NONE, 0},
	{"rfc7539esp(chacha20,poly1305)", ALGORITHM_AEAD, ALGORITHM_CHACHAPOLY, HASH_NONE, 0},
	{"rfc4543(gcm(aes))", ALGORITHM_AEAD, ALGORITHM_GMAC, HASH_NONE, 0},
	{"cbc(aes)", ALGORITHM_CIPHER, ALGORITHM_CBC, HASH_NONE, 0},
	{"rfc3686(ctr(aes))", ALGORITHM_CIPHER, ALGORITHM_CTR, HASH_NONE, 0},
	{"ecb(cipher_null)", ALGORITHM_CIPHER, ALGORITHM_NULL, HASH_NONE, 0},
	{"cipher_null", ALGORITHM_CIPHER, ALGORITHM_NULL, HASH_NONE, 0},
	{"hmac(sha1)", ALGORITHM_AUTH, ALGORITHM_HMAC, HASH_SHA1, 96},
	{"hmac(sha256)", ALGORITHM_AUTH, ALGORITHM_HMAC, HASH_SHA256, 96},
	{"hmac(sha384)", ALGORITHM_AUTH, ALGORITHM_HMAC, HASH_SHA384, 192},
	{"hmac(sha512)", ALGORITHM_AUTH, ALGORITHM_HMAC, HASH_SHA512, 256},
	{"xcbc(aes)", ALGORITHM_AUTH, ALGORITHM_XCBC, HASH_NONE, 96},
	{"cmac(aes)", ALGORITHM_AUTH, ALGORITHM_CMAC, HASH_NONE, 96},
};

/* An attribute with an algorithm in it, measured. */
struct given {
	char name[64];
	const uint8_t *key;
	size_t key_len; /* bytes */
	unsigned icv_bits; /* 0: the message does not tell */
};

/* 1: *out; 0: no such attribute. second: behind the length of the key is that of the ICV. */
static int take_attr(const struct xfrm_attrs *attrs, unsigned type, bool second, struct given *out,
	struct why *why)
{
	struct xfrm_algo_auth head = {0};
	size_t size = second ? sizeof(struct xfrm_algo_auth) : sizeof(struct xfrm_algo), there;
	int rc = xfrm_attr_copy(attrs, type, &head, size, why);

	if (rc <= 0)
		return rc;
	there = mnl_attr_get_payload_len(attrs->at[type]) - size;
	out->key = (const uint8_t *)mnl_attr_get_payload(attrs->at[type]) + size;
	out->key_len = ((uint64_t)head.alg_key_len + 7) / 8;
	out->icv_bits = second ? head.alg_trunc_len : 0;
	if (out->key_len > there)
		return why_set(why, -EBADMSG,
			"its message has a key of %zu bytes, but no more than %zu bytes of it",
			out->key_len, there);
	if (memchr(head.alg_name, '\0', sizeof(head.alg_name)) == NULL)
		return why_set(why, -EBADMSG, "its message has an algorithm's name without end");
	memcpy(out->name, head.alg_name, sizeof(out->name));
	for (char *c = out->name; *c != '\0'; c++) {
		if (*c <= ' ' || *c > '~')
			*c = '?'; /* it is printed somewhere */
	}
	return 1;
}

static const struct kernel_name *find_name(enum algorithm_kind kind, const char *name)
{
	for (size_t i = 0; i < sizeof(kernel_names) / sizeof(kernel_names[0]); i++) {
		if (kernel_names[i].kind == kind && strcmp(kernel_names[i].name, name) == 0)
			return &kernel_names[i];
	}
	return NULL;
}

static int refuse_name(enum algorithm_kind kind, const char *name, struct why *why)
{
	char list[400] = "";
	size_t n = 0;

	for (size_t i = 0; i < sizeof(kernel_names) / sizeof(kernel_names[0]); i++) {
		if (kernel_names[i].kind == kind && n < sizeof(list))
			n += snprintf(list + n, sizeof(list) - n, "%s%s", n > 0 ? ", " : "",
				kernel_names[i].name);
	}
	return why_set(why, -ENOTSUP, "%s is not offered; these are: %s", name, list);
}

/* Those of its family, with the lengths that they want. */
static int refuse_lengths(const struct kernel_name *name, const struct given *given,
	unsigned icv_bits, struct why *why)
{
	const struct algorithm *a;
	char list[300] = "";
	size_t n = 0;

	for (unsigned i = 0; (a = algorithm_at(i)) != NULL && n < sizeof(list); i++) {
		if (a->kind != name->kind || a->family != name->family || a->hash != name->hash)
			continue;
		n += snprintf(list + n, sizeof(list) - n, "%s%d", n > 0 ? ", " : "",
			8 * (a->key_len + a->salt_len));
		if (a->icv_len > 0 && n < sizeof(list))
			n += snprintf(list + n, sizeof(list) - n, "/%d", 8 * a->icv_len);
	}
	if (name->kind == ALGORITHM_CIPHER)
		return why_set(why, -ENOTSUP,
			"%s with a key of %zu bits is not offered; keys of these bits are: %s",
			name->name, 8 * given->key_len, list);
	return why_set(why, -ENOTSUP,
		"%s with a key of %zu bits and an ICV of %u is not offered; these are (key/ICV): "
		"%s",
		name->name, 8 * given->key_len, icv_bits, list);
}

static bool is_zero(const uint8_t *bytes, size_t n)
{
	uint8_t any = 0;

	for (size_t i = 0; i < n; i++)
		any |= bytes[i];
	return any == 0;
}

static int settle(enum algorithm_kind kind, const struct given *given,
	const struct algorithm **algorithm, struct key *key, struct why *why)
{
	const struct kernel_name *name = find_name(kind, given->name);
	const struct algorithm *a;
	unsigned icv_bits;

	if (name == NULL)
		return refuse_name(kind, given->name, why);
	icv_bits = given->icv_bits != 0 ? given->icv_bits : name->trunc_bits;
	for (unsigned i = 0; (a = algorithm_at(i)) != NULL; i++) {
		if (a->kind == kind && a->family == name->family && a->hash == name->hash &&
			(size_t)a->key_len + a->salt_len == given->key_len &&
			(kind == ALGORITHM_CIPHER || 8u * a->icv_len == icv_bits))
			break;
	}
	if (a == NULL)
		return refuse_lengths(name, given, icv_bits, why);
	/* What a kernel in lockdown shows instead of keys. */
	if (given->key_len > 0 && is_zero(given->key, given->key_len))
		return why_set(why, -ENOTSUP,
			"the key of %s is all zeroes, as a kernel in lockdown shows them; adit "
			"needs one that tells keys to root (lockdown below confidentiality)",
			name->name);
	*algorithm = a;
	key->len = given->key_len;
	memcpy(key->bytes, given->key, given->key_len);
	return 0;
}

int xfrm_crypto_read(const struct xfrm_attrs *attrs, struct crypto_spec *out, struct why *why)
{
	struct given aead, cipher, auth;
	int has_aead = take_attr(attrs, XFRMA_ALG_AEAD, true, &aead, why), has_cipher, has_auth;
	int rc;

	if (has_aead != 0)
		return has_aead < 0 ? has_aead
				    : settle(ALGORITHM_AEAD, &aead, &out->aead, &out->key, why);
	has_cipher = take_attr(attrs, XFRMA_ALG_CRYPT, false, &cipher, why);
	if (has_cipher < 0)
		return has_cipher;
	has_auth = take_attr(attrs, XFRMA_ALG_AUTH_TRUNC, true, &auth, why);
	if (has_auth == 0)
		has_auth = take_attr(attrs, XFRMA_ALG_AUTH, false, &auth, why);
	if (has_auth < 0)
		return has_auth;
	if (has_cipher == 0)
		return why_set(why, -ENOTSUP,
			"it has no cipher; one is wanted, ecb(cipher_null) to authenticate only");
	rc = settle(ALGORITHM_CIPHER, &cipher, &out->cipher, &out->key, why);
	if (rc < 0)
		return rc;
	if (has_auth == 0)
		return why_set(why, -ENOTSUP,
			"%s encrypts and nothing authenticates, an auth-trunc beside it or an AEAD "
			"is wanted (RFC 8221 4)",
			cipher.name);
	return settle(ALGORITHM_AUTH, &auth, &out->auth, &out->auth_key, why);
}
