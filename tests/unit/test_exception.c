/* SPDX-License-Identifier: BSD-3-Clause */
/* test_exception.c - the exception path, with the test for a kernel thread: what reaches the kernel and as
 * which frame, what it may send, and what waits for a neighbour. */
#include <rte_mbuf.h>
#include <rte_ring.h>
#include <string.h>

#include "exception.h"
#include "pipeline_fixture.h"

static struct site a, b;
static struct sa_spec *from_b;
static uint8_t ip[PACKET_MAX], frame[PACKET_MAX], got[PACKET_MAX];

static void sites(void)
{
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);

	site_a(&a);
	site_b(&b);
	site_tunnel(&a, &b, &crypto, CRYPTO_AESNI_MB, 4);
	from_b = site_tunnel(&b, &a, &crypto, CRYPTO_AESNI_MB, 4).in;
	a.port[LAN].has_kernel = a.port[WAN].has_kernel = true;
}

/* Not to the end: what the kernel has would be waited for. */
static void rounds(struct gateway *g)
{
	pipeline_begin(g->p, 0);
	for (unsigned i = 0; i < 8; i++)
		pipeline_round(g->p, 0);
	pipeline_end(g->p, 0);
}

static void put_bytes(struct gateway *g, uint16_t port, const uint8_t *bytes, uint16_t len)
{
	gateway_put_frame(g, port, gateway_frame(g, bytes, len, 0));
	rounds(g);
}

/* The next frame for the kernel, and whose TAP it is for; 0: none. */
static uint16_t punted(struct gateway *g, uint16_t *port)
{
	struct rte_mbuf *m;
	uint16_t len;

	if (exception_take(g->p, &m, 1) == 0)
		return 0;
	ck_assert_uint_eq(m->nb_segs, 1);
	len = rte_pktmbuf_data_len(m);
	memcpy(got, rte_pktmbuf_mtod(m, uint8_t *), len);
	*port = m->port;
	rte_pktmbuf_free(m);
	return len;
}

/* A frame of the kernel's by a port. */
static void kernel_sends(struct gateway *g, uint16_t port, const uint8_t *bytes, uint16_t len)
{
	struct rte_mbuf *m = gateway_frame(g, bytes, len, 0);

	ck_assert_uint_ge(rte_pktmbuf_headroom(m), EXCEPTION_HEADROOM);
	ck_assert_uint_eq(exception_give(g->p, port, &m, 1), 1);
	rounds(g);
}

static uint16_t write_arp(uint8_t *f)
{
	static const uint8_t arp[28] = {0, 1, 8, 0, 6, 4, 0, 1};

	memset(f, 0xff, 6);
	memcpy(f + 6, "\x02\x00\x00\x00\x99\x99\x08\x06", 8);
	memcpy(f + 14, arp, sizeof(arp));
	memset(f + 14 + sizeof(arp), 0, 18); /* a frame is 60 bytes at least */
	return 60;
}

/* What each kind of packet to the gateway is: src and dst tell the family. */
static const struct {
	const char *what;
	uint16_t port;
	const char *src, *dst;
	uint8_t protocol, ttl;
	uint16_t sport, dport; /* ICMP: type, code */
	const char *exit;
} kinds[] = {
	{"a ping from the LAN", LAN, "10.1.0.9", "10.1.0.1", IPPROTO_ICMP, 1, 8, 0, "out_local 1"},
	{"a ping over IPv6", LAN, "2001:db8:1::9", "2001:db8:1::1", IPPROTO_ICMPV6, 64, 128, 0,
		"out_local 1"},
	{"neighbour discovery in the LAN", LAN, "2001:db8:1::9", "ff02::1:ff00:1", IPPROTO_ICMPV6,
		255, 135, 0, "out_multicast 1"},
	{"multicast in the LAN", LAN, "10.1.0.9", "224.0.0.5", 89, 1, 0, 0, "out_multicast 1"},
	{"neighbour discovery", WAN, "2001:db8:f::2", "ff02::1:ff00:1", IPPROTO_ICMPV6, 255, 135, 0,
		"in_nd 1"},
	{"IKE", WAN, "192.0.2.2", "192.0.2.1", IPPROTO_UDP, 64, 500, 500, "in_ike 1"},
	{"SSH, which a policy lets in", WAN, "192.0.2.2", "192.0.2.1", IPPROTO_TCP, 64, 4000, 22,
		"nexthop_local 1"},
	{"the same at the end of its hops", WAN, "192.0.2.2", "192.0.2.1", IPPROTO_TCP, 1, 4000, 22,
		"nexthop_local 1"},
	{"OSPF, which a policy lets in", WAN, "192.0.2.2", "224.0.0.5", 89, 1, 0, 0,
		"in_multicast 1"},
};

