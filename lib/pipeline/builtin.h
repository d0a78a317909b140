/* SPDX-License-Identifier: BSD-3-Clause */
/* builtin.h - what the SPD's built-in entries let pass to and from the gateway: ND and IKE, told apart
 * from what resembles them. */
#pragma once

#include <netinet/in.h>
#include <rte_ip.h>
#include <string.h>

#include "burst.h"

#define PORT_IKE       500
#define PORT_IKE_NATT  4500
#define UDP_HEADER_LEN 8
#define ND_FIRST       133 /* router solicitation … */
#define ND_LAST        137 /* … redirect, RFC 4861 4 */

/* RFC 4861 6.1, 7.1: neighbour discovery never crossed a router, so its hop limit is 255. */
static inline bool is_nd(const uint8_t *ip, const struct facts *f)
{
	return f->family == 6 && f->protocol == IPPROTO_ICMPV6 && !(f->opaque & SPD_OPAQUE_PORTS) &&
	       f->sport >= ND_FIRST && f->sport <= ND_LAST &&
	       ((const struct rte_ipv6_hdr *)ip)->hop_limits == 255;
}

enum natt { NATT_SHORT, NATT_KEEPALIVE, NATT_IKE, NATT_ESP };

/* Port 4500 carries IKE behind four zero bytes, ESP, and keepalives of one byte 0xff (RFC 3948 2).
 * room: bytes of the packet from the UDP header on. */
static inline enum natt natt_of(const uint8_t *udp, uint16_t room)
{
	static const uint8_t non_esp_marker[4];
	uint16_t len;

	if (room < UDP_HEADER_LEN)
		return NATT_SHORT;
	len = udp[4] << 8 | udp[5];
	if (len < UDP_HEADER_LEN || len > room)
		return NATT_SHORT;
	if (len == UDP_HEADER_LEN + 1 && udp[UDP_HEADER_LEN] == 0xff)
		return NATT_KEEPALIVE;
	if (len < UDP_HEADER_LEN + ESP_HEADER_LEN)
		return NATT_SHORT;
	if (memcmp(udp + UDP_HEADER_LEN, non_esp_marker, sizeof(non_esp_marker)) == 0)
		return NATT_IKE;
	return NATT_ESP;
}
