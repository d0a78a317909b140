/* SPDX-License-Identifier: BSD-3-Clause */
/* entrant.h - all that a row compares: adit with each provider, and what it is held against. */
#pragma once

enum entrant_id {
	/* adit, in the order of enum crypto_provider */
	ENTRANT_OPENSSL,
	ENTRANT_AESNI_MB,
	ENTRANT_QAT,
	ENTRANT_LOOKASIDE, /* qat, with crypto_scheduler on other lcores in the place of a card */
	ENTRANT_BOUNDS, /* from here on: what bounds it */
	ENTRANT_ECHO = ENTRANT_BOUNDS,
	ENTRANT_CLEAR,
	ENTRANT_NULL,
	ENTRANT_MB_JOBS, /* from here on as in enum reference_kind */
	ENTRANT_MB_CALLS,
	ENTRANT_OP_GCM,
	ENTRANT_OP_MB,
	ENTRANT_OP_OPENSSL,
	ENTRANT_RTE_IPSEC,
	ENTRANTS
};

/* "aesni_mb", "ring echo", "ipsec-mb jobs": of columns, in files too. */
const char *entrant_name(enum entrant_id id);
