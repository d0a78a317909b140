/* SPDX-License-Identifier: BSD-3-Clause */
/* transform.h - inside the room: a spec in cryptodev's words, and whether a device can do it. */
#pragma once

#include <rte_cryptodev.h>

#include "crypto.h"

/* At most two transforms in a chain; head points to the first, NULL before transform_make(). The
 * key is pointed to, not copied: it lives no longer than the spec. */
struct transform {
	struct rte_crypto_sym_xform *head;
	struct rte_crypto_sym_xform aead, cipher, auth;
};

/* 0 or -ENOTSUP: nothing that a cryptodev session could express. */
int transform_make(
	const struct crypto_spec *spec, enum crypto_direction direction, struct transform *t);

/* Whether the device's capabilities have the algorithms with these key, ICV, AAD and IV lengths. */
bool transform_fits(uint8_t dev_id, const struct transform *t);

/* "aes-128-gcm" or "aes-128-cbc with hmac-sha1-96", for messages. */
const char *transform_name(const struct crypto_spec *spec, char *buf, size_t size);
