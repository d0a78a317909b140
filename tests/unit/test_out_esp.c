/* SPDX-License-Identifier: BSD-3-Clause */
/* test_out_esp.c - every field of what goes before and behind the inner packet, and the numbers that
 * are spent on it (RFC 4301 5.1.2, RFC 4303 3.3, RFC 6040 4.1). */
#include <string.h>

#include "pipeline_fixture.h"

static struct site site[2];
static uint8_t ip[PACKET_MAX], got[PACKET_MAX];

static struct gateway *open_a(const struct sa_spec *like, unsigned outer)
{
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);
	struct sa_spec *sa;

	site_a(&site[0]);
	site_b(&site[1]);
	sa = site_tunnel(&site[0], &site[1], &crypto, CRYPTO_AESNI_MB, outer).out;
	sa->dscp = like->dscp;
	sa->ecn = like->ecn;
	sa->df = like->df;
	sa->flow_label = like->flow_label;
	sa->outer_ttl = like->outer_ttl;
	return gateway_open(&site[0]);
}

static uint16_t send_one(struct gateway *g, const struct packet *p)
{
	uint16_t len = packet_write(p, ip);

	gateway_put(g, LAN, ip, len);
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "");
	return gateway_take(g, WAN, got);
}

static uint8_t tos_of(const uint8_t *at)
{
	return at[0] >> 4 == 4 ? at[1] : (uint8_t)(at[0] << 4 | at[1] >> 4);
}

#define COPY SA_DSCP_COPY

static const struct {
	uint8_t dscp;
	enum sa_ecn ecn;
	uint8_t inner, outer; /* traffic classes */
} classes[] = {
	{COPY, SA_ECN_NORMAL, 0x00, 0x00},
	{COPY, SA_ECN_NORMAL, 0xb8 | 2, 0xb8 | 2},
	{COPY, SA_ECN_NORMAL, 0x03, 0x03},
	{COPY, SA_ECN_NORMAL, 0xff, 0xff},
	{COPY, SA_ECN_COMPAT, 0xff, 0xfc},
	{COPY, SA_ECN_OFF, 0xb9, 0xb8},
	{0, SA_ECN_NORMAL, 0xff, 0x03},
	{46, SA_ECN_NORMAL, 0x02, 46 << 2 | 2},
	{46, SA_ECN_NORMAL, 0xff, 46 << 2 | 3},
	{63, SA_ECN_COMPAT, 0x03, 0xfc},
	{1, SA_ECN_OFF, 0xff, 0x04},
};

START_TEST(the_outer_traffic_class_is_copied_or_fixed)
{
	for (unsigned f = 0; f < 4; f++) {
		struct sa_spec like = {.dscp = classes[_i].dscp, .ecn = classes[_i].ecn};
		struct gateway *g = open_a(&like, f & 1 ? 6 : 4);
		struct packet p = packet_ab(f & 2 ? 6 : 4);

		p.tos = classes[_i].inner;
		send_one(g, &p);
		ck_assert_uint_eq(got[0] >> 4, f & 1 ? 6 : 4);
		ck_assert_uint_eq(tos_of(got), classes[_i].outer);
		gateway_close(g);
	}
}
END_TEST

static const struct {
	enum sa_df df;
	unsigned inner_family;
	bool inner, outer;
} dfs[] = {
	{SA_DF_COPY, 4, false, false},
	{SA_DF_COPY, 4, true, true},
	{SA_DF_COPY, 6, false, true}, /* nobody on the way may fragment IPv6 */
	{SA_DF_SET, 4, false, true},
	{SA_DF_SET, 4, true, true},
	{SA_DF_SET, 6, false, true},
	{SA_DF_CLEAR, 4, false, false},
	{SA_DF_CLEAR, 4, true, false},
	{SA_DF_CLEAR, 6, false, false},
};

START_TEST(dont_fragment_is_copied_set_or_cleared)
{
	struct sa_spec like = {.df = dfs[_i].df};
	struct gateway *g = open_a(&like, 4);
	struct packet p = packet_ab(dfs[_i].inner_family);

	p.df = dfs[_i].inner;
	send_one(g, &p);
	ck_assert_uint_eq(got[6], dfs[_i].outer ? 0x40 : 0);
	ck_assert_uint_eq(got[7], 0);
	gateway_close(g);
}
END_TEST

