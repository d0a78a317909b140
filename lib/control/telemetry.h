/* SPDX-License-Identifier: BSD-3-Clause */
/* telemetry.h - totals for those who scrape DPDK: /adit/exits, /adit/workers, /adit/sa_totals
 * (rte_telemetry: answers of 16 KiB, no lists of objects).
 *
 * DPDK asks from threads of its own; the control loop answers. Control thread only. */
#pragma once

#include "why.h"

struct pipeline;
struct sa_db;
struct telemetry;

/* Both outlive it. One at a time: -EBUSY. -ENOMEM, -errno. */
int telemetry_open(
	struct pipeline *pipeline, struct sa_db *sas, struct telemetry **out, struct why *why);

/* From now on DPDK's answer is null; the commands stay in its list, which it never shortens. */
void telemetry_close(struct telemetry *t);

/* Becomes readable when telemetry_serve() has something to do. */
int telemetry_fd(const struct telemetry *t);
void telemetry_serve(struct telemetry *t);
