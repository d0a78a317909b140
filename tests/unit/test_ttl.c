/* SPDX-License-Identifier: BSD-3-Clause */
/* test_ttl.c - one hop is taken in every direction, with a right checksum, and who has none left goes
 * no further. */
#include "pipeline_fixture.h"

static struct site site[2];
static uint8_t ip[PACKET_MAX], wire[PACKET_MAX], got[PACKET_MAX];

/* What comes in the four ways that packets take. */
enum way { OUT_TUNNEL, OUT_BYPASS, IN_TUNNEL, IN_CLEAR, WAYS };

static const struct {
	const char *src[2], *dst[2], *ours[2]; /* by family */
	uint16_t from, to;
} ways[] = {
	[OUT_TUNNEL] = {{"10.1.0.9", "2001:db8:1::9"}, {"10.2.0.9", "2001:db8:2::9"},
		{"10.1.0.1", "2001:db8:1::1"}, LAN, WAN},
	[OUT_BYPASS] = {{"10.1.0.9", "2001:db8:1::9"}, {"203.0.113.5", "2001:db8:5::5"},
		{"192.0.2.1", "2001:db8:f::1"}, LAN, WAN},
	[IN_TUNNEL] = {{"10.2.0.9", "2001:db8:2::9"}, {"10.1.0.9", "2001:db8:1::9"},
		{"10.1.0.1", "2001:db8:1::1"}, WAN, LAN},
	[IN_CLEAR] = {{"203.0.113.5", "2001:db8:5::5"}, {"10.1.0.9", "2001:db8:1::9"},
		{"10.1.0.1", "2001:db8:1::1"}, WAN, LAN},
};

static struct sa_spec *in;

static struct gateway *open_a(void)
{
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);

	site_a(&site[0]);
	site_b(&site[1]);
	site_route(&site[0], "0.0.0.0/0", "192.0.2.2", WAN);
	site_route(&site[0], "::/0", "2001:db8:f::2", WAN);
	site_policy(&site[0], POLICY_OUT, POLICY_BYPASS, 0, NULL, NULL);
	site_policy(&site[0], POLICY_IN, POLICY_BYPASS, 0, NULL, NULL);
	site_tunnel(&site[0], &site[1], &crypto, CRYPTO_AESNI_MB, 4);
	in = site_tunnel(&site[1], &site[0], &crypto, CRYPTO_AESNI_MB, 4).in;
	site[0].icmp_rate = 0;
	return gateway_open(&site[0]);
}

static void put(struct gateway *g, enum way way, const struct packet *p)
{
	static uint64_t seq;
	uint16_t len = packet_write(p, ip);

	if (way == IN_TUNNEL)
		len = esp_seal_packet(in, ++seq, p, wire);
	gateway_put(g, ways[way].from, way == IN_TUNNEL ? wire : ip, len);
}

static struct packet packet_on(enum way way, bool is6, uint8_t hops)
{
	struct packet p = packet_ab(is6 ? 6 : 4);

	p.src = ways[way].src[is6];
	p.dst = ways[way].dst[is6];
	p.ttl = hops;
	return p;
}

START_TEST(a_hop_is_taken_once_or_there_is_none_left)
{
	static const uint8_t hops[] = {0, 1, 2, 64, 255};
	struct gateway *g = open_a();

	for (unsigned k = 0; k < 2 * RTE_DIM(hops); k++) {
		struct packet p = packet_on(_i, k & 1, hops[k / 2]);
		bool goes = p.ttl > 1;
		uint16_t len;

		put(g, _i, &p);
		gateway_run(g);
		ck_assert_str_eq(gateway_exits(g), goes ? "" : "ttl_expired 1");
		len = gateway_take(g, ways[_i].to, got);
		ck_assert_uint_eq(len > 0, goes);
		if (goes && _i != OUT_TUNNEL)
			ck_assert_uint_eq(p.family == 4 ? got[8] : got[7], p.ttl - 1);
	}
	ck_assert_uint_eq(gateway_take(g, ways[_i].from, got), 0);
	ck_assert_uint_eq(sa_count_of(g->sa[0]).packets, _i == OUT_TUNNEL ? 6 : 0);
	gateway_close(g);
}
END_TEST

START_TEST(what_is_for_us_may_have_no_hop_left)
{
	struct gateway *g = open_a();

	for (unsigned k = 0; k < 8; k++) {
		struct packet p = packet_on(_i, k & 1, k / 2);

		p.dst = ways[_i].ours[k & 1];
		put(g, _i, &p);
		gateway_run(g);
		ck_assert_str_eq(
			gateway_exits(g), ways[_i].from == LAN ? "out_local 1" : "nexthop_local 1");
	}
	gateway_close(g);
}
END_TEST

/* Sets the ID to what makes the header's checksum this one. */
static void aim_checksum(uint8_t *at, uint16_t target)
{
	uint16_t others, id;

	at[4] = at[5] = 0;
	packet_checksum4(at);
	others = ~(at[10] << 8 | at[11]);
	id = ((uint16_t)~target + 0xffffu - others) % 0xffff;
	at[4] = id >> 8;
	at[5] = id;
	packet_checksum4(at);
	ck_assert_uint_eq(at[10] << 8 | at[11], target);
}

