/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_mb.c - intel-ipsec-mb's managers, one per worker, and the keys of all SAs expanded for it. */
#include "reference_mb.h"

#include <errno.h>
#include <rte_lcore.h>
#include <rte_malloc.h>

#include "mb.h" /* its managers */

static void expand_gcm(IMB_MGR *m, const struct crypto_spec *spec, struct gcm_key_data *out)
{
	switch (spec->aead->key_len) {
	case IMB_KEY_128_BYTES: IMB_AES128_GCM_PRE(m, spec->key.bytes, out); break;
	case IMB_KEY_192_BYTES: IMB_AES192_GCM_PRE(m, spec->key.bytes, out); break;
	default: IMB_AES256_GCM_PRE(m, spec->key.bytes, out);
	}
}

static void expand_aes(IMB_MGR *m, const struct crypto_spec *spec, struct reference_mb_key *out)
{
	switch (spec->cipher->key_len) {
	case IMB_KEY_128_BYTES:
		IMB_AES_KEYEXP_128(m, spec->key.bytes, out->encrypt, out->decrypt);
		break;
	case IMB_KEY_192_BYTES:
		IMB_AES_KEYEXP_192(m, spec->key.bytes, out->encrypt, out->decrypt);
		break;
	default: IMB_AES_KEYEXP_256(m, spec->key.bytes, out->encrypt, out->decrypt);
	}
}

static void hash_block(IMB_MGR *m, enum algorithm_hash hash, const uint8_t *block, uint8_t *state)
{
	switch (hash) {
	case HASH_SHA1: IMB_SHA1_ONE_BLOCK(m, block, state); break;
	case HASH_SHA256: IMB_SHA256_ONE_BLOCK(m, block, state); break;
	case HASH_SHA384: IMB_SHA384_ONE_BLOCK(m, block, state); break;
	default: IMB_SHA512_ONE_BLOCK(m, block, state);
	}
}

static void pad_key(const struct key *key, uint8_t with, uint8_t block[IMB_SHA_512_BLOCK_SIZE])
{
	for (unsigned i = 0; i < IMB_SHA_512_BLOCK_SIZE; i++)
		block[i] = (i < key->len ? key->bytes[i] : 0) ^ with;
}

/* RFC 2104 2; the keys are never longer than a block. */
static void expand_hmac(IMB_MGR *m, const struct crypto_spec *spec, struct reference_mb_key *out)
{
	alignas(16) uint8_t block[IMB_SHA_512_BLOCK_SIZE];

	pad_key(&spec->auth_key, 0x36, block);
	hash_block(m, spec->auth->hash, block, out->inner);
	pad_key(&spec->auth_key, 0x5c, block);
	hash_block(m, spec->auth->hash, block, out->outer);
}

static void expand(IMB_MGR *m, const struct reference *r, uint32_t n, struct reference_mb_key *out)
{
	const struct algorithm *a = r->suite.aead != NULL ? r->suite.aead : r->suite.cipher;
	struct crypto_spec spec;

	suite_keys(&r->suite, n, &spec);
	memcpy(out->salt, spec.key.bytes + a->key_len, r->shape.salt_len);
	switch (a->family) {
	case ALGORITHM_GCM: expand_gcm(m, &spec, &out->gcm); break;
	case ALGORITHM_CHACHAPOLY: memcpy(out->encrypt, spec.key.bytes, a->key_len); break;
	default: expand_aes(m, &spec, out); expand_hmac(m, &spec, out);
	}
}

static int open_worker(struct reference_mb *mb, uint16_t w, struct why *why)
{
	mb->worker[w] = rte_zmalloc("reference_mb", sizeof(*mb->worker[w]), RTE_CACHE_LINE_SIZE);
	if (mb->worker[w] == NULL)
		return why_set(why, -ENOMEM, "no memory for intel-ipsec-mb");
	return mb_manager_open(rte_socket_id(), &mb->worker[w]->manager, why);
}

int reference_mb_open(struct reference *r, struct why *why)
{
	uint32_t n_sas = r->setup.n_sas;
	struct reference_mb *mb = r->own = rte_zmalloc("reference_mb", sizeof(*mb), 0);
	int rc = 0;

	if (mb != NULL)
		mb->key = rte_zmalloc(
			"reference_mb", n_sas * sizeof(mb->key[0]), RTE_CACHE_LINE_SIZE);
	if (mb == NULL || mb->key == NULL)
		return why_set(why, -ENOMEM, "no memory for the keys of %u SAs", n_sas);
	for (uint16_t w = 0; rc == 0 && w < r->setup.n_workers; w++)
		rc = open_worker(mb, w, why);
	for (uint32_t n = 0; rc == 0 && n < n_sas; n++)
		expand(mb->worker[0]->manager, r, n, &mb->key[n]);
	return rc;
}

void reference_mb_close(struct reference *r)
{
	struct reference_mb *mb = r->own;

	if (mb == NULL)
		return;
	for (uint16_t w = 0; w < r->setup.n_workers; w++) {
		if (mb->worker[w] != NULL)
			mb_manager_close(mb->worker[w]->manager);
		rte_free(mb->worker[w]);
	}
	rte_free(mb->key);
	rte_free(mb);
}
