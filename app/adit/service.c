/* SPDX-License-Identifier: BSD-3-Clause */
/* service.c - what a service manager is told: the gateway forwards, lives, reads its files again, stops. */
#include "service.h"

#include <inttypes.h>
#include <systemd/sd-daemon.h>
#include <time.h>

/* A look at the workers that comes to nothing is no end yet: the manager's patience is four of them. */
#define LOOKS_PER_PATIENCE 4

void service_open(struct service *s, const struct pipeline *pipeline)
{
	uint64_t patience_us = 0;

	*s = (struct service){.pipeline = pipeline};
	if (sd_watchdog_enabled(0, &patience_us) > 0)
		s->every_ns = patience_us * 1000 / LOOKS_PER_PATIENCE;
}

/* Whether every worker has polled since the last time that this was asked. */
static bool all_poll(struct service *s)
{
	uint16_t n = pipeline_workers(s->pipeline);
	struct worker_stats stats;
	bool do_all = true;

	for (uint16_t i = 0; i < n; i++) {
		pipeline_stats(s->pipeline, i, &stats);
		do_all = do_all && stats.polls != s->polls[i];
		s->polls[i] = stats.polls;
	}
	return do_all;
}

void service_tick(struct service *s, uint64_t now_ns)
{
	if (!s->is_ready && all_poll(s)) {
		sd_notifyf(
			0, "READY=1\nSTATUS=forwarding, %u workers", pipeline_workers(s->pipeline));
		s->is_ready = true;
	}
	if (!s->is_ready || s->every_ns == 0 || now_ns < s->due_ns)
		return;
	if (s->due_ns == 0 || all_poll(s))
		sd_notify(0, "WATCHDOG=1");
	s->due_ns = now_ns + s->every_ns;
}

/* The time tells a manager that the answer belongs to its signal and not to an earlier one. */
void service_reloading(const struct service *s)
{
	struct timespec now;

	if (!s->is_ready)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%" PRIu64,
		now.tv_sec * UINT64_C(1000000) + now.tv_nsec / 1000);
}

void service_reloaded(const struct service *s)
{
	if (s->is_ready)
		sd_notify(0, "READY=1");
}

void service_stopping(void)
{
	sd_notify(0, "STOPPING=1\nSTATUS=sending what is in flight");
}
