/* SPDX-License-Identifier: BSD-3-Clause */
/* in_classify.c - what an unprotected port received: ESP for us goes on, the built-in policies take
 * ARP, ND and IKE for us, and everything else in clear goes to the lane where the SPD judges it. */
#include "builtin.h"
#include "frame.h"
#include "ip_measure.h"
#include "worker_dp.h"

#define EXITS_OF_FRAMES                                                                            \
	[FRAME_RUNT] = EXIT_IN_CLASSIFY_RUNT, [FRAME_MAC] = EXIT_IN_CLASSIFY_MAC,                  \
	[FRAME_VLAN] = EXIT_IN_CLASSIFY_VLAN, [FRAME_NOT_IP] = EXIT_IN_CLASSIFY_NOT_IP,            \
	[FRAME_NO_ROOM] = EXIT_IN_CLASSIFY_NO_ROOM, [FRAME_VERSION] = EXIT_IN_CLASSIFY_VERSION,    \
	[FRAME_LENGTH] = EXIT_IN_CLASSIFY_LENGTH, [FRAME_CHECKSUM] = EXIT_IN_CLASSIFY_CHECKSUM,    \
	[FRAME_EXTENSIONS] = EXIT_IN_CLASSIFY_EXTENSIONS

/* ARP goes to the kernel by a built-in policy; without it, it is nothing that we know. */
static const enum exit exit_of[FRAME_VERDICTS] = {EXITS_OF_FRAMES, [FRAME_ARP] = EXIT_IN_ARP};
static const enum exit exit_of_without_arp[FRAME_VERDICTS] = {
	EXITS_OF_FRAMES, [FRAME_ARP] = EXIT_IN_CLASSIFY_NOT_IP};

/* What a packet that is for us turns out to be. Not an exit: one of these. */
#define GOES_ON    (EXIT_COUNT + 0) /* ESP */
#define GOES_CLEAR (EXIT_COUNT + 1) /* judged by the configured policies */

static unsigned classify_esp(const struct facts *f)
{
	if (f->flags & FACT_FRAGMENT)
		return EXIT_IN_CLASSIFY_FRAGMENT;
	return f->len - f->l4_ofs < ESP_HEADER_LEN ? EXIT_IN_CLASSIFY_ESP_SHORT : GOES_ON;
}

static unsigned classify_natt(const struct worker *w, const uint8_t *udp, const struct facts *f)
{
	switch (natt_of(udp, f->len - f->l4_ofs)) {
	case NATT_SHORT: return EXIT_IN_CLASSIFY_UDP_SHORT;
	case NATT_KEEPALIVE: return EXIT_IN_KEEPALIVE;
	case NATT_IKE: return w->p->setup.builtin_ike ? EXIT_IN_IKE : GOES_CLEAR;
	default: return EXIT_IN_SAD_UDP_REFUSED;
	}
}

static unsigned classify_ours(const struct worker *w, const uint8_t *ip, const struct facts *f)
{
	if (f->protocol == IPPROTO_ESP && !(f->opaque & SPD_OPAQUE_PROTOCOL))
		return classify_esp(f);
	if (f->flags & FACT_FRAGMENT)
		return GOES_CLEAR;
	if (f->protocol == IPPROTO_UDP && f->dport == PORT_IKE && w->p->setup.builtin_ike)
		return EXIT_IN_IKE;
	if (f->protocol == IPPROTO_UDP && f->dport == PORT_IKE_NATT)
		return classify_natt(w, ip + f->l4_ofs, f);
	return GOES_CLEAR;
}

static uint16_t sort_out(struct worker *w, struct burst *b)
{
	uint16_t kept = 0;

	burst_route(w, b);
	for (uint16_t i = 0; i < b->n; i++) {
		const uint8_t *ip = burst_ip(b, i);
		const struct facts *f = &b->fact[i];
		bool is_ours = b->nh[i]->kind == NEXTHOP_LOCAL;
		unsigned what = GOES_CLEAR;

		if (likely(is_ours && f->protocol == IPPROTO_ESP && f->opaque == SPD_OPAQUE_PORTS))
			what = classify_esp(f);
		else if ((is_ours || (f->flags & FACT_GROUP)) && w->p->setup.builtin_nd &&
			 is_nd(ip, f))
			what = EXIT_IN_ND;
		else if (is_ours)
			what = classify_ours(w, ip, f);
		if (likely(what == GOES_ON))
			burst_keep(b, kept++, i);
		else if (what == GOES_CLEAR)
			burst_move(&w->lane[LANE_IN_CLEAR].burst, b, i);
		else
			burst_leave(w, b, i, what);
	}
	return kept;
}

uint16_t in_classify(struct worker *w, struct burst *b)
{
	frames_open(w, b, w->p->setup.builtin_arp ? exit_of : exit_of_without_arp);
	return b->n = sort_out(w, b);
}
