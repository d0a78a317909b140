/* SPDX-License-Identifier: BSD-3-Clause */
/* suite.h - the algorithms of a run by name, and each SA's keys under them. */
#pragma once

#include "crypto.h"
#include "why.h"

struct suite {
	char name[64]; /* "aes-128-gcm", "aes-128-cbc+hmac-sha1-96" */
	const struct algorithm *aead, *cipher, *auth;
};

/* "AEAD" or "CIPHER+AUTH" by their names in the config file. -EINVAL: why says what there is. */
int suite_find(const char *name, struct suite *out, struct why *why);

/* The keys of the n-th SA: made up, the same in every run, different for every SA. */
void suite_keys(const struct suite *suite, uint32_t n, struct crypto_spec *out);
