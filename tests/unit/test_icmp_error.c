/* SPDX-License-Identifier: BSD-3-Clause */
/* test_icmp_error.c - who is told what by ICMP, by which way, how often, and who is not (RFC 1812
 * 4.3.2, RFC 4443 2.4). */
#include <string.h>

#include "pipeline_fixture.h"

static struct site site[2];
static uint8_t ip[PACKET_MAX], wire[PACKET_MAX], got[PACKET_MAX];

/* Both tunnels between A and B, over IPv4. */
static void sites(void)
{
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);

	site_a(&site[0]);
	site_b(&site[1]);
	site_tunnel(&site[0], &site[1], &crypto, CRYPTO_AESNI_MB, 4);
	crypto = crypto_named("aes-128-cbc", "hmac-sha1-96");
	site_tunnel(&site[1], &site[0], &crypto, CRYPTO_OPENSSL, 4);
}

static struct gateway *open_full(const struct site *s)
{
	struct gateway *g = gateway_open(s);

	g->w->icmp.tokens_tsc = rte_get_tsc_hz(); /* a bucket that had time to fill */
	return g;
}

static uint32_t word_at(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
}

/* got[] is ICMP of this type and code from a router's address to a host's, quotes the first bytes of
 * ip[], and has right lengths and sums. */
static void is_answer(uint16_t len, uint8_t type, uint8_t code, uint32_t rest,
	const uint8_t from[16], uint16_t quoted)
{
	bool is6 = got[0] >> 4 == 6;
	uint16_t header = is6 ? 40 : 20;

	ck_assert_uint_eq(len, header + 8 + quoted);
	ck_assert_uint_eq(got[header], type);
	ck_assert_uint_eq(got[header + 1], code);
	ck_assert_uint_eq(word_at(got + header + 4), rest);
	ck_assert_mem_eq(got + header + 8, ip, quoted);
	if (is6) {
		ck_assert_uint_eq(got[6], IPPROTO_ICMPV6);
		ck_assert_uint_ge(got[7], 63);
		ck_assert_mem_eq(got + 8, from, 16);
		ck_assert_mem_eq(got + 24, ip + 8, 16);
		ck_assert_uint_eq(icmpv6_checksum(got, len), 0);
	} else {
		ck_assert_uint_eq(got[0], 0x45);
		ck_assert_uint_eq(got[1], 0xc0);
		ck_assert_uint_eq(got[9], IPPROTO_ICMP);
		ck_assert_uint_ge(got[8], 63);
		ck_assert_mem_eq(got + 12, from, 4);
		ck_assert_mem_eq(got + 16, ip + 12, 4);
		ck_assert_uint_eq(internet_checksum(got + 20, len - 20), 0);
	}
}

static const uint8_t *address_of(unsigned s, uint16_t port, unsigned family)
{
	return site[s].port[port].address[family == 6].addr.bytes;
}

static const uint16_t lengths[] = {
	20, 27, 28, 40, 48, 100, 101, 547, 548, 549, 1231, 1232, 1233, 1446};

START_TEST(a_sender_is_told_that_its_hops_ended)
{
	unsigned family = _i & 1 ? 6 : 4;
	struct packet p = packet_ab(family);
	struct gateway *g;

	p.len = lengths[_i / 2];
	if (family == 6 && p.len < 40)
		return;
	p.ttl = 1;
	sites();
	g = open_full(&site[0]);
	gateway_put(g, LAN, ip, packet_write(&p, ip));
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "ttl_expired 1");
	ck_assert_uint_eq(gateway_stats(g).made, 1);
	is_answer(gateway_take(g, LAN, got), family == 4 ? 11 : 3, 0, 0, address_of(0, LAN, family),
		RTE_MIN(p.len, family == 4 ? 548 : 1232));
	ck_assert_uint_eq(gateway_take(g, LAN, got), 0);
	ck_assert_uint_eq(gateway_take(g, WAN, got), 0);
	ck_assert_uint_eq(sa_sequence(g->sa[0]), 1);
	gateway_close(g);
}
END_TEST

START_TEST(a_sender_is_told_the_size_that_fits)
{
	unsigned family = _i & 1 ? 6 : 4;
	uint16_t path = _i & 2 ? 1300 : 1500, room = path - 54;
	uint32_t told = family == 6 ? RTE_MAX(room, 1280) : room; /* RFC 8200 5: never less */
	struct packet p = packet_ab(family);
	struct gateway *g;

	sites();
	site[0].path_mtu = path;
	g = open_full(&site[0]);
	p.df = true;
	p.len = room;
	gateway_put(g, LAN, ip, packet_write(&p, ip));
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "");
	ck_assert_uint_eq(gateway_take(g, WAN, got), room + 54u); /* 1446 + 2 is a multiple of 4 */
	for (p.len = room + 1; p.len <= 1500; p.len += 13) {
		uint16_t quote = family == 4 ? 548 : 1232;

		gateway_put(g, LAN, ip, packet_write(&p, ip));
		gateway_run(g);
		ck_assert_str_eq(gateway_exits(g), "out_mtu_too_big 1");
		packet_hops(ip, 1);
		is_answer(gateway_take(g, LAN, got), family == 4 ? 3 : 2, family == 4 ? 4 : 0, told,
			address_of(0, LAN, family), RTE_MIN(p.len, quote));
	}
	ck_assert_uint_eq(gateway_take(g, WAN, got), 0);
	ck_assert_uint_eq(sa_sequence(g->sa[0]), 2);
	gateway_close(g);
}
END_TEST

