/* SPDX-License-Identifier: BSD-3-Clause */
/* device.h - inside the room: cryptodevs, grouped so that every worker has a queue; and libraries
 * called directly, as devices of no cryptodev. */
#pragma once

#include <intel-ipsec-mb.h>
#include <rte_cryptodev.h>
#include <rte_mempool.h>

#include "crypto.h"
#include "queue.h"

enum device_origin {
	DEVICE_IPSEC_MB, /* the library, without a cryptodev */
	DEVICE_OPENSSL, /* the same */
	DEVICE_FOUND, /* what the EAL has of a driver */
	DEVICE_NAMED, /* what the setup names */
};

static inline bool device_is_library(enum device_origin origin)
{
	return origin == DEVICE_IPSEC_MB || origin == DEVICE_OPENSSL;
}

/* A cryptodev of a set. */
struct device_member {
	uint8_t id;
	uint16_t pairs; /* in use */
	bool is_started;
	struct rte_mempool *sessions; /* their memory; crypto_qat reads it by DMA */
};

/* Cryptodevs that together have a queue pair for every worker, or a library that is called by every
 * worker: what a session is opened on. Several of these may be on one cryptodev, by other pairs. */
struct crypto_device {
	char name[RTE_CRYPTODEV_NAME_MAX_LEN * 2]; /* of its cryptodevs, joined by commas */
	char shown[RTE_CRYPTODEV_NAME_MAX_LEN * 2 +
		   16]; /* "aesni_mb", "qat on crypto_scheduler0" */
	enum device_origin origin;
	uint16_t index; /* in every worker's array */
	bool is_lookaside;
	bool serves[2]; /* by crypto_direction */
	uint32_t n_sessions; /* open now */
	struct device_member *member_of[CRYPTO_WORKERS_MAX]; /* by worker */
};

/* Where a provider's devices come from. */
struct device_source {
	enum crypto_provider provider;
	enum device_origin origin;
	const char *driver; /* of the cryptodev, where it is found */
};

/* The devices of one source as far as they are open. */
struct device_set {
	const struct device_source *source;
	bool is_probed;
	struct device_member member[CRYPTO_DEVICES_MAX]; /* cryptodevs found */
	unsigned n_members;
	IMB_MGR *manager; /* of intel-ipsec-mb: expands the keys of its sessions */
	struct evp_library *evp; /* of OpenSSL */
	struct crypto_device
		*device[CRYPTO_DEVICES_MAX]; /* started; none before the first session */
	unsigned n_devices, next; /* next: whose turn it is to get a session */
};

#define DEVICE_SOURCES 6

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

/* Finds the cryptodevs, or sees whether the library runs here. -ENODEV: there is none, and what would
 * help. */
int device_set_probe(struct crypto *c, struct device_set *s, struct why *why);

/* Whether the cryptodev is of this driver: "crypto_qat", "crypto_scheduler". */
bool device_is_driver(uint8_t id, const char *name);

/* Configures and starts them, unless that was done. */
int device_set_start(struct crypto *c, struct device_set *s, struct why *why);

/* Stops its cryptodevs; then its queues go, and the packets that were kept. */
void device_stop(struct crypto *c, struct crypto_device *d);

/* Stops them, and closes the library. */
void device_set_close(struct crypto *c, struct device_set *s);
