/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_mb.h - inside the references: intel-ipsec-mb's managers, one per worker, and the keys of all
 * SAs expanded for it. */
#pragma once

#include <intel-ipsec-mb.h>
#include <stdalign.h>

#include "reference_kind.h"

/* Of one SA, for both directions. */
struct reference_mb_key {
	union {
		struct gcm_key_data gcm;
		struct {
			alignas(16) uint32_t encrypt[60],
				decrypt[60]; /* round keys; ChaCha20's key */
			uint8_t inner[64], outer[64]; /* HMAC's states after the padded key */
		};
	};
	uint8_t salt[4];
};

struct reference_mb_worker {
	IMB_MGR *manager;
	alignas(RTE_CACHE_LINE_SIZE) struct gcm_context_data gcm; /* scratch of one call */
	/* By packet of a burst. */
	alignas(16) uint8_t nonce[REFERENCE_BURST_MAX][16];
	uint8_t icv[REFERENCE_BURST_MAX][64]; /* in: as computed */
	IMB_JOB job[IMB_MAX_BURST_SIZE];
};

struct reference_mb {
	struct reference_mb_key *key; /* by SA */
	struct reference_mb_worker *worker[WIRE_QUEUES_MAX];
};

/* As struct reference_way has it. */
int reference_mb_open(struct reference *r, struct why *why);
void reference_mb_close(struct reference *r);
