/* SPDX-License-Identifier: BSD-3-Clause */
/* dpdk_compat.h - the only place with an #if on a DPDK version; 22.11 is the oldest that serves. */
#pragma once

#include <rte_version.h>

#if RTE_VERSION < RTE_VERSION_NUM(22, 11, 3, 0)
#error "adit needs DPDK 22.11.3 or newer"
#endif

#include <pthread.h>
#include <rte_lcore.h>

/* A thread of the control plane, off the lcores where the process may run elsewhere. 0 or -errno. */
static inline int compat_control_thread(
	pthread_t *thread, const char *name, void *(*body)(void *), void *arg)
{
	return rte_ctrl_thread_create(thread, name, NULL, body, arg);
}
