/* SPDX-License-Identifier: BSD-3-Clause */
/* views.h - what can be seen of a running gateway: by the control socket's sa, exits and workers
 * (docs/control.md has their keys), and by DPDK's telemetry. Never a key. Control thread only. */
#pragma once

#include "socket.h"

struct sa_db;
struct pipeline;

/* Shows these until views_close(). -ENOMEM, -errno. */
int views_open(struct control *ctl, struct pipeline *pipeline, struct sa_db *sas, struct why *why);

/* Nothing looks at them any more. Also where views_open() failed. */
void views_close(struct control *ctl);
