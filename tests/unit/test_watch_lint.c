/* SPDX-License-Identifier: BSD-3-Clause */
/* test_watch_lint.c - runs under the op linter as other tests do, and breaks each rule once. */
#include <check.h>
#include <rte_cryptodev.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "watch_bench.h"

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
	enum bench_kind kind;
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
	bench_run_right(&b);
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
	ck_assert_msg(strstr(line, "watch: crypto_openssl0, queue pair 0, op 0 of 1: ") == line,
		"%s", line);
	bench_close(&b);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, an_op_that_breaks_a_rule_aborts_and_is_named, 0, RTE_DIM(rules));
	return bench_main("watch_lint", t);
}
