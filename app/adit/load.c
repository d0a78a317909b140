/* SPDX-License-Identifier: BSD-3-Clause */
/* load.c - from checked specs to open SAs with leases. */
#include "load.h"

#include <errno.h>
#include <rte_byteorder.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "route_dp.h"

bool load_needs_journal(const struct config *config)
{
	for (uint32_t i = 0; i < config->n_sas; i++) {
		if (config->sas[i].direction == SA_OUT)
			return true;
	}
	return false;
}

static int load_sa(const struct sa_spec *spec, struct sa_db *sas, struct lease_journal *journal,
	struct config_report *report)
{
	struct why why = {0};
	struct sa *sa;
	int rc = sa_open(sas, spec, &sa, &why);

	if (rc < 0) {
		config_say(report, true, &spec->source, spec->name, "%s", why.text);
		return rc;
	}
	if (why.text[0] != '\0')
		config_say(report, false, &spec->source, spec->name, "%s", why.text);
	if (spec->direction == SA_IN)
		return 0;
	rc = sa_open_lease(sa, journal, &why);
	if (rc < 0)
		config_say(report, true, &spec->source, spec->name, "%s", why.text);
	return rc;
}

int load_sas(const struct config *config, struct sa_db *sas, struct lease_journal *journal,
	struct config_report *report)
{
	unsigned errors = 0;
	struct why why = {0};

	for (uint32_t i = 0; i < config->n_sas; i++) {
		struct crypto_spec *crypto = &config->sas[i].crypto;

		errors += load_sa(&config->sas[i], sas, journal, report) < 0;
		key_wipe(&crypto->key); /* the sessions have what they need of them */
		key_wipe(&crypto->auth_key);
	}
	if (errors > 0)
		return -EINVAL;
	if (journal != NULL && lease_journal_commit(journal, &why) < 0) {
		log_error("leases: %s", why.text);
		return -EINVAL;
	}
	if (sa_db_publish(sas, &why) < 0) {
		log_error("SAD: %s", why.text);
		return -EINVAL;
	}
	return 0;
}

int load_local(const struct config *config, struct ipaddr **out, uint32_t *n)
{
	*n = 0;
	*out = calloc(config->n_sas + 1, sizeof(**out));
	if (*out == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < config->n_sas; i++) {
		const struct sa_spec *spec = &config->sas[i];

		if (spec->direction == SA_IN && !ipaddr_is_any(&spec->dst))
			(*out)[(*n)++] = spec->dst;
	}
	return 0;
}

static const struct nexthop *find_route(const struct route_db *routes, const struct ipaddr *to)
{
	const struct nexthop *nh;

	if (to->family == 4) {
		uint32_t dst;

		memcpy(&dst, to->bytes, 4);
		dst = rte_be_to_cpu_32(dst);
		route_lookup4(routes, &dst, &nh, 1);
	} else {
		uint8_t dst[1][16];

		memcpy(dst[0], to->bytes, 16);
		route_lookup6(routes, dst, &nh, 1);
	}
	return nh;
}

struct path_mtus {
	const struct route_db *routes;
	uint16_t smallest;
};

static int set_path_mtu(struct sa *sa, void *arg)
{
	const struct path_mtus *m = arg;
	const struct sa_spec *spec = sa_spec_of(sa);
	uint16_t mtu = m->smallest;
	const struct nexthop *nh;

	if (spec->direction == SA_IN)
		return 0;
	nh = find_route(m->routes, &spec->dst);
	if (nh->kind == NEXTHOP_SEND)
		mtu = nh->mtu;
	sa_set_path_mtu(sa, spec->mtu > 0 && spec->mtu < mtu ? spec->mtu : mtu);
	return 0;
}

void load_path_mtus(struct sa_db *sas, const struct route_db *routes, const struct config *config)
{
	struct path_mtus m = {.routes = routes, .smallest = UINT16_MAX};

	for (uint16_t i = 0; i < config->n_ports; i++) {
		if (config->ports[i].side == PORT_UNPROTECTED && config->ports[i].mtu < m.smallest)
			m.smallest = config->ports[i].mtu;
	}
	sa_db_walk(sas, set_path_mtu, &m);
}
