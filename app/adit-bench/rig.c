/* SPDX-License-Identifier: BSD-3-Clause */
/* rig.c - a gateway as adit runs it, between two wires instead of NICs. */
#include "rig.h"

#include <errno.h>
#include <rte_ether.h>
#include <rte_lcore.h>
#include <stdlib.h>
#include <string.h>

#include "sequence.h"

#define MTU       9000
#define IN_FLIGHT 2048
#define BACKLOG   2048

struct rig {
	struct rig_setup setup;
	struct rcu rcu;
	struct crypto *crypto;
	struct sa_db *sas;
	struct sa *first; /* SA, for displays */
	struct spd *spd;
	struct route_db *routes;
	struct pipeline *pipeline;
	struct port port[2];
};

static struct ipaddr address4(uint32_t host)
{
	struct ipaddr a = {.family = 4};

	a.bytes[0] = host >> 24;
	a.bytes[1] = host >> 16;
	a.bytes[2] = host >> 8;
	a.bytes[3] = host;
	return a;
}

static void describe_sa(
	const struct rig_setup *s, uint32_t n, enum sa_direction direction, struct sa_spec *out)
{
	struct ipaddr here = address4(TRAFFIC_LOCAL), there = address4(TRAFFIC_PEER + n);

	*out = (struct sa_spec){
		.direction = direction,
		.spi = TRAFFIC_SPI + n + (direction == SA_IN ? TRAFFIC_SPI_IN : 0),
		.src = direction == SA_OUT ? here : there,
		.dst = direction == SA_OUT ? there : here,
		.lookup = SA_LOOKUP_SPI_DST,
		.reqid = n + 1,
		.provider = s->provider,
		.fallback = SA_NO_PROVIDER,
		.window = s->window,
		.df = SA_DF_COPY,
		.dscp = SA_DSCP_COPY,
		.flow_label = SA_FLOW_LABEL_COPY,
		.outer_ttl = 64,
	};
	snprintf(out->name, sizeof(out->name), "%s-%u", direction == SA_OUT ? "out" : "in", n);
	suite_keys(s->suite, n, &out->crypto);
}

static int open_sa(struct rig *r, uint32_t n, enum sa_direction direction, struct why *why)
{
	struct sequence *numbers;
	struct sa_spec spec;
	struct sa *sa;
	int rc;

	describe_sa(&r->setup, n, direction, &spec);
	rc = sa_open(r->sas, &spec, &sa, why);
	if (rc < 0)
		return rc;
	if (r->first == NULL)
		r->first = sa;
	if (direction == SA_IN)
		return 0;
	numbers = sa_sequence_numbers(sa);
	atomic_store(&numbers->next, 1);
	atomic_store(&numbers->limit, numbers->end); /* keys of one run need no lease */
	sa_set_path_mtu(sa, MTU);
	return 0;
}

static int open_sas(struct rig *r, struct why *why)
{
	struct sa_setup setup = {r->crypto, &r->rcu, r->setup.n_workers, 2 * r->setup.n_sas + 1};
	int rc = sa_db_open(&setup, &r->sas, why);

	for (uint32_t n = 0; rc == 0 && !r->setup.is_clear && n < r->setup.n_sas; n++) {
		rc = open_sa(r, n, SA_OUT, why);
		if (rc == 0)
			rc = open_sa(r, n, SA_IN, why);
	}
	return rc < 0 ? rc : sa_db_publish(r->sas, why);
}

static void describe_policy(const struct rig_setup *s, uint32_t n, enum policy_direction direction,
	struct ipaddr_range range[2], struct policy_spec *out)
{
	const struct ipaddr_range *here = &range[0], *there = &range[1];

	range[0] = (struct ipaddr_range){address4(TRAFFIC_SRC), address4(TRAFFIC_SRC)};
	range[1] = (struct ipaddr_range){address4(TRAFFIC_DST + n), address4(TRAFFIC_DST + n)};
	*out = (struct policy_spec){
		.direction = direction,
		.action = s->is_clear ? POLICY_BYPASS : POLICY_PROTECT,
		.reqid = s->is_clear ? 0 : n % s->n_sas + 1,
		.src = here, /* the far end's packets have the same addresses */
		.dst = there,
		.n_src = 1,
		.n_dst = 1,
	};
	snprintf(out->name, sizeof(out->name), "%s-%u", direction == POLICY_OUT ? "out" : "in", n);
}

