/* SPDX-License-Identifier: BSD-3-Clause */
/* test_watch.c - runs under the op linter as other tests do, and breaks each rule once; then makes
 * devices fail in every way that can be asked for. */
#include <check.h>
#include <rte_cryptodev.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crypto_fixture.h"

enum kind { GCM, CCM, CBC };

static struct rte_mempool *pool;
static struct shape shape;

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

static void bench_open(struct bench *b, enum kind kind)
{
	struct why why;

	memset(b, 0, sizeof(*b));
	if (kind == CBC) {
		b->spec.cipher = algorithm_find(ALGORITHM_CIPHER, "aes-128-cbc");
		b->spec.auth = algorithm_find(ALGORITHM_AUTH, "hmac-sha1-96");
	} else {
		b->spec.aead =
			algorithm_find(ALGORITHM_AEAD, kind == GCM ? "aes-128-gcm" : "aes-128-ccm");
	}
	ck_assert(kind == CBC || b->spec.aead != NULL);
	fixture_keys(&b->spec);
	b->room = fixture_room(1, 256);
	ck_assert_msg(crypto_session_open(b->room, CRYPTO_OPENSSL, &b->spec, CRYPTO_ENCRYPT,
			      &b->session, &why) == 0,
		"%s", why.text);
	b->queue = crypto_queues(b->room, 0)[b->session->device];
	b->id = rte_cryptodev_get_dev_id(crypto_device_name(b->room, 0));
	fixture_random(&shape, sizeof(shape));
	shape.aad_len = 8;
	shape.text_len = 64;
	b->job = fixture_job(pool, b->session, &b->spec, &shape);
	b->other = rte_pktmbuf_alloc(pool);
	ck_assert_ptr_nonnull(b->other);
}

static void bench_close(struct bench *b)
{
	rte_pktmbuf_free(b->other);
	fixture_free(b->job);
	crypto_session_close(b->room, b->session);
	crypto_close(b->room);
}

/* Leaves in the job the op that was right. */
static void run_right(struct bench *b)
{
	ck_assert_int_eq(fixture_run(b->room, 0, b->job), CRYPTO_OK);
	b->job->op.status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
}

static void bad_type(struct bench *b)
{
	b->job->op.type = RTE_CRYPTO_OP_TYPE_ASYMMETRIC;
}

static void bad_status(struct bench *b)
{
	b->job->op.status = RTE_CRYPTO_OP_STATUS_SUCCESS;
}

static void bad_session_kind(struct bench *b)
{
	b->job->op.sess_type = RTE_CRYPTO_OP_SESSIONLESS;
}

static void bad_place(struct bench *b)
{
	b->job->sym.m_src = b->other;
}

static void bad_m_dst(struct bench *b)
{
	b->job->sym.m_dst = b->job->sym.m_src;
}

static void bad_op_iova(struct bench *b)
{
	b->job->op.phys_addr += 8;
}

static void bad_segments(struct bench *b)
{
	b->job->sym.m_src->nb_segs = 17;
}

static void bad_count(struct bench *b)
{
	b->job->sym.m_src->pkt_len += 1;
}

static void bad_refcnt(struct bench *b)
{
	rte_mbuf_refcnt_update(b->job->sym.m_src, 1);
}

static void bad_indirect(struct bench *b)
{
	b->job->sym.m_src->ol_flags |= RTE_MBUF_F_INDIRECT;
}

static void bad_data_iova(struct bench *b)
{
	static uint8_t heap[4096];

	b->job->sym.m_src->buf_addr = heap;
}

static void bad_data_off(struct bench *b)
{
	b->job->sym.m_src->data_off = b->job->sym.m_src->buf_len;
}

static void bad_session(struct bench *b)
{
	b->job->sym.session = RTE_PTR_ADD(b->job->sym.session, 64);
}

static void bad_text(struct bench *b)
{
	b->job->sym.aead.data.length = b->job->sym.m_src->data_len;
}

