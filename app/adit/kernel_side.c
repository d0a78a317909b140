/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel_side.c - what the kernel has of our ports. */
#include "kernel_side.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "log.h"

#define CONFIRM_PER_TICK 64

static int add_addresses(struct kernel_side *k, const struct config_port *c, uint16_t i,
	struct config_report *report)
{
	char text[IPADDR_STRLEN];

	for (uint16_t n = 0; n < c->n_addresses; n++) {
		int rc = netlink_add_address(k->netlink, k->index[i], &c->address[n]);

		if (rc == 0 || rc == -EEXIST)
			continue;
		config_say(report, true, &c->source, c->name,
			"the kernel does not take address %s for %s: %s",
			ipaddr_prefix_format(&c->address[n], text), c->kernel, strerror(-rc));
		return rc;
	}
	return 0;
}

static int open_tap(struct kernel_side *k, const struct config_port *c, struct port *port,
	uint16_t i, struct config_report *report)
{
	struct why why = {0};
	int rc = tap_open(c->kernel, port->route.mac, c->mtu, &k->tap[i], &why);

	if (rc < 0) {
		config_say(report, true, &c->source, c->name, "kernel: %s", why.text);
		return rc;
	}
	k->has_tap[i] = true;
	k->index[i] = k->tap[i].index;
	port->route.has_kernel = true;
	log_notice("port %s: its kernel side is TAP interface %s", c->name, c->kernel);
	return add_addresses(k, c, i, report);
}

static bool is_wanted(const struct config *config)
{
	for (uint16_t i = 0; i < config->n_ports; i++) {
		if (config->ports[i].kernel[0] != '\0')
			return true;
	}
	return false;
}

static int open_netlink(struct kernel_side *k, struct why *why)
{
	int rc = netlink_open(&k->netlink, why);

	if (rc == 0)
		rc = netlink_asker_open(&k->asker, why);
	if (rc == 0 && mirror_open(k->netlink, k->index, k->n_ports, &k->mirror) < 0)
		rc = why_set(why, -ENOMEM, "no memory for the kernel's routes");
	return rc;
}

int kernel_side_open(const struct config *config, struct ports *ports, struct kernel_side *out,
	struct config_report *report)
{
	struct why why = {0};
	int rc, errors = 0;

	*out = (struct kernel_side){.n_ports = ports->n};
	if (!is_wanted(config))
		return 0;
	out->is_open = true;
	rc = open_netlink(out, &why);
	if (rc < 0) {
		log_error("kernel: %s", why.text);
		return rc;
	}
	for (uint16_t i = 0; i < ports->n; i++) {
		const struct config_port *c = &config->ports[i];

		if (c->kernel[0] != '\0')
			errors += open_tap(out, c, &ports->port[i], i, report) < 0;
	}
	if (errors > 0)
		return -EINVAL;
	kernel_side_refresh(out);
	return 0;
}

void kernel_side_close(struct kernel_side *k)
{
	for (uint16_t i = 0; i < k->n_ports; i++) {
		if (k->has_tap[i])
			tap_close(&k->tap[i]);
	}
	mirror_close(k->mirror);
	netlink_asker_close(k->asker);
	netlink_close(k->netlink);
	*k = (struct kernel_side){0};
}

int kernel_side_start(
	struct kernel_side *k, struct pipeline *p, const struct ports *ports, struct why *why)
{
	struct kernel_port port[WORKER_PORTS_MAX] = {0};

	if (!k->is_open)
		return 0;
	for (uint16_t i = 0; i < ports->n; i++) {
		port[i].pool = ports->pool[i];
		port[i].tap = k->has_tap[i] ? &k->tap[i] : NULL;
	}
	return kernel_thread_open(p, port, ports->n, &k->thread, why);
}

void kernel_side_stop(struct kernel_side *k)
{
	kernel_thread_close(k->thread);
	k->thread = NULL;
}

int kernel_side_fd(const struct kernel_side *k)
{
	return k->is_open ? netlink_fd(k->netlink) : -1;
}

void kernel_side_hear(struct kernel_side *k)
{
	k->n_lost_now = netlink_serve(k->netlink);
}

bool kernel_side_refresh(struct kernel_side *k)
{
	struct why why = {0};
	int rc = mirror_refresh(k->mirror, &why);

	if (k->n_lost_now != k->n_lost)
		log_warning("netlink: news were lost (%" PRIu64 " times by now); what the kernel "
			    "knows was read anew",
			k->n_lost_now);
	k->n_lost = k->n_lost_now;
	if (rc < 0 && !k->is_failing)
		log_error("netlink: %s; what it said last stays in force, and it is asked again",
			why.text);
	else if (rc >= 0 && k->is_failing)
		log_notice("netlink: the kernel tells again");
	k->is_failing = rc < 0;
	return rc != 0;
}

/* A link that is down for the device is so for the kernel: it then tries no neighbour there. */
static void show_links(struct kernel_side *k, const struct ports *ports)
{
	for (uint16_t i = 0; i < k->n_ports; i++) {
		if (k->has_tap[i])
			tap_set_carrier(&k->tap[i], ports->link[i] != PORT_LINK_DOWN &&
							    ports->link[i] != PORT_LINK_GONE);
	}
}

void kernel_side_tick(struct kernel_side *k, const struct ports *ports)
{
	if (!k->is_open)
		return;
	show_links(k, ports);
	mirror_confirm(k->mirror, k->asker, CONFIRM_PER_TICK);
	for (uint16_t i = 0; i < k->n_ports; i++) {
		if (!k->has_tap[i] || k->is_gone[i] || k->thread == NULL ||
			!kernel_thread_counts(k->thread, i).is_gone)
			continue;
		k->is_gone[i] = true;
		log_error(
			"port %s: TAP interface %s was removed; ARP, ND, IKE and what else is for "
			"this host get no further until adit is restarted. Traffic goes on by the "
			"neighbours that are known",
			ports->port[i].name, k->tap[i].name);
	}
}
