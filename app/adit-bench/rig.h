/* SPDX-License-Identifier: BSD-3-Clause */
/* rig.h - a gateway as adit runs it, of the same rooms, between two wires instead of NICs.
 *
 *   lan wire (protected) -> [ pipeline ] -> wan wire (unprotected), and back */
#pragma once

#include "crypto.h"
#include "subject.h"
#include "worker.h"

struct rig_setup {
	const struct suite *suite;
	enum crypto_provider provider;
	const char *device[CRYPTO_NAMED_MAX]; /* cryptodevs that play the provider; none: its own */
	unsigned n_devices;
	bool is_clear; /* bypass instead of ESP */
	uint32_t n_sas, n_policies; /* in each direction */
	const uint16_t *lcores; /* of the workers */
	uint16_t n_workers;
	uint16_t burst;
	uint32_t window; /* of anti-replay */
	bool no_ledger;
	struct wire *lan, *wan;
};

struct rig;

int rig_open(const struct rig_setup *setup, struct rig **out, struct why *why);
void rig_close(struct rig *r);

struct pipeline *rig_pipeline(const struct rig *r);

/* What its SAs run on, "aesni_mb" or "qat on crypto_scheduler0"; and the name of the first device,
 * with its version. */
const char *rig_provider(const struct rig *r);
const char *rig_device(const struct rig *r);

/* The rig as a subject: s->arg is the rig; name, kind and traffic are the caller's to set. */
void rig_subject(struct rig *r, struct subject *s);

/* Packets that left by an exit, and names of those exits, "exit 12, exit 3". */
uint64_t rig_exits(const struct rig *r, char *names, size_t size);
