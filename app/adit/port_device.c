/* SPDX-License-Identifier: BSD-3-Clause */
/* port_device.c - one port of the config as an ethdev: queues, MAC, MTU and buffers, as far as the
 * device lets. No offload is asked for but RSS: every checksum is computed here, so that any port
 * will do. */
#include "port_device.h"

#include <errno.h>
#include <rte_ethdev.h>
#include <rte_ether.h>
#include <rte_mbuf.h>
#include <string.h>

#include "crypto_dp.h"
#include "frame.h"

#define POOL_CACHE 256

/* What ESP puts behind a packet: padding, trailer and ICV of any algorithm. */
#define TAIL_MAX (15 + ESP_TRAILER_LEN + 32)

/* Devices count their buffers in KiB, rounded down. */
#define ROOM_STEP 1024

/* What tells flows apart; of ESP the SPI. */
#define RSS_WANTED                                                                                 \
	(RTE_ETH_RSS_IP | RTE_ETH_RSS_TCP | RTE_ETH_RSS_UDP | RTE_ETH_RSS_SCTP | RTE_ETH_RSS_ESP)

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

static int find(const struct config_port *c, uint16_t *id, struct why *why)
{
	char devices[512];

	if (rte_eth_dev_get_port_by_name(c->device, id) == 0)
		return 0;
	list_devices(devices, sizeof(devices));
	return why_set(why, -ENODEV,
		"no device \"%s\"; the EAL has: %s. Add it by -a PCI-ADDRESS or --vdev %s,… "
		"before the --",
		c->device, devices, c->device);
}

/* As many in either direction: with fewer, the other end of a virtual device would use some that
 * nobody looks at. Left to itself a port has a queue for each worker if it spreads flows over them
 * (RSS), else one, which the workers share by ring. */
static int choose_queues(const struct config_port *c, const struct rte_eth_dev_info *info,
	uint16_t n_workers, struct port *port, struct why *why)
{
	uint16_t most = RTE_MIN(info->max_rx_queues, info->max_tx_queues);
	bool can_rss = c->offloads && (info->flow_type_rss_offloads & RSS_WANTED) != 0;
	uint16_t wanted = c->queues > 0 ? c->queues : can_rss ? n_workers : 1;

	if (c->queues > most)
		return why_set(why, -ENOTSUP, "queues: %u; it has %u", c->queues, most);
	most = RTE_MIN(most, n_workers);
	port->n_rx_queues = RTE_MIN(wanted, most);
	port->n_tx_queues = port->n_rx_queues;
	port->does_rss = can_rss && port->n_rx_queues > 1;
	return 0;
}

static int configure(const struct port *port, const struct rte_eth_dev_info *info, struct why *why)
{
	struct rte_eth_conf conf = {0};
	int rc;

	if (port->does_rss) {
		conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
		conf.rx_adv_conf.rss_conf.rss_hf = RSS_WANTED & info->flow_type_rss_offloads;
	}
	rc = rte_eth_dev_configure(port->ethdev, port->n_rx_queues, port->n_tx_queues, &conf);
	if (rc < 0)
		return why_set(why, rc, "it cannot be configured: %s", strerror(-rc));
	return 0;
}

/* The longest IP packet that the device speaks of. */
static uint32_t longest(const struct rte_eth_dev_info *info)
{
	return RTE_MIN((uint32_t)info->max_mtu,
		info->max_rx_pktlen - RTE_ETHER_HDR_LEN - RTE_ETHER_CRC_LEN);
}

/* A device without an MTU of its own takes any frame, as far as it knows; the pipeline keeps to the
 * MTU in any case. */
static int set_mtu(const struct config_port *c, const struct rte_eth_dev_info *info, uint16_t id,
	struct config_report *report, struct why *why)
{
	int rc = rte_eth_dev_set_mtu(id, c->mtu);

	if (rc == -ENOTSUP && c->mtu > longest(info))
		config_say(report, false, &c->source, c->name,
			"mtu %u: the device has none to set and speaks of up to %u; see to it that "
			"its other end takes longer packets",
			c->mtu, longest(info));
	if (rc < 0 && rc != -ENOTSUP)
		return why_set(why, rc, "mtu %u is refused: %s; the device takes %u to %u", c->mtu,
			strerror(-rc), info->min_mtu, longest(info));
	return 0;
}

/* The address of our station: the config's or the device's. A device that will not take ours is
 * asked for every frame instead, and the pipeline chooses; one that knows neither filters nothing. */
static int take_mac(const struct config_port *c, uint16_t id, struct route_port *r,
	struct config_report *report, struct why *why)
{
	struct rte_ether_addr mac;
	int rc = rte_eth_macaddr_get(id, &mac);

