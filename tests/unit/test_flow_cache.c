/* SPDX-License-Identifier: BSD-3-Clause */
/* test_flow_cache.c - a flow's policy and next hop are kept until the tables change, and nothing is kept
 * that a flow alone does not decide. */
#include "flow_cache.h"

#include "pipeline_fixture.h"

static struct site a, b;

static struct gateway *open_a(void)
{
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);

	site_a(&a);
	site_b(&b);
	site_tunnel(&a, &b, &crypto, CRYPTO_AESNI_MB, 4);
	return gateway_open(&a);
}

static void send_packet(struct gateway *g, const struct packet *p)
{
	uint8_t ip[PACKET_MAX];

	gateway_put(g, LAN, ip, packet_write(p, ip));
	gateway_run(g);
}

static unsigned taken(struct gateway *g)
{
	uint8_t ip[PACKET_MAX];
	unsigned n = 0;

	while (gateway_take(g, WAN, ip) > 0)
		n++;
	return n;
}

/* An SPD of the same policies, which match nothing any more, takes the place of the gateway's. */
static struct spd *match_nothing(struct gateway *g)
{
	struct policy_spec policy[RTE_DIM(a.policy)];
	struct spd *was = g->p->tables->spd, *now;
	struct ipaddr_range nobody;

	ck_assert_int_eq(ipaddr_range_parse("203.0.113.1", &nobody), 0);
	memcpy(policy, a.policy, sizeof(policy));
	for (uint32_t i = 0; i < a.n_policies; i++) {
		policy[i].src = policy[i].dst = &nobody;
		policy[i].n_src = policy[i].n_dst = 1;
	}
	ck_assert_int_eq(spd_open(policy, a.n_policies, g->sas, &now, NULL), 0);
	g->p->tables->spd = now; /* behind everybody's back */
	return was;
}

static void replace(struct gateway *g, struct spd *spd)
{
	struct spd *was = pipeline_spd(g->p);

	ck_assert_int_eq(pipeline_replace(g->p, spd, NULL), 0);
	if (spd != was)
		spd_close(was);
}

static const struct {
	const char *what;
	unsigned family;
	uint8_t protocol;
	bool is_kept;
} flows[] = {
	{"UDP over IPv4", 4, IPPROTO_UDP, true},
	{"UDP over IPv6", 6, IPPROTO_UDP, true},
	{"a protocol without ports", 4, IPPROTO_GRE, true},
	{"ICMP, which may speak of another flow", 4, IPPROTO_ICMP, false},
	{"ICMPv6", 6, IPPROTO_ICMPV6, false},
};

/* The first packet is judged by the SPD, the second not even where that is another one by now; when the
 * gateway is told so, it is. */
START_TEST(a_flow_is_judged_once)
{
	struct gateway *g = open_a();
	struct packet p = packet_ab(flows[_i].family);
	struct spd *spd;

	p.protocol = flows[_i].protocol;
	send_packet(g, &p);
	ck_assert_msg(taken(g) == 1, "%s", flows[_i].what);

	spd = match_nothing(g);
	send_packet(g, &p);
	ck_assert_msg(taken(g) == flows[_i].is_kept, "%s", flows[_i].what);
	ck_assert_str_eq(gateway_exits(g), flows[_i].is_kept ? "" : "out_policy_no_match 1");

	replace(g, pipeline_spd(g->p));
	send_packet(g, &p);
	ck_assert_uint_eq(taken(g), 0);
	ck_assert_str_eq(gateway_exits(g), "out_policy_no_match 1");

	replace(g, spd);
	send_packet(g, &p);
	ck_assert_uint_eq(taken(g), 1);
	gateway_close(g);
}
END_TEST

START_TEST(fragments_are_judged_each)
{
	struct gateway *g = open_a();
	struct packet p = packet_ab(4);
	uint8_t ip[PACKET_MAX];
	uint16_t len = packet_write(&p, ip);
	struct spd *spd;

	ip[6] = 0x20; /* more are to come */
	packet_checksum4(ip);
	gateway_put(g, LAN, ip, len);
	gateway_run(g);
	ck_assert_uint_eq(taken(g), 1);
	spd = match_nothing(g);
	gateway_put(g, LAN, ip, len);
	gateway_run(g);
	ck_assert_uint_eq(taken(g), 0);
	ck_assert_str_eq(gateway_exits(g), "out_policy_no_match 1");
	replace(g, spd);
	gateway_close(g);
}
END_TEST

