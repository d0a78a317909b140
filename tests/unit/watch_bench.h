/* SPDX-License-Identifier: BSD-3-Clause */
/* watch_bench.h - a watched device with a session on it, for tests of the watch itself. */
#pragma once

#include <check.h>

#include "crypto_fixture.h"

enum bench_kind { GCM, CCM, CBC };

/* A device with a session, and an op for it that breaks no rule. */
struct bench {
	struct crypto *room;
	struct crypto_session *session;
	struct crypto_spec spec;
	struct crypto_queue *queue;
	struct crypto_job *job;
	struct rte_mbuf *other; /* another packet */
	uint8_t id;
};

extern struct rte_mempool *bench_pool;
extern struct shape bench_shape; /* of the job, and of more that are made */

void bench_open(struct bench *b, enum bench_kind kind);
void bench_close(struct bench *b);

/* Runs the job, and leaves in it the op that was right. */
void bench_run_right(struct bench *b);

/* The whole of main(): the EAL around one test case, run without a fork. */
int bench_main(const char *name, TCase *t);