static int open_spd(struct rig *r, struct why *why)
{
	uint32_t n = r->setup.n_policies;
	struct policy_spec *policies = calloc(2 * n, sizeof(*policies));
	struct ipaddr_range(*ranges)[2] = calloc(2 * n, sizeof(*ranges));
	int rc = -ENOMEM;

	if (policies == NULL || ranges == NULL) {
		why_set(why, rc, "no memory for %u policies", n);
	} else {
		for (uint32_t i = 0; i < n; i++) {
			describe_policy(&r->setup, i, POLICY_OUT, ranges[i], &policies[i]);
			describe_policy(&r->setup, i, POLICY_IN, ranges[n + i], &policies[n + i]);
		}
		rc = spd_open(policies, 2 * n, r->sas, &r->spd, why);
	}
	free(policies);
	free(ranges);
	return rc;
}

/* To the flows and their peers in the unprotected network, each by way of one neighbour; what came in
 * by a tunnel goes to a neighbour in the protected one. */
static int open_routes(struct rig *r, struct why *why)
{
	struct route_spec routes[] = {
		{.to = {address4(TRAFFIC_PEER), 16}, .via = address4(TRAFFIC_LOCAL + 1), .port = 1},
		{.to = {address4(TRAFFIC_DST), 10}, .via = address4(TRAFFIC_SRC), .port = 0},
	};
	struct neighbour_spec neighbours[] = {
		{.address = address4(TRAFFIC_LOCAL + 1), .port = 1},
		{.address = address4(TRAFFIC_SRC), .port = 0},
	};
	struct ipaddr local = address4(TRAFFIC_LOCAL);
	struct route_port ports[] = {r->port[0].route, r->port[1].route};
	struct route_setup setup = {ports, 2, routes, RTE_DIM(routes), neighbours,
		RTE_DIM(neighbours), &local, 1, rte_socket_id()};

	if (r->setup.is_clear) { /* what goes out in clear is routed by the same addresses */
		routes[1].via = address4(TRAFFIC_LOCAL + 1);
		routes[1].port = 1;
	}
	memcpy(neighbours[0].mac, traffic_mac_peer, 6);
	memcpy(neighbours[1].mac, traffic_mac_peer, 6);
	return route_open(&setup, &r->routes, why);
}

static void describe_port(const struct wire *w, const char *name, enum port_side side,
	const uint8_t mac[6], uint32_t address, struct port *out)
{
	*out = (struct port){
		.ethdev = w->ethdev,
		.n_rx_queues = w->n_queues,
		.n_tx_queues = w->n_queues,
		.does_rss = true,
		.route = {.side = side,
			.mtu = MTU,
			.address = {{address4(address), 24}},
			.n_addresses = 1},
	};
	snprintf(out->name, sizeof(out->name), "%s", name);
	memcpy(out->route.mac, mac, 6);
}

static int open_crypto(struct rig *r, struct why *why)
{
	struct crypto_setup setup = {
		.n_workers = r->setup.n_workers,
		.in_flight = IN_FLIGHT,
		.max_sessions = 2 * r->setup.n_sas + 1,
	};

	for (uint16_t i = 0; i < setup.n_workers; i++)
		setup.worker_socket[i] = rte_lcore_to_socket_id(r->setup.lcores[i]);
	for (unsigned i = 0; i < r->setup.n_devices; i++)
		setup.named[r->setup.provider].device[i] = r->setup.device[i];
	setup.named[r->setup.provider].n = r->setup.n_devices;
	return crypto_open(&setup, &r->crypto, why);
}

