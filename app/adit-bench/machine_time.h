/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_time.h - how long a thread waited for its CPU, and the machine for its own. */
#pragma once

#include <stdint.h>

/* Nanoseconds that this thread was runnable and did not run (schedstat(5) in proc); 0 where the kernel
 * does not say. */
uint64_t machine_run_delay_ns(void);

/* Nanoseconds that the hypervisor took from all CPUs together since boot. */
uint64_t machine_steal_ns(void);
