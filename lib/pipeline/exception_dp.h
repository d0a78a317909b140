/* SPDX-License-Identifier: BSD-3-Clause */
/* exception_dp.h - the workers' end of the rings to and from the kernel thread. Private to the room. */
#pragma once

#include "worker_dp.h"

/* The rings that all workers put into, where a port has a kernel side. -ENOMEM. */
int exception_open(struct pipeline *p);
void exception_close(struct pipeline *p); /* any state; frees what is in them */

/* The ring of one worker. -ENOMEM. */
int exception_join(struct worker *w);
void exception_leave(struct worker *w);
