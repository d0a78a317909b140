/* SPDX-License-Identifier: BSD-3-Clause */
/* victim.h - somebody else's work on a worker's CPU: a thread that only counts, and runs whenever the
 * worker does not (SCHED_IDLE), so that its rate is what the worker leaves to others. */
#pragma once

#include <stdint.h>

#include "why.h"

struct victim;

/* On the CPUs of this lcore. -EPERM, -ENOMEM: it cannot be started there. */
int victim_open(unsigned lcore, struct victim **out, struct why *why);
void victim_close(struct victim *v);

/* What it has done since it was opened. */
uint64_t victim_work(const struct victim *v);
