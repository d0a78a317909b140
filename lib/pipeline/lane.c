/* SPDX-License-Identifier: BSD-3-Clause */
/* lane.c - runs a burst through the stages of its lane, books the cycles of each, and frees what
 * left on the way. */
#include "worker_dp.h"

const struct lane lanes[LANES] = {
	[LANE_OUT] = {"out", "from a protected port", outbound_stages},
	[LANE_OUT_BYPASS] = {"out_bypass", "what the SPD lets out in clear", out_bypass_stages},
	[LANE_IN] = {"in", "from an unprotected port", inbound_stages},
	[LANE_IN_CLEAR] = {"in_clear", "what came in clear", in_clear_stages},
	[LANE_REPLY] = {"reply", "ICMP of ours", reply_stages},
	[LANE_REPLY_PROTECT] = {"reply_protect", "ICMP of ours through a tunnel",
		reply_protect_stages},
	[LANE_KERNEL] = {"kernel", "what the kernel sends", kernel_stages},
	[LANE_KERNEL_OUT] = {"kernel_out", "what it may send in clear", kernel_out_stages},
	[LANE_NO_NEIGHBOUR] = {"no_neighbour", "what has waited for a neighbour in vain",
		no_neighbour_stages},
};

static void free_dead(struct worker *w)
{
	rte_pktmbuf_free_bulk(w->dead, w->n_dead);
	w->n_dead = 0;
}

static void lane_run(struct worker *w, enum lane_id id, unsigned from)
{
	struct lane_state *s = &w->lane[id];
	const struct stage *stage = lanes[id].stage;

	s->burst.lane = id;
	for (unsigned k = from; stage[k].name != NULL && s->burst.n > 0; k++) {
		s->burst.stage = k;
		s->packets[k] += s->burst.n;
		stage[k].run(w, &s->burst);
		worker_book(w, &s->cycles[k]);
	}
	s->burst.n = 0;
	if (w->n_dead > 0)
		free_dead(w);
}

void lanes_run(struct worker *w, enum lane_id id, unsigned from)
{
	lane_run(w, id, from);
	for (enum lane_id side = 0; side < LANES; side++) {
		if (w->lane[side].burst.n > 0)
			lane_run(w, side, 0);
	}
}

void burst_leave(struct worker *w, struct burst *b, uint16_t i, enum exit e)
{
	if (exit_becomes(e) == EXIT_PUNT) {
		e = punt(w, b, i, e);
		w->stats.exit[e]++;
		return;
	}
	w->stats.exit[e]++;
	if (exit_becomes(e) == EXIT_REPLY)
		icmp_error(w, b, i, e);
	else
		worker_free(w, b->pkt[i]);
}
