/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_device.c - a software cryptodev for one reference, with sessions of all SAs. */
#include "reference_device.h"

#include <errno.h>
#include <rte_dev.h>
#include <rte_lcore.h>
#include <rte_malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IN_FLIGHT 512 /* more than a burst */
#define PATIENCE  (1u << 20) /* polls in vain */

static int make_device(
	const struct reference *r, const char *driver, struct reference_device *d, struct why *why)
{
	char args[64];
	int rc;

	snprintf(args, sizeof(args), "max_nb_queue_pairs=%u,socket_id=%d", r->setup.n_workers,
		(int)rte_socket_id());
	snprintf(d->name, sizeof(d->name), "%s_alone", driver);
	for (unsigned i = 1; rte_cryptodev_get_dev_id(d->name) >= 0; i++)
		snprintf(d->name, sizeof(d->name), "%s_alone%u", driver, i);
	rc = rte_eal_hotplug_add("vdev", d->name, args);
	if (rc < 0) {
		d->name[0] = '\0';
		return why_set(
			why, -ENODEV, "DPDK's driver %s is not here: %s", driver, strerror(-rc));
	}
	d->id = rte_cryptodev_get_dev_id(d->name);
	return 0;
}

/* The room starts the device with a queue pair for each worker. */
static int open_room(const struct reference *r, enum crypto_provider p, struct reference_device *d,
	struct why *why)
{
	struct crypto_setup setup = {
		.n_workers = r->setup.n_workers,
		.in_flight = IN_FLIGHT,
		.max_sessions = 2 * r->setup.n_sas + 1,
	};

	for (uint16_t w = 0; w < setup.n_workers; w++)
		setup.worker_socket[w] = rte_socket_id();
	setup.named[p].device[0] = d->name;
	setup.named[p].n = 1;
	return crypto_open(&setup, &d->crypto, why);
}

static int open_sessions(const struct reference *r, enum crypto_provider p,
	struct reference_device *d, struct why *why)
{
	int rc = 0;

	for (enum crypto_direction way = CRYPTO_ENCRYPT; way <= CRYPTO_DECRYPT; way++) {
		d->session[way] = calloc(r->setup.n_sas, sizeof(d->session[way][0]));
		if (d->session[way] == NULL)
			return why_set(why, -ENOMEM, "no memory for %u SAs", r->setup.n_sas);
	}
	d->salt = calloc(r->setup.n_sas, sizeof(d->salt[0]));
	if (d->salt == NULL)
		return why_set(why, -ENOMEM, "no memory for %u SAs", r->setup.n_sas);
	for (uint32_t n = 0; n < r->setup.n_sas; n++) {
		struct crypto_spec spec;

		suite_keys(&r->suite, n, &spec);
		memcpy(d->salt[n], spec.key.bytes + spec.key.len - r->shape.salt_len,
			r->shape.salt_len);
		rc = crypto_can(d->crypto, p, &spec, NULL);
		if (rc == -ENOTSUP)
			return why_set(why, rc, "%s cannot do %s", r->way->name, r->suite.name);
		for (enum crypto_direction way = CRYPTO_ENCRYPT; rc == 0 && way <= CRYPTO_DECRYPT;
			way++)
			rc = crypto_session_open(
				d->crypto, p, &spec, way, &d->session[way][n], why);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int open_slots(const struct reference *r, struct reference_device *d, struct why *why)
{
	for (uint16_t w = 0; w < r->setup.n_workers; w++) {
		d->slot[w] = rte_zmalloc("reference_ops",
			REFERENCE_BURST_MAX * sizeof(d->slot[w][0]), RTE_CACHE_LINE_SIZE);
		if (d->slot[w] == NULL)
			return why_set(why, -ENOMEM, "no memory for operations");
	}
	return 0;
}

int reference_device_open(
	struct reference_device *d, const struct reference *r, const char *driver, struct why *why)
{
	enum crypto_provider p =
		strcmp(driver, "crypto_openssl") == 0 ? CRYPTO_OPENSSL : CRYPTO_AESNI_MB;
	int rc = make_device(r, driver, d, why);

	if (rc == 0)
		rc = open_room(r, p, d, why);
	if (rc == 0)
		rc = open_sessions(r, p, d, why);
	if (rc == 0)
		rc = open_slots(r, d, why);
	return rc;
}

static void close_sessions(const struct reference *r, struct reference_device *d)
{
	for (enum crypto_direction way = CRYPTO_ENCRYPT; way <= CRYPTO_DECRYPT; way++) {
		for (uint32_t n = 0; d->session[way] != NULL && n < r->setup.n_sas; n++) {
			if (d->session[way][n] != NULL)
				crypto_session_close(d->crypto, d->session[way][n]);
		}
		free(d->session[way]);
	}
}

void reference_device_close(struct reference_device *d, const struct reference *r)
{
	if (d->crypto != NULL) {
		crypto_stop(d->crypto);
		close_sessions(r, d);
		crypto_close(d->crypto);
	}
	free(d->salt);
	for (uint16_t w = 0; w < r->setup.n_workers; w++)
		rte_free(d->slot[w]);
	if (d->name[0] != '\0')
		rte_eal_hotplug_remove("vdev", d->name);
}

uint16_t reference_device_run(
	const struct reference_device *d, uint16_t worker, struct rte_crypto_op *op[], uint16_t n)
{
	/* It has room for all: what it does not take it never will. */
	uint16_t took = rte_cryptodev_enqueue_burst(d->id, worker, op, n), back = 0, well = 0;

	for (unsigned vain = 0; back < took && vain < PATIENCE; vain++)
		back += rte_cryptodev_dequeue_burst(d->id, worker, op + back, took - back);
	for (uint16_t i = 0; i < back; i++)
		well += op[i]->status == RTE_CRYPTO_OP_STATUS_SUCCESS;
	return well;
}