static struct gateway *open_a(uint16_t vlans)
{
	sites();
	site_policy(&a, POLICY_IN, POLICY_BYPASS, 0, "192.0.2.2", NULL);
	site_policy(&a, POLICY_OUT, POLICY_BYPASS, 0, "192.0.2.1", "192.0.2.0/24");
	site_policy(&a, POLICY_OUT, POLICY_DISCARD, 0, "192.0.2.1", "198.51.100.1");
	for (unsigned p = 0; p < 2; p++) {
		a.port[p].n_vlans = vlans;
		a.port[p].vlan[0] = 100 + p;
		a.port[p].vlan[1] = 200 + p;
	}
	return gateway_open(&a);
}

/* As it came but for the tags: byte by byte, to the kernel's side of the port that it came by. */
START_TEST(what_is_for_the_gateway_reaches_the_kernel_as_it_came)
{
	const unsigned kind = _i / 3, vlans = _i % 3;
	struct gateway *g = open_a(vlans);
	struct packet p = packet_ab(strchr(kinds[kind].src, ':') == NULL ? 4 : 6);
	uint16_t len, n, port;

	p.src = kinds[kind].src;
	p.dst = kinds[kind].dst;
	p.protocol = kinds[kind].protocol;
	p.ttl = kinds[kind].ttl;
	p.sport = kinds[kind].sport;
	p.dport = kinds[kind].dport;
	len = packet_write(&p, ip);
	if (p.protocol == IPPROTO_ICMP || p.protocol == IPPROTO_ICMPV6) {
		ip[p.family == 4 ? 20 : 40] = kinds[kind].sport;
		ip[p.family == 4 ? 21 : 41] = kinds[kind].dport;
	}
	n = frame_write(g, kinds[kind].port, ip, len, frame);
	if (strncmp(kinds[kind].dst, "ff", 2) == 0 || strncmp(kinds[kind].dst, "224", 3) == 0)
		memcpy(frame, "\x01\x00\x5e\x00\x00\x05", 6);
	put_bytes(g, kinds[kind].port, frame, n);

	ck_assert_msg(strcmp(gateway_exits(g), kinds[kind].exit) == 0, "%s: %s", kinds[kind].what,
		g->exits_text);
	ck_assert_msg(punted(g, &port) == 14 + len, "%s", kinds[kind].what);
	ck_assert_uint_eq(port, kinds[kind].port);
	ck_assert_mem_eq(got, frame, 12);
	ck_assert_mem_eq(got + 12, p.family == 4 ? "\x08\x00" : "\x86\xdd", 2);
	ck_assert_mem_eq(got + 14, ip, len);
	gateway_close(g);
}
END_TEST

START_TEST(arp_reaches_the_kernel_of_its_port)
{
	uint16_t port, vlans = _i;
	struct gateway *g = open_a(vlans);

	for (uint16_t side = LAN; side <= WAN; side++) {
		uint16_t len = write_arp(frame);

		memmove(frame + 12 + 4 * vlans, frame + 12, len - 12);
		nexthop_put_tags(frame + 12, &g->port[side].route);
		put_bytes(g, side, frame, len + 4 * vlans);
		ck_assert_uint_eq(punted(g, &port), len);
		ck_assert_uint_eq(port, side);
		ck_assert_mem_eq(got + 12, "\x08\x06\x00\x01\x08\x00", 6);
		ck_assert_str_eq(gateway_exits(g), side == LAN ? "out_arp 1" : "in_arp 1");
	}
	gateway_close(g);
}
END_TEST

/* It never had a frame of its own: the port that owns the address gets it in one that is made up. */
START_TEST(what_a_tunnel_brings_for_us_reaches_the_kernel_of_the_address)
{
	struct gateway *g = open_a(0);
	struct packet p = packet_ba(4);
	uint16_t port, len;

	p.dst = "10.1.0.1";
	len = packet_write(&p, ip);
	gateway_put(g, WAN, frame, esp_seal_packet(from_b, 1, &p, frame));
	rounds(g);
	ck_assert_str_eq(gateway_exits(g), "nexthop_local 1");
	ck_assert_uint_eq(punted(g, &port), 14 + len);
	ck_assert_uint_eq(port, LAN);
	ck_assert_mem_eq(got, a.port[LAN].mac, 6);
	ck_assert_mem_eq(got + 12, "\x08\x00", 2);
	ck_assert_mem_eq(got + 14 + 12, ip + 12, len - 12); /* but for its ID, which counts up */
	gateway_close(g);
}
END_TEST

