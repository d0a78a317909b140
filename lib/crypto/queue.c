/* SPDX-License-Identifier: BSD-3-Clause */
/* queue.c - submit and poll: over a cryptodev queue pair, where the op lives in the packet beside its
 * job, or by a library called directly: intel-ipsec-mb or OpenSSL. */
#include <errno.h>
#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_malloc.h>
#include <string.h>

#include "crypto_dp.h"
#include "done.h"
#include "evp.h"
#include "flight.h"
#include "mb.h"
#include "queue.h"

#define CHUNK   64 /* ops in one call to the device */
#define STEP_MS 5 /* a poll lets no more time pass than this: the thread may have stood still */

/* Touched by its worker alone, but for what displays read. */
struct crypto_queue {
	/* Of a library: one of these is set, and of the rest only n_done and failed are used. */
	struct mb_queue *mb;
	struct evp_queue *evp;
	struct done done;

	uint8_t dev_id;
	uint16_t pair;
	uint16_t worker;
	struct flight flight;
	/* A job that the device will not take, though it has room: it goes back as failed, after
	 * those that the device holds, and nothing is submitted before. */
	struct crypto_job *refused;

	/* Its clock, in TSC cycles, runs while it is polled with something to do. */
	uint64_t clock, polled_tsc;
	uint64_t took; /* when the device last took something, or was first asked to */
	uint64_t gave; /* when it last gave something back, or had nothing to give */
	uint64_t look; /* when to look for overdue jobs */
	uint64_t overdue, step;
	bool is_waiting; /* the device has refused to take any more */
	bool has_lost; /* a job that it got after it last gave one back */
	volatile bool is_stalled;

	uint64_t n_done, failed, lost, late;
};

struct crypto_queue *queue_open(const struct queue_place *at, uint32_t limit, int socket)
{
	struct crypto_queue *q =
		rte_zmalloc_socket("crypto_queue", sizeof(*q), RTE_CACHE_LINE_SIZE, socket);
	uint64_t ms = rte_get_tsc_hz() / 1000;

	if (q == NULL)
		return NULL;
	q->dev_id = at->dev_id;
	q->pair = at->pair;
	q->worker = at->worker;
	q->overdue = ms * at->overdue_ms;
	q->step = ms * STEP_MS;
	if (flight_open(&q->flight, limit, socket) < 0) {
		queue_close(q);
		return NULL;
	}
	return q;
}

/* A library has done everything at submission. */
static int open_empty(uint32_t limit, int socket, struct crypto_queue **out, struct why *why)
{
	struct crypto_queue *q =
		rte_zmalloc_socket("crypto_queue", sizeof(*q), RTE_CACHE_LINE_SIZE, socket);

	if (q == NULL || done_open(&q->done, limit, socket) < 0) {
		rte_free(q);
		return why_set(why, -ENOMEM, "no memory for a crypto queue");
	}
	*out = q;
	return 0;
}

int queue_open_mb(uint32_t limit, int socket, struct crypto_queue **out, struct why *why)
{
	int rc = open_empty(limit, socket, out, why);

	if (rc < 0)
		return rc;
	rc = mb_queue_open(socket, &(*out)->mb, why);
	if (rc < 0)
		queue_close(*out);
	return rc;
}

int queue_open_evp(
	uint16_t worker, uint32_t limit, int socket, struct crypto_queue **out, struct why *why)
{
	int rc = open_empty(limit, socket, out, why);

	if (rc < 0)
		return rc;
	rc = evp_queue_open(worker, socket, &(*out)->evp, why);
	if (rc < 0)
		queue_close(*out);
	return rc;
}

void queue_close(struct crypto_queue *q)
{
	if (q == NULL)
		return;
	mb_queue_close(q->mb);
	evp_queue_close(q->evp);
	done_close(&q->done);
	flight_close(&q->flight);
	if (q->refused != NULL)
		rte_pktmbuf_free(crypto_job_mbuf(q->refused));
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
		sym->aead.digest.phys_addr = crypto_job_iova(job, job->icv);
		sym->aead.aad.data = (uint8_t *)job + s->aad_ofs;
		sym->aead.aad.phys_addr = job_iova + s->aad_ofs;
	} else {
		sym->cipher.data.offset = job->cipher_ofs;
		sym->cipher.data.length = job->cipher_len;
		sym->auth.data.offset = job->auth_ofs;
		sym->auth.data.length = job->auth_len;
		sym->auth.digest.data = job->icv;
		sym->auth.digest.phys_addr = crypto_job_iova(job, job->icv);
	}
	job->status = CRYPTO_PENDING;
	return &job->op;
}