/* What differs in anything that a policy looks at is another flow. */
START_TEST(another_flow_is_judged_anew)
{
	struct gateway *g = open_a();
	struct packet p = packet_ab(4), others[] = {p, p, p, p, p};
	struct spd *spd;

	send_packet(g, &p);
	ck_assert_uint_eq(taken(g), 1);
	others[0].src = "10.1.0.10";
	others[1].dst = "10.2.0.10";
	others[2].sport++;
	others[3].dport++;
	others[4].protocol = IPPROTO_TCP;
	spd = match_nothing(g);
	for (unsigned i = 0; i < RTE_DIM(others); i++)
		send_packet(g, &others[i]);
	ck_assert_uint_eq(taken(g), 0);
	ck_assert_str_eq(gateway_exits(g), "out_policy_no_match 5");
	send_packet(g, &p);
	ck_assert_uint_eq(taken(g), 1);
	replace(g, spd);
	gateway_close(g);
}
END_TEST

/* The same packet in a burst of its own; nothing is known of it yet. */
static struct burst *burst_of(struct gateway *g, const struct packet *p)
{
	struct burst *burst = &g->w->lane[LANE_OUT].burst;
	uint8_t ip[PACKET_MAX];

	burst->n = 1;
	burst->pkt[0] = gateway_frame(g, ip, packet_write(p, ip), 0);
	return burst;
}

static void describe(struct burst *burst, uint16_t sport, uint16_t dport)
{
	burst->fact[0] = (struct facts){.family = 4,
		.protocol = IPPROTO_UDP,
		.len = burst->pkt[0]->data_len,
		.l4_ofs = 20,
		.sport = sport,
		.dport = dport};
	burst->policy[0] = SPD_NOT_JUDGED;
	burst->nh[0] = NULL;
}

static void keep(struct gateway *g, struct burst *burst, uint32_t policy, enum policy_direction d)
{
	burst_route(g->w, burst);
	burst->policy[0] = policy;
	flow_cache_keep(g->w, burst, 0, d);
}

static void burst_end(struct burst *burst)
{
	rte_pktmbuf_free(burst->pkt[0]);
	burst->n = 0;
}

/* A policy that lets a flow in says nothing of what leaves. */
START_TEST(directions_do_not_share_flows)
{
	struct gateway *g = open_a();
	struct packet p = packet_ab(4);
	struct burst *burst = burst_of(g, &p);

	describe(burst, 1, 2);
	keep(g, burst, 0, POLICY_IN);
	describe(burst, 1, 2);
	flow_cache_find(g->w, burst, POLICY_OUT);
	ck_assert_uint_eq(burst->policy[0], SPD_NOT_JUDGED);
	flow_cache_find(g->w, burst, POLICY_IN);
	ck_assert_uint_eq(burst->policy[0], 0);
	burst_end(burst);
	gateway_close(g);
}
END_TEST

/* Ten times as many flows as there is room for: what is found is what was kept. */
START_TEST(flows_that_displace_each_other_are_never_mixed_up)
{
	struct gateway *g = open_a();
	struct packet p = packet_ab(4);
	struct burst *burst = burst_of(g, &p);
	unsigned found = 0;

	for (unsigned i = 0; i < 400000; i++) {
		uint32_t n = (i % 3 == 0 ? i : (unsigned)rand()) % 200000;

		describe(burst, n >> 8, n);
		flow_cache_find(g->w, burst, POLICY_OUT);
		if (burst->policy[0] == SPD_NOT_JUDGED) {
			keep(g, burst, n, POLICY_OUT);
			continue;
		}
		ck_assert_uint_eq(burst->policy[0], n);
		found++;
	}
	ck_assert_uint_gt(found, 1000);
	burst_end(burst);
	gateway_close(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, a_flow_is_judged_once, 0, RTE_DIM(flows));
	tcase_add_test(t, fragments_are_judged_each);
	tcase_add_test(t, another_flow_is_judged_anew);
	tcase_add_test(t, directions_do_not_share_flows);
	tcase_add_test(t, flows_that_displace_each_other_are_never_mixed_up);
	return pipeline_fixture_main("flow_cache", t);
}
