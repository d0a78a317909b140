/* SPDX-License-Identifier: BSD-3-Clause */
/* ledger.c - what the workers of a gateway spent their cycles on, over a lap or several. */
#include "ledger.h"

#include <math.h>

void ledger_read(const struct pipeline *p, struct ledger *out)
{
	*out = (struct ledger){0};
	while (out->n < LEDGER_STAGES_MAX && pipeline_stage(p, out->n, &out->stage[out->n]))
		out->n++;
	for (uint16_t i = 0; i < pipeline_workers(p); i++) {
		struct worker_stats s;

		pipeline_stats(p, i, &s);
		out->rx_cycles += s.rx_cycles;
		out->poll_cycles += s.poll_cycles;
		out->busy_cycles += s.busy_cycles;
		out->idle_cycles += s.idle_cycles;
		out->received += s.received;
	}
}

void ledger_add(struct ledger *sum, const struct ledger *before, const struct ledger *after)
{
	sum->n = after->n;
	for (unsigned i = 0; i < after->n; i++) {
		sum->stage[i].lane = after->stage[i].lane;
		sum->stage[i].stage = after->stage[i].stage;
		sum->stage[i].cycles += after->stage[i].cycles - before->stage[i].cycles;
		sum->stage[i].packets += after->stage[i].packets - before->stage[i].packets;
	}
	sum->rx_cycles += after->rx_cycles - before->rx_cycles;
	sum->poll_cycles += after->poll_cycles - before->poll_cycles;
	sum->busy_cycles += after->busy_cycles - before->busy_cycles;
	sum->idle_cycles += after->idle_cycles - before->idle_cycles;
	sum->received += after->received - before->received;
}

double ledger_closes(const struct ledger *l)
{
	uint64_t booked = l->rx_cycles + l->poll_cycles;

	for (unsigned i = 0; i < l->n; i++)
		booked += l->stage[i].cycles;
	return (double)booked / (double)(l->busy_cycles + l->idle_cycles);
}

bool ledger_is_closed(const struct ledger *l)
{
	return fabs(ledger_closes(l) - 1) <= 0.01;
}
