/* SPDX-License-Identifier: BSD-3-Clause */
/* waiting.c - packets that wait for the MAC address of their next hop. */
#include "waiting.h"

#include <rte_mbuf.h>
#include <stdlib.h>
#include <unistd.h>

#include "exception.h"
#include "netlink.h"

#define BURST  64
#define ASK_NS UINT64_C(1000000000) /* again, while somebody waits */

/* It is kept to its end even when its packets have gone on: those that come back, because the answer was
 * another's, have no new time. */
struct neighbour_wait {
	struct exception_wish wish;
	uint64_t end_ns, ask_ns;
	struct rte_mbuf *pkt[WAITING_PACKETS];
	unsigned n;
};

struct waiting {
	struct pipeline *p;
	struct netlink_asker *asker;
	const unsigned *index;
	uint32_t routes; /* that were in force when packets last went on */
	unsigned n;
	struct neighbour_wait of[WAITING_NEIGHBOURS];
};

struct waiting *waiting_open(
	struct pipeline *p, struct netlink_asker *asker, const unsigned index[])
{
	struct waiting *w = calloc(1, sizeof(*w));

	if (w == NULL)
		return NULL;
	w->p = p;
	w->asker = asker;
	w->index = index;
	w->routes = exception_routes(p);
	return w;
}

void waiting_close(struct waiting *w)
{
	free(w);
}

static struct neighbour_wait *find(struct waiting *w, const struct exception_wish *wish)
{
	for (unsigned i = 0; i < w->n; i++) {
		if (w->of[i].wish.port == wish->port &&
			ipaddr_equal(&w->of[i].wish.address, &wish->address))
			return &w->of[i];
	}
	return NULL;
}

static void ask(struct waiting *w, struct neighbour_wait *of, uint64_t now_ns)
{
	netlink_ask(w->asker, w->index[of->wish.port], &of->wish.address);
	of->ask_ns = now_ns + ASK_NS;
}

/* A full ring takes it a moment later. A worker that takes nothing for a second is no more. */
static void give_back(struct waiting *w, struct rte_mbuf *m, bool is_known)
{
	for (unsigned i = 0; i < 10000; i++) {
		if (exception_resume(w->p, m, is_known))
			return;
		usleep(100);
	}
	rte_pktmbuf_free(m);
}

static void take(struct waiting *w, struct rte_mbuf *m, uint64_t now_ns)
{
	const struct exception_wish wish = *exception_wish_of(m);
	struct neighbour_wait *of = find(w, &wish);

	if (of == NULL && w->n < WAITING_NEIGHBOURS) {
		of = &w->of[w->n++];
		*of = (struct neighbour_wait){.wish = wish, .end_ns = now_ns + WAITING_NS};
		ask(w, of, now_ns);
	}
	if (of != NULL && of->n < WAITING_PACKETS)
		of->pkt[of->n++] = m;
	else
		give_back(w, m, false);
}

static unsigned release(struct waiting *w, struct neighbour_wait *of, bool is_known)
{
	unsigned n = of->n;

	for (unsigned i = 0; i < n; i++)
		give_back(w, of->pkt[i], is_known);
	of->n = 0;
	return n;
}

/* What was asked for may be known now. */
static unsigned release_all(struct waiting *w)
{
	unsigned n = 0;

	for (unsigned i = 0; i < w->n; i++)
		n += release(w, &w->of[i], true);
	return n;
}

static unsigned look_at_each(struct waiting *w, uint64_t now_ns, bool is_ending)
{
	unsigned n = 0, kept = 0;

	for (unsigned i = 0; i < w->n; i++) {
		struct neighbour_wait *of = &w->of[i];

		if (is_ending || now_ns >= of->end_ns) {
			n += release(w, of, false);
			continue;
		}
		if (of->n > 0 && now_ns >= of->ask_ns)
			ask(w, of, now_ns);
		w->of[kept++] = *of;
	}
	w->n = kept;
	return n;
}

unsigned waiting_serve(struct waiting *w, uint64_t now_ns)
{
	uint32_t routes = exception_routes(w->p);
	struct rte_mbuf *pkt[BURST];
	unsigned n = exception_take_waiting(w->p, pkt, BURST);

	for (unsigned i = 0; i < n; i++)
		take(w, pkt[i], now_ns);
	if (routes != w->routes)
		n += release_all(w);
	w->routes = routes;
	return n + look_at_each(w, now_ns, exception_is_ending(w->p));
}
