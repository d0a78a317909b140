/* SPDX-License-Identifier: BSD-3-Clause */
/* views.h - what can be seen of a running gateway: by the control socket's commands (docs/control.md has
 * their keys), and by DPDK's telemetry. Never a key. Control thread only. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "socket.h"

struct crypto;
struct pipeline;
struct port;
struct sa_db;

/* What is looked at; all of it outlives the views. */
struct views_of {
	struct pipeline *pipeline;
	struct sa_db *sas;
	const struct crypto *crypto;
	const struct port *ports;
	uint16_t n_ports;
	bool builtin_arp, builtin_nd, builtin_ike;
};

/* Shows it until views_close(). -ENOMEM, -errno. */
int views_open(struct control *ctl, const struct views_of *of, struct why *why);

/* Nothing looks at it any more. Also where views_open() failed. */
void views_close(struct control *ctl);
