/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.h - inside the watch: what looks at the ops of a queue pair of a started cryptodev. */
#pragma once

#include <rte_crypto.h>
#include <stdint.h>

/* The transforms that a session was made of, in their order; keys are not kept. */
struct watched_session {
	uint8_t dev_id;
	unsigned n;
	struct rte_crypto_sym_xform xform[2];
};

/* Copies what is known of a session. -ENOENT: nobody made it. Any thread. */
int watch_session_find(const void *session, struct watched_session *out);

/* Every op that is enqueued is held to the rules; one that breaks a rule is named on stderr, and the
 * process aborts. */
uint16_t lint_burst(
	uint16_t dev_id, uint16_t qp_id, struct rte_crypto_op **ops, uint16_t n, void *arg);

/* What ADIT_TEST_FAULT says about this device, as one queue pair's own state; NULL: nothing. What it
 * says wrongly is told on stderr and aborts. */
struct fault;
struct fault *fault_open(const char *device);
void fault_close(struct fault *f);

/* Callbacks; arg is the struct fault. */
uint16_t fault_enqueue(
	uint16_t dev_id, uint16_t qp_id, struct rte_crypto_op **ops, uint16_t n, void *arg);
uint16_t fault_dequeue(
	uint16_t dev_id, uint16_t qp_id, struct rte_crypto_op **ops, uint16_t n, void *arg);
