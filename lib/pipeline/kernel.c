/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel.c - the stages of what the kernel sends by a port, and of what has waited for it to find a
 * neighbour. */
#include <rte_ring.h>

#include "park.h"

#define STAGE(fn, what)                                                                            \
	{                                                                                          \
#fn, fn, what                                                                      \
	}

static uint16_t no_neighbour(struct worker *w, struct burst *b)
{
	for (uint16_t i = 0; i < b->n; i++)
		burst_leave(w, b, i, EXIT_NEXTHOP_NO_NEIGHBOUR);
	return b->n = 0;
}

const struct stage kernel_stages[] = {
	STAGE(kernel_classify, "measures the frame; ESP is not the kernel's to send"),
	STAGE(kernel_policy, "the SPD: protect by the newest SA, bypass, discard"),
	STAGE(out_mtu, "fits with the SA's overhead, or the kernel is told the size that does"),
	STAGE(out_esp, "sequence number, ESP and outer headers, padding"),
	{"crypt", crypt_burst, "the provider's devices encrypt and authenticate"},
	STAGE(out_finish, "puts the ICV in its place, counts"),
	STAGE(nexthop, "FIB, neighbour, Ethernet header"),
	STAGE(tx, "gathers by port and sends"),
	{0},
};

const struct stage kernel_out_stages[] = {
	STAGE(kernel_frame, "the kernel's own Ethernet header, with the port's tags"),
	STAGE(tx, "gathers by port and sends"),
	{0},
};

const struct stage no_neighbour_stages[] = {
	STAGE(no_neighbour, "nobody answered for the next hop"),
	{0},
};

/* Frames are new to the pipeline; the burst knows nothing of them yet. */
static void take_frames(struct worker *w, struct rte_mbuf *pkt[], uint16_t n)
{
	struct burst *b = &w->lane[LANE_KERNEL].burst;

	memcpy(b->pkt, pkt, n * sizeof(pkt[0]));
	b->n = n;
	w->stats.made += n;
	worker_book(w, &w->stats.poll_cycles);
	lanes_run(w, LANE_KERNEL, 0);
}

static bool is_frame(struct rte_mbuf *m)
{
	return parked_of(m)->lane == LANE_KERNEL && parked_of(m)->stage == 0;
}

uint16_t kernel_poll(struct worker *w)
{
	struct rte_mbuf *pkt[BURST_MAX];
	uint16_t n;

	if (w->from_kernel == NULL)
		return 0;
	n = rte_ring_sc_dequeue_burst(w->from_kernel, (void **)pkt, BURST_MAX, NULL);
	for (uint16_t i = 0, end; i < n; i = end) {
		bool is_new = is_frame(pkt[i]);

		for (end = i + 1; end < n && is_frame(pkt[end]) == is_new;)
			end++;
		if (is_new)
			take_frames(w, &pkt[i], end - i);
		else
			park_resume(w, &pkt[i], end - i);
	}
	return n;
}
