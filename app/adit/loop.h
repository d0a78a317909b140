/* SPDX-License-Identifier: BSD-3-Clause */
/* loop.h - the control loop: one epoll over signals, leases, devices and the control socket. */
#pragma once

#include "lease.h"
#include "ports.h"
#include "routes.h"
#include "sa.h"
#include "service.h"
#include "socket.h"
#include "worker.h"

struct loop {
	struct pipeline *pipeline;
	struct sa_db *sas;
	struct crypto *crypto;
	struct lease_journal *journal; /* NULL: no outbound SA */
	struct control *control;
	struct ports *ports;
	struct kernel_side *kernel;
	struct routes *routes;
	const struct config *config;
	bool is_route_news; /* routes are to be renewed */
	struct service service;
	uint32_t stalled; /* crypto devices that were seen to stand still */
	int signal_fd; /* SIGINT, SIGTERM and SIGHUP, which every thread has blocked */
};

/* Blocks the signals in this and all threads made from now on; their fd, or -errno. Before the EAL. */
int loop_block_signals(void);

/* Runs until SIGINT or SIGTERM, then stops the pipeline. 0, or -errno if it could not run; the
 * pipeline is stopped in any case. */
int loop_run(struct loop *loop);