START_TEST(a_flood_of_one_kind_leaves_the_others_alone)
{
	struct gateway *g;
	uint16_t len, port;
	unsigned n = 0;

	sites();
	a.punt_rate = 20;
	g = gateway_open(&a);
	len = write_arp(frame);
	for (unsigned i = 0; i < 100; i++)
		put_bytes(g, LAN, frame, len);
	while (punted(g, &port) > 0)
		n++;
	ck_assert_uint_ge(n, 3); /* a tenth of a second's at once, and one */
	ck_assert_uint_lt(n, 50);
	ck_assert_uint_eq(gateway_stats(g).exit[EXIT_OUT_ARP], n);
	ck_assert_uint_eq(gateway_stats(g).exit[EXIT_PUNT_RATE], 100 - n); /* punt_rate */

	struct packet p = packet_ab(4);
	p.dst = "10.1.0.1";
	gateway_put(g, LAN, ip, packet_write(&p, ip));
	rounds(g);
	ck_assert_uint_gt(punted(g, &port), 0);
	gateway_close(g);
}
END_TEST

/* One packet stands in the ring as often as it has room. */
START_TEST(a_kernel_that_takes_nothing_costs_what_is_for_it_only)
{
	struct gateway *g = open_a(0);
	uint16_t len = write_arp(frame), port;
	struct rte_mbuf *m = gateway_frame(g, frame, len, 0);
	struct packet p = packet_ab(4);
	unsigned n = 0;

	while (rte_ring_enqueue(g->p->punted, m) == 0)
		n++;
	rte_mbuf_refcnt_set(m, n);
	put_bytes(g, LAN, frame, len);
	ck_assert_str_eq(gateway_exits(g), "punt_full 1");
	gateway_put(g, LAN, ip, packet_write(&p, ip));
	rounds(g);
	ck_assert_uint_gt(gateway_take(g, WAN, got), 0);
	while (punted(g, &port) > 0)
		;
	put_bytes(g, LAN, frame, len);
	ck_assert_str_eq(gateway_exits(g), "out_arp 1");
	ck_assert_uint_gt(punted(g, &port), 0);
	gateway_close(g);
}
END_TEST

static const struct {
	const char *what;
	uint16_t port;
	const char *src, *dst;
	uint8_t protocol;
	uint16_t sport, dport;
	const char *exits; /* "": it goes out by its port in clear */
} kernel[] = {
	{"to a host of the LAN", LAN, "10.1.0.1", "10.1.0.9", IPPROTO_TCP, 22, 4000, ""},
	{"the same over IPv6", LAN, "2001:db8:1::1", "2001:db8:1::9", IPPROTO_TCP, 22, 4000, ""},
	{"what a policy lets out", WAN, "192.0.2.1", "192.0.2.2", IPPROTO_TCP, 22, 4000, ""},
	{"IKE to anybody", WAN, "192.0.2.1", "203.0.113.7", IPPROTO_UDP, 500, 500, ""},
	{"IKE behind a NAT", WAN, "192.0.2.1", "203.0.113.7", IPPROTO_UDP, 500, 1033, ""},
	{"what is not from IKE's port", WAN, "192.0.2.1", "203.0.113.7", IPPROTO_UDP, 1033, 500,
		"out_policy_no_match 1"},
	{"what no policy matches", WAN, "192.0.2.1", "203.0.113.7", IPPROTO_TCP, 22, 4000,
		"out_policy_no_match 1"},
	{"what a policy discards", WAN, "192.0.2.1", "198.51.100.1", IPPROTO_TCP, 22, 4000,
		"out_policy_discard 1"},
	{"ESP", WAN, "192.0.2.1", "192.0.2.2", IPPROTO_ESP, 1, 1, "kernel_esp 1"},
	{"ESP in the LAN", LAN, "10.1.0.1", "10.1.0.9", IPPROTO_ESP, 1, 1, "kernel_esp 1"},
};

