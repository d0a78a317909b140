/* SPDX-License-Identifier: BSD-3-Clause */
/* views.h - SAs, exits and workers as JSON, behind the control socket's sa, exits and workers. What
 * each key means stands in docs/control.md. Control thread only. Never a key. */
#pragma once

#include "socket.h"

struct sa_db;
struct pipeline;

/* What the views look at; both outlive the control socket that shows them. */
struct views {
	struct sa_db *sas;
	struct pipeline *pipeline;
};

/* Adds the commands. -ENOMEM. */
int views_add(struct control *ctl, struct views *views);
