/* SPDX-License-Identifier: BSD-3-Clause */
/* SPD and routes are replaced in one step: what changed counts from 0, what did not goes on. */
#include <string.h>

#include "pipeline_fixture.h"

static struct site a, b;
static uint8_t ip[PACKET_MAX];

static struct gateway *open_a(void)
{
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);

	site_a(&a);
	site_b(&b);
	site_tunnel(&a, &b, &crypto, CRYPTO_AESNI_MB, 4);
	return gateway_open(&a);
}

static void send_ab(struct gateway *g)
{
	struct packet p = packet_ab(4);
	uint16_t len = packet_write(&p, ip);

	gateway_put(g, LAN, ip, len);
	gateway_run(g);
}

static unsigned taken(struct gateway *g)
{
	unsigned n = 0;

	while (gateway_take(g, WAN, ip) > 0)
		n++;
	return n;
}

static uint64_t met(const struct gateway *g, const char *name)
{
	const struct spd *spd = pipeline_spd(g->p);

	for (uint32_t i = 0; i < spd_policies(spd); i++) {
		if (strcmp(spd_policy(spd, i)->name, name) == 0)
			return pipeline_policy_count(g->p, i).packets;
	}
	ck_abort_msg("no policy %s", name);
}

static void replace(struct gateway *g, const struct policy_spec *policy, uint32_t n)
{
	struct spd *was = pipeline_spd(g->p), *now;

	ck_assert_int_eq(spd_open(policy, n, g->sas, &now, NULL), 0);
	ck_assert_int_eq(pipeline_replace(g->p, now, NULL), 0);
	spd_close(was);
	g->spd = now;
}

START_TEST(what_did_not_change_goes_on_counting)
{
	struct gateway *g = open_a();
	struct policy_spec policy[RTE_DIM(a.policy) + 1];
	struct ipaddr_range all;

	for (uint32_t i = 0; i < a.n_policies; i++)
		snprintf(a.policy[i].name, sizeof(a.policy[i].name), "p%u", i);
	replace(g, a.policy, a.n_policies);
	send_ab(g);
	send_ab(g);
	ck_assert_uint_eq(taken(g), 2);
	ck_assert_uint_eq(met(g, "p0"), 2);

	/* Another before it, which takes nothing: all the others stand elsewhere now. */
	ck_assert_int_eq(ipaddr_range_parse("203.0.113.1", &all), 0);
	memcpy(policy + 1, a.policy, a.n_policies * sizeof(policy[0]));
	policy[0] = policy[1];
	strcpy(policy[0].name, "new");
	policy[0].src = &all;
	policy[0].n_src = 1;
	policy[1].source.line += 7;
	replace(g, policy, a.n_policies + 1);
	ck_assert_uint_eq(met(g, "p0"), 2);
	ck_assert_uint_eq(met(g, "new"), 0);
	send_ab(g);
	ck_assert_uint_eq(taken(g), 1);
	ck_assert_uint_eq(met(g, "p0"), 3);

	policy[1].action = POLICY_DISCARD;
	replace(g, policy, a.n_policies + 1);
	ck_assert_uint_eq(met(g, "p0"), 0);
	send_ab(g);
	ck_assert_uint_eq(taken(g), 0);
	ck_assert_str_eq(gateway_exits(g), "out_policy_discard 1");
	ck_assert_uint_eq(met(g, "p0"), 1);
	gateway_close(g);
}
END_TEST

START_TEST(new_routes_leave_the_counters_alone)
{
	struct gateway *g = open_a();

	for (unsigned i = 0; i < 3; i++) {
		send_ab(g);
		ck_assert_uint_eq(taken(g), 1);
		ck_assert_int_eq(pipeline_replace(g->p, NULL, NULL), 0);
	}
	ck_assert_uint_eq(pipeline_policy_count(g->p, 0).packets, 3);
	gateway_close(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("tables");

	tcase_add_test(t, what_did_not_change_goes_on_counting);
	tcase_add_test(t, new_routes_leave_the_counters_alone);
	return pipeline_fixture_main("tables", t);
}