/* What came out of a tunnel is answered through the tunnel. */
START_TEST(an_answer_to_what_was_decrypted_is_encrypted)
{
	unsigned family = _i & 1 ? 6 : 4;
	bool too_big = _i & 2;
	struct packet p = packet_ab(family);
	struct gateway *a, *b;
	uint16_t len;

	sites();
	p.df = true;
	p.ttl = too_big ? 9 : 1;
	p.len = 1400;
	site[1].port[LAN].mtu = 1300;
	a = open_full(&site[0]);
	b = open_full(&site[1]);
	packet_write(&p, ip);
	gateway_put(b, WAN, wire, esp_seal_packet(&site[1].sa[0], 1, &p, wire));
	if (too_big)
		packet_hops(ip, 1);
	gateway_run(b);
	ck_assert_str_eq(gateway_exits(b), too_big ? "nexthop_too_big 1" : "ttl_expired 1");
	ck_assert_uint_eq(gateway_take(b, LAN, got), 0);
	len = gateway_take(b, WAN, wire);
	ck_assert_uint_eq(wire[9], IPPROTO_ESP);
	ck_assert_uint_eq(gateway_take(b, WAN, got), 0);
	gateway_put(a, WAN, wire, len);
	gateway_run(a);
	ck_assert_str_eq(gateway_exits(a), "");
	len = gateway_take(a, LAN, got);
	/* quoted with an ID that packet_write() counted up in between */
	if (family == 4) {
		memcpy(ip + 4, got + 32, 2);
		packet_checksum4(ip);
	}
	if (too_big)
		is_answer(len, family == 4 ? 3 : 2, family == 4 ? 4 : 0, 1300,
			address_of(1, LAN, family), family == 4 ? 548 : 1232);
	else
		is_answer(len, family == 4 ? 11 : 3, 0, 0, address_of(1, LAN, family),
			family == 4 ? 548 : 1232);
	gateway_close(a);
	gateway_close(b);
}
END_TEST

START_TEST(without_a_tunnel_back_nothing_is_told)
{
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);
	struct packet p = packet_ab(4);
	struct gateway *b;

	site_a(&site[0]);
	site_b(&site[1]);
	p.ttl = 1;
	site_tunnel(&site[0], &site[1], &crypto, CRYPTO_AESNI_MB, 4);
	b = open_full(&site[1]);
	gateway_put(b, WAN, wire, esp_seal_packet(&site[1].sa[0], 1, &p, wire));
	gateway_run(b);
	ck_assert_str_eq(gateway_exits(b), "ttl_expired 1");
	ck_assert_uint_eq(gateway_stats(b).made, 0);
	ck_assert_uint_eq(gateway_take(b, WAN, got), 0);
	ck_assert_uint_eq(gateway_take(b, LAN, got), 0);
	gateway_close(b);
}
END_TEST

/* The answer quotes what may be secret: a made-up source must not draw it out in clear. */
START_TEST(an_answer_to_a_spoofed_source_does_not_leave_in_clear)
{
	struct packet p = packet_ab(4);
	struct gateway *g;

	sites();
	site_route(&site[0], "0.0.0.0/0", "192.0.2.2", WAN);
	site_policy(&site[0], POLICY_OUT, POLICY_PROTECT, 1, NULL, "10.2.0.0/24");
	g = open_full(&site[0]);
	p.src = "203.0.113.5";
	p.ttl = 1;
	gateway_put(g, LAN, ip, packet_write(&p, ip));
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "ttl_expired 1, nexthop_clear 1");
	ck_assert_uint_eq(gateway_stats(g).made, 1);
	ck_assert_uint_eq(gateway_take(g, WAN, got), 0);
	gateway_close(g);
}
END_TEST

START_TEST(what_came_in_clear_is_answered_in_clear)
{
	struct packet p = packet_ba(_i);
	struct gateway *g;

	sites();
	site[0].n_policies = 0;
	site_policy(&site[0], POLICY_IN, POLICY_BYPASS, 0, NULL, NULL);
	g = open_full(&site[0]);
	p.src = _i == 4 ? "192.0.2.2" : "2001:db8:f::2";
	p.ttl = 1;
	gateway_put(g, WAN, ip, packet_write(&p, ip));
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "ttl_expired 1");
	is_answer(gateway_take(g, WAN, got), _i == 4 ? 11 : 3, 0, 0, address_of(0, WAN, _i), 100);
	gateway_close(g);
}
END_TEST

