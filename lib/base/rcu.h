/* SPDX-License-Identifier: BSD-3-Clause */
/* rcu.h - grace periods: a table that workers read is published whole, and the old one goes after
 * every worker has said that it holds nothing. Over rte_rcu_qsbr. */
#pragma once

#include <errno.h>
#include <rte_malloc.h>
#include <rte_rcu_qsbr.h>
#include <sched.h>

struct rcu {
	struct rte_rcu_qsbr *qsbr;
};

/* Room for n workers, numbered from 0. Control thread. -ENOMEM. */
static inline int rcu_open(struct rcu *rcu, uint32_t n_workers)
{
	size_t size = rte_rcu_qsbr_get_memsize(n_workers);

	rcu->qsbr = rte_zmalloc("rcu", size, RTE_CACHE_LINE_SIZE);
	if (rcu->qsbr == NULL)
		return -ENOMEM;
	return rte_rcu_qsbr_init(rcu->qsbr, n_workers) == 0 ? 0 : -EINVAL;
}

static inline void rcu_close(struct rcu *rcu)
{
	rte_free(rcu->qsbr);
	rcu->qsbr = NULL;
}

/* A worker joins before its first look at a table, and leaves after its last. */
static inline void rcu_join(struct rcu *rcu, uint32_t worker)
{
	rte_rcu_qsbr_thread_register(rcu->qsbr, worker);
	rte_rcu_qsbr_thread_online(rcu->qsbr, worker);
}

static inline void rcu_leave(struct rcu *rcu, uint32_t worker)
{
	rte_rcu_qsbr_thread_offline(rcu->qsbr, worker);
	rte_rcu_qsbr_thread_unregister(rcu->qsbr, worker);
}

/* A worker holds no pointer into any table now. Once a poll. */
static inline void rcu_quiescent(struct rcu *rcu, uint32_t worker)
{
	rte_rcu_qsbr_quiescent(rcu->qsbr, worker);
}

/* Control thread: returns when every worker that has joined has been quiescent since the call. It may
 * share its core with the worker that it waits for. */
static inline void rcu_wait(struct rcu *rcu)
{
	uint64_t token = rte_rcu_qsbr_start(rcu->qsbr);

	while (rte_rcu_qsbr_check(rcu->qsbr, token, false) == 0)
		sched_yield();
}
