/* SPDX-License-Identifier: BSD-3-Clause */
/* test_watch_fault.c - makes a device fail in every way that can be asked for. */
#include <check.h>
#include <rte_cryptodev.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "watch_bench.h"

#define OPS 32

/* Submits OPS jobs and polls what comes within so many calls; returns how many came. */
static unsigned run_some(struct bench *b, struct crypto_job **job, struct crypto_job **back)
{
	unsigned submitted, n = 0;

	for (unsigned i = 0; i < OPS; i++)
		job[i] = fixture_job(bench_pool, b->session, &b->spec, &bench_shape);
	submitted = crypto_submit(b->queue, job, OPS);
	for (unsigned tries = 0; tries < 1000; tries++)
		n += crypto_poll(b->queue, back + n, OPS - n);
	ck_assert_uint_le(n, submitted);
	return n;
}

static const struct {
	const char *fault;
	unsigned taken, back, failed, wrong, clear;
} faults[] = {
	{"", OPS, OPS, 0, 0, 0},
	{"error:every=10", OPS, OPS, 3, 0, 0},
	{"error:every=10,device=crypto_openssl0", OPS, OPS, 3, 0, 0},
	{"error:every=10,device=another", OPS, OPS, 0, 0, 0},
	{"wrong:every=8", OPS, OPS, 0, 4, 0},
	{"clear:every=8", OPS, OPS, 4, 4, 4}, /* the queue finds it out */
	{"lost:every=5", OPS, OPS - 6, 0, 0, 0},
	{"stall:after=0", OPS, 0, 0, 0, 0},
	{"stall:after=20", OPS, 20, 0, 0, 0},
	{"refuse:after=0", 0, 0, 0, 0, 0},
	{"refuse:after=12", 12, 12, 0, 0, 0},
};

START_TEST(a_device_fails_as_it_is_asked)
{
	struct crypto_job *job[OPS], *back[OPS];
	unsigned n, failed = 0, wrong = 0, clear = 0, taken;
	static struct shape sealed;
	struct bench b;

	setenv("ADIT_TEST_FAULT", faults[_i].fault, 1);
	bench_open(&b, GCM);
	sealed = bench_shape;
	oracle_encrypt(&b.spec, &sealed);
	n = run_some(&b, job, back);
	taken = crypto_in_flight(b.queue) + n;
	ck_assert_uint_eq(taken, faults[_i].taken);
	ck_assert_uint_eq(n, faults[_i].back);
	for (unsigned i = 0; i < n; i++) {
		const uint8_t *text = fixture_text(back[i], &bench_shape);

		failed += back[i]->status == CRYPTO_FAILED;
		wrong += memcmp(text, sealed.text, bench_shape.text_len) != 0;
		clear += memcmp(text, bench_shape.text, bench_shape.text_len) == 0;
	}
	ck_assert_uint_eq(failed, faults[_i].failed);
	ck_assert_uint_eq(wrong, faults[_i].wrong);
	ck_assert_uint_eq(clear, faults[_i].clear);
	for (unsigned i = 0; i < OPS; i++)
		fixture_free(job[i]);
	bench_close(&b);
	unsetenv("ADIT_TEST_FAULT");
}
END_TEST

/* Without the room, which passes over what comes twice. */
static unsigned dequeue_for(uint8_t id, struct rte_crypto_op **ops, unsigned want, unsigned ms)
{
	unsigned n = 0;

	for (unsigned t = 0; t < ms && n < want; t++) {
		n += rte_cryptodev_dequeue_burst(id, 0, ops + n, want - n);
		usleep(1000);
	}
	return n;
}

static unsigned enqueue_some(struct bench *b, struct rte_crypto_op **ops)
{
	bench_run_right(b);
	for (unsigned i = 0; i < OPS; i++) {
		struct crypto_job *job =
			fixture_job(bench_pool, b->session, &b->spec, &bench_shape);

		job->op = b->job->op;
		job->sym = b->job->sym;
		job->op.phys_addr = crypto_job_iova(job, &job->op);
		job->sym.m_src = crypto_job_mbuf(job);
		job->sym.aead.digest.data = job->icv;
		job->sym.aead.digest.phys_addr = crypto_job_iova(job, job->icv);
		job->sym.aead.aad.data = job->aad;
		job->sym.aead.aad.phys_addr = crypto_job_iova(job, job->aad);
		ops[i] = &job->op;
	}
	return rte_cryptodev_enqueue_burst(b->id, 0, ops, OPS);
}

