/* SPDX-License-Identifier: BSD-3-Clause */
/* exits.h - every way a packet leaves the pipeline other than by being sent: its name, what becomes
 * of it, and one sentence. The word is the enum, the counter, the row in docs/exits.md and in the
 * test that provokes it.
 *
 * DROP: freed. PUNT: for the kernel's stack on this machine; freed where a port has no kernel side.
 * REPLY: freed, and its sender is told by ICMP where rate and rules allow (RFC 1812 4.3.2). */
#pragma once

enum exit_becomes { EXIT_DROP, EXIT_PUNT, EXIT_REPLY };

/* clang-format off */
#define EXITS(X) \
X(OUT_CLASSIFY_RUNT,	    "out_classify_runt",	  DROP,  "the frame ends before its headers do") \
X(OUT_CLASSIFY_MAC,	    "out_classify_mac",		  DROP,  "the frame is addressed to another station") \
X(OUT_CLASSIFY_VLAN,	    "out_classify_vlan",	  DROP,  "the frame's VLAN tags are not the port's") \
X(OUT_CLASSIFY_NOT_IP,	    "out_classify_not_ip",	  DROP,  "the frame carries neither IP nor ARP") \
X(OUT_CLASSIFY_NO_ROOM,	    "out_classify_no_room",	  DROP,  "the packet does not fit one buffer with room for headers") \
X(OUT_CLASSIFY_VERSION,	    "out_classify_version",	  DROP,  "the IP version contradicts the Ethertype") \
X(OUT_CLASSIFY_LENGTH,	    "out_classify_length",	  DROP,  "the IP header's lengths contradict each other or the frame") \
X(OUT_CLASSIFY_CHECKSUM,    "out_classify_checksum",	  DROP,  "the IPv4 header checksum is wrong") \
X(OUT_CLASSIFY_EXTENSIONS,  "out_classify_extensions",	  DROP,  "the IPv6 extension headers are cut off or more than eight") \
X(OUT_ARP,		    "out_arp",			  PUNT,  "ARP on a protected port") \
X(OUT_LOCAL,		    "out_local",		  PUNT,  "for one of our own addresses, from a protected port") \
X(OUT_MULTICAST,	    "out_multicast",		  PUNT,  "multicast or broadcast on a protected port") \
X(HANDOFF_FULL,		    "handoff_full",		  DROP,  "the ring to the worker that must have it takes no more") \
X(OUT_POLICY_NO_MATCH,	    "out_policy_no_match",	  DROP,  "no outbound policy matches (RFC 4301 5)") \
X(OUT_POLICY_DISCARD,	    "out_policy_discard",	  DROP,  "an outbound policy says discard") \
X(OUT_POLICY_NO_SA,	    "out_policy_no_sa",		  DROP,  "the policy says protect and there is no SA to do it (RFC 4301 5.1)") \
X(TTL_EXPIRED,		    "ttl_expired",		  REPLY, "the hop limit ends here") \
X(MARTIAN,		    "martian",			  DROP,  "an address that no router forwards: link-local, loopback, unspecified, or a group as source") \
X(OUT_MTU_TOO_BIG,	    "out_mtu_too_big",		  REPLY, "the inner packet outgrows the path; ICMP tells its sender the size that fits") \
X(OUT_ESP_NO_ROOM,	    "out_esp_no_room",		  DROP,  "the buffer has no room for the ESP trailer and ICV") \
X(OUT_ESP_SEQUENCE_END,	    "out_esp_sequence_end",	  DROP,  "the SA has used its last sequence number (RFC 4303 3.3.3)") \
X(OUT_LEASE_WAIT,	    "out_lease_wait",		  DROP,  "the SA's lease of sequence numbers is used up and the next is not on disk yet") \
X(CRYPT_QUEUE_FULL,	    "crypt_queue_full",		  DROP,  "the lookaside device and the backlog before it are full") \
X(CRYPT_STALLED,	    "crypt_stalled",		  DROP,  "the crypto device has not given it back in time, or is given up and there is no fallback") \
X(CRYPT_WRONG,		    "crypt_wrong",		  DROP,  "the lookaside device came to another result than the SA's fallback, for this packet or one with it") \
X(CRYPT_FAILED,		    "crypt_failed",		  DROP,  "the crypto device says that it could not do it, or has done nothing") \
X(IN_CLASSIFY_RUNT,	    "in_classify_runt",		  DROP,  "the frame ends before its headers do") \
X(IN_CLASSIFY_MAC,	    "in_classify_mac",		  DROP,  "the frame is addressed to another station") \
X(IN_CLASSIFY_VLAN,	    "in_classify_vlan",		  DROP,  "the frame's VLAN tags are not the port's") \
X(IN_CLASSIFY_NOT_IP,	    "in_classify_not_ip",	  DROP,  "the frame carries neither IP nor ARP that the SPD lets pass") \
X(IN_CLASSIFY_NO_ROOM,	    "in_classify_no_room",	  DROP,  "the packet does not fit one buffer with room for headers") \
X(IN_CLASSIFY_VERSION,	    "in_classify_version",	  DROP,  "the IP version contradicts the Ethertype") \
X(IN_CLASSIFY_LENGTH,	    "in_classify_length",	  DROP,  "the IP header's lengths contradict each other or the frame") \
X(IN_CLASSIFY_CHECKSUM,	    "in_classify_checksum",	  DROP,  "the IPv4 header checksum is wrong") \
X(IN_CLASSIFY_EXTENSIONS,   "in_classify_extensions",	  DROP,  "the IPv6 extension headers are cut off or more than eight") \
X(IN_CLASSIFY_FRAGMENT,	    "in_classify_fragment",	  DROP,  "a fragment of an ESP packet for us; it cannot be opened alone (RFC 4303 3.4.1)") \
X(IN_CLASSIFY_ESP_SHORT,    "in_classify_esp_short",	  DROP,  "no room for an ESP header") \
X(IN_CLASSIFY_UDP_SHORT,    "in_classify_udp_short",	  DROP,  "too short to be IKE or ESP in UDP, or its UDP length is wrong") \
X(IN_KEEPALIVE,		    "in_keepalive",		  DROP,  "a NAT keepalive (RFC 3948 2.3)") \
X(IN_ARP,		    "in_arp",			  PUNT,  "ARP on an unprotected port, by the built-in policy") \
X(IN_ND,		    "in_nd",			  PUNT,  "neighbour discovery for us, by the built-in policy") \
X(IN_IKE,		    "in_ike",			  PUNT,  "IKE for us, by the built-in policy") \
X(IN_SAD_SPI_ZERO,	    "in_sad_spi_zero",		  DROP,  "ESP with SPI 0, which is never sent (RFC 4303 2.1)") \
X(IN_SAD_SPI_RESERVED,	    "in_sad_spi_reserved",	  DROP,  "ESP with an SPI of 1 to 255, which are reserved") \
X(IN_SAD_UNKNOWN,	    "in_sad_unknown",		  DROP,  "no SA for this SPI and these addresses (RFC 4303 3.4.2)") \
X(IN_SAD_UDP_REFUSED,	    "in_sad_udp_refused",	  DROP,  "ESP in UDP for an SA without encap") \
X(IN_ESP_SHORT,		    "in_esp_short",		  DROP,  "too short for the SA's IV, trailer and ICV") \
X(IN_ESP_MISALIGNED,	    "in_esp_misaligned",	  DROP,  "the ciphertext is no multiple of the SA's block") \
X(IN_ESP_REPLAY,	    "in_esp_replay",		  DROP,  "the sequence number was seen, or is left of the window") \
X(IN_FINISH_ICV,	    "in_finish_icv",		  DROP,  "the ICV is wrong (RFC 4303 3.4.4)") \
X(IN_FINISH_REPLAY,	    "in_finish_replay",		  DROP,  "authentic, and its number was accepted a moment before") \
X(IN_FINISH_PAD_LENGTH,	    "in_finish_pad_length",	  DROP,  "the pad length is larger than the payload") \
X(IN_FINISH_PADDING,	    "in_finish_padding",	  DROP,  "the padding is not 1, 2, 3 … (RFC 4303 2.4)") \
X(IN_FINISH_DUMMY,	    "in_finish_dummy",		  DROP,  "a dummy packet, next header 59 (RFC 4303 2.6)") \
X(IN_FINISH_NEXT_HEADER,    "in_finish_next_header",	  DROP,  "the next header is neither IPv4 nor IPv6, or the inner version contradicts it") \
X(IN_FINISH_INNER,	    "in_finish_inner",		  DROP,  "the inner packet's header, lengths or checksum are wrong") \
X(IN_FINISH_ECN,	    "in_finish_ecn",		  DROP,  "congestion was marked on a packet that cannot carry the mark (RFC 6040 4.2)") \
X(IN_POLICY_SELECTORS,	    "in_policy_selectors",	  DROP,  "the SA proves who sent the inner packet, its policies do not allow it (RFC 4301 5.2)") \
X(IN_POLICY_CLEAR,	    "in_policy_clear",		  DROP,  "it came in clear and a policy says protect (RFC 4301 5.2)") \
X(IN_POLICY_DISCARD,	    "in_policy_discard",	  DROP,  "an inbound policy says discard") \
X(IN_POLICY_NO_MATCH,	    "in_policy_no_match",	  DROP,  "no inbound policy matches a packet in clear") \
X(IN_MULTICAST,		    "in_multicast",		  PUNT,  "multicast or broadcast on an unprotected port that a policy lets in") \
X(KERNEL_FRAME,		    "kernel_frame",		  DROP,  "what the kernel sent is neither ARP nor IP, contradicts itself, or is too large") \
X(KERNEL_ESP,		    "kernel_esp",		  DROP,  "the kernel sent ESP, which is the gateway's to send") \
X(KERNEL_ARP,		    "kernel_arp",		  DROP,  "the kernel sent ARP to the unprotected side, where no built-in policy lets it pass") \
X(PUNT_RATE,		    "punt_rate",		  DROP,  "for the kernel, which gets no more of this kind at a time") \
X(PUNT_FULL,		    "punt_full",		  DROP,  "for the kernel, and the ring to it takes no more") \
X(NEXTHOP_LOCAL,	    "nexthop_local",		  PUNT,  "for one of our own addresses, after the SPD let it in") \
X(NEXTHOP_NO_ROUTE,	    "nexthop_no_route",		  DROP,  "no route to the destination") \
X(NEXTHOP_BLACKHOLE,	    "nexthop_blackhole",	  DROP,  "the route is a blackhole") \
X(NEXTHOP_NO_NEIGHBOUR,	    "nexthop_no_neighbour",	  DROP,  "the next hop's MAC address is not known") \
X(NEXTHOP_CLEAR,	    "nexthop_clear",		  DROP,  "its route leads to the unprotected side, where the SPD does not let it out in clear") \
X(NEXTHOP_TOO_BIG,	    "nexthop_too_big",		  REPLY, "the packet is larger than the MTU of its port") \
X(TX_FULL,		    "tx_full",			  DROP,  "the port's transmit queue takes no more")
/* clang-format on */

enum exit {
#define X(id, name, becomes, meaning) EXIT_##id,
	EXITS(X)
#undef X
		EXIT_COUNT
};

const char *exit_name(enum exit e);
enum exit_becomes exit_becomes(enum exit e);
const char *exit_becomes_name(enum exit e); /* "drop", "punt", "reply" */
const char *exit_meaning(enum exit e);
