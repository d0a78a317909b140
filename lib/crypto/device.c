/* SPDX-License-Identifier: BSD-3-Clause */
/* device.c - configures and starts the devices of a provider, and closes them. */
#include <errno.h>
#include <rte_malloc.h>
#include <stdio.h>
#include <string.h>

#include "crypto_dp.h"
#include "deal.h"
#include "device.h"
#include "evp.h"
#include "mb.h"

/* A scheduler takes its children's sessions from its own pool, one for each kind of child. */
#define SCHEDULER_SESSIONS 4

static bool is_lookaside(uint8_t id)
{
	struct rte_cryptodev_info info;

	rte_cryptodev_info_get(id, &info);
	return (info.feature_flags & RTE_CRYPTODEV_FF_HW_ACCELERATED) != 0 ||
	       device_is_driver(id, "crypto_scheduler");
}

/* Queue pairs that may be used: all of a card's, two or four a VF; a worker has use for one of a
 * software device. A scheduler's rings are made for one producer, whatever it says. */
static unsigned usable_pairs(const struct crypto *c, uint8_t id)
{
	struct rte_cryptodev_info info;

	rte_cryptodev_info_get(id, &info);
	if (device_is_driver(id, "crypto_scheduler"))
		return 1;
	return is_lookaside(id) ? info.max_nb_queue_pairs
				: RTE_MIN(info.max_nb_queue_pairs, c->setup.n_workers);
}

/* Descriptors of a queue pair: twice what is in flight, as a ring holds one less than its size.
 * crypto_qat has 128 to 4096; a scheduler gives the number to its children, which must never be full,
 * as what they refuse meets the wrong session in 22.11. */
static uint32_t descriptors(const struct crypto_setup *setup, uint8_t id)
{
	uint32_t n = setup->in_flight * 2;

	if (device_is_driver(id, "crypto_scheduler"))
		return RTE_MAX(n, 2048u);
	if (!is_lookaside(id))
		return n;
	n = RTE_MAX(n, 128u);
	return RTE_MIN(n, 4096u);
}

