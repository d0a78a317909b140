/* SPDX-License-Identifier: BSD-3-Clause */
/* wire.h - ports of rings: what one side puts on them the other receives. */
#pragma once

#include <rte_ring.h>
#include <stdint.h>

#include "why.h"

#define WIRE_QUEUES_MAX 16
#define WIRE_DEPTH      4096

/* One queue per worker and direction, each single producer, single consumer. in: towards the worker. */
struct wire {
	uint16_t ethdev;
	uint16_t n_queues;
	struct rte_ring *in[WIRE_QUEUES_MAX], *out[WIRE_QUEUES_MAX];
};

/* name: of the ethdev. Started. -ENOMEM, or what the ethdev says. */
int wire_open(struct wire *w, const char *name, uint16_t n_queues, struct why *why);
void wire_close(struct wire *w);
