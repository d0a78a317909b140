/* SPDX-License-Identifier: BSD-3-Clause */
/* test_crypt.c - jobs of many SAs, providers and both directions in one burst keep their keys, their
 * order and their verdicts. */
#include <string.h>

#include "pipeline_fixture.h"

static const struct {
	const char *name, *auth;
	enum crypto_provider provider;
	const char *dst; /* who is reached through it */
} sas[] = {
	{"aes-128-gcm", NULL, CRYPTO_AESNI_MB, "10.2.0.9"},
	{"aes-128-gcm", NULL, CRYPTO_OPENSSL, "10.2.0.10"},
	{"aes-256-gcm", NULL, CRYPTO_AESNI_MB, "10.2.0.11"},
	{"aes-128-cbc", "hmac-sha1-96", CRYPTO_AESNI_MB, "10.2.0.12"},
	{"aes-256-cbc", "hmac-sha2-512-256", CRYPTO_OPENSSL, "10.2.0.13"},
	{"null", "hmac-sha2-256-128", CRYPTO_AESNI_MB, "10.2.0.14"},
	{"null", "hmac-sha1-96", CRYPTO_OPENSSL, "10.2.0.15"},
};

static struct site site[2];
static uint8_t sent[BURST_MAX][512], ip[PACKET_MAX], got[PACKET_MAX];
static uint16_t sent_len[BURST_MAX];

/* A tunnel to each host of B under a reqid of its own, the outer family and ESN in turn; and one back
 * for A's host. */
static void open_all(struct gateway *g[2])
{
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);

	site_a(&site[0]);
	site_b(&site[1]);
	site[0].n_policies = site[1].n_policies = 0;
	for (uint32_t i = 0; i < RTE_DIM(sas); i++) {
		struct crypto_spec c = crypto_named(sas[i].name, sas[i].auth);
		struct tunnel t;

		c.esn = i & 1;
		t = site_tunnel(&site[0], &site[1], &c, sas[i].provider, i % 3 ? 4 : 6);
		t.out->reqid = t.in->reqid = 100 + i;
		site_policy(&site[0], POLICY_OUT, POLICY_PROTECT, 100 + i, NULL, sas[i].dst);
		site_policy(&site[1], POLICY_IN, POLICY_PROTECT, 100 + i, NULL, sas[i].dst);
		if (i > 0) /* the first is known */
			site_neighbour(&site[1], sas[i].dst, LAN);
	}
	site_policy(&site[1], POLICY_OUT, POLICY_PROTECT, 1, NULL, "10.1.0.0/24");
	site_policy(&site[0], POLICY_IN, POLICY_PROTECT, 1, NULL, "10.1.0.0/24");
	site_tunnel(&site[1], &site[0], &crypto, CRYPTO_AESNI_MB, 4);
	g[0] = gateway_open(&site[0]);
	g[1] = gateway_open(&site[1]);
}

static unsigned pick(unsigned i, unsigned run)
{
	/* runs of one SA as long as `run`, or a shuffle */
	return run > 0 ? i / run % RTE_DIM(sas) : i * 2654435761u >> 13 & 0xff;
}

static const unsigned runs[] = {1, 2, 3, 7, 32, 100, 0};

START_TEST(a_burst_of_many_sas_comes_through_in_order)
{
	unsigned count[RTE_DIM(sas)] = {0};
	struct gateway *g[2];
	uint16_t len;

	open_all(g);
	for (unsigned i = 0; i < BURST_MAX; i++) {
		unsigned s = pick(i, runs[_i]) % RTE_DIM(sas);
		struct packet p = packet_ab(4);

		p.dst = sas[s].dst;
		p.len = 40 + i * 37 % 400;
		sent_len[i] = packet_write(&p, sent[i]);
		gateway_put(g[0], LAN, sent[i], sent_len[i]);
		count[s]++;
	}
	gateway_run(g[0]);
	ck_assert_str_eq(gateway_exits(g[0]), "");
	while ((len = gateway_take(g[0], WAN, ip)) > 0)
		gateway_put(g[1], WAN, ip, len);
	gateway_run(g[1]);
	ck_assert_str_eq(gateway_exits(g[1]), "");
	for (unsigned i = 0; i < BURST_MAX; i++) {
		packet_hops(sent[i], 2);
		ck_assert_uint_eq(gateway_take(g[1], LAN, got), sent_len[i]);
		ck_assert_mem_eq(got, sent[i], sent_len[i]);
	}
	for (unsigned s = 0; s < RTE_DIM(sas); s++) {
		ck_assert_uint_eq(sa_count_of(g[0]->sa[s]).packets, count[s]);
		ck_assert_uint_eq(sa_count_of(g[1]->sa[s]).packets, count[s]);
		ck_assert_uint_eq(sa_sequence(g[0]->sa[s]), count[s] + 1);
		ck_assert_uint_eq(sa_sequence(g[1]->sa[s]), count[s]);
	}
	gateway_close(g[0]);
	gateway_close(g[1]);
}
END_TEST

