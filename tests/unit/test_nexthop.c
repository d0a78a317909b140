/* SPDX-License-Identifier: BSD-3-Clause */
/* test_nexthop.c - where packets leave, and that nothing takes an unprotected port in clear that the
 * SPD did not let out. */
#include "pipeline_fixture.h"

static struct site site[2];
static uint8_t ip[PACKET_MAX], wire[PACKET_MAX], got[PACKET_MAX];

/* A between its LAN, a second LAN and the WAN, whose default route leads to the WAN. */
static struct sa_spec *in;

static void sites(void)
{
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);

	site_a(&site[0]);
	site_b(&site[1]);
	site[0].n_ports = 3;
	site[0].port[2].side = PORT_PROTECTED;
	site_address(&site[0], 2, "10.3.0.1/24");
	site_address(&site[0], 2, "2001:db8:3::1/64");
	site_neighbour(&site[0], "10.3.0.9", 2);
	site_neighbour(&site[0], "2001:db8:3::9", 2);
	site_route(&site[0], "0.0.0.0/0", "192.0.2.2", WAN);
	site_route(&site[0], "::/0", "2001:db8:f::2", WAN);
	site_tunnel(&site[0], &site[1], &crypto, CRYPTO_AESNI_MB, 4);
	in = site_tunnel(&site[1], &site[0], &crypto, CRYPTO_AESNI_MB, 4).in;
}

static void put_lan(struct gateway *g, const char *dst)
{
	struct packet p = packet_ab(strchr(dst, ':') == NULL ? 4 : 6);

	p.dst = dst;
	gateway_put(g, LAN, ip, packet_write(&p, ip));
	gateway_run(g);
}

static void put_decrypted(struct gateway *g, const char *dst)
{
	struct packet p = packet_ba(strchr(dst, ':') == NULL ? 4 : 6);
	static uint64_t seq;

	p.dst = dst;
	gateway_put(g, WAN, wire, esp_seal_packet(in, ++seq, &p, wire));
	gateway_run(g);
}

static void nothing_left(struct gateway *g)
{
	for (uint16_t port = 0; port < 3; port++)
		ck_assert_uint_eq(gateway_take(g, port, got), 0);
}

static const struct {
	const char *dst, *exits;
	int port; /* -1: none */
} decrypted[] = {
	{"10.1.0.9", "", LAN},
	{"2001:db8:1::9", "", LAN},
	{"10.3.0.9", "", 2},
	{"2001:db8:3::9", "", 2},
	{"203.0.113.5", "nexthop_clear 1", -1},
	{"2001:db8:5::5", "nexthop_clear 1", -1},
	{"192.0.2.2", "nexthop_clear 1", -1},
	{"2001:db8:f::2", "nexthop_clear 1", -1},
	{"10.1.0.1", "nexthop_local 1", -1},
	{"2001:db8:f::1", "nexthop_local 1", -1},
	{"10.1.0.8", "nexthop_no_neighbour 1", -1},
	{"10.66.0.1", "nexthop_blackhole 1", -1},
	{"239.1.1.1", "nexthop_clear 1", -1},
};

/* Even where the SPD lets everything in: the route decides, and the guard behind it. */
START_TEST(what_was_decrypted_never_leaves_in_clear_by_the_unprotected_side)
{
	struct gateway *g;

	sites();
	site[0].n_policies = 0;
	site_policy(&site[0], POLICY_IN, POLICY_PROTECT, 1, NULL, NULL);
	site_policy(&site[0], POLICY_OUT, POLICY_BYPASS, 0, NULL, NULL);
	site_route(&site[0], "10.66.0.0/16", NULL, LAN);
	site[0].route[site[0].n_routes - 1].blackhole = true;
	g = gateway_open(&site[0]);
	put_decrypted(g, decrypted[_i].dst);
	ck_assert_msg(strcmp(gateway_exits(g), decrypted[_i].exits) == 0, "%s: %s",
		decrypted[_i].dst, g->exits_text);
	if (decrypted[_i].port >= 0)
		ck_assert_uint_eq(gateway_take(g, decrypted[_i].port, got), 100);
	nothing_left(g);
	gateway_close(g);
}
END_TEST

