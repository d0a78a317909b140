/* SPDX-License-Identifier: BSD-3-Clause */
/* device.c - finds or makes the cryptodevs of a provider, configures, starts and removes them. */
#include <errno.h>
#include <rte_dev.h>
#include <rte_malloc.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "qat_hint.h"
#include "transform.h"

/* A scheduler takes its children's sessions from its own pool, one for each kind of child. */
#define SCHEDULER_SESSIONS 4

/* Tried from the top. crypto_aesni_gcm knows GCM only, and is quicker at short packets than
 * crypto_aesni_mb: 110 against 132 cycles at 64 bytes on a Zen 5. */
static const struct device_source sources[DEVICE_SOURCES] = {
	{CRYPTO_AESNI_MB, "crypto_aesni_gcm", true},
	{CRYPTO_AESNI_MB, "crypto_aesni_mb", true},
	{CRYPTO_OPENSSL, "crypto_openssl", true},
	{CRYPTO_QAT, "crypto_qat", false},
	{CRYPTO_AESNI_MB, NULL, false},
	{CRYPTO_OPENSSL, NULL, false},
	{CRYPTO_QAT, NULL, false},
};

void device_sets_init(struct crypto *c)
{
	for (unsigned i = 0; i < DEVICE_SOURCES; i++)
		c->set[i].source = &sources[i];
}

bool device_set_serves(const struct crypto *c, const struct device_set *s, enum crypto_provider p)
{
	bool is_named = c->setup.named[p].n > 0;

	return s->source->provider == p && (s->source->driver == NULL) == is_named;
}

/* What the cryptodev's driver is called: crypto_qat, crypto_scheduler. */
static const char *driver_name(uint8_t id)
{
	struct rte_cryptodev_info info;

	rte_cryptodev_info_get(id, &info);
	return rte_cryptodev_driver_name_get(info.driver_id);
}

static bool is_driver(uint8_t id, const char *name)
{
	return strcmp(driver_name(id), name) == 0;
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
		s->id[s->n_ids++] = id;
	}
	return 0;
}

static int find_qat(struct device_set *s, struct why *why)
{
	for (int id = 0; id < RTE_CRYPTO_MAX_DEVS && s->n_ids < CRYPTO_DEVICES_MAX; id++) {
		if (rte_cryptodev_is_valid_dev(id) && is_driver(id, s->source->driver))
			s->id[s->n_ids++] = id;
	}
	return s->n_ids > 0 ? 0 : qat_hint("/sys/bus/pci/devices", why);
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
			"%s: the device %s cannot be made: %s; is DPDK's driver %s installed, and "
			"does this CPU have AES instructions?",
			crypto_provider_name(s->source->provider), name, strerror(-rc), driver);
	rc = rte_cryptodev_get_dev_id(name);
	if (rc < 0) {
		rte_eal_hotplug_remove("vdev", name);
		return why_set(why, -ENODEV, "%s: the device %s has no crypto device",
			crypto_provider_name(s->source->provider), name);
	}
	strcpy(s->made, name);
	s->id[s->n_ids++] = rc;
	return 0;
}

int device_set_probe(struct crypto *c, struct device_set *s, struct why *why)
{
	int rc;

	if (s->is_probed)
		return 0;
	s->n_ids = 0;
	if (s->source->driver == NULL)
		rc = find_named(c, s, why);
	else if (s->source->is_software)
		rc = make_software(c, s, why);
	else
		rc = find_qat(s, why);
	s->is_probed = rc == 0;
	return rc;
}

/* Queue pairs that may be used. A scheduler's rings are made for one producer, whatever it says. */
static unsigned usable_pairs(uint8_t id)
{
	struct rte_cryptodev_info info;

	rte_cryptodev_info_get(id, &info);
	return is_driver(id, "crypto_scheduler") ? 1 : info.max_nb_queue_pairs;
}

/* Descriptors of a queue pair: twice what is in flight, as a ring holds one less than its size;
 * lookaside devices have 128 to 4096. */
static uint32_t descriptors(const struct crypto_setup *setup, const struct crypto_device *d)
{
	uint32_t n = setup->in_flight * 2;

	if (!d->is_lookaside)
		return n;
	n = RTE_MAX(n, 128u);
	return RTE_MIN(n, 4096u);
}

static uint32_t flight_limit(const struct crypto_setup *setup, const struct crypto_device *d)
{
	uint32_t n = RTE_MIN(setup->in_flight, descriptors(setup, d) - 1);

	/* Its rings of 256; more would partly be refused and, in 22.11, meet the wrong session. */
	return is_driver(d->member[0].id, "crypto_scheduler") ? RTE_MIN(n, 255u) : n;
}

/* One more than sessions exist, for a rekey that opens the new before it closes the old. */
static unsigned pool_size(const struct crypto *c, uint8_t id)
{
	unsigned n = c->setup.max_sessions + c->setup.session_headroom + 1;

	return is_driver(id, "crypto_scheduler") ? n * (1 + SCHEDULER_SESSIONS) : n;
}

