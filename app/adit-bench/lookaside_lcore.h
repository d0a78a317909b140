/* SPDX-License-Identifier: BSD-3-Clause */
/* lookaside_lcore.h - a lookaside device on a machine without a card: crypto_scheduler, which has
 * intel-ipsec-mb work on lcores of its own and answers later. */
#pragma once

#include "crypto.h"
#include "why.h"

#define LOOKASIDE_NAME_MAX 64

struct lookaside_lcore {
	unsigned n; /* schedulers, one a worker */
	char device[CRYPTO_NAMED_MAX][LOOKASIDE_NAME_MAX];
	unsigned n_children; /* what they give their work to, one an lcore */
	char child[CRYPTO_NAMED_MAX][LOOKASIDE_NAME_MAX];
};

/* Makes a device for each worker and deals the lcores to them. -EINVAL: too few or too many lcores for
 * the workers, or one of them is not the EAL's, is main, is a worker's, is busy or named twice; -ENODEV:
 * DPDK's drivers are not here. */
int lookaside_lcore_open(const uint16_t *lcores, unsigned n_lcores, const uint16_t *workers,
	unsigned n_workers, struct lookaside_lcore *out, struct why *why);

/* After all that used it is closed. */
void lookaside_lcore_close(struct lookaside_lcore *l);
