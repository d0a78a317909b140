/* SPDX-License-Identifier: BSD-3-Clause */
/* entrant.c - the names of all that a row compares. */
#include "entrant.h"

const char *entrant_name(enum entrant_id id)
{
	static const char *const names[ENTRANTS] = {
		[ENTRANT_OPENSSL] = "openssl",
		[ENTRANT_AESNI_MB] = "aesni_mb",
		[ENTRANT_QAT] = "qat",
		[ENTRANT_ECHO] = "ring echo",
		[ENTRANT_CLEAR] = "clear",
		[ENTRANT_MB_JOBS] = "ipsec-mb jobs",
		[ENTRANT_MB_CALLS] = "ipsec-mb calls",
		[ENTRANT_OP_GCM] = "crypto_aesni_gcm",
		[ENTRANT_OP_MB] = "crypto_aesni_mb",
		[ENTRANT_OP_OPENSSL] = "crypto_openssl",
		[ENTRANT_RTE_IPSEC] = "librte_ipsec",
	};

	return names[id];
}
