/* SPDX-License-Identifier: BSD-3-Clause */
/* queue.h - inside the room: a worker's queues, made and closed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct crypto_device_stats;
struct crypto_queue;
struct why;

/* A worker's queue pair. */
struct queue_place {
	uint8_t dev_id;
	uint16_t pair;
	uint16_t worker;
	uint32_t overdue_ms; /* that its device may keep a job */
};

/* On the worker's socket; NULL: no memory. At most limit jobs are in it. */
struct crypto_queue *queue_open(const struct queue_place *at, uint32_t limit, int socket);

/* The same to a library, without a cryptodev. -ENODEV, -ENOMEM. */
int queue_open_mb(uint32_t limit, int socket, struct crypto_queue **out, struct why *why);
int queue_open_evp(
	uint16_t worker, uint32_t limit, int socket, struct crypto_queue **out, struct why *why);

/* Its device has stopped: frees the packets that the device has kept. */
void queue_close(struct crypto_queue *q);

/* Adds what this queue did. */
void queue_stats(const struct crypto_queue *q, struct crypto_device_stats *sum);
