/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel_thread.h - the thread between workers and the TAPs: frames for the kernel, frames from it, and
 * packets that wait for a neighbour. It never makes a worker wait. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tap.h"
#include "why.h"

#define KERNEL_PORTS_MAX 32

struct kernel_thread;
struct pipeline;
struct rte_mempool;

struct kernel_port {
	struct tap *tap; /* NULL: the kernel has no interface of this port */
	struct rte_mempool *pool; /* for what the kernel sends */
};

struct kernel_counts {
	uint64_t to, from; /* frames to the kernel and from it */
	uint64_t
		lost; /* that the interface did not take, or for which there was no buffer or room */
	bool is_gone; /* somebody removed the interface */
};

/* ports: by number in the pipeline; copied. Runs from now on. -ENOMEM, -errno. */
int kernel_thread_open(struct pipeline *p, const struct kernel_port ports[], uint16_t n_ports,
	struct kernel_thread **out, struct why *why);

/* After the workers have ended: they wait for what it has. */
void kernel_thread_close(struct kernel_thread *t);

/* Any thread. */
struct kernel_counts kernel_thread_counts(const struct kernel_thread *t, uint16_t port);
