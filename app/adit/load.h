/* SPDX-License-Identifier: BSD-3-Clause */
/* load.h - from checked specs to open SAs with leases. Control thread. */
#pragma once

#include "config.h"
#include "lease.h"
#include "route.h"

/* Opens every SA of the config, gives outbound ones their lease, and publishes them. Says what is
 * wrong with each through the report. -EINVAL: something was. journal: NULL where there is no
 * outbound SA. */
int load_sas(const struct config *config, struct sa_db *sas, struct lease_journal *journal,
	struct config_report *report);

bool load_needs_journal(const struct config *config);

/* The addresses that are ours beside the ports': where inbound SAs' packets go. For free(). */
int load_local(const struct config *config, struct ipaddr **out, uint32_t *n);

/* Tells each outbound SA the MTU of the port that its route leads to; without a route, the smallest of
 * the unprotected ports. */
void load_path_mtus(struct sa_db *sas, const struct route_db *routes, const struct config *config);