/* One forged packet in any place of a burst is the one that is refused. */
START_TEST(a_forged_packet_does_not_touch_its_neighbours)
{
	struct gateway *g[2];
	unsigned n = 0;
	uint16_t len;

	open_all(g);
	for (unsigned i = 0; i < 64; i++) {
		struct packet p = packet_ab(4);

		p.dst = sas[i % RTE_DIM(sas)].dst;
		p.len = 100 + i;
		packet_write(&p, sent[i]);
		gateway_put(g[0], LAN, sent[i], p.len);
	}
	gateway_run(g[0]);
	while ((len = gateway_take(g[0], WAN, ip)) > 0) {
		if (n % 8 == 3)
			ip[len - 1] ^= 0x80;
		gateway_put(g[1], WAN, ip, len);
		n++;
	}
	ck_assert_uint_eq(n, 64);
	gateway_run(g[1]);
	ck_assert_str_eq(gateway_exits(g[1]), "in_finish_icv 8");
	for (unsigned i = 0; i < 64; i++) {
		if (i % 8 == 3)
			continue;
		packet_hops(sent[i], 2);
		ck_assert_uint_eq(gateway_take(g[1], LAN, got), 100 + i);
		ck_assert_mem_eq(got, sent[i], 100 + i);
	}
	ck_assert_uint_eq(gateway_take(g[1], LAN, got), 0);
	gateway_close(g[0]);
	gateway_close(g[1]);
}
END_TEST

START_TEST(both_directions_share_a_poll)
{
	struct gateway *g[2];
	uint16_t len;

	open_all(g);
	for (unsigned round = 1; round <= 7; round++) {
		struct packet there = packet_ab(4), back = packet_ba(4);

		for (unsigned i = 0; i < round; i++) {
			gateway_put(g[1], LAN, sent[i], packet_write(&back, sent[i]));
			gateway_put(g[0], LAN, ip, packet_write(&there, ip));
		}
		gateway_run(g[1]);
		while ((len = gateway_take(g[1], WAN, ip)) > 0)
			gateway_put(g[0], WAN, ip, len);
		gateway_run(g[0]); /* encrypts what is there and decrypts what came back */
		ck_assert_str_eq(gateway_exits(g[0]), "");
		for (unsigned i = 0; i < round; i++) {
			packet_hops(sent[i], 2);
			ck_assert_uint_eq(gateway_take(g[0], LAN, got), back.len);
			ck_assert_mem_eq(got, sent[i], back.len);
			len = gateway_take(g[0], WAN, ip);
			ck_assert_uint_gt(len, 0);
			gateway_put(g[1], WAN, ip, len);
		}
		gateway_run(g[1]);
		ck_assert_str_eq(gateway_exits(g[1]), "");
		while (gateway_take(g[1], LAN, got) > 0)
			ck_assert_mem_eq(got + 28, sent[0] + 28, 72);
	}
	ck_assert_uint_eq(sa_count_of(g[1]->sa[0]).packets, 28);
	gateway_close(g[0]);
	gateway_close(g[1]);
}
END_TEST

/* The newest outbound SA of a reqid carries; older inbound ones are still heard. */
START_TEST(the_newest_of_two_sas_carries)
{
	struct crypto_spec old = crypto_named("aes-128-gcm", NULL);
	struct crypto_spec young = crypto_named("aes-256-gcm", NULL);
	struct packet p = packet_ab(4);
	struct gateway *g[2];

	site_a(&site[0]);
	site_b(&site[1]);
	site_tunnel(&site[0], &site[1], &old, CRYPTO_AESNI_MB, 4);
	site_tunnel(&site[0], &site[1], &young, CRYPTO_OPENSSL, 4);
	g[0] = gateway_open(&site[0]);
	g[1] = gateway_open(&site[1]);
	for (unsigned i = 0; i < 2; i++) {
		gateway_put(g[0], LAN, sent[0], packet_write(&p, sent[0]));
		gateway_run(g[0]);
		gateway_put(g[1], WAN, ip, gateway_take(g[0], WAN, ip));
		ck_assert_uint_eq(ip[22] << 8 | ip[23], i == 0 ? 0x1002 : 0x1001);
		gateway_run(g[1]);
		ck_assert_uint_eq(gateway_take(g[1], LAN, got), p.len);
		if (i == 0) {
			sa_retire(g[0]->sas, g[0]->sa[1]);
			ck_assert_int_eq(sa_db_publish(g[0]->sas, NULL), 0);
		}
	}
	sa_retire(g[0]->sas, g[0]->sa[0]);
	ck_assert_int_eq(sa_db_publish(g[0]->sas, NULL), 0);
	gateway_put(g[0], LAN, sent[0], packet_write(&p, sent[0]));
	gateway_run(g[0]);
	ck_assert_str_eq(gateway_exits(g[0]), "out_policy_no_sa 1");
	ck_assert_uint_eq(gateway_take(g[0], WAN, ip), 0);
	gateway_close(g[0]);
	gateway_close(g[1]);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, a_burst_of_many_sas_comes_through_in_order, 0, RTE_DIM(runs));
	tcase_add_test(t, a_forged_packet_does_not_touch_its_neighbours);
	tcase_add_test(t, both_directions_share_a_poll);
	tcase_add_test(t, the_newest_of_two_sas_carries);
	return pipeline_fixture_main("crypt", t);
}