static void bad_start(struct bench *b)
{
	b->job->sym.aead.data.length = 0;
	b->job->sym.aead.data.offset = b->job->sym.m_src->data_len;
}

static void bad_digest_inside(struct bench *b)
{
	b->job->sym.aead.digest.data -= 1;
	b->job->sym.aead.digest.phys_addr -= 1;
}

static void bad_digest_iova(struct bench *b)
{
	b->job->sym.aead.digest.phys_addr += 1;
}

static void bad_digest_room(struct bench *b)
{
	b->job->sym.aead.digest.data += GUARD + 1;
	b->job->sym.aead.digest.phys_addr += GUARD + 1;
}

static void bad_aad_tail(struct bench *b)
{
	b->job->aad[15] = 1;
}

static void bad_aad_iova(struct bench *b)
{
	b->job->sym.aead.aad.phys_addr = 0;
}

static void bad_aad_place(struct bench *b)
{
	static uint8_t aad[16];

	b->job->sym.aead.aad.data = aad;
}

static void bad_aad_on_digest(struct bench *b)
{
	memset(b->job->icv_aside, 0, 16);
	b->job->sym.aead.digest.data = b->job->icv_aside;
	b->job->sym.aead.digest.phys_addr = crypto_job_iova(b->job, b->job->icv_aside);
	b->job->sym.aead.aad.data = b->job->icv_aside;
	b->job->sym.aead.aad.phys_addr = crypto_job_iova(b->job, b->job->icv_aside);
}

static void bad_iv_on_digest(struct bench *b)
{
	b->job->sym.aead.digest.data = b->job->nonce;
	b->job->sym.aead.digest.phys_addr = crypto_job_iova(b->job, b->job->nonce);
}

static void bad_ccm_aad(struct bench *b)
{
	b->job->sym.aead.aad.data = b->job->nonce - CRYPTO_CCM_AAD_AT;
	b->job->sym.aead.aad.phys_addr = crypto_job_iova(b->job, b->job->sym.aead.aad.data);
}

static void bad_cbc(struct bench *b)
{
	b->job->sym.cipher.data.length -= 4;
}

static void bad_cbc_empty(struct bench *b)
{
	b->job->sym.cipher.data.length = 0;
}

static void bad_hashed(struct bench *b)
{
	b->job->sym.auth.data.length += 4;
}

static void bad_chain(struct bench *b)
{
	b->job->sym.auth.data.length -= 4;
}

static const struct {
	enum kind kind;
	void (*spoil)(struct bench *b);
	const char *said;
} rules[] = {
	{GCM, bad_type, "the op's type"},
	{GCM, bad_status, "the op's status"},
	{GCM, bad_session_kind, "no session"},
	{GCM, bad_place, "not in the private area of its packet"},
	{GCM, bad_m_dst, "not in place"},
	{GCM, bad_op_iova, "the IOVA of the op"},
	{GCM, bad_segments, "17 segments"},
	{GCM, bad_count, "the packet says"},
	{GCM, bad_refcnt, "shared by 2"},
	{GCM, bad_indirect, "does not own its data"},
	{GCM, bad_data_iova, "the buffer at"},
	{GCM, bad_data_off, "past its buffer"},
	{GCM, bad_session, "nobody made the session"},
	{GCM, bad_text, "the ciphered part"},
	{GCM, bad_start, "the ciphered part"},
	{GCM, bad_digest_inside, "the ciphered at"},
	{GCM, bad_digest_iova, "the IOVA of the digest"},
	{GCM, bad_digest_room, "the digest at"},
	{GCM, bad_aad_tail, "behind the AAD's 8 is 0x1"},
	{GCM, bad_aad_iova, "the IOVA of the AAD"},
	{GCM, bad_aad_place, "the AAD at"},
	{GCM, bad_aad_on_digest, "the AAD at"},
	{GCM, bad_iv_on_digest, "the IV at"},
	{CCM, bad_ccm_aad, "overlap"},
	{CBC, bad_cbc, "CBC of 60 bytes"},
	{CBC, bad_cbc_empty, "CBC of 0 bytes"},
	{CBC, bad_hashed, "the hashed at"},
	{CBC, bad_chain, "not in the hashed one"},
};

