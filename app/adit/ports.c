/* SPDX-License-Identifier: BSD-3-Clause */
/* ports.c - all ports of the config: opened, started, watched, closed. */
#include "ports.h"

#include <errno.h>
#include <rte_ethdev.h>
#include <rte_mempool.h>
#include <string.h>

#include "burst.h"
#include "log.h"
#include "port_device.h"

/* Beside what lies in a device's queues, of each worker: bursts, the pool's cache, and what waits
 * for a crypto device. */
#define MBUFS_PER_WORKER (4 * BURST_MAX + 512)

/* In the rings to and from the kernel, and what waits for neighbours. */
#define MBUFS_PER_KERNEL_SIDE 4096

static unsigned open_devices(const struct config *config, uint16_t n_workers, struct ports *out,
	struct port_descriptors *descriptors, struct config_report *report)
{
	unsigned errors = 0;

	for (uint16_t i = 0; i < config->n_ports; i++) {
		const struct config_port *c = &config->ports[i];
		struct why why = {0};

		if (port_device_open(c, n_workers, &out->port[i], &descriptors[i], report, &why) <
			0) {
			config_say(report, true, &c->source, c->name, "%s", why.text);
			errors++;
		}
	}
	return errors;
}

/* The first port with buffers of the same size in the same place. */
static uint16_t pool_owner(const struct config *config, const struct ports *ports, uint16_t i)
{
	uint16_t room = port_device_room(&config->ports[i]), k = 0;
	int socket = rte_eth_dev_socket_id(ports->port[i].ethdev);

	while (port_device_room(&config->ports[k]) != room ||
		rte_eth_dev_socket_id(ports->port[k].ethdev) != socket)
		k++;
	return k;
}

/* What a port received may lie in the TX queue of any: a pool that these could empty would never fill
 * again, for devices free what they have sent when the next is to be sent. */
static uint32_t count_mbufs(const struct config *config, uint16_t n_workers,
	const struct ports *ports, const struct port_descriptors *descriptors, uint16_t owner)
{
	uint32_t n = n_workers * (MBUFS_PER_WORKER + 2 * config->in_flight); /* and a backlog */

	for (uint16_t i = 0; i < config->n_ports; i++)
		n += config->ports[i].kernel[0] != '\0' ? MBUFS_PER_KERNEL_SIDE : 0;
	for (uint16_t i = 0; i < config->n_ports; i++) {
		n += descriptors[i].tx;
		if (pool_owner(config, ports, i) == owner)
			n += descriptors[i].rx;
	}
	return n;
}

/* Ports share a pool where their buffers are alike. */
static int take_pool(const struct config *config, uint16_t n_workers, struct ports *out,
	const struct port_descriptors *descriptors, uint16_t i, struct config_report *report,
	struct why *why)
{
	uint16_t owner = pool_owner(config, out, i);
	char name[RTE_MEMPOOL_NAMESIZE];
	uint32_t n_mbufs;

	if (owner < i) {
		out->pool[i] = out->pool[owner];
		return out->pool[i] == NULL ? why_set(why, -ENOMEM, "no packet buffers either") : 0;
	}
	snprintf(name, sizeof(name), "port%u", i);
	n_mbufs = count_mbufs(config, n_workers, out, descriptors, i);
	out->pool[i] = port_device_pool(&config->ports[i], &out->port[i], name, n_mbufs, report);
	if (out->pool[i] == NULL)
		return why_set(why, -ENOMEM,
			"no memory for %u packet buffers: give the EAL more by -m or hugepages",
			n_mbufs);
	return 0;
}

static unsigned open_queues(const struct config *config, uint16_t n_workers, struct ports *out,
	const struct port_descriptors *descriptors, struct config_report *report)
{
	unsigned errors = 0;

	for (uint16_t i = 0; i < config->n_ports; i++) {
		const struct config_port *c = &config->ports[i];
		struct why why = {0};
		int rc = take_pool(config, n_workers, out, descriptors, i, report, &why);

		if (rc == 0)
			rc = port_device_queues(c, &out->port[i], out->pool[i], &why);
		if (rc < 0) {
			config_say(report, true, &c->source, c->name, "%s", why.text);
			errors++;
		}
	}
	return errors;
}

int ports_open(const struct config *config, uint16_t n_workers, struct ports *out,
	struct config_report *report)
{
	struct port_descriptors descriptors[WORKER_PORTS_MAX];

	if (config->n_ports > WORKER_PORTS_MAX) {
		config_say(report, true, &config->ports[WORKER_PORTS_MAX].source, "ports",
			"%u ports; there can be up to %u", config->n_ports, WORKER_PORTS_MAX);
		return -EINVAL;
	}
	out->n = config->n_ports;
	if (open_devices(config, n_workers, out, descriptors, report) > 0 ||
		open_queues(config, n_workers, out, descriptors, report) > 0)
		return -EINVAL;
	return 0;
}

int ports_start(struct ports *ports, struct why *why)
{
	for (; ports->n_started < ports->n; ports->n_started++) {
		const struct port *port = &ports->port[ports->n_started];
		int rc = rte_eth_dev_start(port->ethdev);

		if (rc < 0)
			return why_set(
				why, rc, "port %s does not start: %s", port->name, strerror(-rc));
	}
	return 0;
}

void ports_say_news(struct ports *ports)
{
	for (uint16_t i = 0; i < ports->n_started; i++) {
		enum port_link now = port_link(ports->port[i].ethdev);
		const char *name = ports->port[i].name;

		if (now == ports->link[i] || now == PORT_LINK_UNKNOWN)
			continue;
		ports->link[i] = now;
		if (now == PORT_LINK_GONE)
			log_error("port %s: its device is gone; it carries nothing until adit is "
				  "restarted with it",
				name);
		else if (now == PORT_LINK_DOWN)
			log_warning("port %s: the link is down", name);
		else
			log_notice("port %s: the link is up", name);
	}
}

void ports_close(struct ports *ports)
{
	for (uint16_t i = 0; i < ports->n_started; i++)
		rte_eth_dev_stop(ports->port[i].ethdev);
	ports->n_started = 0;
	for (uint16_t i = 0; i < ports->n; i++) {
		if (ports->port[i].name[0] != '\0')
			rte_eth_dev_close(ports->port[i].ethdev);
	}
	for (uint16_t i = 0; i < ports->n; i++) {
		bool is_shared = false;

		for (uint16_t k = 0; k < i; k++)
			is_shared |= ports->pool[k] == ports->pool[i];
		if (!is_shared)
			rte_mempool_free(ports->pool[i]);
	}
	ports->n = 0;
}
