/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel_side.h - what the kernel has of our ports: a TAP interface of each that wants one, the thread that
 * serves them, and what the kernel says of routes and neighbours. Control thread. */
#pragma once

#include "config.h"
#include "kernel_thread.h"
#include "mirror.h"
#include "ports.h"

struct kernel_side {
	bool is_open; /* a port has a TAP */
	uint16_t n_ports;
	struct tap tap[WORKER_PORTS_MAX];
	bool has_tap[WORKER_PORTS_MAX];
	unsigned index[WORKER_PORTS_MAX]; /* of the interface, 0: none */
	bool is_gone[WORKER_PORTS_MAX]; /* it was said */
	bool is_failing; /* the kernel does not tell, and it was said */
	uint64_t n_lost, n_lost_now; /* news that were lost: as was said, and by now */
	struct netlink *netlink;
	struct netlink_asker *asker;
	struct mirror *mirror;
	struct kernel_thread *thread;
};

/* Makes the TAPs of the config's ports with their addresses, says so, and marks those ports in *ports;
 * reads what the kernel knows. Says what is wrong with each through the report. -EINVAL: something was. */
int kernel_side_open(const struct config *config, struct ports *ports, struct kernel_side *out,
	struct config_report *report);
void kernel_side_close(struct kernel_side *k);

/* Between the two frames go both ways. */
int kernel_side_start(
	struct kernel_side *k, struct pipeline *p, const struct ports *ports, struct why *why);
void kernel_side_stop(struct kernel_side *k);

/* Readable: kernel_side_hear() has something to do. -1: there is no kernel side. */
int kernel_side_fd(const struct kernel_side *k);

/* Notes what there is news of. */
void kernel_side_hear(struct kernel_side *k);

/* Reads what the news are of. True: routes, neighbours or addresses are not what they were. */
bool kernel_side_refresh(struct kernel_side *k);

/* Each second: links shown to the kernel, neighbours confirmed, and what is wrong said once. */
void kernel_side_tick(struct kernel_side *k, const struct ports *ports);