static const struct {
	uint32_t label;
	unsigned inner_family;
	uint32_t inner, outer;
} labels[] = {
	{SA_FLOW_LABEL_COPY, 6, 0xabcde, 0xabcde},
	{SA_FLOW_LABEL_COPY, 6, 0, 0},
	{SA_FLOW_LABEL_COPY, 6, 0xfffff, 0xfffff},
	{SA_FLOW_LABEL_COPY, 4, 0, 0},
	{0, 6, 0xabcde, 0},
	{0x12345, 6, 0xabcde, 0x12345},
	{0xfffff, 4, 0, 0xfffff},
};

START_TEST(the_flow_label_is_copied_or_fixed)
{
	struct sa_spec like = {.flow_label = labels[_i].label, .dscp = COPY};
	struct gateway *g = open_a(&like, 6);
	struct packet p = packet_ab(labels[_i].inner_family);

	p.flow_label = labels[_i].inner;
	p.tos = 0xff;
	send_one(g, &p);
	ck_assert_uint_eq((got[1] & 15u) << 16 | got[2] << 8 | got[3], labels[_i].outer);
	ck_assert_uint_eq(tos_of(got), 0xff);
	gateway_close(g);
}
END_TEST

START_TEST(the_outer_header_is_made_anew)
{
	unsigned outer = _i & 1 ? 6 : 4, inner = _i & 2 ? 6 : 4;
	uint16_t header = outer == 4 ? 20 : 40;
	struct sa_spec like = {.outer_ttl = 1 + 63 * _i};
	struct gateway *g = open_a(&like, outer);

	for (unsigned k = 1; k <= 5; k++) {
		struct packet p = packet_ab(inner);
		uint16_t len;

		p.len = 76 + k;
		p.ttl = 9;
		len = send_one(g, &p);
		/* 8 of header, 8 of IV, the packet, trailer to a multiple of 4, 16 of ICV */
		ck_assert_uint_eq(len, header + 16 + (p.len + 2 + 3) / 4 * 4 + 16);
		if (outer == 4) {
			ck_assert_uint_eq(got[0], 0x45);
			ck_assert_uint_eq(got[4] << 8 | got[5], k); /* unlike in each */
			ck_assert_uint_eq(got[8], like.outer_ttl);
			ck_assert_uint_eq(got[9], IPPROTO_ESP);
			ck_assert_mem_eq(got + 12, site[0].sa[0].src.bytes, 4);
			ck_assert_mem_eq(got + 16, site[0].sa[0].dst.bytes, 4);
		} else {
			ck_assert_uint_eq(got[6], IPPROTO_ESP);
			ck_assert_uint_eq(got[7], like.outer_ttl);
			ck_assert_mem_eq(got + 8, site[0].sa[0].src.bytes, 16);
			ck_assert_mem_eq(got + 24, site[0].sa[0].dst.bytes, 16);
		}
		ck_assert_mem_eq(got + header, "\0\0\x10\1\0\0\0", 7); /* SPI, number */
		ck_assert_uint_eq(got[header + 7], k);
	}
	ck_assert_uint_eq(sa_sequence(g->sa[0]), 6);
	gateway_close(g);
}
END_TEST

/* Of RFC 4303 3.3.3: the last is sent, nothing after it, and nothing begins anew. */
START_TEST(numbers_end_and_do_not_begin_anew)
{
	bool esn = _i;
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);
	struct packet p = packet_ab(4);
	struct gateway *g;
	struct sa_spec *sa;

	crypto.esn = esn;
	site_a(&site[0]);
	site_b(&site[1]);
	sa = site_tunnel(&site[0], &site[1], &crypto, CRYPTO_AESNI_MB, 4).out;
	sa->seq_next = (esn ? UINT64_MAX : UINT64_C(1) << 32) - 3;
	g = gateway_open(&site[0]);
	ck_assert_int_eq(sa_news(g->sa[0]), SA_NUMBERS_LOW);
	ck_assert_int_eq(sa_news(g->sa[0]), SA_NO_NEWS);
	for (unsigned i = 0; i < 10; i++)
		gateway_put(g, LAN, ip, packet_write(&p, ip));
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "out_esp_sequence_end 7");
	ck_assert_int_eq(sa_news(g->sa[0]), SA_NUMBERS_SPENT);
	ck_assert_int_eq(sa_news(g->sa[0]), SA_NO_NEWS);
	for (unsigned i = 0; i < 3; i++) {
		uint32_t seq;

		ck_assert_uint_gt(gateway_take(g, WAN, got), 0);
		memcpy(&seq, got + 24, 4);
		ck_assert_uint_eq(rte_be_to_cpu_32(seq), (uint32_t)(sa->seq_next + i));
	}
	gateway_put(g, LAN, ip, packet_write(&p, ip));
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "out_esp_sequence_end 1");
	ck_assert_uint_eq(gateway_take(g, WAN, got), 0);
	gateway_close(g);
}
END_TEST

