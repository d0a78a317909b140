/* SPDX-License-Identifier: BSD-3-Clause */
/* crypto.c - opens and closes the room, and knows the providers by name. */
#include <errno.h>
#include <rte_common.h>
#include <rte_malloc.h>
#include <string.h>

#include "crypto_dp.h"
#include "device.h"

static const char *const names[CRYPTO_PROVIDERS] = {
	[CRYPTO_OPENSSL] = "openssl",
	[CRYPTO_AESNI_MB] = "aesni_mb",
	[CRYPTO_QAT] = "qat",
};

const char *crypto_provider_name(enum crypto_provider p)
{
	return names[p];
}

int crypto_provider_find(const char *name, enum crypto_provider *out)
{
	for (unsigned p = 0; p < CRYPTO_PROVIDERS; p++) {
		if (strcmp(names[p], name) == 0) {
			*out = p;
			return 0;
		}
	}
	return -ENOENT;
}

int crypto_open(const struct crypto_setup *setup, struct crypto **out, struct why *why)
{
	struct crypto *c;

	if (setup->n_workers == 0 || setup->n_workers > RTE_DIM(setup->worker_socket))
		return why_set(why, -EINVAL, "%u workers; crypto serves 1 to %zu", setup->n_workers,
			RTE_DIM(setup->worker_socket));
	if (!rte_is_power_of_2(setup->in_flight))
		return why_set(why, -EINVAL, "%u ops in flight; it must be a power of 2",
			setup->in_flight);
	c = rte_zmalloc(
		"crypto", sizeof(*c) + setup->n_workers * sizeof(c->queue[0]), RTE_CACHE_LINE_SIZE);
	if (c == NULL)
		return why_set(why, -ENOMEM, "no memory for the crypto devices");
	c->setup = *setup;
	device_sets_init(c);
	*out = c;
	return 0;
}

void crypto_stop(struct crypto *c)
{
	for (unsigned i = 0; i < c->n_devices; i++)
		device_stop(c, c->device[i]);
}

void crypto_close(struct crypto *c)
{
	for (unsigned i = 0; i < DEVICE_SOURCES; i++)
		device_set_close(c, &c->set[i]);
	rte_free(c);
}

const char *crypto_device_name(const struct crypto *c, unsigned n)
{
	return n < c->n_devices ? c->device[n]->name : NULL;
}

static enum crypto_device_kind kind_of(const struct crypto_device *d)
{
	if (device_is_library(d->origin))
		return CRYPTO_LIBRARY;
	return d->is_lookaside ? CRYPTO_LOOKASIDE : CRYPTO_SOFTWARE;
}

bool crypto_device_stats(const struct crypto *c, unsigned n, struct crypto_device_stats *out)
{
	const struct crypto_device *d;

	if (n >= c->n_devices)
		return false;
	d = c->device[n];
	*out = (struct crypto_device_stats){
		.name = d->name,
		.provider = d->shown,
		.kind = kind_of(d),
		.sessions = d->n_sessions,
	};
	for (unsigned w = 0; w < c->setup.n_workers; w++) {
		if (c->queue[w][n] != NULL)
			queue_stats(c->queue[w][n], out);
	}
	return true;
}

void crypto_give_up_device(struct crypto *c, unsigned n)
{
	for (unsigned w = 0; w < c->setup.n_workers; w++) {
		if (c->queue[w][n] != NULL)
			crypto_distrust(c->queue[w][n]);
	}
}

struct crypto_queue *const *crypto_queues(const struct crypto *c, uint16_t worker)
{
	return c->queue[worker];
}
