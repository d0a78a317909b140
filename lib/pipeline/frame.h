/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.h - opens an Ethernet frame: is it for this port, of its VLAN, and what does it carry. */
#pragma once

#include <rte_mbuf.h>

#include "burst.h"
#include "route_dp.h"
#include "worker.h"

/* Bytes in front of an opened packet that later stages may count on: outer IPv6, UDP, ESP, IV and
 * Ethernet with two tags. */
#define FRAME_HEADROOM (ESP_OUTER_MAX + L2_LEN_MAX)

enum frame_verdict {
	FRAME_OK, /* IP that was measured; the data starts with it */
	FRAME_ARP,
	FRAME_RUNT,
	FRAME_MAC,
	FRAME_VLAN,
	FRAME_NOT_IP,
	FRAME_NO_ROOM,
	FRAME_VERSION,
	FRAME_LENGTH,
	FRAME_CHECKSUM,
	FRAME_EXTENSIONS,
	FRAME_VERDICTS
};

/* Reads only bytes that are there; on FRAME_OK f is filled. */
enum frame_verdict frame_open(const struct port *port, struct rte_mbuf *m, struct facts *f);

/* Opens every frame of the burst: IP stays, the rest leaves by exit_of[verdict]. What stays may go to
 * the protected side only, until a policy says more. */
uint16_t frames_open(struct worker *w, struct burst *b, const enum exit exit_of[FRAME_VERDICTS]);
