/* SPDX-License-Identifier: BSD-3-Clause */
/* view.h - one command that shows something: what it gets, and what it says it with. Private to
 * lib/control. */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "socket.h"
#include "views.h"

struct views { /* the arg of each */
	struct views_of of;
	struct telemetry *telemetry;
};

/* JSON integers of jansson have a sign. What is beyond them (sequence numbers only) is text. */
json_t *whole(uint64_t n);

/* The array, or NULL where one of its elements could not be made. */
json_t *whole_or_none(json_t *array, int rc);

control_handler view_sa, view_exits, view_workers, view_ports, view_policy, view_crypto;