START_TEST(an_op_that_breaks_a_rule_aborts_and_is_named)
{
	char line[400];
	struct rte_mbuf whole;
	struct bench b;
	int fd[2], status;
	ssize_t len;
	pid_t pid;

	bench_open(&b, rules[_i].kind);
	run_right(&b);
	whole = *crypto_job_mbuf(b.job);
	ck_assert_int_eq(pipe(fd), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		struct rte_crypto_op *op = &b.job->op;

		dup2(fd[1], STDERR_FILENO);
		rules[_i].spoil(&b);
		rte_cryptodev_enqueue_burst(b.id, 0, &op, 1);
		_exit(0);
	}
	close(fd[1]);
	len = read(fd[0], line, sizeof(line) - 1);
	close(fd[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	*crypto_job_mbuf(b.job) = whole; /* the EAL's memory is shared with the child */
	ck_assert_msg(
		WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "rule %d is not held", _i);
	ck_assert_int_gt(len, 0);
	line[len] = '\0';
	ck_assert_msg(strstr(line, rules[_i].said) != NULL, "rule %d: %s", _i, line);
	ck_assert_msg(strstr(line, "watch: crypto_openssl_adit, queue pair 0, op 0 of 1: ") == line,
		"%s", line);
	bench_close(&b);
}
END_TEST

#define OPS 32

/* Submits OPS jobs and polls what comes within so many calls; returns how many came. */
static unsigned run_some(struct bench *b, struct crypto_job **job, struct crypto_job **back)
{
	unsigned submitted, n = 0;

	for (unsigned i = 0; i < OPS; i++)
		job[i] = fixture_job(pool, b->session, &b->spec, &shape);
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
	{"error:every=10,device=crypto_openssl_adit", OPS, OPS, 3, 0, 0},
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
	sealed = shape;
	oracle_encrypt(&b.spec, &sealed);
	n = run_some(&b, job, back);
	taken = crypto_in_flight(b.queue) + n;
	ck_assert_uint_eq(taken, faults[_i].taken);
	ck_assert_uint_eq(n, faults[_i].back);
	for (unsigned i = 0; i < n; i++) {
		const uint8_t *text = fixture_text(back[i], &shape);

		failed += back[i]->status == CRYPTO_FAILED;
		wrong += memcmp(text, sealed.text, shape.text_len) != 0;
		clear += memcmp(text, shape.text, shape.text_len) == 0;
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
	run_right(b);
	for (unsigned i = 0; i < OPS; i++) {
		struct crypto_job *job = fixture_job(pool, b->session, &b->spec, &shape);

		job->op = b->job->op;
		job->sym = b->job->sym;
		job->op.phys_addr = crypto_job_iova(job, &job->op);
		job->sym.m_src = crypto_job_mbuf(job);
		job->sym.aead.digest.data = job->icv;
		job->sym.aead.digest.phys_addr = job->icv_iova;
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
	Suite *s = suite_create("watch");
	TCase *t = tcase_create("all");
	SRunner *r;
	int failed;

	fixture_eal(NULL, 0);
	pool = fixture_pool(127);
	tcase_add_loop_test(t, an_op_that_breaks_a_rule_aborts_and_is_named, 0, RTE_DIM(rules));
	tcase_add_loop_test(t, a_device_fails_as_it_is_asked, 0, RTE_DIM(faults));
	tcase_add_test(t, what_was_held_comes_late_and_in_order);
	tcase_add_test(t, a_refusal_ends);
	tcase_add_test(t, a_slow_device_keeps_order_and_pace);
	tcase_add_test(t, an_op_comes_twice);
	tcase_add_loop_test(t, a_fault_that_is_none_aborts, 0, RTE_DIM(nonsense));
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