static const uint16_t checksums[] = {
	0x0000, 0x0001, 0x00ff, 0x0100, 0x0101, 0x7fff, 0x8000, 0xfefe, 0xfeff, 0xff00, 0xfffe};

START_TEST(every_ttl_gives_a_right_checksum)
{
	struct gateway *g = open_a();
	uint8_t expect[28];

	for (unsigned hops = 2; hops <= 255; hops++) {
		struct packet p = packet_on(OUT_BYPASS, false, hops);

		p.len = 28;
		packet_write(&p, ip);
		aim_checksum(ip, checksums[_i]);
		memcpy(expect, ip, 28);
		packet_hops(expect, 1);
		gateway_put(g, LAN, ip, 28);
		if (checksums[_i] == 0) { /* the other zero of one's complement is as right */
			ip[10] = ip[11] = 0xff;
			gateway_put(g, LAN, ip, 28);
		}
		gateway_run(g);
		ck_assert_str_eq(gateway_exits(g), "");
		for (unsigned k = 0; k < 1u + (checksums[_i] == 0); k++) {
			ck_assert_uint_eq(gateway_take(g, WAN, got), 28);
			ck_assert_mem_eq(got, expect, 28);
		}
	}
	gateway_close(g);
}
END_TEST

static const struct {
	unsigned family;
	const char *src, *dst;
	bool is_martian;
} addresses[] = {
	{4, "0.0.0.0", "203.0.113.5", true},
	{4, "0.255.255.255", "203.0.113.5", true},
	{4, "1.0.0.0", "203.0.113.5", false},
	{4, "126.255.255.255", "203.0.113.5", false},
	{4, "127.0.0.1", "203.0.113.5", true},
	{4, "128.0.0.0", "203.0.113.5", false},
	{4, "169.253.0.1", "203.0.113.5", false},
	{4, "169.254.0.1", "203.0.113.5", true},
	{4, "169.255.0.1", "203.0.113.5", false},
	{4, "223.255.255.255", "203.0.113.5", false},
	{4, "224.0.0.1", "203.0.113.5", true},
	{4, "255.255.255.255", "203.0.113.5", true},
	{4, "10.1.0.9", "0.0.0.1", true},
	{4, "10.1.0.9", "127.0.0.1", true},
	{4, "10.1.0.9", "169.254.0.1", true},
	{6, "::", "2001:db8:5::5", true},
	{6, "::1", "2001:db8:5::5", true},
	{6, "::2", "2001:db8:5::5", false},
	{6, "fe7f::1", "2001:db8:5::5", false},
	{6, "fe80::1", "2001:db8:5::5", true},
	{6, "febf::1", "2001:db8:5::5", true},
	{6, "fec0::1", "2001:db8:5::5", false},
	{6, "ff02::1", "2001:db8:5::5", true},
	{6, "2001:db8:1::9", "fe80::1", true},
	{6, "2001:db8:1::9", "::1", true},
	{6, "2001:db8:1::9", "::", true},
};

START_TEST(no_router_forwards_a_martian)
{
	struct packet p = packet_on(OUT_BYPASS, addresses[_i].family == 6, 64);
	struct gateway *g = open_a();

	p.src = addresses[_i].src;
	p.dst = addresses[_i].dst;
	put(g, OUT_BYPASS, &p);
	gateway_run(g);
	ck_assert_msg(strcmp(gateway_exits(g), addresses[_i].is_martian ? "martian 1" : "") == 0,
		"%s to %s: %s", p.src, p.dst, g->exits_text);
	ck_assert_uint_eq(gateway_take(g, WAN, got) > 0, !addresses[_i].is_martian);
	gateway_close(g);
}
END_TEST

/* The rest of a burst keeps its order and its facts when some of it leaves. */
START_TEST(who_stays_in_a_burst_is_not_disturbed)
{
	struct gateway *g = open_a();
	unsigned n = 0;

	for (unsigned i = 0; i < BURST_MAX; i++) {
		struct packet p = packet_on(OUT_BYPASS, i % 2, i % 5 == 0 ? 1 : 64);

		p.len = 60 + i;
		if (i % 7 == 0)
			p.src = p.family == 4 ? "127.0.0.1" : "::1";
		put(g, OUT_BYPASS, &p);
	}
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "ttl_expired 44, martian 37");
	for (unsigned i = 0; i < BURST_MAX; i++) {
		if (i % 5 == 0 || i % 7 == 0)
			continue;
		ck_assert_uint_eq(gateway_take(g, WAN, got), 60 + i);
		ck_assert_uint_eq(got[0] >> 4, i % 2 ? 6 : 4);
		n++;
	}
	ck_assert_uint_eq(n, 256 - 44 - 37);
	ck_assert_uint_eq(gateway_take(g, WAN, got), 0);
	gateway_close(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, a_hop_is_taken_once_or_there_is_none_left, 0, WAYS);
	tcase_add_loop_test(t, what_is_for_us_may_have_no_hop_left, 0, WAYS);
	tcase_add_loop_test(t, every_ttl_gives_a_right_checksum, 0, RTE_DIM(checksums));
	tcase_add_loop_test(t, no_router_forwards_a_martian, 0, RTE_DIM(addresses));
	tcase_add_test(t, who_stays_in_a_burst_is_not_disturbed);
	return pipeline_fixture_main("ttl", t);
}
