/* SPDX-License-Identifier: BSD-3-Clause */
/* ports.c - from the config's ports to started ethdevs: used as they are, no offload insisted on. */
#include "ports.h"

#include <errno.h>
#include <rte_ethdev.h>
#include <rte_ether.h>
#include <rte_mbuf.h>
#include <string.h>

#include "crypto_dp.h"
#include "frame.h"

#define POOL_MIN   4096
#define POOL_CACHE 256

/* What ESP puts behind a packet: padding, trailer and ICV of any algorithm. */
#define TAIL_MAX (15 + ESP_TRAILER_LEN + 32)

/* The buffer that holds any packet of the port and what ESP adds, in one segment. */
static uint16_t data_room(const struct config_port *c)
{
	return RTE_PKTMBUF_HEADROOM +
	       RTE_MAX(RTE_MBUF_DEFAULT_DATAROOM, c->mtu + L2_LEN_MAX + TAIL_MAX);
}

/* "a, b" of the ethdevs that the EAL has. */
static void list_devices(char *buf, size_t size)
{
	uint16_t id;
	size_t at = 0;

	buf[0] = '\0';
	RTE_ETH_FOREACH_DEV (id) {
		char name[RTE_ETH_NAME_MAX_LEN];

		if (rte_eth_dev_get_name_by_port(id, name) == 0 && at < size)
			at += snprintf(buf + at, size - at, "%s%s", at > 0 ? ", " : "", name);
	}
	if (at == 0)
		snprintf(buf, size, "none");
}

/* A queue for each worker and direction where the port can; where it can't, one, and the workers
 * share it by ring. Left to itself a port gets several RX queues only if it spreads flows over them
 * (RSS). queues: as many as it says, or an error. */
static int choose_queues(const struct config_port *c, const struct rte_eth_dev_info *info,
	uint16_t n_workers, struct port *port, struct why *why)
{
	uint16_t most = RTE_MIN(info->max_rx_queues, info->max_tx_queues);

	if (c->queues > most)
		return why_set(why, -ENOTSUP, "queues: %u; it has %u", c->queues, most);
	if (c->queues > 0) {
		port->n_rx_queues = RTE_MIN(c->queues, n_workers);
		port->n_tx_queues = c->queues >= n_workers ? n_workers : 1;
		return 0;
	}
	port->n_rx_queues =
		info->flow_type_rss_offloads != 0 ? RTE_MIN(info->max_rx_queues, n_workers) : 1;
	port->n_tx_queues = info->max_tx_queues >= n_workers ? n_workers : 1;
	return 0;
}

static int setup_queues(const struct config_port *c, const struct port *port,
	struct rte_mempool *pool, struct why *why)
{
	uint16_t n_rx_desc = c->descriptors, n_tx_desc = c->descriptors, id = port->ethdev;
	int socket = rte_eth_dev_socket_id(id), rc;

	rc = rte_eth_dev_adjust_nb_rx_tx_desc(id, &n_rx_desc, &n_tx_desc);
	if (rc < 0)
		return why_set(
			why, rc, "%u descriptors are refused: %s", c->descriptors, strerror(-rc));
	for (uint16_t q = 0; q < port->n_rx_queues; q++) {
		rc = rte_eth_rx_queue_setup(id, q, n_rx_desc, socket, NULL, pool);
		if (rc < 0)
			return why_set(
				why, rc, "its RX queue %u cannot be set up: %s", q, strerror(-rc));
	}
	for (uint16_t q = 0; q < port->n_tx_queues; q++) {
		rc = rte_eth_tx_queue_setup(id, q, n_tx_desc, socket, NULL);
		if (rc < 0)
			return why_set(
				why, rc, "its TX queue %u cannot be set up: %s", q, strerror(-rc));
	}
	return 0;
}

static int configure(const struct config_port *c, uint16_t n_workers, struct port *port,
	struct rte_mempool *pool, struct why *why)
{
	struct rte_eth_conf conf = {0};
	struct rte_eth_dev_info info;
	int rc = rte_eth_dev_info_get(port->ethdev, &info);

	if (rc < 0)
		return why_set(why, rc, "it does not tell what it can do: %s", strerror(-rc));
	rc = choose_queues(c, &info, n_workers, port, why);
	if (rc < 0)
		return rc;
	if (port->n_rx_queues > 1 && info.flow_type_rss_offloads != 0) {
		conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
		conf.rx_adv_conf.rss_conf.rss_hf =
			(RTE_ETH_RSS_IP | RTE_ETH_RSS_TCP | RTE_ETH_RSS_UDP) &
			info.flow_type_rss_offloads;
	}
	rc = rte_eth_dev_configure(port->ethdev, port->n_rx_queues, port->n_tx_queues, &conf);
	if (rc < 0)
		return why_set(why, rc, "it cannot be configured: %s", strerror(-rc));
	/* A port without an MTU of its own takes any frame; the pipeline holds the MTU in any case. */
	rc = rte_eth_dev_set_mtu(port->ethdev, c->mtu);
	if (rc < 0 && rc != -ENOTSUP)
		return why_set(why, rc, "mtu %u is refused: %s", c->mtu, strerror(-rc));
	return setup_queues(c, port, pool, why);
}

