/* SPDX-License-Identifier: BSD-3-Clause */
/* reference.h - what a gateway is held against: the crypto alone, on the same packets from the same
 * wires, by the same loop. */
#pragma once

#include "subject.h"

enum reference_kind {
	REFERENCE_MB_JOBS, /* intel-ipsec-mb called directly with a burst of jobs: the limit */
	REFERENCE_MB_CALLS, /* the same library by its call for one packet (GCM only) */
	REFERENCE_OP_GCM, /* cryptodev operations of crypto_aesni_gcm, no ESP around them */
	REFERENCE_OP_MB, /* of crypto_aesni_mb */
	REFERENCE_OP_OPENSSL, /* of crypto_openssl */
	REFERENCE_RTE_IPSEC, /* librte_ipsec from prepare to process, over crypto_aesni_gcm or _mb */
	REFERENCES
};

struct reference_setup {
	const struct suite *suite;
	uint32_t n_sas;
	uint16_t n_workers;
	uint16_t burst;
	const struct wire *lan, *wan;
};

struct reference;

/* "ipsec-mb jobs", "crypto_aesni_gcm" and so on. */
const char *reference_name(enum reference_kind kind);

/* -ENOTSUP: it cannot do the suite; -ENODEV: the library or driver is not here. */
int reference_open(const struct reference_setup *setup, enum reference_kind kind,
	struct reference **out, struct why *why);
void reference_close(struct reference *r);

/* Fills round, failures and arg, and kind: out takes inner packets and enciphers what a tunnel would; in
 * takes ESP and must find every ICV right. */
void reference_subject(struct reference *r, bool is_inbound, struct subject *s);