/* clang-format off */
static const struct {
	const char *what;
	unsigned family;
	uint8_t protocol, type; /* first byte of the upper layer */
	uint16_t len, fragment; /* IPv4: offset and flags */
	bool answered;
} rules[] = {
	{"UDP", 4, 17, 0, 100, 0, true},
	{"echo request", 4, 1, 8, 100, 0, true},
	{"echo reply", 4, 1, 0, 100, 0, true},
	{"timestamp", 4, 1, 13, 100, 0, true},
	{"unreachable", 4, 1, 3, 100, 0, false},
	{"source quench", 4, 1, 4, 100, 0, false},
	{"redirect", 4, 1, 5, 100, 0, false},
	{"time exceeded", 4, 1, 11, 100, 0, false},
	{"parameter problem", 4, 1, 12, 100, 0, false},
	{"an ICMP of type 32 + 8", 4, 1, 40, 100, 0, false},
	{"an ICMP of type 255", 4, 1, 255, 100, 0, false},
	{"an ICMP too short to tell", 4, 1, 8, 21, 0, false},
	{"a first fragment", 4, 17, 0, 100, 0x2000, true},
	{"a later fragment", 4, 17, 0, 100, 0x2010, false},
	{"the last fragment", 4, 17, 0, 100, 0x0010, false},
	{"a later fragment of ICMP", 4, 1, 8, 100, 0x0010, false},
	{"UDP over IPv6", 6, 17, 0, 100, 0, true},
	{"ICMPv6 echo", 6, 58, 128, 100, 0, true},
	{"ICMPv6 unreachable", 6, 58, 1, 100, 0, false},
	{"ICMPv6 too big", 6, 58, 2, 100, 0, false},
	{"ICMPv6 time exceeded", 6, 58, 3, 100, 0, false},
	{"ICMPv6 of type 127", 6, 58, 127, 100, 0, false},
	{"an ICMPv6 too short to tell", 6, 58, 128, 41, 0, false},
};
/* clang-format on */

START_TEST(some_packets_are_never_answered)
{
	struct packet p = packet_ab(rules[_i].family);
	struct gateway *g;

	sites();
	g = open_full(&site[0]);
	p.ttl = 1;
	p.protocol = rules[_i].protocol;
	p.len = rules[_i].len;
	packet_write(&p, ip);
	ip[p.family == 4 ? 20 : 40] = rules[_i].type;
	if (p.family == 4) {
		ip[6] = rules[_i].fragment >> 8;
		ip[7] = rules[_i].fragment;
		packet_checksum4(ip);
	}
	gateway_put(g, LAN, ip, p.len);
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "ttl_expired 1");
	ck_assert_msg(gateway_stats(g).made == rules[_i].answered, "%s", rules[_i].what);
	ck_assert_msg((gateway_take(g, LAN, got) > 0) == rules[_i].answered, "%s", rules[_i].what);
	gateway_close(g);
}
END_TEST

START_TEST(answers_are_made_at_a_rate)
{
	struct packet p = packet_ab(4);
	struct gateway *g;
	unsigned n = 0;

	sites();
	site[0].icmp_rate = _i; /* a second; a tenth of a second's may come at once, and one */
	g = open_full(&site[0]);
	p.ttl = 1;
	for (unsigned i = 0; i < BURST_MAX; i++)
		gateway_put(g, LAN, ip, packet_write(&p, ip));
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "ttl_expired 256");
	while (gateway_take(g, LAN, got) > 0)
		n++;
	ck_assert_uint_eq(gateway_stats(g).made, n);
	ck_assert_uint_eq(n, _i);
	gateway_close(g);
}
END_TEST

START_TEST(a_port_without_an_address_answers_nobody)
{
	struct packet p = packet_ab(_i);
	struct gateway *g;

	sites();
	site[0].port[LAN].n_addresses = 0;
	site_address(&site[0], LAN, _i == 4 ? "2001:db8:1::1/64" : "10.1.0.1/24");
	g = open_full(&site[0]);
	p.ttl = 1;
	gateway_put(g, LAN, ip, packet_write(&p, ip));
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "ttl_expired 1");
	ck_assert_uint_eq(gateway_stats(g).made, 0);
	gateway_close(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, a_sender_is_told_that_its_hops_ended, 0, 2 * RTE_DIM(lengths));
	tcase_add_loop_test(t, a_sender_is_told_the_size_that_fits, 0, 4);
	tcase_add_loop_test(t, an_answer_to_what_was_decrypted_is_encrypted, 0, 4);
	tcase_add_test(t, without_a_tunnel_back_nothing_is_told);
	tcase_add_test(t, an_answer_to_a_spoofed_source_does_not_leave_in_clear);
	tcase_add_loop_test(t, what_came_in_clear_is_answered_in_clear, 4, 5);
	tcase_add_loop_test(t, what_came_in_clear_is_answered_in_clear, 6, 7);
	tcase_add_loop_test(t, some_packets_are_never_answered, 0, RTE_DIM(rules));
	tcase_add_loop_test(t, answers_are_made_at_a_rate, 0, 2);
	tcase_add_loop_test(t, a_port_without_an_address_answers_nobody, 4, 5);
	tcase_add_loop_test(t, a_port_without_an_address_answers_nobody, 6, 7);
	return pipeline_fixture_main("icmp_error", t);
}