/* The address of our station: the config's or the device's. A device that will not take ours is
 * asked for every frame instead, and the pipeline chooses. */
static int take_mac(const struct config_port *c, uint16_t id, struct route_port *r, struct why *why)
{
	struct rte_ether_addr mac;
	int rc = rte_eth_macaddr_get(id, &mac);

	if (rc < 0)
		return why_set(why, rc, "it has no MAC address: give it one by mac:");
	if (c->has_mac && memcmp(mac.addr_bytes, c->mac, sizeof(c->mac)) != 0) {
		memcpy(mac.addr_bytes, c->mac, sizeof(c->mac));
		if (rte_eth_dev_default_mac_addr_set(id, &mac) < 0)
			rte_eth_promiscuous_enable(id);
	}
	memcpy(r->mac, mac.addr_bytes, sizeof(r->mac));
	return 0;
}

static void describe(const struct config_port *c, uint16_t id, struct port *port)
{
	struct route_port *r = &port->route;

	snprintf(port->name, sizeof(port->name), "%s", c->name);
	port->ethdev = id;
	r->side = c->side;
	r->mtu = c->mtu;
	memcpy(r->vlan, c->vlan, sizeof(r->vlan));
	r->n_vlans = c->n_vlans;
	memcpy(r->address, c->address, sizeof(r->address));
	r->n_addresses = c->n_addresses;
}

static int port_open(const struct config *config, uint16_t i, uint16_t n_workers, struct ports *out,
	struct why *why)
{
	const struct config_port *c = &config->ports[i];
	uint32_t n_mbufs = RTE_MAX(POOL_MIN, c->descriptors * 2 + n_workers * 4 * BURST_MAX);
	char pool_name[RTE_MEMPOOL_NAMESIZE], devices[512];
	uint16_t id;
	int rc;

	if (rte_eth_dev_get_port_by_name(c->device, &id) < 0) {
		list_devices(devices, sizeof(devices));
		return why_set(why, -ENODEV,
			"no device \"%s\"; the EAL has: %s. Add it by -a PCI-ADDRESS or --vdev "
			"%s,… "
			"before the --",
			c->device, devices, c->device);
	}
	snprintf(pool_name, sizeof(pool_name), "port%u", i);
	out->pool[i] = rte_pktmbuf_pool_create(pool_name, n_mbufs, POOL_CACHE, CRYPTO_JOB_SIZE,
		data_room(c), rte_eth_dev_socket_id(id));
	if (out->pool[i] == NULL)
		return why_set(why, -ENOMEM,
			"no memory for %u packet buffers: give the EAL more by -m or hugepages",
			n_mbufs);
	rc = take_mac(c, id, &out->port[i].route, why);
	if (rc < 0)
		return rc;
	describe(c, id, &out->port[i]);
	return configure(c, n_workers, &out->port[i], out->pool[i], why);
}

int ports_open(const struct config *config, uint16_t n_workers, struct ports *out,
	struct config_report *report)
{
	unsigned errors = 0;

	if (config->n_ports > WORKER_PORTS_MAX) {
		config_say(report, true, &config->ports[WORKER_PORTS_MAX].source, "ports",
			"%u ports; there can be up to %u", config->n_ports, WORKER_PORTS_MAX);
		return -EINVAL;
	}
	out->n = config->n_ports;
	for (uint16_t i = 0; i < config->n_ports; i++) {
		struct why why = {0};

		if (port_open(config, i, n_workers, out, &why) < 0) {
			config_say(report, true, &config->ports[i].source, config->ports[i].name,
				"%s", why.text);
			errors++;
		}
	}
	return errors > 0 ? -EINVAL : 0;
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

void ports_close(struct ports *ports)
{
	for (uint16_t i = 0; i < ports->n_started; i++)
		rte_eth_dev_stop(ports->port[i].ethdev);
	ports->n_started = 0;
	for (uint16_t i = 0; i < ports->n; i++) {
		if (ports->pool[i] == NULL)
			continue;
		if (ports->port[i].name[0] != '\0')
			rte_eth_dev_close(ports->port[i].ethdev);
		rte_mempool_free(ports->pool[i]);
	}
	ports->n = 0;
}
