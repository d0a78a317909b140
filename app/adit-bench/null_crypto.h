/* SPDX-License-Identifier: BSD-3-Clause */
/* null_crypto.h - a gateway whose crypto does nothing: what all the rest of it costs. In the bench only:
 * it would send clear text. */
#pragma once

#include "subject.h"

struct null_crypto {
	struct subject gateway; /* as it was */
};

/* Makes a gateway (rig_subject()) on intel-ipsec-mb pass its packets by, outbound: what comes in in
 * clear, as it would then, has no ESP trailer. Sets what rig_subject() sets, and kind. n lives as long. */
void null_crypto_subject(struct null_crypto *n, struct subject *s);