START_TEST(at_the_end_of_the_lease_packets_wait_for_the_next)
{
	struct sa_spec like = {.dscp = COPY};
	struct gateway *g = open_a(&like, 4);
	struct packet p = packet_ab(4);
	struct sequence *seq = sa_sequence_numbers(g->sa[0]);

	atomic_store(&seq->limit, 4);
	for (unsigned i = 0; i < 5; i++)
		gateway_put(g, LAN, ip, packet_write(&p, ip));
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "out_lease_wait 2");
	atomic_store(&seq->limit, 6);
	for (unsigned i = 0; i < 2; i++)
		gateway_put(g, LAN, ip, packet_write(&p, ip));
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "");
	for (unsigned i = 1; i <= 5; i++) {
		ck_assert_uint_gt(gateway_take(g, WAN, got), 0);
		ck_assert_uint_eq(got[27], i);
	}
	gateway_close(g);
}
END_TEST

static const struct {
	const char *name, *auth;
	unsigned block, icv;
} suites[] = {
	{"aes-128-gcm", NULL, 4, 16},
	{"aes-128-cbc", "hmac-sha1-96", 16, 12},
	{"aes-256-cbc", "hmac-sha2-512-256", 16, 32},
	{"null", "hmac-sha2-256-128", 4, 16},
};

/* A port may be given buffers that its own MTU outgrows (jumbo frames over 2 KiB): what has no place
 * behind it leaves before a number is spent, and what has just enough goes. */
START_TEST(a_trailer_that_does_not_fit_the_buffer_is_not_written)
{
	unsigned outer = _i & 4 ? 6 : 4, k = _i & 3, fits = 0, not = 0;
	struct crypto_spec crypto = crypto_named(suites[k].name, suites[k].auth);
	struct gateway *g[2];

	crypto.esn = _i & 8;
	site_a(&site[0]);
	site_b(&site[1]);
	for (unsigned s = 0; s < 2; s++)
		site[s].port[LAN].mtu = site[s].port[WAN].mtu = site[s].path_mtu = 9000;
	site[1].data_room = 4096;
	site_tunnel(&site[0], &site[1], &crypto, CRYPTO_AESNI_MB, outer);
	g[0] = gateway_open(&site[0]);
	g[1] = gateway_open(&site[1]);
	for (unsigned len = 1900; len <= 2034; len++) {
		struct packet p = packet_ab(4);
		unsigned text = RTE_ALIGN_MUL_CEIL(len + 2, suites[k].block);
		bool has_room = 14 + text + suites[k].icv <= 2048;
		uint16_t n;

		p.len = len;
		gateway_put(g[0], LAN, ip, packet_write(&p, ip));
		gateway_run(g[0]);
		ck_assert_msg(strcmp(gateway_exits(g[0]), has_room ? "" : "out_esp_no_room 1") == 0,
			"%u bytes: %s", len, g[0]->exits_text);
		fits += has_room;
		not += !has_room;
		n = gateway_take(g[0], WAN, got);
		ck_assert_uint_eq(n > 0, has_room);
		if (!has_room)
			continue;
		gateway_put(g[1], WAN, got, n);
		gateway_run(g[1]);
		ck_assert_str_eq(gateway_exits(g[1]), "");
		ck_assert_uint_eq(gateway_take(g[1], LAN, got), len);
		packet_hops(ip, 2);
		ck_assert_mem_eq(got, ip, len);
	}
	ck_assert_uint_gt(fits, 50);
	ck_assert_uint_gt(not, 10);
	ck_assert_uint_eq(sa_sequence(g[0]->sa[0]), 1 + fits);
	gateway_close(g[0]);
	gateway_close(g[1]);
}
END_TEST

