/* SPDX-License-Identifier: BSD-3-Clause */
/* entrant.c - the names of all that a row compares. */
#include "entrant.h"

#include "reference.h"

const char *entrant_name(enum entrant_id id)
{
	static const char *const names[ENTRANT_MB_JOBS] = {
		[ENTRANT_OPENSSL] = "openssl",
		[ENTRANT_AESNI_MB] = "aesni_mb",
		[ENTRANT_QAT] = "qat",
		[ENTRANT_LOOKASIDE] = "lookaside (lcore)",
		[ENTRANT_ECHO] = "ring echo",
		[ENTRANT_CLEAR] = "clear",
		[ENTRANT_NULL] = "NULL crypto",
	};

	return id < ENTRANT_MB_JOBS ? names[id] : reference_name(id - ENTRANT_MB_JOBS);
}
