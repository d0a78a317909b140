/* SPDX-License-Identifier: BSD-3-Clause */
/* fake_gateway.h - SAs, ports and workers with invented counters, in the place of the real rooms': what
 * tests of displays link. Include it in one file of a program. */
#pragma once

#include <rte_ethdev.h>
#include <stddef.h>

#include "sa.h"
#include "worker.h"

struct sa {
	struct sa_spec spec;
	const char *provider;
	struct sa_count count;
	uint64_t sequence;
};

struct sa_db {
	struct sa *sas;
	size_t n;
};

struct pipeline {
	const struct worker_stats *stats;
	uint16_t n;
};

static const struct stage_stats fake_stages[] = {
	{"outbound", "rx", 1000, 4},
	{"inbound", "in_sad", 0, 0},
};

int sa_db_walk(struct sa_db *db, int (*visit)(struct sa *sa, void *arg), void *arg)
{
	int rc = 0;

	for (size_t i = 0; i < db->n && rc == 0; i++)
		rc = visit(&db->sas[i], arg);
	return rc;
}

const struct sa_spec *sa_spec_of(const struct sa *sa)
{
	return &sa->spec;
}

const char *sa_provider(const struct sa *sa)
{
	return sa->provider;
}

struct sa_count sa_count_of(const struct sa *sa)
{
	return sa->count;
}

uint64_t sa_sequence(const struct sa *sa)
{
	return sa->sequence;
}

bool crypto_device_stats(const struct crypto *c, unsigned n, struct crypto_device_stats *out)
{
	static const struct crypto_device_stats fake[] = {
		{"crypto_scheduler0", "qat on crypto_scheduler0", CRYPTO_LOOKASIDE, true, 2, 100, 4,
			3, 1, 9},
		{"intel-ipsec-mb 1.3.0 avx2", "aesni_mb", CRYPTO_LIBRARY, false, 1, 5, 0, 0, 0, 0},
	};

	(void)c;
	if (n >= sizeof(fake) / sizeof(fake[0]))
		return false;
	*out = fake[n];
	return true;
}

uint16_t pipeline_workers(const struct pipeline *p)
{
	return p->n;
}

void pipeline_stats(const struct pipeline *p, uint16_t worker, struct worker_stats *out)
{
	*out = p->stats[worker];
}

struct sa_count pipeline_policy_count(const struct pipeline *p, uint32_t policy)
{
	(void)p;
	return (struct sa_count){10 + policy, 1000 + policy};
}

struct spd *pipeline_spd(const struct pipeline *p)
{
	(void)p;
	return NULL; /* the fakes of spd.h look at none */
}

bool pipeline_stage(const struct pipeline *p, unsigned n, struct stage_stats *out)
{
	(void)p;
	if (n >= sizeof(fake_stages) / sizeof(fake_stages[0]))
		return false;
	*out = fake_stages[n];
	return true;
}

/* Two workers whose books close together, not each alone: bursts go from one to the other. */
static const struct worker_stats fake_stats[] = {
	{.lcore = 1,
		.received = 100,
		.made = 5,
		.sent = 80,
		.merged = 1,
		.parked = 2,
		.exit = {[EXIT_TTL_EXPIRED] = 7, [EXIT_TX_FULL] = 3},
		.polls = 50,
		.idle_polls = 20,
		.busy_cycles = 3000,
		.idle_cycles = 1000},
	{.lcore = 3, .received = 10, .sent = 20, .exit = {[EXIT_TX_FULL] = 2}},
};

/* A port of a device that is gone, and a quiet one. */
static const struct port fake_ports[] = {
	{"lan", .ethdev = 7, .n_rx_queues = 1, .n_tx_queues = 2,
		.route = {.side = PORT_PROTECTED, .mac = {2, 0, 0, 0, 1, 0xff}, .mtu = 9000}},
	{"wan", .ethdev = 3, .n_rx_queues = 2, .n_tx_queues = 2, .does_rss = true,
		.route = {.side = PORT_UNPROTECTED, .mtu = 1500}},
};

int rte_eth_stats_get(uint16_t port_id, struct rte_eth_stats *stats)
{
	*stats = (struct rte_eth_stats){};
	if (port_id == 7)
		*stats = (struct rte_eth_stats){.ipackets = 1,
			.ibytes = 100,
			.imissed = 2,
			.rx_nombuf = 3,
			.ierrors = 4,
			.opackets = 50,
			.obytes = 5000,
			.oerrors = 6};
	return 0;
}
