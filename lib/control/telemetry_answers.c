/* SPDX-License-Identifier: BSD-3-Clause */
/* telemetry_answers.c - totals for those who scrape DPDK. */
#include "telemetry_answers.h"

#include <errno.h>
#include <rte_ethdev.h>
#include <stdlib.h>
#include <string.h>

#include "dpdk_compat.h"
#include "sa.h"
#include "totals.h"

static int put(struct rte_tel_data *data, const char *name, uint64_t n)
{
	return rte_tel_data_add_dict_uint(data, name, n);
}

static void sum_workers(const struct pipeline *p, struct worker_stats *sum)
{
	*sum = (struct worker_stats){0};
	for (uint16_t w = 0; w < pipeline_workers(p); w++) {
		struct worker_stats stats;

		pipeline_stats(p, w, &stats);
		totals_add(sum, &stats);
	}
}

int telemetry_exits(const struct views_of *of, const char *params, struct rte_tel_data *data)
{
	struct worker_stats sum;
	int rc = 0;

	(void)params;
	sum_workers(of->pipeline, &sum);
	rte_tel_data_start_dict(data);
	for (enum exit e = 0; e < EXIT_COUNT && rc == 0; e++)
		rc = put(data, exit_name(e), sum.exit[e]);
	return rc;
}

/* "/adit/workers": all together; "/adit/workers,1": that one. */
int telemetry_workers(const struct views_of *of, const char *params, struct rte_tel_data *data)
{
	uint16_t n_workers = pipeline_workers(of->pipeline);
	struct worker_stats s;
	bool is_all = params == NULL || params[0] == '\0';
	unsigned long worker;
	char *end;

	rte_tel_data_start_dict(data);
	if (is_all) {
		sum_workers(of->pipeline, &s);
		put(data, "workers", n_workers);
	} else {
		worker = strtoul(params, &end, 10);
		if (*end != '\0' || worker >= n_workers)
			return -EINVAL;
		pipeline_stats(of->pipeline, (uint16_t)worker, &s);
		put(data, "lcore", s.lcore);
	}
	put(data, "received", s.received);
	put(data, "made", s.made);
	put(data, "sent", s.sent);
	put(data, "exits", totals_exits(&s));
	put(data, "merged", s.merged);
	if (is_all) /* of one worker it may be below 0 */
		put(data, "parked", s.parked);
	put(data, "polls", s.polls);
	put(data, "idle_polls", s.idle_polls);
	put(data, "busy_cycles", s.busy_cycles);
	return put(data, "idle_cycles", s.idle_cycles);
}

struct sa_totals {
	uint64_t sas;
	struct sa_count count;
};

static int add_sa(struct sa *sa, void *arg)
{
	struct sa_totals *total = (struct sa_totals *)arg + sa_spec_of(sa)->direction;
	struct sa_count count = sa_count_of(sa);

	total->sas++;
	total->count.packets += count.packets;
	total->count.bytes += count.bytes;
	return 0;
}

int telemetry_sa_totals(const struct views_of *of, const char *params, struct rte_tel_data *data)
{
	struct sa_totals total[] = {[SA_OUT] = {0}, [SA_IN] = {0}};

	(void)params;
	sa_db_walk(of->sas, add_sa, total);
	rte_tel_data_start_dict(data);
	put(data, "out_sas", total[SA_OUT].sas);
	put(data, "out_packets", total[SA_OUT].count.packets);
	put(data, "out_bytes", total[SA_OUT].count.bytes);
	put(data, "in_sas", total[SA_IN].sas);
	put(data, "in_packets", total[SA_IN].count.packets);
	return put(data, "in_bytes", total[SA_IN].count.bytes);
}

static const struct port *find_port(const struct views_of *of, const char *name)
{
	for (uint16_t i = 0; i < of->n_ports; i++) {
		if (strcmp(of->ports[i].name, name) == 0)
			return &of->ports[i];
	}
	return NULL;
}

/* "/adit/ports": all together; "/adit/ports,wan": that one. */
int telemetry_ports(const struct views_of *of, const char *params, struct rte_tel_data *data)
{
	bool is_all = params == NULL || params[0] == '\0';
	const struct port *first = is_all ? of->ports : find_port(of, params);
	uint16_t n = is_all ? of->n_ports : 1;
	struct rte_eth_stats sum = {0};

	if (first == NULL)
		return -EINVAL;
	for (uint16_t i = 0; i < n; i++) {
		struct rte_eth_stats s = {0};

		rte_eth_stats_get(first[i].ethdev, &s);
		sum.ipackets += s.ipackets;
		sum.ibytes += s.ibytes;
		sum.imissed += s.imissed + s.rx_nombuf;
		sum.ierrors += s.ierrors;
		sum.opackets += s.opackets;
		sum.obytes += s.obytes;
		sum.oerrors += s.oerrors;
	}
	rte_tel_data_start_dict(data);
	put(data, "ports", n);
	put(data, "rx_packets", sum.ipackets);
	put(data, "rx_bytes", sum.ibytes);
	put(data, "rx_dropped", sum.imissed);
	put(data, "rx_errors", sum.ierrors);
	put(data, "tx_packets", sum.opackets);
	put(data, "tx_bytes", sum.obytes);
	return put(data, "tx_errors", sum.oerrors);
}