START_TEST(jumbo_packets_pass_where_buffers_hold_them)
{
	unsigned k = _i & 3;
	struct crypto_spec crypto = crypto_named(suites[k].name, suites[k].auth);
	struct gateway *g[2];

	site_a(&site[0]);
	site_b(&site[1]);
	for (unsigned s = 0; s < 2; s++) {
		site[s].port[LAN].mtu = 9000;
		site[s].port[WAN].mtu = site[s].path_mtu = 9200;
		site[s].data_room = 9600;
	}
	site_tunnel(&site[0], &site[1], &crypto, _i / 4, 4);
	g[0] = gateway_open(&site[0]);
	g[1] = gateway_open(&site[1]);
	for (unsigned len = 4032; len <= 9000; len += len < 4112 || len >= 8900 ? 1 : 509) {
		struct packet p = packet_ab(4);

		p.len = len;
		gateway_put(g[0], LAN, ip, packet_write(&p, ip));
		gateway_run(g[0]);
		gateway_put(g[1], WAN, got, gateway_take(g[0], WAN, got));
		gateway_run(g[1]);
		ck_assert_uint_eq(gateway_take(g[1], LAN, got), len);
		packet_hops(ip, 2);
		ck_assert_mem_eq(got, ip, len);
	}
	gateway_close(g[0]);
	gateway_close(g[1]);
}
END_TEST

static int compare_ivs(const void *a, const void *b)
{
	return memcmp(a, b, 16);
}

/* RFC 3602 3, NIST SP 800-38A appendix C: no IV twice, none that anything on the wire foretells. */
START_TEST(cbc_ivs_are_distinct_and_follow_from_nothing_on_the_wire)
{
	static uint8_t iv[2000][16];
	uint8_t last_block[16] = {0};
	struct crypto_spec crypto = crypto_named("aes-128-cbc", "hmac-sha1-96");
	struct packet p = packet_ab(4);
	unsigned ones = 0, n = 0;
	struct gateway *g;
	uint16_t len;

	site_a(&site[0]);
	site_b(&site[1]);
	site_tunnel(&site[0], &site[1], &crypto, _i, 4);
	g = gateway_open(&site[0]);
	packet_write(&p, ip); /* the same each time */
	while (n < RTE_DIM(iv)) {
		for (unsigned i = 0; i < 250; i++)
			gateway_put(g, LAN, ip, p.len);
		gateway_run(g);
		while ((len = gateway_take(g, WAN, got)) > 0) {
			ck_assert_mem_ne(got + 28, last_block, 16);
			memcpy(last_block, got + len - 28, 16);
			memcpy(iv[n++], got + 28, 16);
		}
	}
	for (unsigned i = 1; i < n; i++) {
		for (unsigned bit = 0; bit < 128; bit++)
			ones += (iv[i][bit / 8] ^ iv[i - 1][bit / 8]) >> bit % 8 & 1;
	}
	/* neighbours differ in half of their bits: 64 each, sigma 5.7 / sqrt(2000) = 0.13 */
	ck_assert_double_eq_tol((double)ones / (n - 1), 64.0, 1.0);
	qsort(iv, n, 16, compare_ivs);
	for (unsigned i = 1; i < n; i++)
		ck_assert_mem_ne(iv[i], iv[i - 1], 16);
	gateway_close(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, the_outer_traffic_class_is_copied_or_fixed, 0, RTE_DIM(classes));
	tcase_add_loop_test(t, dont_fragment_is_copied_set_or_cleared, 0, RTE_DIM(dfs));
	tcase_add_loop_test(t, the_flow_label_is_copied_or_fixed, 0, RTE_DIM(labels));
	tcase_add_loop_test(t, the_outer_header_is_made_anew, 0, 4);
	tcase_add_loop_test(t, numbers_end_and_do_not_begin_anew, 0, 2);
	tcase_add_test(t, at_the_end_of_the_lease_packets_wait_for_the_next);
	tcase_add_loop_test(t, a_trailer_that_does_not_fit_the_buffer_is_not_written, 0, 16);
	tcase_add_loop_test(t, jumbo_packets_pass_where_buffers_hold_them, 0, 8);
	tcase_add_loop_test(t, cbc_ivs_are_distinct_and_follow_from_nothing_on_the_wire,
		CRYPTO_OPENSSL, CRYPTO_QAT);
	return pipeline_fixture_main("out_esp", t);
}