START_TEST(the_kernel_sends_what_the_spd_lets_out_in_clear)
{
	struct gateway *g = open_a(_i % 3);
	struct packet p = packet_ab(strchr(kernel[_i].src, ':') == NULL ? 4 : 6);
	uint16_t len;

	p.src = kernel[_i].src;
	p.dst = kernel[_i].dst;
	p.protocol = kernel[_i].protocol;
	p.sport = kernel[_i].sport;
	p.dport = kernel[_i].dport;
	len = packet_write(&p, ip);
	memcpy(frame, "\x02\xaa\x00\x00\x00\x77", 6);
	memcpy(frame + 6, a.port[kernel[_i].port].mac, 6);
	memcpy(frame + 12, p.family == 4 ? "\x08\x00" : "\x86\xdd", 2);
	memcpy(frame + 14, ip, len);
	kernel_sends(g, kernel[_i].port, frame, 14 + len);
	ck_assert_msg(strcmp(gateway_exits(g), kernel[_i].exits) == 0, "%s: %s", kernel[_i].what,
		g->exits_text);
	if (kernel[_i].exits[0] == '\0') {
		ck_assert_msg(gateway_take(g, kernel[_i].port, got) == len, "%s", kernel[_i].what);
		ck_assert_mem_eq(got, ip, len);
	}
	ck_assert_uint_eq(gateway_take(g, LAN, got) + gateway_take(g, WAN, got), 0);
	ck_assert_uint_eq(gateway_stats(g).made, 1);
	gateway_close(g);
}
END_TEST

/* The gateway's own traffic to what a tunnel leads to goes through the tunnel. */
START_TEST(what_a_policy_protects_leaves_as_esp)
{
	struct gateway *g = open_a(0), *peer = gateway_open(&b);
	struct packet p = packet_ab(4);
	uint16_t len;

	p.src = "10.1.0.1";
	len = packet_write(&p, ip);
	memcpy(frame, "\x02\xaa\x00\x00\x00\x77\x02\x00\x00\x00\x00\x01\x08\x00", 14);
	memcpy(frame + 14, ip, len);
	kernel_sends(g, WAN, frame, 14 + len);
	ck_assert_str_eq(gateway_exits(g), "");
	ck_assert_uint_gt(gateway_take(g, WAN, got), len);
	ck_assert_uint_eq(got[9], IPPROTO_ESP);
	gateway_put(peer, WAN, got, got[2] << 8 | got[3]);
	gateway_run(peer);
	ck_assert_uint_eq(gateway_take(peer, LAN, got), len);
	packet_hops(ip, 1); /* b's: the packet is a's own */
	ck_assert_mem_eq(got, ip, len);
	gateway_close(peer);
	gateway_close(g);
}
END_TEST

START_TEST(no_sa_means_no_packet)
{
	struct gateway *g;
	struct packet p = packet_ab(4);
	uint16_t len;

	sites();
	a.n_sas = 0;
	g = gateway_open(&a);
	p.src = "10.1.0.1";
	len = packet_write(&p, ip);
	memcpy(frame, "\x02\xaa\x00\x00\x00\x77\x02\x00\x00\x00\x00\x01\x08\x00", 14);
	memcpy(frame + 14, ip, len);
	kernel_sends(g, WAN, frame, 14 + len);
	ck_assert_str_eq(gateway_exits(g), "out_policy_no_sa 1");
	ck_assert_uint_eq(gateway_take(g, WAN, got), 0);
	gateway_close(g);
}
END_TEST

START_TEST(without_builtin_policies_the_kernel_is_silent)
{
	struct gateway *g;
	uint16_t len;

	sites();
	a.builtins = false;
	g = gateway_open(&a);
	len = write_arp(frame);
	kernel_sends(g, WAN, frame, len);
	ck_assert_str_eq(gateway_exits(g), "kernel_arp 1");
	kernel_sends(g, LAN, frame, len); /* the boundary is at the other port */
	ck_assert_str_eq(gateway_exits(g), "");
	gateway_close(g);
}
END_TEST

static const struct {
	const char *what;
	uint16_t len;
	uint8_t at, value;
} broken[] = {
	{"a runt", 13, 0, 0},
	{"no IP", 60, 12, 0x88},
	{"cut in its header", 30, 0, 0},
	{"another version", 114, 14, 0x65},
	{"a wrong checksum", 114, 24, 0x55},
	{"longer than it is", 114, 17, 0xff},
};

