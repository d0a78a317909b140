/* SPDX-License-Identifier: BSD-3-Clause */
/* device.c - configures and starts the devices of a provider, and closes them. */
#include <errno.h>
#include <rte_dev.h>
#include <rte_malloc.h>
#include <stdio.h>
#include <string.h>

#include "crypto_dp.h"
#include "device.h"
#include "mb.h"

/* A scheduler takes its children's sessions from its own pool, one for each kind of child. */
#define SCHEDULER_SESSIONS 4

/* Queue pairs that may be used. A scheduler's rings are made for one producer, whatever it says. */
static unsigned usable_pairs(uint8_t id)
{
	struct rte_cryptodev_info info;

	rte_cryptodev_info_get(id, &info);
	return device_is_driver(id, "crypto_scheduler") ? 1 : info.max_nb_queue_pairs;
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
	return device_is_driver(d->member[0].id, "crypto_scheduler") ? RTE_MIN(n, 255u) : n;
}

static uint32_t overdue_ms(const struct crypto_setup *setup, const struct crypto_device *d)
{
	if (setup->overdue_ms > 0)
		return setup->overdue_ms;
	return d->is_lookaside ? CRYPTO_OVERDUE_LOOKASIDE_MS : CRYPTO_OVERDUE_MS;
}

/* One more than sessions exist, for a rekey that opens the new before it closes the old. */
static unsigned pool_size(const struct crypto *c, uint8_t id)
{
	unsigned n = c->setup.max_sessions + c->setup.session_headroom + 1;

	return device_is_driver(id, "crypto_scheduler") ? n * (1 + SCHEDULER_SESSIONS) : n;
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

void device_stop(struct crypto *c, struct crypto_device *d)
{
	for (unsigned m = 0; m < d->n_members && !d->is_stopped; m++)
		rte_cryptodev_stop(d->member[m].id);
	d->is_stopped = true;
	for (unsigned w = 0; w < c->setup.n_workers; w++) {
		queue_close(c->queue[w][d->index]);
		c->queue[w][d->index] = NULL;
	}
}

static void close_device(struct crypto *c, struct crypto_device *d)
{
	device_stop(c, d);
	for (unsigned m = 0; m < d->n_members; m++)
		rte_mempool_free(d->member[m].sessions);
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
			  device_is_driver(ids[0], "crypto_scheduler");
	for (unsigned m = 0; rc == 0 && m < n_members; m++) {
		d->member[m].id = ids[m];
		d->n_members = m + 1;
		rc = start_member(c, d, m, RTE_MIN(pairs, n_workers - m * pairs));
	}
	for (unsigned w = 0; rc == 0 && w < n_workers; w++) {
		unsigned m = w / pairs;
		struct queue_place at = {d->member[m].id, w % pairs, w, overdue_ms(&c->setup, d)};

		d->member_of[w] = m;
		c->queue[w][d->index] =
			queue_open(&at, flight_limit(&c->setup, d), c->setup.worker_socket[w]);
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

/* The library as one device, with a queue for every worker. */
static int open_direct(struct crypto *c, struct device_set *s, struct why *why)
{
	struct crypto_device *d = rte_zmalloc("crypto_device", sizeof(*d), 0);
	int rc = 0;

	if (d == NULL)
		return why_set(why, -ENOMEM, "no memory for the crypto devices");
	d->index = c->n_devices;
	d->is_direct = true;
	for (unsigned w = 0; rc == 0 && w < c->setup.n_workers; w++)
		rc = queue_open_direct(
			c->setup.in_flight, c->setup.worker_socket[w], &c->queue[w][d->index], why);
	if (rc < 0) {
		close_device(c, d);
		return rc;
	}
	mb_manager_name(s->manager, d->name, sizeof(d->name));
	snprintf(d->shown, sizeof(d->shown), "%s", crypto_provider_name(s->source->provider));
	c->device[c->n_devices++] = d;
	s->device[s->n_devices++] = d;
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
	if (c->n_devices == CRYPTO_DEVICES_MAX)
		return why_set(why, -ENOSPC, "%s: no more than %u crypto devices can be in use",
			provider, CRYPTO_DEVICES_MAX);
	if (s->source->origin == DEVICE_DIRECT)
		return open_direct(c, s, why);
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
	mb_manager_close(s->manager);
	s->manager = NULL;
	s->is_probed = false;
}
