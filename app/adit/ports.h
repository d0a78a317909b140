/* SPDX-License-Identifier: BSD-3-Clause */
/* ports.h - from the config's ports to started ethdevs. Control thread. */
#pragma once

#include "config.h"
#include "worker.h"

struct ports {
	struct port port[WORKER_PORTS_MAX];
	struct rte_mempool *pool[WORKER_PORTS_MAX];
	uint16_t n;
	uint16_t n_started;
};

/* Finds and configures every port, with queues for the workers; says everything that
 * is wrong through the report, not only the first. -EINVAL then. */
int ports_open(const struct config *config, uint16_t n_workers, struct ports *out,
	struct config_report *report);

int ports_start(struct ports *ports, struct why *why);

/* Stops and closes what is open; any state. */
void ports_close(struct ports *ports);