/* The bytes that tell; NULL: none do. */
static inline const uint8_t *telltale(struct crypto_job *job)
{
	switch (job->session->telltale) {
	case CRYPTO_TEXT_TELLS:
		if (unlikely(job->cipher_len < CRYPTO_TELLTALE))
			return NULL;
		return rte_pktmbuf_mtod_offset(
			crypto_job_mbuf(job), const uint8_t *, job->cipher_ofs);
	case CRYPTO_ICV_TELLS: return job->icv;
	default: return NULL;
	}
}

static inline void remember(struct crypto_job *job)
{
	const uint8_t *at = telltale(job);

	if (job->session->telltale == CRYPTO_ICV_TELLS)
		memset(job->icv, 0, CRYPTO_TELLTALE); /* it may be there from an earlier packet */
	if (likely(at != NULL))
		memcpy(job->before, at, CRYPTO_TELLTALE);
}

static inline bool did_nothing(struct crypto_job *job)
{
	const uint8_t *at = telltale(job);

	return at != NULL && memcmp(job->before, at, CRYPTO_TELLTALE) == 0;
}

/* A device that takes less than it is given is full, or it choked on the op that is first now
 * (DPDK's software devices say so by the op's status, and would do so for ever). */
static inline bool is_refused(const struct crypto_job *job)
{
	return job->op.status != RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
}

/* From standing idle: the time of that does not count. */
static inline void wake(struct crypto_queue *q)
{
	if (flight_count(&q->flight) > 0)
		return;
	q->gave = q->clock;
	if (!q->is_waiting) {
		q->took = q->clock;
		q->polled_tsc = rte_rdtsc();
	}
}