static int start_member(struct crypto *c, struct crypto_device *d, unsigned m, unsigned pairs)
{
	const struct crypto_setup *setup = &c->setup;
	struct rte_cryptodev_config config = {
		.socket_id = SOCKET_ID_ANY,
		.nb_queue_pairs = pairs,
		.ff_disable = RTE_CRYPTODEV_FF_SECURITY | RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO,
	};
	struct rte_cryptodev_qp_conf pair = {.nb_descriptors = descriptors(setup, d)};
	uint8_t id = d->member[m].id;
	char name[RTE_MEMPOOL_NAMESIZE];
	int socket = rte_cryptodev_socket_id(id);
	int rc;

	rc = rte_cryptodev_configure(id, &config);
	if (rc < 0)
		return rc;
	snprintf(name, sizeof(name), "crypto_sessions%u", id);
	d->member[m].sessions = rte_cryptodev_sym_session_pool_create(name, pool_size(c, id),
		rte_cryptodev_sym_get_private_session_size(id), 0, 0, socket);
	if (d->member[m].sessions == NULL)
		return -ENOMEM;
	pair.mp_session = d->member[m].sessions;
	for (unsigned p = 0; p < pairs; p++) {
		rc = rte_cryptodev_queue_pair_setup(id, p, &pair, socket);
		if (rc < 0)
			return rc;
	}
	return rte_cryptodev_start(id);
}

static void close_device(struct crypto *c, struct crypto_device *d)
{
	for (unsigned w = 0; w < c->setup.n_workers; w++) {
		queue_close(c->queue[w][d->index]);
		c->queue[w][d->index] = NULL;
	}
	for (unsigned m = 0; m < d->n_members; m++) {
		rte_cryptodev_stop(d->member[m].id);
		rte_mempool_free(d->member[m].sessions);
	}
	c->device[d->index] = NULL;
	rte_free(d);
}

static void name_device(struct crypto *c, struct crypto_device *d, const struct device_source *src)
{
	const char *provider = crypto_provider_name(src->provider);
	size_t used = 0;

	for (unsigned m = 0; m < d->n_members && used < sizeof(d->name); m++)
		used += snprintf(d->name + used, sizeof(d->name) - used, "%s%s", m > 0 ? "," : "",
			rte_cryptodev_name_get(d->member[m].id));
	if (c->setup.named[src->provider].n > 0)
		snprintf(d->shown, sizeof(d->shown), "%s on %s", provider, d->name);
	else
		snprintf(d->shown, sizeof(d->shown), "%s", provider);
}

/* Starts a group of cryptodevs as one device, with a queue for every worker. */
static int open_device(struct crypto *c, const struct device_set *s, const uint8_t *ids,
	unsigned n_members, unsigned pairs, struct crypto_device **out)
{
	struct crypto_device *d = rte_zmalloc("crypto_device", sizeof(*d), 0);
	unsigned n_workers = c->setup.n_workers;
	struct rte_cryptodev_info info;
	int rc = 0;

	if (d == NULL)
		return -ENOMEM;
	rte_cryptodev_info_get(ids[0], &info);
	d->index = c->n_devices;
	d->is_lookaside = (info.feature_flags & RTE_CRYPTODEV_FF_HW_ACCELERATED) != 0 ||
			  is_driver(ids[0], "crypto_scheduler");
	for (unsigned m = 0; rc == 0 && m < n_members; m++) {
		d->member[m].id = ids[m];
		d->n_members = m + 1;
		rc = start_member(c, d, m, RTE_MIN(pairs, n_workers - m * pairs));
	}
	for (unsigned w = 0; rc == 0 && w < n_workers; w++) {
		unsigned m = w / pairs;

		d->member_of[w] = m;
		c->queue[w][d->index] = queue_open(d->member[m].id, w % pairs, w,
			flight_limit(&c->setup, d), c->setup.worker_socket[w]);
		if (c->queue[w][d->index] == NULL)
			rc = -ENOMEM;
	}
	if (rc < 0) {
		close_device(c, d);
		return rc;
	}
	name_device(c, d, s->source);
	c->device[c->n_devices++] = d;
	*out = d;
	return 0;
}

static void close_devices(struct crypto *c, struct device_set *s)
{
	while (s->n_devices > 0)
		close_device(c, s->device[--s->n_devices]);
}

int device_set_start(struct crypto *c, struct device_set *s, struct why *why)
{
	unsigned pairs = UINT16_MAX, group;
	const char *provider = crypto_provider_name(s->source->provider);

	if (s->n_devices > 0)
		return 0;
	for (unsigned i = 0; i < s->n_ids; i++) {
		unsigned usable = usable_pairs(s->id[i]);

		pairs = RTE_MIN(pairs, usable);
	}
	group = queue_group(s->n_ids, pairs, c->setup.n_workers);
	if (group == 0)
		return why_set(why, -ENODEV,
			"%s: %u workers need a queue pair each, and %u device(s) with %u usable "
			"queue pair(s) are there; give more devices or fewer workers",
			provider, c->setup.n_workers, s->n_ids, pairs);
	for (unsigned i = 0; i + group <= s->n_ids && c->n_devices < CRYPTO_DEVICES_MAX;
		i += group) {
		int rc = open_device(c, s, &s->id[i], group, pairs, &s->device[s->n_devices]);

		if (rc < 0) {
			c->n_devices -= s->n_devices;
			close_devices(c, s);
			return why_set(why, rc, "%s: the device %s cannot be started: %s", provider,
				rte_cryptodev_name_get(s->id[i]), strerror(-rc));
		}
		s->n_devices++;
	}
	return 0;
}

void device_set_close(struct crypto *c, struct device_set *s)
{
	close_devices(c, s);
	if (s->made[0] != '\0')
		rte_eal_hotplug_remove("vdev", s->made);
	s->made[0] = '\0';
	s->is_probed = false;
}
