/* SPDX-License-Identifier: BSD-3-Clause */
/* queue.c - submit and poll: over a cryptodev queue pair, where the op lives in the packet beside its
 * job, or by intel-ipsec-mb called directly. */
#include <errno.h>
#include <rte_cryptodev.h>
#include <rte_malloc.h>

#include "crypto_dp.h"
#include "mb.h"
#include "queue.h"

#define CHUNK 64 /* ops in one call to the device */

/* Touched by its worker alone. */
struct crypto_queue {
	struct mb_queue *mb; /* what follows is not used where this is set */
	uint8_t dev_id;
	uint16_t pair;
	uint16_t worker;
	uint32_t limit;
	uint32_t in_device; /* enqueued and not dequeued */
	/* A job that the device will not take, though it has room: it goes back as failed, after
	 * those that the device holds, and nothing is submitted before. */
	struct crypto_job *refused;
};

unsigned queue_group(unsigned n_devices, unsigned pairs, unsigned n_workers)
{
	unsigned group;

	if (pairs == 0)
		return 0;
	group = (n_workers + pairs - 1) / pairs;
	return group <= n_devices ? group : 0;
}

struct crypto_queue *queue_open(
	uint8_t dev_id, uint16_t pair, uint16_t worker, uint32_t limit, int socket)
{
	struct crypto_queue *q =
		rte_zmalloc_socket("crypto_queue", sizeof(*q), RTE_CACHE_LINE_SIZE, socket);

	if (q == NULL)
		return NULL;
	q->dev_id = dev_id;
	q->pair = pair;
	q->worker = worker;
	q->limit = limit;
	return q;
}

int queue_open_direct(uint32_t limit, int socket, struct crypto_queue **out, struct why *why)
{
	struct crypto_queue *q =
		rte_zmalloc_socket("crypto_queue", sizeof(*q), RTE_CACHE_LINE_SIZE, socket);
	int rc;

	if (q == NULL)
		return why_set(why, -ENOMEM, "no memory for a crypto queue");
	rc = mb_queue_open(limit, socket, &q->mb, why);
	if (rc < 0) {
		rte_free(q);
		return rc;
	}
	*out = q;
	return 0;
}

void queue_close(struct crypto_queue *q)
{
	if (q == NULL)
		return;
	mb_queue_close(q->mb);
	rte_free(q);
}

static inline struct rte_crypto_op *fill_op(const struct crypto_queue *q, struct crypto_job *job)
{
	const struct crypto_session *s = job->session;
	struct rte_crypto_sym_op *sym = &job->sym;
	rte_iova_t job_iova = crypto_job_iova(job, job);

	job->op.raw = s->op_raw;
	job->op.phys_addr = job_iova + offsetof(struct crypto_job, op);
	sym->m_src = crypto_job_mbuf(job);
	sym->m_dst = NULL;
	sym->session = s->dev_session[q->worker];
	if (s->is_aead) {
		sym->aead.data.offset = job->cipher_ofs;
		sym->aead.data.length = job->cipher_len;
		sym->aead.digest.data = job->icv;
		sym->aead.digest.phys_addr = job->icv_iova;
		sym->aead.aad.data = (uint8_t *)job + s->aad_ofs;
		sym->aead.aad.phys_addr = job_iova + s->aad_ofs;
	} else {
		sym->cipher.data.offset = job->cipher_ofs;
		sym->cipher.data.length = job->cipher_len;
		sym->auth.data.offset = job->auth_ofs;
		sym->auth.data.length = job->auth_len;
		sym->auth.digest.data = job->icv;
		sym->auth.digest.phys_addr = job->icv_iova;
	}
	job->status = CRYPTO_PENDING;
	return &job->op;
}

/* A device that takes less than it is given is full, or it choked on the op that is first now
 * (DPDK's software devices say so by the op's status, and would do so for ever). */
static inline bool is_refused(const struct crypto_job *job)
{
	return job->op.status != RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
}

static uint16_t submit_ops(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n)
{
	struct rte_crypto_op *ops[CHUNK];
	uint32_t room = q->limit - q->in_device;
	uint16_t done = 0;

	if (unlikely(q->refused != NULL))
		return 0;
	n = RTE_MIN(n, room);
	while (done < n) {
		uint16_t chunk = RTE_MIN(n - done, CHUNK);
		uint16_t took;

		for (uint16_t i = 0; i < chunk; i++)
			ops[i] = fill_op(q, jobs[done + i]);
		took = rte_cryptodev_enqueue_burst(q->dev_id, q->pair, ops, chunk);
		done += took;
		q->in_device += took;
		if (likely(took == chunk))
			continue;
		if (is_refused(jobs[done]))
			q->refused = jobs[done++];
		break;
	}
	return done;
}

static inline enum crypto_status verdict(const struct rte_crypto_op *op)
{
	switch (op->status) {
	case RTE_CRYPTO_OP_STATUS_SUCCESS: return CRYPTO_OK;
	case RTE_CRYPTO_OP_STATUS_AUTH_FAILED: return CRYPTO_BAD_ICV;
	default: return CRYPTO_FAILED;
	}
}

static uint16_t poll_ops(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n)
{
	struct rte_crypto_op *ops[CHUNK];
	uint16_t done = 0;

	while (done < n && q->in_device > 0) {
		uint16_t chunk = RTE_MIN(n - done, CHUNK);
		uint16_t got = rte_cryptodev_dequeue_burst(q->dev_id, q->pair, ops, chunk);

		for (uint16_t i = 0; i < got; i++) {
			struct crypto_job *job = container_of(ops[i], struct crypto_job, op);

			job->status = verdict(ops[i]);
			jobs[done++] = job;
		}
		q->in_device -= got;
		if (got < chunk)
			break;
	}
	if (unlikely(q->refused != NULL) && q->in_device == 0 && done < n) {
		q->refused->status = CRYPTO_FAILED;
		jobs[done++] = q->refused;
		q->refused = NULL;
	}
	return done;
}

uint16_t crypto_submit(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n)
{
	return q->mb != NULL ? mb_queue_submit(q->mb, jobs, n) : submit_ops(q, jobs, n);
}

uint16_t crypto_poll(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n)
{
	return q->mb != NULL ? mb_queue_poll(q->mb, jobs, n) : poll_ops(q, jobs, n);
}

uint32_t crypto_in_flight(const struct crypto_queue *q)
{
	if (q->mb != NULL)
		return mb_queue_in_flight(q->mb);
	return q->in_device + (q->refused != NULL);
}
