/* SPDX-License-Identifier: BSD-3-Clause */
/* ports.h - all ports of the config: opened, started, watched, closed. Control thread. */
#pragma once

#include "config.h"
#include "port_link.h"
#include "worker.h"

struct ports {
	struct port port[WORKER_PORTS_MAX];
	struct rte_mempool *pool[WORKER_PORTS_MAX]; /* that it receives into; ports share them */
	uint16_t n;
	uint16_t n_started;
	enum port_link link[WORKER_PORTS_MAX]; /* as was said last */
};

/* Finds and configures every port, with queues for the workers; says everything that
 * is wrong through the report, not only the first. -EINVAL then. */
int ports_open(const struct config *config, uint16_t n_workers, struct ports *out,
	struct config_report *report);

int ports_start(struct ports *ports, struct why *why);

/* Looks at every started port and says which link came up, went down, or is gone with its device. */
void ports_say_news(struct ports *ports);

/* Stops and closes what is open; any state. */
void ports_close(struct ports *ports);
