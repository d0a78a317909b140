/* SPDX-License-Identifier: BSD-3-Clause */
/* deal.h - inside the room: which worker gets which queue pair of which device. Touches no device. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "crypto.h"

/* A device as far as it matters here. */
struct deal_device {
	uint16_t pairs; /* that can be used */
	int socket; /* NUMA; below 0: near to all */
};

/* A queue pair for every worker: what a session is opened on. */
struct deal_set {
	bool serves[2]; /* by crypto_direction */
	struct {
		uint16_t device, pair;
	} of_worker[CRYPTO_WORKERS_MAX];
};

struct deal {
	unsigned n;
	struct deal_set set[CRYPTO_DEVICES_MAX];
};

/* Deals as many sets as there are queue pairs for, up to `most`, each pair once, as one thread must
 * fill and empty it. Sets serve the two directions in turn, and a VF serves one where that can be, as
 * it is faster so; a lone set, and the last of an odd number, serves both. A worker gets a pair of its own NUMA
 * socket while there is one. -ENODEV: some worker would have none; why says how many are missing. */
int deal_pairs(const struct deal_device *devices, unsigned n_devices, const int *worker_socket,
	unsigned n_workers, unsigned most, struct deal *out, struct why *why);
