/* SPDX-License-Identifier: BSD-3-Clause */
/* service.h - what a service manager is told (sd_notify(3)): that the gateway forwards, lives, reads its
 * files again, stops. Without $NOTIFY_SOCKET all of it does nothing. Control thread only. */
#pragma once

#include "config.h"
#include "worker.h"

struct service {
	const struct pipeline *pipeline;
	bool is_ready; /* READY=1 is said */
	uint64_t every_ns; /* WATCHDOG=1 is due so often; 0: nobody waits for it */
	uint64_t due_ns;
	uint64_t polls[CONFIG_LCORE_MAX]; /* of each worker, when it was looked at last */
};

void service_open(struct service *s, const struct pipeline *pipeline);

/* From the control loop's tick. READY=1 once every worker has polled its ports. WATCHDOG=1 while every
 * worker goes on doing so: one that hangs is a gateway that is to be started again. */
void service_tick(struct service *s, uint64_t now_ns);

/* Around the reading of the files, whatever comes of it. */
void service_reloading(const struct service *s);
void service_reloaded(const struct service *s);

void service_stopping(void);
