/* SPDX-License-Identifier: BSD-3-Clause */
/* null_crypto.c - stands between the pipeline and intel-ipsec-mb (ld --wrap=crypto_run), and lets jobs
 * be as they are for the threads that a lap without crypto runs on. */
#include "null_crypto.h"

#include "crypto_dp.h"

static _Thread_local bool is_on;

/* Names that the linker gives. */
void __real_crypto_run(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n);
void __wrap_crypto_run(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n);

void __wrap_crypto_run(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n)
{
	if (likely(!is_on)) {
		__real_crypto_run(q, jobs, n);
		return;
	}
	for (uint16_t i = 0; i < n; i++)
		jobs[i]->status = CRYPTO_OK;
}

static void begin(void *arg, uint16_t worker)
{
	const struct null_crypto *n = arg;

	is_on = true;
	n->gateway.begin(n->gateway.arg, worker);
}

static void end(void *arg, uint16_t worker)
{
	const struct null_crypto *n = arg;

	n->gateway.end(n->gateway.arg, worker);
	is_on = false;
}

static void resume(void *arg, uint16_t worker)
{
	const struct null_crypto *n = arg;

	n->gateway.resume(n->gateway.arg, worker);
}

static uint16_t poll_once(void *arg, uint16_t worker)
{
	const struct null_crypto *n = arg;

	return n->gateway.round(n->gateway.arg, worker);
}

static uint64_t failures(void *arg)
{
	const struct null_crypto *n = arg;

	return n->gateway.failures(n->gateway.arg);
}

void null_crypto_subject(struct null_crypto *n, struct subject *s)
{
	n->gateway = *s;
	s->kind = TRAFFIC_OUT_SAME;
	s->begin = begin;
	s->end = end;
	s->resume = resume;
	s->round = poll_once;
	s->failures = failures;
	s->arg = n;
}
