/* SPDX-License-Identifier: BSD-3-Clause */
/* device_find.c - finds or makes the devices of a provider. */
#include <errno.h>
#include <rte_dev.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "mb.h"
#include "qat_hint.h"

/* intel-ipsec-mb is called directly: its cryptodevs compare ICVs by memcmp, and cost a ring and an
 * op a packet. They run where they are named. */
static const struct device_source sources[DEVICE_SOURCES] = {
	{CRYPTO_AESNI_MB, DEVICE_DIRECT, NULL},
	{CRYPTO_OPENSSL, DEVICE_MADE, "crypto_openssl"},
	{CRYPTO_QAT, DEVICE_FOUND, "crypto_qat"},
	{CRYPTO_AESNI_MB, DEVICE_NAMED, NULL},
	{CRYPTO_OPENSSL, DEVICE_NAMED, NULL},
	{CRYPTO_QAT, DEVICE_NAMED, NULL},
};

void device_sets_init(struct crypto *c)
{
	for (unsigned i = 0; i < DEVICE_SOURCES; i++)
		c->set[i].source = &sources[i];
}

bool device_set_serves(const struct crypto *c, const struct device_set *s, enum crypto_provider p)
{
	bool is_named = c->setup.named[p].n > 0;

	return s->source->provider == p && (s->source->origin == DEVICE_NAMED) == is_named;
}

bool device_is_driver(uint8_t id, const char *name)
{
	struct rte_cryptodev_info info;

	rte_cryptodev_info_get(id, &info);
	return strcmp(rte_cryptodev_driver_name_get(info.driver_id), name) == 0;
}

static int find_named(struct crypto *c, struct device_set *s, struct why *why)
{
	enum crypto_provider p = s->source->provider;

	for (unsigned i = 0; i < c->setup.named[p].n; i++) {
		const char *name = c->setup.named[p].device[i];
		int id = rte_cryptodev_get_dev_id(name);

		if (id < 0)
			return why_set(why, -ENODEV,
				"%s: the EAL has no crypto device %s; give it with --vdev %s,… or "
				"-a",
				crypto_provider_name(p), name, name);
		s->member[s->n_members++].id = id;
	}
	return 0;
}

static int find_qat(struct device_set *s, struct why *why)
{
	for (int id = 0; id < RTE_CRYPTO_MAX_DEVS && s->n_members < CRYPTO_DEVICES_MAX; id++) {
		if (rte_cryptodev_is_valid_dev(id) && device_is_driver(id, s->source->driver))
			s->member[s->n_members++].id = id;
	}
	return s->n_members > 0 ? 0 : qat_hint("/sys/bus/pci/devices", why);
}

static int make_software(struct crypto *c, struct device_set *s, struct why *why)
{
	const char *driver = s->source->driver;
	char name[RTE_CRYPTODEV_NAME_MAX_LEN], args[64];
	int rc;

	snprintf(args, sizeof(args), "max_nb_queue_pairs=%u,socket_id=%d", c->setup.n_workers,
		RTE_MAX(c->setup.worker_socket[0], 0));
	snprintf(name, sizeof(name), "%s_adit", driver);
	/* The name may be taken: by --vdev, or by another room of this process. */
	for (unsigned i = 1; rte_cryptodev_get_dev_id(name) >= 0; i++)
		snprintf(name, sizeof(name), "%s_adit%u", driver, i);
	rc = rte_eal_hotplug_add("vdev", name, args);
	if (rc < 0)
		return why_set(why, -ENODEV,
			"%s: the device %s cannot be made: %s; is DPDK's driver %s installed?",
			crypto_provider_name(s->source->provider), name, strerror(-rc), driver);
	rc = rte_cryptodev_get_dev_id(name);
	if (rc < 0) {
		rte_eal_hotplug_remove("vdev", name);
		return why_set(why, -ENODEV, "%s: the device %s has no crypto device",
			crypto_provider_name(s->source->provider), name);
	}
	strcpy(s->made, name);
	s->member[s->n_members++].id = rc;
	return 0;
}

int device_set_probe(struct crypto *c, struct device_set *s, struct why *why)
{
	int rc;

	if (s->is_probed)
		return 0;
	s->n_members = 0;
	switch (s->source->origin) {
	case DEVICE_DIRECT:
		rc = mb_manager_open(c->setup.worker_socket[0], &s->manager, why);
		break;
	case DEVICE_MADE: rc = make_software(c, s, why); break;
	case DEVICE_FOUND: rc = find_qat(s, why); break;
	default: rc = find_named(c, s, why);
	}
	s->is_probed = rc == 0;
	return rc;
}
