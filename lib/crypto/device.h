/* SPDX-License-Identifier: BSD-3-Clause */
/* device.h - inside the room: cryptodevs found or made, grouped so that every worker has a queue. */
#pragma once

#include <rte_cryptodev.h>
#include <rte_mempool.h>

#include "crypto.h"
#include "queue.h"

/* Cryptodevs that together have a queue pair for every worker: what a session is opened on. */
struct crypto_device {
	char name[RTE_CRYPTODEV_NAME_MAX_LEN * 2]; /* of its cryptodevs, joined by commas */
	char shown[RTE_CRYPTODEV_NAME_MAX_LEN * 2 +
		   16]; /* "aesni_mb", "qat on crypto_scheduler0" */
	uint16_t index; /* in every worker's array */
	bool is_lookaside;
	unsigned n_members;
	struct {
		uint8_t id;
		struct rte_mempool *sessions;
	} member[CRYPTO_DEVICES_MAX];
	uint8_t member_of[RTE_DIM(((struct crypto_setup *)0)->worker_socket)]; /* by worker */
};

/* Where a provider's cryptodevs come from; a provider may have several, tried in order. */
struct device_source {
	enum crypto_provider provider;
	const char *driver; /* of the cryptodev; NULL: the devices named in the setup */
	bool is_software; /* made by us */
};

/* The devices of one source as far as they are open. */
struct device_set {
	const struct device_source *source;
	bool is_probed;
	char made[RTE_CRYPTODEV_NAME_MAX_LEN]; /* the vdev that we made, or "" */
	uint8_t id[CRYPTO_DEVICES_MAX]; /* cryptodevs found */
	unsigned n_ids;
	struct crypto_device
		*device[CRYPTO_DEVICES_MAX]; /* started; none before the first session */
	unsigned n_devices, next; /* next: whose turn it is to get a session */
};

#define DEVICE_SOURCES 7

struct crypto {
	struct crypto_setup setup;
	struct device_set set[DEVICE_SOURCES];
	struct crypto_device *device[CRYPTO_DEVICES_MAX];
	unsigned n_devices;
	/* By worker and device; written by the control thread before a session of it exists. */
	struct crypto_queue *queue[][CRYPTO_DEVICES_MAX];
};

/* Copies what it keeps; nothing is opened. */
void device_sets_init(struct crypto *c);

/* Whether this set serves the provider in this setup. */
bool device_set_serves(const struct crypto *c, const struct device_set *s, enum crypto_provider p);

/* Finds the cryptodevs, or makes the software one. -ENODEV: there is none, and what would help. */
int device_set_probe(struct crypto *c, struct device_set *s, struct why *why);

/* Configures and starts them, unless that was done. */
int device_set_start(struct crypto *c, struct device_set *s, struct why *why);

/* Stops them and removes the one that we made. */
void device_set_close(struct crypto *c, struct device_set *s);
