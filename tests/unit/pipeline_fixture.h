/* SPDX-License-Identifier: BSD-3-Clause */
/* pipeline_fixture.h - gateways of real rooms with rings for wires: a test writes frames in, lets the
 * worker run until the wires are empty, and reads frames, exits and counters.
 *
 *    10.1.0.9              +---+ 192.0.2.1          192.0.2.2 +---+             10.2.0.9
 *   2001:db8:1::9 ---- LAN | A | WAN --------------------- WAN | B | LAN ---- 2001:db8:2::9
 *                          +---+ 2001:db8:f::1  2001:db8:f::2 +---+ */
#pragma once

#include <check.h>
#include <netinet/in.h>
#include <stdlib.h>

#include "crypto_fixture.h"
#include "worker_dp.h"

#define LAN        0
#define WAN        1
#define PACKET_MAX 9216

/* What a gateway is made of; site_a() and site_b() fill it, tests change it. */
struct site {
	bool is_b;
	struct route_port port[3];
	uint16_t n_ports;
	struct sa_spec sa[64];
	uint32_t n_sas;
	struct policy_spec policy[16];
	uint32_t n_policies;
	struct route_spec route[8];
	uint32_t n_routes;
	struct neighbour_spec neighbour[16];
	uint32_t n_neighbours;
	bool builtins;
	uint32_t icmp_rate;
	uint32_t punt_rate; /* of each kind */
	uint16_t burst, path_mtu, data_room;
	uint32_t backlog, proof_every;
	uint16_t n_workers; /* 0: one; more are driven by hand, see test_handoff.c */
};

/* Policies of reqid 1 between the two LANs in both families and directions; no SA yet. */
void site_a(struct site *s);
void site_b(struct site *s);

/* src, dst: ranges as ipaddr_range_parse() reads them, NULL: any. */
struct policy_spec *site_policy(struct site *s, enum policy_direction direction,
	enum policy_action action, uint32_t reqid, const char *src, const char *dst);
void site_route(struct site *s, const char *to, const char *via, uint16_t port);
void site_neighbour(struct site *s, const char *address, uint16_t port);
void site_address(struct site *s, uint16_t port, const char *prefix);

/* An algorithm by name with random keys; auth NULL: an AEAD. */
struct crypto_spec crypto_named(const char *name, const char *auth);
bool provider_can(enum crypto_provider provider, const struct crypto_spec *spec);

/* Adds an outbound SA to one site and its inbound end to the other, over outer packets of this
 * family, as reqid 1. SPIs count up from 0x1001. */
struct tunnel {
	struct sa_spec *out, *in;
};
struct tunnel site_tunnel(struct site *from, struct site *to, const struct crypto_spec *crypto,
	enum crypto_provider provider, unsigned outer_family);

struct gateway {
	struct pipeline *p;
	struct worker *w;
	struct rcu rcu;
	struct sa_db *sas;
	struct sa *sa[64]; /* in the order of the site's */
	struct spd *spd;
	struct route_db *routes;
	struct rte_mempool *pool;
	unsigned pool_size;
	uint16_t n_ports, ethdev[3];
	struct port port[3];
	const struct rte_eth_rxtx_callback *watch[3];
	uint64_t exits_told[EXIT_COUNT];
	char exits_text[1024];
};

/* The whole of main(): the EAL, rings and crypto around one test case, run without a fork. */
int pipeline_fixture_main(const char *name, TCase *t);
int check_in_process(const char *name, TCase *t); /* the case alone */

/* The crypto of all gateways, opened anew with openssl on its cryptodev; none of them is open. */
struct crypto *pipeline_fixture_crypto(uint32_t in_flight, uint32_t overdue_ms);

struct gateway *gateway_open(const struct site *s);

/* Holds the books to be closed and the pool to be full. */
void gateway_close(struct gateway *g);

/* A frame of these bytes on a port's wire; in one buffer, or cut in two after `cut` bytes. */
struct rte_mbuf *gateway_frame(struct gateway *g, const void *bytes, uint16_t len, uint16_t cut);
void gateway_put_frame(struct gateway *g, uint16_t port, struct rte_mbuf *m);

/* The packet in a frame to the port, with the port's tags. */
uint16_t frame_write(
	const struct gateway *g, uint16_t port, const uint8_t *ip, uint16_t len, uint8_t *frame);
void gateway_put(struct gateway *g, uint16_t port, const uint8_t *ip, uint16_t len);

/* Lets the worker poll until all wires to it are empty. */
void gateway_run(struct gateway *g);

/* The next packet that left by the port, without its frame, which is checked; 0: no more. */
uint16_t gateway_take(struct gateway *g, uint16_t port, uint8_t *ip);

/* Exits taken since the last call, "ttl_expired 2, tx_full 1"; "" for none. */
const char *gateway_exits(struct gateway *g);
struct worker_stats gateway_stats(const struct gateway *g);

/* A packet to be written; defaults of packet_ab() and packet_ba(): UDP of 100 bytes from host to
 * host, TTL 64. len is the whole packet; what does not fit is cut off. */
struct packet {
	unsigned family;
	const char *src, *dst;
	uint8_t protocol, ttl, tos;
	bool df;
	uint32_t flow_label;
	uint16_t sport, dport;
	uint16_t len;
};
struct packet packet_ab(unsigned family);
struct packet packet_ba(unsigned family);
uint16_t packet_write(const struct packet *p, uint8_t *ip);

/* What n forwarders make of the packet: TTL less n, the checksum computed anew. */
void packet_hops(uint8_t *ip, uint8_t n);
void packet_checksum4(uint8_t *ip);
uint16_t internet_checksum(const void *at, size_t len); /* in host order, 0 where it is right */
uint16_t icmpv6_checksum(const uint8_t *ip, uint16_t len); /* the same */

/* ESP by hand: the payload with right padding and trailer; and the outer packet that EVP seals. */
uint16_t esp_payload(const struct sa_spec *sa, const uint8_t *inner, uint16_t len, uint8_t next,
	uint8_t *payload);
uint16_t esp_seal(
	const struct sa_spec *sa, uint64_t seq, const uint8_t *payload, uint16_t len, uint8_t *ip);
uint16_t esp_seal_packet(
	const struct sa_spec *sa, uint64_t seq, const struct packet *inner, uint8_t *ip);
