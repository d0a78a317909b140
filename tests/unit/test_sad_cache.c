/* SPDX-License-Identifier: BSD-3-Clause */
/* test_sad_cache.c - an SA is found by SPI, destination and source together, until the SAD changes. */
#include "sad_cache.h"

#include "pipeline_fixture.h"

static struct rte_ipsec_sadv4_key key_of(uint32_t n)
{
	return (struct rte_ipsec_sadv4_key){.spi = n, .dip = n / 3, .sip = n / 7};
}

/* A pointer that tells its number. */
static struct sa *sa_of(uint32_t n)
{
	return (struct sa *)(uintptr_t)(64 * (n + 1));
}

START_TEST(what_is_found_is_what_was_kept)
{
	struct sad_cache *c = sad_cache_open(0);
	unsigned found = 0;

	for (unsigned i = 0; i < 400000; i++) {
		uint32_t n = (i % 3 == 0 ? i : (unsigned)rand()) % 200000;
		struct rte_ipsec_sadv4_key key = key_of(n);
		struct sa *sa = sad_cache_find(c, &key, 5);

		ck_assert(sa == NULL || sa == sa_of(n));
		found += sa != NULL;
		sad_cache_keep(c, &key, 5, sa_of(n));
		ck_assert_ptr_eq(sad_cache_find(c, &key, 5), sa_of(n));
	}
	ck_assert_uint_gt(found, 1000);
	sad_cache_close(c);
}
END_TEST

static const struct {
	const char *what;
	struct rte_ipsec_sadv4_key key;
	uint32_t generation;
	bool is_found;
} lookups[] = {
	{"all the same", {.spi = 1, .dip = 2, .sip = 3}, 0, true},
	{"another SPI", {.spi = 9, .dip = 2, .sip = 3}, 0, false},
	{"another destination", {.spi = 1, .dip = 9, .sip = 3}, 0, false},
	{"another source", {.spi = 1, .dip = 2, .sip = 9}, 0, false},
	{"after the SAD changed", {.spi = 1, .dip = 2, .sip = 3}, 1, false},
};

START_TEST(an_sa_is_found_by_all_that_the_sad_looks_at)
{
	struct sad_cache *c = sad_cache_open(0);
	struct sa *found;

	ck_assert_msg(sad_cache_find(c, &lookups[_i].key, lookups[_i].generation) == NULL,
		"found in an empty cache");
	sad_cache_keep(c, &lookups[0].key, 0, sa_of(0));
	found = sad_cache_find(c, &lookups[_i].key, lookups[_i].generation);
	ck_assert_msg((found != NULL) == lookups[_i].is_found, "%s", lookups[_i].what);
	sad_cache_close(c);
}
END_TEST

/* The worker has kept the SA when it is retired; the next packet does not find it. */
START_TEST(a_retired_sa_is_not_found_any_more)
{
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);
	struct site a, b;
	struct packet inner = packet_ba(4);
	struct tunnel to_a;
	struct gateway *g;
	uint8_t ip[PACKET_MAX];

	site_a(&a);
	site_b(&b);
	to_a = site_tunnel(&b, &a, &crypto, CRYPTO_AESNI_MB, 4);
	g = gateway_open(&a);
	for (unsigned seq = 1; seq <= 2; seq++) {
		gateway_put(g, WAN, ip, esp_seal_packet(to_a.out, seq, &inner, ip));
		gateway_run(g);
		ck_assert_uint_gt(gateway_take(g, LAN, ip), 0);
	}
	sa_retire(g->sas, g->sa[0]);
	ck_assert_int_eq(sa_db_publish(g->sas, NULL), 0);
	gateway_put(g, WAN, ip, esp_seal_packet(to_a.out, 3, &inner, ip));
	gateway_run(g);
	ck_assert_uint_eq(gateway_take(g, LAN, ip), 0);
	ck_assert_str_eq(gateway_exits(g), "in_sad_unknown 1");
	gateway_close(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_test(t, what_is_found_is_what_was_kept);
	tcase_add_loop_test(t, an_sa_is_found_by_all_that_the_sad_looks_at, 0, RTE_DIM(lookups));
	tcase_add_test(t, a_retired_sa_is_not_found_any_more);
	return pipeline_fixture_main("sad_cache", t);
}