static uint16_t submit_ops(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n)
{
	struct rte_crypto_op *ops[CHUNK];
	uint16_t done = 0;

	if (unlikely(q->refused != NULL || q->is_stalled))
		return 0;
	wake(q);
	n = RTE_MIN(n, q->flight.n_free);
	q->is_waiting = n == 0;
	while (done < n) {
		uint16_t chunk = RTE_MIN(n - done, CHUNK);
		uint16_t took;

		for (uint16_t i = 0; i < chunk; i++) {
			remember(jobs[done + i]);
			ops[i] = fill_op(q, jobs[done + i]);
		}
		took = rte_cryptodev_enqueue_burst(q->dev_id, q->pair, ops, chunk);
		for (uint16_t i = 0; i < took; i++)
			flight_take(&q->flight, jobs[done++], q->clock);
		if (likely(took == chunk))
			continue;
		if (is_refused(jobs[done]))
			q->refused = jobs[done++];
		else
			q->is_waiting = true;
		break;
	}
	if (done > 0)
		q->took = q->clock;
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

/* A job whose op has none is still the device's: what came is an op that it gave back before, when it
 * was of an earlier job in the same packet's memory. */
static inline bool has_verdict(const struct rte_crypto_op *op)
{
	return op->status != RTE_CRYPTO_OP_STATUS_NOT_PROCESSED &&
	       op->status <= RTE_CRYPTO_OP_STATUS_ERROR;
}

/* What the device gives back is looked up: it may have been given up, or never have been there. */
static inline bool take_back(struct crypto_queue *q, struct rte_crypto_op *op)
{
	struct crypto_job *job = container_of(op, struct crypto_job, op);
	bool is_late = job->status == CRYPTO_LOST;

	if (unlikely(!has_verdict(op) || !flight_return(&q->flight, job)))
		return false;
	job->status = unlikely(is_late) ? CRYPTO_LATE : verdict(op);
	if (unlikely(job->status == CRYPTO_OK && did_nothing(job)))
		job->status = CRYPTO_FAILED;
	q->late += is_late;
	q->n_done += !is_late;
	q->failed += job->status == CRYPTO_FAILED;
	return true;
}

static inline void pass_time(struct crypto_queue *q)
{
	uint64_t now = rte_rdtsc(), passed = now - q->polled_tsc;

	q->clock += RTE_MIN(passed, q->step);
	q->polled_tsc = now;
}

static uint16_t poll_ops(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n)
{
	struct rte_crypto_op *ops[CHUNK];
	uint16_t done = 0;

	while (done < n && q->flight.n_free < q->flight.n_slots) {
		uint16_t chunk = RTE_MIN(n - done, CHUNK);
		uint16_t got = rte_cryptodev_dequeue_burst(q->dev_id, q->pair, ops, chunk);

		for (uint16_t i = 0; i < got; i++) {
			if (likely(take_back(q, ops[i])))
				jobs[done++] = container_of(ops[i], struct crypto_job, op);
		}
		if (got < chunk)
			break;
	}
	pass_time(q);
	if (done > 0) {
		q->took = q->gave = q->clock;
		q->has_lost = false;
	}
	if (unlikely(q->refused != NULL) && flight_count(&q->flight) == 0 && done < n) {
		q->refused->status = CRYPTO_FAILED;
		q->failed++;
		q->n_done++;
		jobs[done++] = q->refused;
		q->refused = NULL;
	}
	return done;
}

/* One job that never comes may be lost. When more were and nothing came in between, or nothing is
 * taken any more, the device stands still. Those that it had before it last gave something back are
 * lost alone, whenever they are missed. */
static uint16_t give_up_overdue(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n)
{
	uint16_t found = flight_give_up(&q->flight, q->clock - q->overdue, jobs, n);
	bool has_lost = false;

	for (uint16_t i = 0; i < found; i++)
		has_lost |= jobs[i]->since >= q->gave;
	if (q->is_waiting && q->clock - q->took >= q->overdue)
		q->is_stalled = true;
	if (has_lost && q->has_lost && q->clock - q->gave >= q->overdue)
		q->is_stalled = true;
	q->has_lost |= has_lost;
	if (found < n) /* that was all */
		q->look = q->clock + q->overdue / 4;
	return found;
}

static inline bool is_library(const struct crypto_queue *q)
{
	return q->mb != NULL || q->evp != NULL;
}

uint16_t crypto_give_up(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n)
{
	uint16_t found = 0;

	if (likely(!q->is_stalled &&
		    (is_library(q) || q->clock < q->look || q->clock < q->overdue)))
		return 0;
	if (!q->is_stalled)
		found = give_up_overdue(q, jobs, n);
	if (q->is_stalled && flight_count(&q->flight) > 0)
		found += flight_give_up(&q->flight, q->clock, jobs + found, n - found);
	q->lost += found;
	return found;
}

void crypto_distrust(struct crypto_queue *q)
{
	q->is_stalled = true;
}

bool crypto_is_stalled(const struct crypto_queue *q)
{
	return q->is_stalled;
}

void crypto_run(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n)
{
	if (q->mb != NULL)
		mb_queue_run(q->mb, jobs, n);
	else
		evp_queue_run(q->evp, jobs, n);
	q->n_done += n;
	for (uint16_t i = 0; i < n; i++)
		q->failed += jobs[i]->status == CRYPTO_FAILED;
}

uint16_t crypto_submit(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n)
{
	uint32_t room = q->done.limit - done_count(&q->done);

	if (!is_library(q))
		return submit_ops(q, jobs, n);
	n = RTE_MIN(n, room);
	crypto_run(q, jobs, n);
	done_put(&q->done, jobs, n);
	return n;
}

uint16_t crypto_poll(struct crypto_queue *q, struct crypto_job **jobs, uint16_t n)
{
	return is_library(q) ? done_take(&q->done, jobs, n) : poll_ops(q, jobs, n);
}

uint32_t crypto_in_flight(const struct crypto_queue *q)
{
	if (is_library(q))
		return done_count(&q->done);
	return flight_count(&q->flight) + (q->refused != NULL);
}

bool crypto_has_lost(const struct crypto_queue *q)
{
	return q->flight.n_lost > 0;
}

bool crypto_is_busy(const struct crypto_queue *q)
{
	return crypto_in_flight(q) > 0 || crypto_has_lost(q);
}

void queue_stats(const struct crypto_queue *q, struct crypto_device_stats *sum)
{
	sum->is_stalled |= q->is_stalled;
	sum->done += q->n_done;
	sum->failed += q->failed;
	sum->lost += q->lost;
	sum->late += q->late;
	sum->in_flight += crypto_in_flight(q);
}
