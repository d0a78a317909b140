/* SPDX-License-Identifier: BSD-3-Clause */
/* view_ports.c - every port: its device, its link, who receives from it, and what it counted. */
#include <rte_ethdev.h>

#include "port_link.h"
#include "view.h"
#include "worker.h"

/* How packets of a port get to the workers. */
static const char *receivers(const struct port *port, uint16_t n_workers)
{
	if (n_workers == 1)
		return "one worker";
	if (port->n_rx_queues < n_workers)
		return "rings"; /* few workers poll it and hand on */
	return port->does_rss ? "rss" : "queues"; /* queues: its other end chooses */
}

static json_t *show_port(const struct port *port, uint16_t n_workers)
{
	const struct route_port *r = &port->route;
	struct rte_eth_dev_info info = {0};
	struct rte_eth_stats stats = {0};
	char device[RTE_ETH_NAME_MAX_LEN] = "";

	rte_eth_dev_get_name_by_port(port->ethdev, device);
	if (rte_eth_dev_info_get(port->ethdev, &info) < 0)
		info.driver_name = NULL;
	rte_eth_stats_get(port->ethdev, &stats);
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:i, s:i, s:i, s:s, s:s, s:o, s:o, s:o, "
			 "s:o, s:o, s:o, s:o}",
		"name", port->name, "device", device, "driver",
		info.driver_name == NULL ? "" : info.driver_name, "side",
		r->side == PORT_PROTECTED ? "protected" : "unprotected", "link",
		port_link_name(port_link(port->ethdev)), "mac",
		json_sprintf("%02x:%02x:%02x:%02x:%02x:%02x", r->mac[0], r->mac[1], r->mac[2],
			r->mac[3], r->mac[4], r->mac[5]),
		"mtu", r->mtu, "rx_queues", port->n_rx_queues, "tx_queues", port->n_tx_queues,
		"receivers", receivers(port, n_workers), "offloads",
		port->does_rss ? "rss" : "none", "rx_packets", whole(stats.ipackets), "rx_bytes",
		whole(stats.ibytes), "rx_dropped", whole(stats.imissed + stats.rx_nombuf),
		"rx_errors", whole(stats.ierrors), "tx_packets", whole(stats.opackets), "tx_bytes",
		whole(stats.obytes), "tx_errors", whole(stats.oerrors));
}

json_t *view_ports(const json_t *request, void *arg, struct why *why)
{
	const struct views *v = arg;
	uint16_t n_workers = pipeline_workers(v->of.pipeline);
	json_t *all = json_array();
	int rc = 0;

	(void)request;
	(void)why;
	for (uint16_t i = 0; i < v->of.n_ports; i++)
		rc |= json_array_append_new(all, show_port(&v->of.ports[i], n_workers));
	return whole_or_none(all, rc);
}