static uint32_t flight_limit(const struct crypto_setup *setup, uint8_t id)
{
	uint32_t n = RTE_MIN(setup->in_flight, descriptors(setup, id) - 1);

	/* Its rings of 256: more would partly be refused. */
	return device_is_driver(id, "crypto_scheduler") ? RTE_MIN(n, 255u) : n;
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

static int start_member(struct crypto *c, struct device_member *m)
{
	struct rte_cryptodev_config config = {
		.socket_id = SOCKET_ID_ANY,
		.nb_queue_pairs = m->pairs,
		.ff_disable = RTE_CRYPTODEV_FF_SECURITY | RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO,
	};
	struct rte_cryptodev_qp_conf pair = {.nb_descriptors = descriptors(&c->setup, m->id)};
	char name[RTE_MEMPOOL_NAMESIZE];
	int socket = rte_cryptodev_socket_id(m->id);
	int rc;

	rc = rte_cryptodev_configure(m->id, &config);
	if (rc < 0)
		return rc;
	snprintf(name, sizeof(name), "crypto_sessions%u", m->id);
	m->sessions = rte_cryptodev_sym_session_pool_create(name, pool_size(c, m->id),
		rte_cryptodev_sym_get_private_session_size(m->id), 0, 0, socket);
	if (m->sessions == NULL)
		return -ENOMEM;
	pair.mp_session = m->sessions;
	for (unsigned p = 0; p < m->pairs; p++) {
		rc = rte_cryptodev_queue_pair_setup(m->id, p, &pair, socket);
		if (rc < 0)
			return rc;
	}
	rc = rte_cryptodev_start(m->id);
	m->is_started = rc == 0;
	return rc;
}

static void stop_member(struct device_member *m)
{
	if (m->is_started)
		rte_cryptodev_stop(m->id);
	m->is_started = false;
}

void device_stop(struct crypto *c, struct crypto_device *d)
{
	for (unsigned w = 0; w < c->setup.n_workers; w++) {
		if (d->member_of[w] != NULL)
			stop_member(d->member_of[w]);
		queue_close(c->queue[w][d->index]);
		c->queue[w][d->index] = NULL;
	}
}

static void close_device(struct crypto *c, struct crypto_device *d)
{
	device_stop(c, d);
	c->device[d->index] = NULL;
	rte_free(d);
}

/* Its cryptodevs, each once; with their queue pairs where other devices have the others. */
static void name_device(struct crypto *c, struct crypto_device *d, const struct device_source *src,
	const struct deal_set *dealt, bool is_alone)
{
	const char *provider = crypto_provider_name(src->provider);
	size_t used = 0;

	for (unsigned w = 0; w < c->setup.n_workers && used < sizeof(d->name); w++) {
		const char *name = rte_cryptodev_name_get(d->member_of[w]->id);

		if (!is_alone)
			used += snprintf(d->name + used, sizeof(d->name) - used, "%s%s/%u",
				used > 0 ? "," : "", name, dealt->of_worker[w].pair);
		else if (dealt->of_worker[w].pair == 0)
			used += snprintf(d->name + used, sizeof(d->name) - used, "%s%s",
				used > 0 ? "," : "", name);
	}
	if (c->setup.named[src->provider].n > 0)
		snprintf(d->shown, sizeof(d->shown), "%s on %s", provider, d->name);
	else
		snprintf(d->shown, sizeof(d->shown), "%s", provider);
}

/* A device of the queue pairs that were dealt, one for every worker; they are started. */
static int open_device(
	struct crypto *c, struct device_set *s, const struct deal_set *dealt, bool is_alone)
{
	struct crypto_device *d = rte_zmalloc("crypto_device", sizeof(*d), 0);

	if (d == NULL)
		return -ENOMEM;
	d->origin = s->source->origin;
	d->index = c->n_devices;
	for (unsigned w = 0; w < c->setup.n_workers; w++)
		d->is_lookaside |= is_lookaside(s->member[dealt->of_worker[w].device].id);
	memcpy(d->serves, dealt->serves, sizeof(d->serves));
	for (unsigned w = 0; w < c->setup.n_workers; w++) {
		struct device_member *m = &s->member[dealt->of_worker[w].device];
		struct queue_place at = {
			m->id, dealt->of_worker[w].pair, w, overdue_ms(&c->setup, d)};

		d->member_of[w] = m;
		c->queue[w][d->index] =
			queue_open(&at, flight_limit(&c->setup, m->id), c->setup.worker_socket[w]);
		if (c->queue[w][d->index] == NULL) {
			close_device(c, d);
			return -ENOMEM;
		}
	}
	name_device(c, d, s->source, dealt, is_alone);
	c->device[c->n_devices++] = d;
	s->device[s->n_devices++] = d;
	return 0;
}

static int open_library_queue(
	struct crypto *c, const struct crypto_device *d, uint16_t worker, struct why *why)
{
	struct crypto_queue **out = &c->queue[worker][d->index];
	int socket = c->setup.worker_socket[worker];

	return d->origin == DEVICE_OPENSSL
		       ? queue_open_evp(worker, c->setup.in_flight, socket, out, why)
		       : queue_open_mb(c->setup.in_flight, socket, out, why);
}

/* The library as one device, with a queue for every worker. */
static int open_library(struct crypto *c, struct device_set *s, struct why *why)
{
	struct crypto_device *d = rte_zmalloc("crypto_device", sizeof(*d), 0);
	int rc = 0;

	if (d == NULL)
		return why_set(why, -ENOMEM, "no memory for the crypto devices");
	d->origin = s->source->origin;
	d->index = c->n_devices;
	d->serves[CRYPTO_ENCRYPT] = d->serves[CRYPTO_DECRYPT] = true;
	for (unsigned w = 0; rc == 0 && w < c->setup.n_workers; w++)
		rc = open_library_queue(c, d, w, why);
	if (rc < 0) {
		close_device(c, d);
		return rc;
	}
	if (d->origin == DEVICE_OPENSSL)
		evp_library_name(d->name, sizeof(d->name));
	else
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
	for (unsigned i = 0; i < s->n_members; i++) {
		stop_member(&s->member[i]);
		rte_mempool_free(s->member[i].sessions);
		s->member[i].sessions = NULL;
		s->member[i].pairs = 0;
	}
}

/* How many devices this set may have: there is a place left for every other provider. */
static unsigned most_devices(const struct crypto *c, const struct device_set *s)
{
	unsigned most = CRYPTO_DEVICES_MAX - c->n_devices;

	for (unsigned i = 0; i < DEVICE_SOURCES; i++) {
		const struct device_set *other = &c->set[i];

		most -= other != s && other->n_devices == 0 &&
			device_set_serves(c, other, other->source->provider);
	}
	return most;
}

static int deal(const struct crypto *c, struct device_set *s, struct deal *out, struct why *why)
{
	struct deal_device devices[CRYPTO_DEVICES_MAX];
	struct why missing;
	int rc;

	for (unsigned i = 0; i < s->n_members; i++) {
		devices[i].pairs = usable_pairs(c, s->member[i].id);
		devices[i].socket = rte_cryptodev_socket_id(s->member[i].id);
	}
	rc = deal_pairs(devices, s->n_members, c->setup.worker_socket, c->setup.n_workers,
		most_devices(c, s), out, &missing);
	if (rc < 0)
		return why_set(
			why, rc, "%s: %s", crypto_provider_name(s->source->provider), missing.text);
	for (unsigned i = 0; i < out->n; i++) {
		for (unsigned w = 0; w < c->setup.n_workers; w++)
			s->member[out->set[i].of_worker[w].device].pairs++;
	}
	return 0;
}

int device_set_start(struct crypto *c, struct device_set *s, struct why *why)
{
	const char *provider = crypto_provider_name(s->source->provider), *name = "";
	unsigned n_before = c->n_devices;
	struct deal dealt;
	int rc;

	if (s->n_devices > 0)
		return 0;
	if (device_is_library(s->source->origin))
		return open_library(c, s, why);
	rc = deal(c, s, &dealt, why);
	if (rc < 0)
		return rc;
	for (unsigned i = 0; rc == 0 && i < s->n_members; i++) {
		name = rte_cryptodev_name_get(s->member[i].id);
		if (s->member[i].pairs > 0)
			rc = start_member(c, &s->member[i]);
	}
	for (unsigned i = 0; rc == 0 && i < dealt.n; i++)
		rc = open_device(c, s, &dealt.set[i], dealt.n == 1);
	if (rc == 0)
		return 0;
	close_devices(c, s);
	c->n_devices = n_before;
	return why_set(
		why, rc, "%s: the device %s cannot be started: %s", provider, name, strerror(-rc));
}

void device_set_close(struct crypto *c, struct device_set *s)
{
	close_devices(c, s);
	mb_manager_close(s->manager);
	s->manager = NULL;
	evp_library_close(s->evp);
	s->evp = NULL;
	s->is_probed = false;
}
