/* SPDX-License-Identifier: BSD-3-Clause */
/* test_round_trip.c - what one gateway sends another delivers, byte for byte but for two hops, with
 * every algorithm, provider, family and number size that there is. */
#include <string.h>

#include "pipeline_fixture.h"

static struct site site[2];
static uint8_t sent[BURST_MAX][PACKET_MAX];
static uint8_t wire[PACKET_MAX], got[PACKET_MAX];

/* Carries sent[0..n) from A's LAN to B's and holds it to be the same there, in order. */
static void carry(struct gateway *a, struct gateway *b, const uint16_t len[], unsigned n)
{
	uint16_t wire_len;

	for (unsigned i = 0; i < n; i++)
		gateway_put(a, LAN, sent[i], len[i]);
	gateway_run(a);
	ck_assert_str_eq(gateway_exits(a), "");
	ck_assert_uint_eq(gateway_take(a, LAN, wire), 0);
	while ((wire_len = gateway_take(a, WAN, wire)) > 0)
		gateway_put(b, WAN, wire, wire_len);
	gateway_run(b);
	ck_assert_str_eq(gateway_exits(b), "");
	ck_assert_uint_eq(gateway_take(b, WAN, wire), 0);
	for (unsigned i = 0; i < n; i++) {
		packet_hops(sent[i], 2);
		ck_assert_uint_eq(gateway_take(b, LAN, got), len[i]);
		ck_assert_mem_eq(got, sent[i], len[i]);
	}
	ck_assert_uint_eq(gateway_take(b, LAN, got), 0);
}

/* The algorithms of fixture_spec(). False: the provider has not these. */
static bool open_tunnel(unsigned spec, enum crypto_provider provider, unsigned outer, bool esn,
	struct gateway *g[2])
{
	struct crypto_spec crypto;

	ck_assert(fixture_spec(spec, &crypto));
	fixture_keys(&crypto);
	crypto.esn = esn;
	if (!provider_can(provider, &crypto)) {
		ck_assert_int_ne(provider, CRYPTO_AESNI_MB); /* which has all */
		return false;
	}
	site_a(&site[0]);
	site_b(&site[1]);
	site_tunnel(&site[0], &site[1], &crypto, provider, outer);
	g[0] = gateway_open(&site[0]);
	g[1] = gateway_open(&site[1]);
	return true;
}

static const uint16_t sample[] = {20, 21, 27, 28, 29, 40, 41, 47, 48, 49, 50, 63, 64, 65, 100, 127,
	128, 255, 256, 511, 512, 1000, 1279, 1280, 1281, 1372, 1373, 1374, 1390};

START_TEST(a_packet_comes_through_as_it_was)
{
	for (unsigned variant = 0; variant < 2 * CRYPTO_PROVIDERS; variant++) {
		enum crypto_provider provider = variant / 2;
		struct gateway *g[2];
		uint16_t len[2 * RTE_DIM(sample)];
		unsigned n = 0;

		if (!open_tunnel(_i, provider, (variant + _i) & 1 ? 6 : 4, variant & 1, g))
			continue;
		for (unsigned i = 0; i < RTE_DIM(sample); i++) {
			for (unsigned family = 4; family <= 6; family += 2) {
				struct packet p = packet_ab(family);

				p.len = sample[i];
				if (p.len > g[0]->sa[0]->out.room || (family == 6 && p.len < 40))
					continue;
				len[n] = packet_write(&p, sent[n]);
				n++;
			}
		}
		ck_assert_uint_gt(n, RTE_DIM(sample));
		carry(g[0], g[1], len, n);
		ck_assert_uint_eq(sa_count_of(g[0]->sa[0]).packets, n);
		ck_assert_uint_eq(sa_count_of(g[1]->sa[0]).packets, n);
		ck_assert_uint_eq(sa_count_of(g[0]->sa[0]).bytes, sa_count_of(g[1]->sa[0]).bytes);
		gateway_close(g[0]);
		gateway_close(g[1]);
	}
}
END_TEST

START_TEST(gcm_has_room_for_1446)
{
	struct gateway *g[2];

	open_tunnel(0, CRYPTO_AESNI_MB, 4, false, g);
	ck_assert_uint_eq(g[0]->sa[0]->out.room, 1446); /* 1500 less 20, 8, 8, 2 and 16 */
	gateway_close(g[0]);
	gateway_close(g[1]);
}
END_TEST

START_TEST(every_size_from_the_smallest_to_the_mtu_comes_through)
{
	for (unsigned by = 0; by < CRYPTO_PROVIDERS; by++) {
		uint16_t len[BURST_MAX], next = 20, room;
		struct gateway *g[2];

		if (!open_tunnel(_i, by, (by + _i) % 3 ? 4 : 6, (by + _i) % 2, g))
			continue;
		room = g[0]->sa[0]->out.room;
		while (next <= room) {
			unsigned n = 0;

			for (; n < BURST_MAX && next <= room; n++, next++) {
				struct packet p = packet_ab(4);

				p.len = next;
				len[n] = packet_write(&p, sent[n]);
			}
			carry(g[0], g[1], len, n);
		}
		gateway_close(g[0]);
		gateway_close(g[1]);
	}
}
END_TEST

static const unsigned bursts[] = {1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256};

START_TEST(a_burst_of_any_size_comes_through)
{
	struct gateway *g[2];
	uint16_t len[BURST_MAX];

	open_tunnel(_i, CRYPTO_AESNI_MB, 4, true, g);
	for (unsigned k = 0; k < RTE_DIM(bursts); k++) {
		for (unsigned i = 0; i < bursts[k]; i++) {
			struct packet p = packet_ab(i % 3 == 0 ? 6 : 4);

			p.len = 60 + i;
			len[i] = packet_write(&p, sent[i]);
		}
		carry(g[0], g[1], len, bursts[k]);
	}
	gateway_close(g[0]);
	gateway_close(g[1]);
}
END_TEST

START_TEST(more_than_a_burst_on_the_wire_comes_through)
{
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);
	struct gateway *g[2];
	uint16_t len[BURST_MAX];

	site_a(&site[0]);
	site_b(&site[1]);
	site[0].burst = site[1].burst = _i;
	site_tunnel(&site[0], &site[1], &crypto, CRYPTO_AESNI_MB, 4);
	g[0] = gateway_open(&site[0]);
	g[1] = gateway_open(&site[1]);
	for (unsigned i = 0; i < BURST_MAX; i++) {
		struct packet p = packet_ab(4);

		len[i] = packet_write(&p, sent[i]);
	}
	carry(g[0], g[1], len, BURST_MAX);
	gateway_close(g[0]);
	gateway_close(g[1]);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");
	struct crypto_spec unused;
	unsigned specs = 0;

	while (fixture_spec(specs, &unused))
		specs++;
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, a_packet_comes_through_as_it_was, 0, specs);
	tcase_add_test(t, gcm_has_room_for_1446);
	tcase_add_loop_test(t, every_size_from_the_smallest_to_the_mtu_comes_through, 0, specs);
	tcase_add_loop_test(t, a_burst_of_any_size_comes_through, 0, specs);
	tcase_add_loop_test(t, more_than_a_burst_on_the_wire_comes_through, 1, 4);
	return pipeline_fixture_main("round_trip", t);
}
