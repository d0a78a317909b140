/* SPDX-License-Identifier: BSD-3-Clause */
/* unresolved.c - lets a packet wait while the kernel is asked for the MAC address of its next hop. */
#include <rte_ip.h>
#include <rte_ring.h>

#include "exception.h"
#include "park.h"

static void read_destination(const uint8_t *ip, uint8_t family, struct ipaddr *out)
{
	*out = (struct ipaddr){.family = family};
	if (family == 4)
		memcpy(out->bytes, ip + offsetof(struct rte_ipv4_hdr, dst_addr), 4);
	else
		memcpy(out->bytes, ip + offsetof(struct rte_ipv6_hdr, dst_addr), 16);
}

bool unresolved_wait(struct worker *w, struct burst *b, uint16_t i)
{
	const struct nexthop *nh = b->nh[i];
	struct exception_wish wish = {.address = nh->via, .port = nh->port};
	struct rte_mbuf *m = b->pkt[i];

	if (!w->port[nh->port].route.has_kernel)
		return false;
	if (ipaddr_is_any(&wish.address))
		read_destination(burst_ip(b, i), b->fact[i].family, &wish.address);
	memcpy(crypto_job_of(m), &wish, sizeof(wish)); /* its crypto is done, or there is none */
	park(w, b, i, b->stage);
	w->parked_in++;
	if (likely(rte_ring_mp_enqueue(w->p->unresolved, m) == 0))
		return true;
	w->parked_in--;
	park_end(w, m);
	return false;
}
