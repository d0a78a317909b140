/* SPDX-License-Identifier: BSD-3-Clause */
/* telemetry.h - totals for those who scrape DPDK: /adit/exits, /adit/workers, /adit/ports,
 * /adit/sa_totals (rte_telemetry: answers of 16 KiB, no lists of objects).
 *
 * DPDK asks from threads of its own; the control loop answers. Control thread only. */
#pragma once

#include "views.h"

struct telemetry;

/* One at a time: -EBUSY. -ENOMEM, -errno. */
int telemetry_open(const struct views_of *of, struct telemetry **out, struct why *why);

/* From now on DPDK's answer is null; the commands stay in its list, which it never shortens. */
void telemetry_close(struct telemetry *t);

/* Becomes readable when telemetry_serve() has something to do. */
int telemetry_fd(const struct telemetry *t);
void telemetry_serve(struct telemetry *t);
