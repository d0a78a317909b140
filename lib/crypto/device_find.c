/* SPDX-License-Identifier: BSD-3-Clause */
/* device_find.c - finds the devices of a provider, or its library. */
#include <errno.h>
#include <string.h>

#include "device.h"
#include "evp.h"
#include "mb.h"
#include "qat_hint.h"

/* Libraries are called directly: their cryptodevs cost a ring and an op a packet, those of
 * intel-ipsec-mb compare ICVs by memcmp, and that of OpenSSL builds contexts anew for every packet. They
 * run where they are named. */
static const struct device_source sources[DEVICE_SOURCES] = {
	{CRYPTO_AESNI_MB, DEVICE_IPSEC_MB, NULL},
	{CRYPTO_OPENSSL, DEVICE_OPENSSL, NULL},
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

int device_set_probe(struct crypto *c, struct device_set *s, struct why *why)
{
	int rc;

	if (s->is_probed)
		return 0;
	s->n_members = 0;
	switch (s->source->origin) {
	case DEVICE_IPSEC_MB:
		rc = mb_manager_open(c->setup.worker_socket[0], &s->manager, why);
		break;
	case DEVICE_OPENSSL: rc = evp_library_open(&s->evp, why); break;
	case DEVICE_FOUND: rc = find_qat(s, why); break;
	default: rc = find_named(c, s, why);
	}
	s->is_probed = rc == 0;
	return rc;
}
