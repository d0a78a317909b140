/* SPDX-License-Identifier: BSD-3-Clause */
/* exception.c - the rings between workers and the kernel thread. */
#include "exception.h"

#include <errno.h>
#include <inttypes.h>
#include <rte_ether.h>
#include <rte_lcore.h>
#include <rte_ring.h>

#include "exception_dp.h"
#include "frame.h"
#include "park.h"

#define RING_SIZE 1024

static_assert(EXCEPTION_HEADROOM >= FRAME_HEADROOM + RTE_ETHER_HDR_LEN,
	"no room for what a tunnel puts in front");
static_assert(sizeof(struct exception_wish) <= sizeof(struct crypto_job),
	"a wish stands where the packet's crypto job did");

static bool is_wanted(const struct pipeline *p)
{
	for (uint16_t i = 0; i < p->setup.n_ports; i++) {
		if (p->port[i].route.has_kernel)
			return true;
	}
	return false;
}

static struct rte_ring *open_ring(const char *kind, const void *of, int socket)
{
	char name[RTE_RING_NAMESIZE];

	snprintf(name, sizeof(name), "%s_%" PRIxPTR, kind, (uintptr_t)of);
	return rte_ring_create(name, RING_SIZE, socket, RING_F_SC_DEQ);
}

int exception_open(struct pipeline *p)
{
	if (!is_wanted(p))
		return 0;
	p->punted = open_ring("punted", p, SOCKET_ID_ANY);
	p->unresolved = open_ring("unresolved", p, SOCKET_ID_ANY);
	return p->punted == NULL || p->unresolved == NULL ? -ENOMEM : 0;
}

static void close_ring(struct rte_ring *ring)
{
	struct rte_mbuf *m;

	while (ring != NULL && rte_ring_sc_dequeue(ring, (void **)&m) == 0)
		rte_pktmbuf_free(m);
	rte_ring_free(ring);
}

void exception_close(struct pipeline *p)
{
	close_ring(p->punted);
	close_ring(p->unresolved);
}

int exception_join(struct worker *w)
{
	if (w->p->punted == NULL)
		return 0;
	w->from_kernel = open_ring("kernel", w, rte_lcore_to_socket_id(w->p->setup.lcores[w->id]));
	return w->from_kernel == NULL ? -ENOMEM : 0;
}

void exception_leave(struct worker *w)
{
	close_ring(w->from_kernel);
}

static uint16_t take(struct rte_ring *ring, struct rte_mbuf *pkt[], uint16_t n)
{
	return ring == NULL ? 0 : rte_ring_sc_dequeue_burst(ring, (void **)pkt, n, NULL);
}

uint16_t exception_take(struct pipeline *p, struct rte_mbuf *pkt[], uint16_t n)
{
	return take(p->punted, pkt, n);
}

uint16_t exception_take_waiting(struct pipeline *p, struct rte_mbuf *pkt[], uint16_t n)
{
	return take(p->unresolved, pkt, n);
}

/* One worker has all that a port sends of this, so that it stays in order. */
static struct rte_ring *ring_of(const struct pipeline *p, uint16_t port)
{
	return p->worker[port % p->n_workers]->from_kernel;
}

uint16_t exception_give(struct pipeline *p, uint16_t port, struct rte_mbuf *pkt[], uint16_t n)
{
	for (uint16_t i = 0; i < n; i++) {
		pkt[i]->port = port;
		*parked_of(pkt[i]) = (struct parked){.lane = LANE_KERNEL};
	}
	return rte_ring_mp_enqueue_burst(ring_of(p, port), (void **)pkt, n, NULL);
}

const struct exception_wish *exception_wish_of(struct rte_mbuf *m)
{
	return (const struct exception_wish *)crypto_job_of(m);
}

bool exception_resume(struct pipeline *p, struct rte_mbuf *m, bool is_known)
{
	if (!is_known) {
		parked_of(m)->lane = LANE_NO_NEIGHBOUR;
		parked_of(m)->stage = 0;
	}
	return rte_ring_mp_enqueue(ring_of(p, exception_wish_of(m)->port), m) == 0;
}

uint32_t exception_routes(const struct pipeline *p)
{
	return atomic_load(&p->n_replaced);
}

bool exception_is_ending(const struct pipeline *p)
{
	return p->stop;
}