START_TEST(what_the_kernel_sends_is_measured_too)
{
	struct gateway *g = open_a(0);
	struct packet p = packet_ab(4);

	memcpy(frame, "\x02\xaa\x00\x00\x00\x77\x02\x00\x00\x00\x00\x01\x08\x00", 14);
	packet_write(&p, frame + 14);
	if (broken[_i].at > 0)
		frame[broken[_i].at] = broken[_i].value;
	for (uint16_t port = LAN; port <= WAN; port++) {
		kernel_sends(g, port, frame, broken[_i].len);
		ck_assert_msg(strcmp(gateway_exits(g), "kernel_frame 1") == 0, "%s: %s",
			broken[_i].what, g->exits_text);
	}
	gateway_close(g);
}
END_TEST

START_TEST(what_exceeds_the_port_does_not_leave)
{
	struct gateway *g;
	struct packet p = packet_ab(4);

	sites();
	a.port[LAN].mtu = 600;
	g = gateway_open(&a);
	memcpy(frame, "\x02\xaa\x00\x00\x00\x77\x02\x00\x00\x00\x00\x00\x08\x00", 14);
	p.src = "10.1.0.1";
	p.dst = "10.1.0.9";
	p.len = 601;
	packet_write(&p, frame + 14);
	kernel_sends(g, LAN, frame, 14 + 601);
	ck_assert_str_eq(gateway_exits(g), "kernel_frame 1");
	gateway_close(g);
}
END_TEST

/* The next packet that waits, and for whom. */
static struct rte_mbuf *waiting(struct gateway *g, const char *address, uint16_t port)
{
	char text[IPADDR_STRLEN];
	struct rte_mbuf *m;

	ck_assert_uint_eq(exception_take_waiting(g->p, &m, 1), 1);
	ck_assert_str_eq(ipaddr_format(&exception_wish_of(m)->address, text), address);
	ck_assert_uint_eq(exception_wish_of(m)->port, port);
	return m;
}

static const struct {
	const char *what, *dst, *asked;
	uint16_t port;
} wishes[] = {
	{"a host on the link", "10.1.0.77", "10.1.0.77", LAN},
	{"the same over IPv6", "2001:db8:1::77", "2001:db8:1::77", LAN},
	{"a router on the link", "10.9.0.1", "10.1.0.66", LAN},
};

static struct gateway *open_without_neighbours(void)
{
	sites();
	a.n_neighbours = 0;
	site_policy(&a, POLICY_IN, POLICY_PROTECT, 1, NULL, NULL);
	site_route(&a, "10.9.0.0/24", "10.1.0.66", LAN);
	return gateway_open(&a);
}

static void put_decrypted(struct gateway *g, const char *dst, uint64_t seq)
{
	struct packet p = packet_ba(strchr(dst, ':') == NULL ? 4 : 6);

	p.dst = dst;
	gateway_put(g, WAN, frame, esp_seal_packet(from_b, seq, &p, frame));
	rounds(g);
}

static struct route_db *learn(struct gateway *g, const char *address, uint16_t port)
{
	struct route_port ports[] = {a.port[0], a.port[1]};
	struct route_setup setup = {.ports = ports,
		.n_ports = 2,
		.routes = a.route,
		.n_routes = a.n_routes,
		.neighbours = a.neighbour,
		.socket = SOCKET_ID_ANY};
	struct route_db *was = pipeline_routes(g->p), *now;

	site_neighbour(&a, address, port);
	setup.n_neighbours = a.n_neighbours;
	ck_assert_int_eq(route_open(&setup, &now, NULL), 0);
	ck_assert_int_eq(pipeline_replace(g->p, NULL, now), 0);
	route_close(was);
	g->routes = now;
	return now;
}

START_TEST(a_packet_waits_for_its_neighbour_and_goes_on)
{
	struct gateway *g = open_without_neighbours();
	struct rte_mbuf *m[3];

	for (uint64_t i = 0; i < 3; i++) {
		put_decrypted(g, wishes[_i].dst, i + 1);
		m[i] = waiting(g, wishes[_i].asked, wishes[_i].port);
	}
	ck_assert_str_eq(gateway_exits(g), "");
	ck_assert_uint_eq(gateway_stats(g).parked, 3);
	learn(g, wishes[_i].asked, wishes[_i].port);
	for (unsigned i = 0; i < 3; i++)
		ck_assert(exception_resume(g->p, m[i], true));
	rounds(g);
	ck_assert_str_eq(gateway_exits(g), "");
	for (unsigned i = 0; i < 3; i++)
		ck_assert_msg(gateway_take(g, wishes[_i].port, got) == 100, "%s", wishes[_i].what);
	ck_assert_uint_eq(gateway_stats(g).parked, 0);
	gateway_close(g);
}
END_TEST