START_TEST(what_was_held_comes_late_and_in_order)
{
	struct rte_crypto_op *ops[OPS], *back[OPS];
	struct bench b;

	setenv("ADIT_TEST_FAULT", "stall:after=11,for=100", 1);
	bench_open(&b, GCM);
	ck_assert_uint_eq(enqueue_some(&b, ops), OPS);
	ck_assert_uint_eq(rte_cryptodev_dequeue_burst(b.id, 0, back, OPS), 10);
	ck_assert_uint_eq(rte_cryptodev_dequeue_burst(b.id, 0, back + 10, OPS - 10), 0);
	ck_assert_uint_eq(dequeue_for(b.id, back + 10, OPS - 10, 1000), OPS - 10);
	for (unsigned i = 0; i < OPS; i++) {
		ck_assert_ptr_eq(back[i], ops[i]);
		fixture_free(container_of(ops[i], struct crypto_job, op));
	}
	bench_close(&b);
	unsetenv("ADIT_TEST_FAULT");
}
END_TEST

START_TEST(a_refusal_ends)
{
	struct rte_crypto_op *ops[OPS], *back[OPS];
	struct bench b;

	setenv("ADIT_TEST_FAULT", "refuse:after=11,for=100", 1);
	bench_open(&b, GCM);
	ck_assert_uint_eq(enqueue_some(&b, ops), 10);
	ck_assert_uint_eq(rte_cryptodev_enqueue_burst(b.id, 0, ops + 10, OPS - 10), 0);
	usleep(150000);
	ck_assert_uint_eq(rte_cryptodev_enqueue_burst(b.id, 0, ops + 10, OPS - 10), OPS - 10);
	ck_assert_uint_eq(dequeue_for(b.id, back, OPS, 1000), OPS);
	for (unsigned i = 0; i < OPS; i++)
		fixture_free(container_of(ops[i], struct crypto_job, op));
	bench_close(&b);
	unsetenv("ADIT_TEST_FAULT");
}
END_TEST

START_TEST(a_slow_device_keeps_order_and_pace)
{
	struct rte_crypto_op *ops[OPS], *back[OPS];
	struct bench b;
	uint64_t start = rte_rdtsc(), ms;

	setenv("ADIT_TEST_FAULT", "slow:rate=100", 1);
	bench_open(&b, GCM);
	ck_assert_uint_eq(enqueue_some(&b, ops), OPS);
	ck_assert_uint_eq(dequeue_for(b.id, back, OPS, 5000), OPS);
	ms = (rte_rdtsc() - start) * 1000 / rte_get_tsc_hz();
	ck_assert_msg(ms >= 10 * OPS - 1, "%lu ms", ms);
	for (unsigned i = 0; i < OPS; i++) {
		ck_assert_ptr_eq(back[i], ops[i]);
		fixture_free(container_of(ops[i], struct crypto_job, op));
	}
	bench_close(&b);
	unsetenv("ADIT_TEST_FAULT");
}
END_TEST

START_TEST(an_op_comes_twice)
{
	struct rte_crypto_op *ops[OPS], *back[OPS + 4];
	struct bench b;

	setenv("ADIT_TEST_FAULT", "twice:every=8", 1);
	bench_open(&b, GCM);
	ck_assert_uint_eq(enqueue_some(&b, ops), OPS);
	ck_assert_uint_eq(dequeue_for(b.id, back, RTE_DIM(back), 100), OPS + 4);
	for (unsigned i = 0; i < OPS; i++)
		fixture_free(container_of(ops[i], struct crypto_job, op));
	bench_close(&b);
	unsetenv("ADIT_TEST_FAULT");
}
END_TEST

static const char *const nonsense[] = {"lost", "lost:", "lost:every", "lost:every=", "lost:every=0",
	"lost:every=5x", "lost:after=5", "stall:every=5", "found:every=5", "lost:every=5,colour=1",
	"slow:every=5", "stall:rate=5"};

START_TEST(a_fault_that_is_none_aborts)
{
	struct bench b;
	int status;
	pid_t pid;

	bench_open(&b, GCM);
	rte_cryptodev_stop(b.id);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		if (freopen("/dev/null", "w", stderr) == NULL)
			_exit(1);
		setenv("ADIT_TEST_FAULT", nonsense[_i], 1);
		rte_cryptodev_start(b.id);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "%s", nonsense[_i]);
	bench_close(&b);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, a_device_fails_as_it_is_asked, 0, RTE_DIM(faults));
	tcase_add_test(t, what_was_held_comes_late_and_in_order);
	tcase_add_test(t, a_refusal_ends);
	tcase_add_test(t, a_slow_device_keeps_order_and_pace);
	tcase_add_test(t, an_op_comes_twice);
	tcase_add_loop_test(t, a_fault_that_is_none_aborts, 0, RTE_DIM(nonsense));
	return bench_main("watch_fault", t);
}