	if (rc < 0)
		return why_set(why, rc, "it has no MAC address: give it one by mac:");
	memcpy(r->mac, mac.addr_bytes, sizeof(r->mac));
	if (!c->has_mac || memcmp(r->mac, c->mac, sizeof(r->mac)) == 0)
		return 0;
	memcpy(r->mac, c->mac, sizeof(r->mac));
	memcpy(mac.addr_bytes, c->mac, sizeof(r->mac));
	if (rte_eth_dev_default_mac_addr_set(id, &mac) == 0)
		return 0;
	rc = rte_eth_promiscuous_enable(id);
	if (rc < 0 && rc != -ENOTSUP)
		config_say(report, false, &c->source, c->name,
			"the device takes neither this MAC address nor every frame (%s); leave "
			"mac: "
			"out and it has its own",
			strerror(-rc));
	return 0;
}

static int count_descriptors(const struct config_port *c, const struct port *port, uint16_t *n_rx,
	uint16_t *n_tx, struct why *why)
{
	int rc;

	*n_rx = *n_tx = c->descriptors;
	rc = rte_eth_dev_adjust_nb_rx_tx_desc(port->ethdev, n_rx, n_tx);
	if (rc < 0)
		return why_set(
			why, rc, "%u descriptors are refused: %s", c->descriptors, strerror(-rc));
	return 0;
}

static void describe(const struct config_port *c, struct port *port)
{
	struct route_port *r = &port->route;

	snprintf(port->name, sizeof(port->name), "%s", c->name);
	r->side = c->side;
	r->mtu = c->mtu;
	memcpy(r->vlan, c->vlan, sizeof(r->vlan));
	r->n_vlans = c->n_vlans;
	memcpy(r->address, c->address, sizeof(r->address));
	r->n_addresses = c->n_addresses;
}

int port_device_open(const struct config_port *c, uint16_t n_workers, struct port *port,
	struct port_descriptors *descriptors, struct config_report *report, struct why *why)
{
	struct rte_eth_dev_info info;
	uint16_t n_rx, n_tx;
	int rc = find(c, &port->ethdev, why);

	if (rc < 0)
		return rc;
	describe(c, port);
	rc = rte_eth_dev_info_get(port->ethdev, &info);
	if (rc < 0)
		return why_set(why, rc, "it does not tell what it can do: %s", strerror(-rc));
	rc = choose_queues(c, &info, n_workers, port, why);
	if (rc == 0)
		rc = take_mac(c, port->ethdev, &port->route, report, why);
	if (rc == 0)
		rc = configure(port, &info, why);
	if (rc == 0)
		rc = set_mtu(c, &info, port->ethdev, report, why);
	if (rc == 0)
		rc = count_descriptors(c, port, &n_rx, &n_tx, why);
	if (rc < 0)
		return rc;
	if (n_rx != c->descriptors || n_tx != c->descriptors)
		config_say(report, false, &c->source, c->name,
			"descriptors %u: the device has %u to receive and %u to send with",
			c->descriptors, n_rx, n_tx);
	*descriptors = (struct port_descriptors){
		(uint32_t)n_rx * port->n_rx_queues, (uint32_t)n_tx * port->n_tx_queues};
	return 0;
}

uint16_t port_device_room(const struct config_port *c)
{
	return RTE_PKTMBUF_HEADROOM +
	       RTE_MAX(2048, RTE_ALIGN_CEIL(c->mtu + L2_LEN_MAX + TAIL_MAX, ROOM_STEP));
}

struct rte_mempool *port_device_pool(const struct config_port *c, const struct port *port,
	const char *name, uint32_t n_mbufs, struct config_report *report)
{
	int socket = rte_eth_dev_socket_id(port->ethdev);
	struct rte_mempool *pool = rte_pktmbuf_pool_create(
		name, n_mbufs, POOL_CACHE, CRYPTO_JOB_SIZE, port_device_room(c), socket);

	if (pool != NULL || socket == SOCKET_ID_ANY)
		return pool;
	pool = rte_pktmbuf_pool_create(
		name, n_mbufs, POOL_CACHE, CRYPTO_JOB_SIZE, port_device_room(c), SOCKET_ID_ANY);
	if (pool != NULL)
		config_say(report, false, &c->source, c->name,
			"no memory for its packet buffers on NUMA node %d, where the device is; "
			"give the EAL some there by --socket-mem",
			socket);
	return pool;
}

int port_device_queues(const struct config_port *c, const struct port *port,
	struct rte_mempool *pool, struct why *why)
{
	int socket = rte_eth_dev_socket_id(port->ethdev), rc;
	uint16_t n_rx, n_tx, id = port->ethdev;

	rc = count_descriptors(c, port, &n_rx, &n_tx, why);
	if (rc < 0)
		return rc;
	for (uint16_t q = 0; q < port->n_rx_queues; q++) {
		rc = rte_eth_rx_queue_setup(id, q, n_rx, socket, NULL, pool);
		if (rc < 0)
			return why_set(
				why, rc, "its RX queue %u cannot be set up: %s", q, strerror(-rc));
	}
	for (uint16_t q = 0; q < port->n_tx_queues; q++) {
		rc = rte_eth_tx_queue_setup(id, q, n_tx, socket, NULL);
		if (rc < 0)
			return why_set(
				why, rc, "its TX queue %u cannot be set up: %s", q, strerror(-rc));
	}
	return 0;
}