START_TEST(without_a_route_nothing_goes)
{
	struct gateway *g;

	sites();
	site[0].n_policies = site[0].n_routes = 0;
	site_policy(&site[0], POLICY_IN, POLICY_PROTECT, 1, NULL, NULL);
	site_policy(&site[0], POLICY_OUT, POLICY_BYPASS, 0, NULL, NULL);
	g = gateway_open(&site[0]);
	put_decrypted(g, "203.0.113.5");
	put_decrypted(g, "2001:db8:5::5");
	put_lan(g, "203.0.113.5");
	put_lan(g, "2001:db8:5::5");
	ck_assert_str_eq(gateway_exits(g), "nexthop_no_route 4");
	nothing_left(g);
	gateway_close(g);
}
END_TEST

/* The SPD's verdict, for what comes from the protected side. */
static const struct {
	const char *what;
	bool has_policy;
	enum policy_action action;
	uint32_t reqid;
	const char *exits;
} verdicts[] = {
	{"no policy", false, 0, 0, "out_policy_no_match 1"},
	{"discard", true, POLICY_DISCARD, 0, "out_policy_discard 1"},
	{"protect without an SA", true, POLICY_PROTECT, 7, "out_policy_no_sa 1"},
	{"protect", true, POLICY_PROTECT, 1, ""},
	{"bypass", true, POLICY_BYPASS, 0, ""},
};

START_TEST(only_what_the_spd_let_out_leaves_in_clear)
{
	static const char *const to[] = {"10.2.0.9", "203.0.113.5", "192.0.2.2", "2001:db8:5::5"};

	for (unsigned k = 0; k < RTE_DIM(to); k++) {
		struct gateway *g;
		uint16_t len;

		sites();
		site[0].n_policies = 0;
		if (verdicts[_i].has_policy)
			site_policy(&site[0], POLICY_OUT, verdicts[_i].action, verdicts[_i].reqid,
				NULL, NULL);
		g = gateway_open(&site[0]);
		put_lan(g, to[k]);
		ck_assert_msg(strcmp(gateway_exits(g), verdicts[_i].exits) == 0, "%s: %s",
			verdicts[_i].what, g->exits_text);
		len = gateway_take(g, WAN, got);
		if (verdicts[_i].exits[0] != '\0') {
			ck_assert_uint_eq(len, 0);
		} else if (verdicts[_i].action == POLICY_BYPASS) {
			packet_hops(ip, 1);
			ck_assert_uint_eq(len, 100);
			ck_assert_mem_eq(got, ip, 100);
		} else {
			ck_assert_uint_eq(got[9], IPPROTO_ESP);
			ck_assert_uint_gt(len, 100);
		}
		nothing_left(g);
		gateway_close(g);
	}
}
END_TEST

START_TEST(between_two_protected_ports_the_spd_judges_too)
{
	struct gateway *g;

	sites();
	g = gateway_open(&site[0]);
	put_lan(g, "10.3.0.9");
	ck_assert_str_eq(gateway_exits(g), "out_policy_no_match 1");
	nothing_left(g);
	gateway_close(g);
	sites();
	site_policy(&site[0], POLICY_OUT, POLICY_BYPASS, 0, "10.1.0.0/24", "10.3.0.0/24");
	g = gateway_open(&site[0]);
	put_lan(g, "10.3.0.9");
	ck_assert_str_eq(gateway_exits(g), "");
	ck_assert_uint_eq(gateway_take(g, 2, got), 100);
	nothing_left(g);
	gateway_close(g);
}
END_TEST

/* Tags on both sides, two on one. */
START_TEST(frames_carry_the_tags_of_their_port)
{
	struct gateway *g;

	sites();
	site[0].port[LAN].n_vlans = 1;
	site[0].port[LAN].vlan[0] = 100;
	site[0].port[WAN].n_vlans = 2;
	site[0].port[WAN].vlan[0] = 200;
	site[0].port[WAN].vlan[1] = 4094;
	g = gateway_open(&site[0]);
	for (unsigned i = 0; i < 2; i++) {
		put_lan(g, i == 0 ? "10.2.0.9" : "2001:db8:2::9");
		ck_assert_str_eq(gateway_exits(g), "");
		ck_assert_uint_gt(gateway_take(g, WAN, got), 100); /* which holds the tags */
		put_decrypted(g, i == 0 ? "10.1.0.9" : "2001:db8:1::9");
		ck_assert_str_eq(gateway_exits(g), "");
		ck_assert_uint_eq(gateway_take(g, LAN, got), 100);
	}
	nothing_left(g);
	gateway_close(g);
}
END_TEST