START_TEST(a_packet_whose_neighbour_is_silent_leaves_by_name)
{
	struct gateway *g = open_without_neighbours();
	struct rte_mbuf *m;

	put_decrypted(g, "10.1.0.77", 1);
	m = waiting(g, "10.1.0.77", LAN);
	ck_assert(exception_resume(g->p, m, false));
	rounds(g);
	ck_assert_str_eq(gateway_exits(g), "nexthop_no_neighbour 1");
	ck_assert_uint_eq(gateway_stats(g).parked, 0);
	gateway_close(g);
}
END_TEST

/* Resumed too early it waits again, as often as it takes. */
START_TEST(what_is_still_unknown_waits_again)
{
	struct gateway *g = open_without_neighbours();
	struct rte_mbuf *m;

	put_decrypted(g, "10.1.0.77", 1);
	for (unsigned i = 0; i < 3; i++) {
		m = waiting(g, "10.1.0.77", LAN);
		ck_assert(exception_resume(g->p, m, true));
		rounds(g);
	}
	m = waiting(g, "10.1.0.77", LAN);
	ck_assert_uint_eq(gateway_stats(g).parked, 1);
	ck_assert(exception_resume(g->p, m, false));
	rounds(g);
	gateway_close(g);
}
END_TEST

/* ESP of ours waits as such: encrypted once, with one sequence number, and it goes out when it can. */
START_TEST(a_tunnel_waits_for_its_first_hop)
{
	struct gateway *g = open_without_neighbours();
	struct packet p = packet_ab(4);
	struct rte_mbuf *m;

	gateway_put(g, LAN, ip, packet_write(&p, ip));
	rounds(g);
	m = waiting(g, "192.0.2.2", WAN);
	learn(g, "192.0.2.2", WAN);
	ck_assert(exception_resume(g->p, m, true));
	rounds(g);
	ck_assert_uint_gt(gateway_take(g, WAN, got), 100);
	ck_assert_uint_eq(got[9], IPPROTO_ESP);
	ck_assert_uint_eq(sa_sequence(g->sa[0]), 2);
	gateway_close(g);
}
END_TEST

/* At the end workers wait for what the kernel thread has, and it gives it back. */
START_TEST(nobody_asks_where_there_is_no_kernel)
{
	struct gateway *g;
	struct rte_mbuf *m;

	sites();
	a.port[LAN].has_kernel = false;
	a.n_neighbours = 0;
	g = gateway_open(&a);
	put_decrypted(g, "10.1.0.77", 1);
	ck_assert_str_eq(gateway_exits(g), "nexthop_no_neighbour 1");
	ck_assert_uint_eq(exception_take_waiting(g->p, &m, 1), 0);
	g->p->stop = false; /* the wires were empty */
	ck_assert(!exception_is_ending(g->p));
	pipeline_stop(g->p);
	ck_assert(exception_is_ending(g->p));
	gateway_close(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("exception");

	tcase_add_loop_test(
		t, what_is_for_the_gateway_reaches_the_kernel_as_it_came, 0, 3 * RTE_DIM(kinds));
	tcase_add_loop_test(t, arp_reaches_the_kernel_of_its_port, 0, 3);
	tcase_add_test(t, what_a_tunnel_brings_for_us_reaches_the_kernel_of_the_address);
	tcase_add_test(t, a_flood_of_one_kind_leaves_the_others_alone);
	tcase_add_test(t, a_kernel_that_takes_nothing_costs_what_is_for_it_only);
	tcase_add_loop_test(t, the_kernel_sends_what_the_spd_lets_out_in_clear, 0, RTE_DIM(kernel));
	tcase_add_test(t, what_a_policy_protects_leaves_as_esp);
	tcase_add_test(t, no_sa_means_no_packet);
	tcase_add_test(t, without_builtin_policies_the_kernel_is_silent);
	tcase_add_loop_test(t, what_the_kernel_sends_is_measured_too, 0, RTE_DIM(broken));
	tcase_add_test(t, what_exceeds_the_port_does_not_leave);
	tcase_add_loop_test(t, a_packet_waits_for_its_neighbour_and_goes_on, 0, RTE_DIM(wishes));
	tcase_add_test(t, a_packet_whose_neighbour_is_silent_leaves_by_name);
	tcase_add_test(t, what_is_still_unknown_waits_again);
	tcase_add_test(t, a_tunnel_waits_for_its_first_hop);
	tcase_add_test(t, nobody_asks_where_there_is_no_kernel);
	return pipeline_fixture_main("exception", t);
}
