/* SPDX-License-Identifier: BSD-3-Clause */
/* dpdk_compat.h - the only place with an #if on a DPDK version; 22.11 is the oldest that serves. */
#pragma once

#include <rte_version.h>

#if RTE_VERSION < RTE_VERSION_NUM(22, 11, 3, 0)
#error "adit needs DPDK 22.11.3 or newer"
#endif

#include <pthread.h>
#include <rte_lcore.h>

/* A thread of the control plane, off the lcores where the process may run elsewhere. The opener
 * fills the first two and keeps it where it is until the join. */
struct compat_thread {
	int (*body)(void *arg);
	void *arg;
	int rc; /* what body returned */
	pthread_t id;
};

/* 0 or -errno. */
static inline int compat_thread_open(struct compat_thread *thread, const char *name);

/* Waits for its end; what body returned. */
static inline int compat_thread_join(struct compat_thread *thread)
{
	pthread_join(thread->id, NULL);
	return thread->rc;
}

static inline void compat_thread_run(struct compat_thread *thread)
{
	thread->rc = thread->body(thread->arg);
}

#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)

static inline uint32_t compat_thread_start(void *thread)
{
	compat_thread_run(thread);
	return 0;
}

static inline int compat_thread_open(struct compat_thread *thread, const char *name)
{
	rte_thread_t id;
	int rc = rte_thread_create_control(&id, name, compat_thread_start, thread);

	if (rc == 0)
		thread->id = id.opaque_id;
	return rc;
}

#else

static inline void *compat_thread_start(void *thread)
{
	compat_thread_run(thread);
	return NULL;
}

static inline int compat_thread_open(struct compat_thread *thread, const char *name)
{
	return rte_ctrl_thread_create(&thread->id, name, NULL, compat_thread_start, thread);
}

/* The rooms call things by their newer names. */
#define rte_tel_data_add_dict_uint rte_tel_data_add_dict_u64

#endif
