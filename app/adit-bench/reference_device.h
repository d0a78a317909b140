/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_device.h - inside the references: a software cryptodev of its own, sessions of all SAs on
 * it, and a worker's operations, which are used again in every burst. */
#pragma once

#include <rte_cryptodev.h>

#include "crypto_dp.h"
#include "reference_kind.h"

struct reference_device {
	char name[RTE_CRYPTODEV_NAME_MAX_LEN];
	uint8_t id;
	struct crypto *crypto;
	struct crypto_session **session[2]; /* by direction and SA */
	uint8_t (*salt)[4]; /* by SA */
	/* By worker: operations with room for nonce and AAD behind them, as a session expects it. */
	struct crypto_job *slot[WIRE_QUEUES_MAX];
};

/* Fills *d, which is zeroed. Errors of reference_open(); to be closed then too. */
int reference_device_open(
	struct reference_device *d, const struct reference *r, const char *driver, struct why *why);
void reference_device_close(struct reference_device *d, const struct reference *r);

/* Has the worker's queue pair do n operations and waits for all; how many came back well. */
uint16_t reference_device_run(
	const struct reference_device *d, uint16_t worker, struct rte_crypto_op *op[], uint16_t n);
