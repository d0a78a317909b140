/* SPDX-License-Identifier: BSD-3-Clause */
/* slow_device.h - a gateway of one worker, driven by hand, on a crypto device that answers when it is
 * let, and does what else a test asks for. */
#pragma once

#include "pipeline_fixture.h"

#define SLOW_IN_FLIGHT 64
#define SLOW_BACKLOG   64
#define SLOW_ALL       UINT16_MAX
#define SLOW_SOON      20 /* ms that the device may keep a job: where jobs are to be given up */
#define SLOW_AGES      60000

/* What stands between OpenSSL's device and its queue. */
extern struct slow {
	uint16_t allow; /* ops that may leave; they wait otherwise */
	bool is_single; /* one a poll, for who asks for no more: a callback is not told how many */
	unsigned lose; /* every n-th op is never given back; 0: none is */
	bool refuses; /* takes nothing any more */
	unsigned fail; /* every n-th op comes back with an error; 0: none does */
	bool repeats; /* gives each op back twice */
	bool lies; /* flips a bit of each op that comes back */
	bool undoes; /* gives the first op back with its text as it was, and says that all is well */
	struct rte_crypto_op *undone;
	uint8_t text[2048];
	struct rte_crypto_op *op[1024], *lost[1024];
	unsigned n, n_lost, seen;
} slow;
/* The two SAs of the gateway. */
extern struct tunnel slow_to_b, slow_to_a;

/* OpenSSL's device is the slow one, as provider or as fallback. */
struct gateway *slow_open_on(enum crypto_provider provider, enum crypto_provider fallback,
	bool is_lookaside, uint32_t overdue_ms);
struct gateway *slow_open_with(
	enum crypto_provider fallback, bool is_lookaside, uint32_t overdue_ms);

/* So many ops may leave the device now. */
void slow_let_go(unsigned n);

/* A burst of n packets for B, numbered in their payload from `from` on; and from B, in ESP. */
void slow_receive(struct gateway *g, unsigned n, unsigned from);
void slow_receive_esp(struct gateway *g, unsigned n, uint64_t from);

void slow_poll_once(struct gateway *g);
uint64_t slow_parked(const struct gateway *g);

/* Until all is back or given up; the machine may be slow. */
void slow_settle(struct gateway *g);

/* Holds the next n packets on the WAN to be ESP with numbers from `seq` on; returns the next. */
uint32_t slow_take_esp(struct gateway *g, unsigned n, uint32_t seq);

/* Lets all go, holds that nothing is left, and closes. */
void slow_end(struct gateway *g);