START_TEST(a_packet_of_the_ports_mtu_leaves_and_a_byte_more_does_not)
{
	struct packet p = packet_ab(4);
	struct gateway *g;

	sites();
	site[0].n_policies = 0;
	site[0].port[WAN].mtu = 1400;
	site[0].path_mtu = 1500; /* more than the port has: ESP of ours is too big */
	site_policy(&site[0], POLICY_OUT, POLICY_PROTECT, 1, NULL, "10.2.0.0/24");
	site_policy(&site[0], POLICY_OUT, POLICY_BYPASS, 0, NULL, NULL);
	g = gateway_open(&site[0]);
	for (unsigned way = 0; way < 2; way++) {
		unsigned fits = way == 0 ? 1346 : 1400;

		p.dst = way == 0 ? "10.2.0.9" : "203.0.113.5";
		for (p.len = fits - 4; p.len <= fits + 4; p.len++) {
			gateway_put(g, LAN, ip, packet_write(&p, ip));
			gateway_run(g);
			ck_assert_str_eq(
				gateway_exits(g), p.len <= fits ? "" : "nexthop_too_big 1");
			ck_assert_uint_eq(gateway_take(g, WAN, got) > 0, p.len <= fits);
			while (way == 1 && gateway_take(g, LAN, got) > 0)
				ck_assert_uint_eq(got[26] << 8 | got[27], 1400);
		}
	}
	nothing_left(g);
	gateway_close(g);
}
END_TEST

START_TEST(what_a_full_wire_does_not_take_is_dropped)
{
	struct packet p = packet_ab(4);
	struct gateway *g;
	unsigned n = 0;

	sites();
	g = gateway_open(&site[0]);
	for (unsigned i = 0; i < 3; i++) {
		for (unsigned k = 0; k < 200; k++)
			gateway_put(g, LAN, ip, packet_write(&p, ip));
		gateway_run(g);
	}
	ck_assert_str_eq(gateway_exits(g), "tx_full 89"); /* 511 places */
	ck_assert_uint_eq(gateway_stats(g).sent, 511);
	while (gateway_take(g, WAN, got) > 0)
		n++;
	ck_assert_uint_eq(n, 511);
	gateway_close(g);
}
END_TEST

/* Routes that lead nowhere take the place of the gateway's. */
static struct route_db *blackhole_all(struct gateway *g)
{
	struct route_spec to = {.blackhole = true};
	struct route_port port[] = {g->port[0].route, g->port[1].route, g->port[2].route};
	struct route_setup setup = {
		.ports = port, .n_ports = 3, .routes = &to, .n_routes = 1, .socket = SOCKET_ID_ANY};
	struct route_db *was = g->p->tables->routes;

	ck_assert_int_eq(ipaddr_prefix_parse("192.0.2.2/32", &to.to), 0);
	ck_assert_int_eq(route_open(&setup, &g->p->tables->routes, NULL), 0);
	return was;
}

/* Outer packets go where those before them went, until the gateway is told that routes have changed. */
START_TEST(the_way_of_a_tunnel_is_kept_until_routes_change)
{
	struct gateway *g;
	struct route_db *was, *nobody;

	sites();
	g = gateway_open(&site[0]);
	put_lan(g, "10.2.0.9");
	ck_assert_uint_gt(gateway_take(g, WAN, got), 0);
	was = blackhole_all(g);
	put_lan(g, "10.2.0.9");
	ck_assert_uint_gt(gateway_take(g, WAN, got), 0);
	ck_assert_int_eq(pipeline_replace(g->p, NULL, NULL), 0);
	put_lan(g, "10.2.0.9");
	nothing_left(g);
	ck_assert_str_eq(gateway_exits(g), "nexthop_blackhole 1");
	nobody = pipeline_routes(g->p);
	ck_assert_int_eq(pipeline_replace(g->p, NULL, was), 0);
	route_close(nobody);
	gateway_close(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_test(t, the_way_of_a_tunnel_is_kept_until_routes_change);
	tcase_add_loop_test(t, what_was_decrypted_never_leaves_in_clear_by_the_unprotected_side, 0,
		RTE_DIM(decrypted));
	tcase_add_test(t, without_a_route_nothing_goes);
	tcase_add_loop_test(t, only_what_the_spd_let_out_leaves_in_clear, 0, RTE_DIM(verdicts));
	tcase_add_test(t, between_two_protected_ports_the_spd_judges_too);
	tcase_add_test(t, frames_carry_the_tags_of_their_port);
	tcase_add_test(t, a_packet_of_the_ports_mtu_leaves_and_a_byte_more_does_not);
	tcase_add_test(t, what_a_full_wire_does_not_take_is_dropped);
	return pipeline_fixture_main("nexthop", t);
}