static int open_pipeline(struct rig *r, struct why *why)
{
	struct pipeline_setup setup = {
		.lcores = r->setup.lcores,
		.n_workers = r->setup.n_workers,
		.burst = r->setup.burst,
		.ports = r->port,
		.n_ports = 2,
		.rcu = &r->rcu,
		.crypto = r->crypto,
		.sas = r->sas,
		.spd = r->spd,
		.routes = r->routes,
		.builtin_arp = true,
		.builtin_nd = true,
		.builtin_ike = true,
		.backlog = BACKLOG,
		.no_ledger = r->setup.no_ledger,
	};

	return pipeline_open(&setup, &r->pipeline, why);
}

int rig_open(const struct rig_setup *setup, struct rig **out, struct why *why)
{
	struct rig *r = calloc(1, sizeof(*r));
	int rc;

	if (r == NULL)
		return why_set(why, -ENOMEM, "no memory for a gateway");
	r->setup = *setup;
	describe_port(setup->lan, "lan", PORT_PROTECTED, traffic_mac_lan, 0x0a000001, &r->port[0]);
	describe_port(
		setup->wan, "wan", PORT_UNPROTECTED, traffic_mac_wan, TRAFFIC_LOCAL, &r->port[1]);
	rc = rcu_open(&r->rcu, setup->n_workers);
	if (rc < 0)
		why_set(why, rc, "no memory for grace periods");
	if (rc == 0)
		rc = open_crypto(r, why);
	if (rc == 0)
		rc = open_sas(r, why);
	if (rc == 0)
		rc = open_spd(r, why);
	if (rc == 0)
		rc = open_routes(r, why);
	if (rc == 0)
		rc = open_pipeline(r, why);
	if (rc < 0)
		rig_close(r);
	else
		*out = r;
	return rc;
}

void rig_close(struct rig *r)
{
	if (r == NULL)
		return;
	pipeline_close(r->pipeline);
	if (r->routes != NULL)
		route_close(r->routes);
	if (r->spd != NULL)
		spd_close(r->spd);
	if (r->crypto != NULL)
		crypto_stop(r->crypto);
	if (r->sas != NULL)
		sa_db_close(r->sas);
	if (r->crypto != NULL)
		crypto_close(r->crypto);
	rcu_close(&r->rcu);
	free(r);
}

struct pipeline *rig_pipeline(const struct rig *r)
{
	return r->pipeline;
}

const char *rig_provider(const struct rig *r)
{
	return r->first != NULL ? sa_provider(r->first) : "none";
}

const char *rig_device(const struct rig *r)
{
	const char *name = crypto_device_name(r->crypto, 0);

	return name != NULL ? name : "none";
}

static void begin(void *arg, uint16_t worker)
{
	const struct rig *r = arg;

	pipeline_begin(r->pipeline, worker);
}

static void resume(void *arg, uint16_t worker)
{
	const struct rig *r = arg;

	pipeline_pause(r->pipeline, worker);
}

static void end(void *arg, uint16_t worker)
{
	const struct rig *r = arg;

	pipeline_end(r->pipeline, worker);
}

static uint16_t poll_once(void *arg, uint16_t worker)
{
	const struct rig *r = arg;

	return pipeline_round(r->pipeline, worker);
}

static uint64_t failures(void *arg)
{
	return rig_exits(arg, NULL, 0);
}

void rig_subject(struct rig *r, struct subject *s)
{
	s->begin = begin;
	s->end = end;
	s->resume = resume;
	s->round = poll_once;
	s->failures = failures;
	s->arg = r;
}

uint64_t rig_exits(const struct rig *r, char *names, size_t size)
{
	uint64_t sum[EXIT_COUNT] = {0}, all = 0;
	size_t at = 0;

	for (uint16_t w = 0; w < r->setup.n_workers; w++) {
		struct worker_stats stats;

		pipeline_stats(r->pipeline, w, &stats);
		for (unsigned e = 0; e < EXIT_COUNT; e++)
			sum[e] += stats.exit[e];
	}
	for (unsigned e = 0; e < EXIT_COUNT; e++) {
		all += sum[e];
		if (sum[e] > 0 && at < size)
			at += snprintf(names + at, size - at, "%s%s %lu", at > 0 ? ", " : "",
				exit_name(e), sum[e]);
	}
	return all;
}
