/* SPDX-License-Identifier: BSD-3-Clause */
/* port_device.h - one port of the config as an ethdev: what the device lets, else a word about it.
 * Control thread. */
#pragma once

#include "config.h"
#include "worker.h"

/* What a device's queues hold on to, all of one direction together. */
struct port_descriptors {
	uint32_t rx, tx;
};

/* Finds the device, gives it queues for the workers, MAC and MTU. Fills *port. What the device
 * refuses and adit can do without is a warning. -ENODEV, -ENOTSUP, -errno of the driver. */
int port_device_open(const struct config_port *c, uint16_t n_workers, struct port *port,
	struct port_descriptors *descriptors, struct config_report *report, struct why *why);

/* Bytes of a buffer that holds any packet of the port and what ESP adds, in one segment. */
uint16_t port_device_room(const struct config_port *c);

/* Buffers of that size on the socket of its device, or anywhere if there is no memory. NULL: none. */
struct rte_mempool *port_device_pool(const struct config_port *c, const struct port *port,
	const char *name, uint32_t n_mbufs, struct config_report *report);

/* Receives into pool from now on. Before rte_eth_dev_start(). -errno of the driver. */
int port_device_queues(const struct config_port *c, const struct port *port,
	struct rte_mempool *pool, struct why *why);
