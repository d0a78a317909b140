/* SPDX-License-Identifier: BSD-3-Clause */
/* test_in_finish.c - what an authentic packet may hold, what a forged one changes, and which marks of
 * congestion come in. The peer is OpenSSL's EVP. */
#include <string.h>

#include "pipeline_fixture.h"

static const struct suite {
	const char *name, *auth;
} suites[] = {
	{"aes-128-gcm", NULL},
	{"aes-256-gcm", NULL},
	{"aes-128-cbc", "hmac-sha1-96"},
	{"aes-256-cbc", "hmac-sha2-512-256"},
	{"null", "hmac-sha2-256-128"},
	{"aes-128-gmac", NULL},
	{"aes-128-ccm", NULL},
};

/* Of encrypted padding nothing is looked at where the ICV is the cipher's own. */
static bool is_padding_seen(const struct suite *s)
{
	return s->auth != NULL || strstr(s->name, "gmac") != NULL;
}

static struct site site[2];
static uint8_t payload[PACKET_MAX], ip[PACKET_MAX], got[PACKET_MAX];

/* B alone; A is what the test plays. */
static struct gateway *open_b(const struct suite *s, enum crypto_provider provider, unsigned outer,
	bool esn, struct sa_spec **sa)
{
	struct crypto_spec crypto = crypto_named(s->name, s->auth);

	crypto.esn = esn;
	site_a(&site[0]);
	site_b(&site[1]);
	*sa = site_tunnel(&site[0], &site[1], &crypto, provider, outer).in;
	return gateway_open(&site[1]);
}

static uint64_t top(const struct gateway *g)
{
	return sa_sequence(g->sa[0]);
}

/* How a payload ends, and what becomes of it. */
#define AS_IT_SHOULD -1
#define WHOLE        -2 /* the pad length claims all there is */
#define TOO_MUCH     -3 /* and a byte more */

/* clang-format off */
static const struct {
	const char *what;
	unsigned family;
	uint16_t len, tfc; /* of the inner packet, and bytes behind it */
	int pad; /* length field */
	uint8_t first; /* byte of the padding, 1 is right */
	uint8_t extra; /* padding beyond what alignment asks for, a multiple of 16 */
	uint8_t next;
	const char *aead, *separate; /* exits */
} endings[] = {
	{"IPv4", 4, 100, 0, AS_IT_SHOULD, 1, 0, 4, "", ""},
	{"IPv6", 6, 100, 0, AS_IT_SHOULD, 1, 0, 41, "", ""},
	{"smallest IPv4", 4, 20, 0, AS_IT_SHOULD, 1, 0, 4, "", ""},
	{"smallest IPv6", 6, 40, 0, AS_IT_SHOULD, 1, 0, 41, "", ""},
	{"TFC behind IPv4", 4, 84, 100, AS_IT_SHOULD, 1, 0, 4, "", ""},
	{"TFC behind IPv6", 6, 100, 100, AS_IT_SHOULD, 1, 0, 41, "", ""},
	{"TFC of a byte", 4, 84, 1, AS_IT_SHOULD, 1, 0, 4, "", ""},
	{"more padding than needed", 4, 84, 0, AS_IT_SHOULD, 1, 240, 4, "", ""},
	{"pad length 255", 4, 100, 0, 255, 1, 0, 4, "in_finish_pad_length 1", "in_finish_pad_length 1"},
	{"pad length of a byte too much", 4, 100, 0, TOO_MUCH, 1, 0, 4, "in_finish_pad_length 1", "in_finish_pad_length 1"},
	{"pad length of everything", 4, 100, 0, WHOLE, 1, 0, 4, "in_finish_inner 1", "in_finish_padding 1"},
	{"padding 0, 1, 2", 4, 91, 0, AS_IT_SHOULD, 0, 16, 4, "", "in_finish_padding 1"},
	{"padding 2, 3, 4", 6, 91, 0, AS_IT_SHOULD, 2, 16, 41, "", "in_finish_padding 1"},
	{"a dummy", 4, 100, 0, AS_IT_SHOULD, 1, 0, 59, "in_finish_dummy 1", "in_finish_dummy 1"},
	{"a dummy of no bytes", 0, 0, 0, AS_IT_SHOULD, 1, 0, 59, "in_finish_dummy 1", "in_finish_dummy 1"},
	{"a dummy of one byte", 0, 0, 1, AS_IT_SHOULD, 1, 0, 59, "in_finish_dummy 1", "in_finish_dummy 1"},
	{"IPv4 said to be IPv6", 4, 100, 0, AS_IT_SHOULD, 1, 0, 41, "in_finish_next_header 1", "in_finish_next_header 1"},
	{"IPv6 said to be IPv4", 6, 100, 0, AS_IT_SHOULD, 1, 0, 4, "in_finish_next_header 1", "in_finish_next_header 1"},
	{"TCP without an IP header", 4, 100, 0, AS_IT_SHOULD, 1, 0, 6, "in_finish_next_header 1", "in_finish_next_header 1"},
	{"ESP in ESP", 4, 100, 0, AS_IT_SHOULD, 1, 0, 50, "in_finish_next_header 1", "in_finish_next_header 1"},
	{"hop-by-hop options", 4, 100, 0, AS_IT_SHOULD, 1, 0, 0, "in_finish_next_header 1", "in_finish_next_header 1"},
	{"IPv4 of no bytes", 0, 0, 0, AS_IT_SHOULD, 1, 0, 4, "in_finish_inner 1", "in_finish_inner 1"},
	{"IPv6 of no bytes", 0, 0, 0, AS_IT_SHOULD, 1, 0, 41, "in_finish_inner 1", "in_finish_inner 1"},
	{"zeroes said to be IPv4", 0, 0, 40, AS_IT_SHOULD, 1, 0, 4, "in_finish_next_header 1", "in_finish_next_header 1"},
};
/* clang-format on */

static uint16_t write_ending(unsigned i, const struct sa_spec *sa, uint8_t *inner)
{
	struct packet p = packet_ab(endings[i].family == 6 ? 6 : 4);
	uint16_t len = endings[i].len + endings[i].tfc, n;

	p.len = RTE_MAX(endings[i].len, 40);
	if (endings[i].family == 4 || endings[i].family == 6) {
		p.len = endings[i].len;
		packet_write(&p, inner);
	}
	memset(inner + endings[i].len, endings[i].family != 0 ? 0x5a : 0, endings[i].tfc);
	n = esp_payload(sa, inner, len, endings[i].next, payload);
	if (endings[i].extra > 0) {
		n += endings[i].extra;
		payload[n - 1] = endings[i].next;
		payload[n - 2] = n - 2 - len;
	}
	for (uint16_t k = len; k < n - 2; k++)
		payload[k] = k - len + endings[i].first;
	if (endings[i].pad >= 0)
		payload[n - 2] = endings[i].pad;
	else if (endings[i].pad != AS_IT_SHOULD)
		payload[n - 2] = n - 2 + (endings[i].pad == TOO_MUCH);
	return n;
}

START_TEST(a_payload_is_taken_for_what_its_end_says)
{
	for (unsigned s = 0; s < RTE_DIM(suites); s++) {
		const char *exits =
			is_padding_seen(&suites[s]) ? endings[_i].separate : endings[_i].aead;
		uint8_t inner[512];
		struct sa_spec *sa;
		struct gateway *g = open_b(&suites[s], s % 2, s % 3 ? 4 : 6, false, &sa);
		uint16_t n = write_ending(_i, sa, inner);

		gateway_put(g, WAN, ip, esp_seal(sa, 7, payload, n, ip));
		gateway_run(g);
		ck_assert_msg(strcmp(gateway_exits(g), exits) == 0, "%s, %s: %s", endings[_i].what,
			suites[s].name, g->exits_text);
		ck_assert_uint_eq(top(g), 7); /* it was authentic: its number is used */
		ck_assert_uint_eq(sa_count_of(g->sa[0]).packets, exits[0] == '\0');
		if (exits[0] == '\0') {
			ck_assert_uint_eq(gateway_take(g, LAN, got), endings[_i].len);
			packet_hops(inner, 1);
			ck_assert_mem_eq(got, inner, endings[_i].len);
			ck_assert_uint_eq(sa_count_of(g->sa[0]).bytes, endings[_i].len);
		}
		ck_assert_uint_eq(gateway_take(g, LAN, got), 0);
		/* and the next good one passes */
		struct packet p = packet_ab(4);

		gateway_put(g, WAN, ip, esp_seal_packet(sa, 8, &p, ip));
		gateway_run(g);
		ck_assert_uint_eq(gateway_take(g, LAN, got), p.len);
		ck_assert_str_eq(gateway_exits(g), "");
		gateway_close(g);
	}
}
END_TEST

/* Bytes of the inner header that are wrong although authentic. */
static const struct {
	const char *what;
	unsigned family;
	uint8_t at, value;
	bool mend; /* the checksum */
} inners[] = {
	{"a total length beyond the payload", 4, 2, 1, true},
	{"a total length within the header", 4, 3, 19, true},
	{"a header length of 16", 4, 0, 0x44, true}, {"a wrong checksum", 4, 10, 0, false},
	{"a payload length beyond the payload", 6, 4, 1, false},
	{"extension headers beyond the end", 6, 6, 0,
		false}, /* the first byte is a length of 0xff */
};

START_TEST(a_wrong_inner_header_is_refused)
{
	struct packet p = packet_ab(inners[_i].family);
	uint8_t inner[100];
	struct sa_spec *sa;
	struct gateway *g = open_b(&suites[0], CRYPTO_AESNI_MB, 4, false, &sa);
	uint16_t n;

	packet_write(&p, inner);
	inner[41] = 0xff;
	inner[inners[_i].at] = inners[_i].mend ? inners[_i].value : inner[inners[_i].at] ^ 1;
	if (inners[_i].family == 6)
		inner[inners[_i].at] = inners[_i].value;
	if (inners[_i].mend)
		packet_checksum4(inner);
	n = esp_payload(sa, inner, p.len, inners[_i].family == 4 ? 4 : 41, payload);
	gateway_put(g, WAN, ip, esp_seal(sa, 7, payload, n, ip));
	gateway_run(g);
	ck_assert_msg(strcmp(gateway_exits(g), "in_finish_inner 1") == 0, "%s: %s", inners[_i].what,
		g->exits_text);
	ck_assert_uint_eq(top(g), 7);
	gateway_close(g);
}
END_TEST

/* Every bit of number, IV, first and last ciphertext and ICV, one at a time. */
START_TEST(a_bit_changed_anywhere_is_found_and_moves_nothing)
{
	const struct suite *s = &suites[_i % RTE_DIM(suites)];
	bool esn = s->auth == NULL && _i % 2;
	struct packet p = packet_ab(4);
	struct sa_spec *sa;
	struct gateway *g = open_b(s, _i / RTE_DIM(suites), 4, esn, &sa);
	uint16_t len = esp_seal_packet(sa, 1000, &p, ip);
	unsigned iv_len = g->sa[0]->shape.iv_len, icv_len = g->sa[0]->shape.icv_len;
	unsigned text = 28 + iv_len, flipped = 0, batch = 0;
	char told[64];

	for (unsigned at = 24; at < len; at++) {
		if (at >= text + 1u && at + icv_len + 1 < len)
			continue;
		for (unsigned bit = 0; bit < 8; bit++, batch++, flipped++) {
			if (batch == BURST_MAX) {
				gateway_run(g);
				batch = 0;
			}
			ip[at] ^= 1 << bit;
			gateway_put(g, WAN, ip, len);
			ip[at] ^= 1 << bit;
		}
	}
	gateway_run(g);
	snprintf(told, sizeof(told), "in_finish_icv %u", flipped);
	ck_assert_str_eq(gateway_exits(g), told);
	ck_assert_uint_eq(top(g), 0);
	ck_assert_uint_eq(sa_count_of(g->sa[0]).packets, 0);
	ck_assert_uint_eq(gateway_take(g, LAN, got), 0);
	gateway_put(g, WAN, ip, len);
	gateway_run(g);
	ck_assert_uint_eq(gateway_take(g, LAN, got), p.len);
	gateway_close(g);
}
END_TEST

/* GMAC with ESN moves the SPI for the time of the crypto. What is behind a refusal stays in memory. */
START_TEST(a_refused_header_is_as_it_came)
{
	struct packet p = packet_ab(4);
	struct sa_spec *sa;
	unsigned outer = _i ? 4 : 6;
	struct gateway *g =
		open_b(&(struct suite){"aes-128-gmac", NULL}, CRYPTO_AESNI_MB, outer, true, &sa);
	uint16_t len = esp_seal_packet(sa, 100, &p, ip), n;
	uint8_t frame[PACKET_MAX + L2_LEN_MAX];
	struct rte_mbuf *m;
	const uint8_t *at;

	ip[len - 1] ^= 1;
	n = frame_write(g, WAN, ip, len, frame);
	m = gateway_frame(g, frame, n, 0);
	at = rte_pktmbuf_mtod_offset(m, const uint8_t *, n - len);
	gateway_put_frame(g, WAN, m);
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "in_finish_icv 1");
	ck_assert_mem_eq(at, ip, len);
	gateway_close(g);
}
END_TEST

START_TEST(forged_numbers_leave_the_window_alone)
{
	struct packet p = packet_ab(4);
	struct sa_spec *sa;
	struct gateway *g = open_b(&suites[_i], CRYPTO_AESNI_MB, 4, suites[_i].auth == NULL, &sa);

	gateway_put(g, WAN, ip, esp_seal_packet(sa, 100, &p, ip));
	for (unsigned i = 0; i < 250; i++) {
		/* far ahead, and behind the window, which with ESN stands for the next 2^32 */
		uint16_t len = esp_seal_packet(
			sa, i % 2 && sa->esn ? 1 + i % 30 : 0x7ffffff0u + i, &p, ip);

		ip[len - 1] ^= 1;
		gateway_put(g, WAN, ip, len);
	}
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "in_finish_icv 250");
	ck_assert_uint_eq(top(g), 100);
	for (unsigned seq = 37; seq < 100; seq++)
		gateway_put(g, WAN, ip, esp_seal_packet(sa, seq, &p, ip));
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "");
	ck_assert_uint_eq(sa_count_of(g->sa[0]).packets, 64);
	gateway_close(g);
}
END_TEST

START_TEST(of_copies_in_one_burst_one_passes)
{
	struct packet p = packet_ab(4);
	struct sa_spec *sa;
	struct gateway *g = open_b(&suites[_i], CRYPTO_AESNI_MB, 4, false, &sa);
	uint16_t len = esp_seal_packet(sa, 5, &p, ip);

	for (unsigned i = 0; i < 40; i++)
		gateway_put(g, WAN, ip, len);
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "in_finish_replay 39"); /* all looked new at first */
	gateway_put(g, WAN, ip, len);
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "in_esp_replay 1");
	ck_assert_uint_eq(sa_count_of(g->sa[0]).packets, 1);
	ck_assert_uint_eq(gateway_take(g, LAN, got), p.len);
	ck_assert_uint_eq(gateway_take(g, LAN, got), 0);
	gateway_close(g);
}
END_TEST

START_TEST(a_burst_moves_the_window_past_its_own_late_packets)
{
	struct packet p = packet_ab(4);
	struct sa_spec *sa;
	struct gateway *g = open_b(&suites[0], CRYPTO_AESNI_MB, 4, false, &sa);

	/* 5 looked right before the burst; 200 came first and left it behind. */
	gateway_put(g, WAN, ip, esp_seal_packet(sa, 200, &p, ip));
	gateway_put(g, WAN, ip, esp_seal_packet(sa, 5, &p, ip));
	gateway_put(g, WAN, ip, esp_seal_packet(sa, 136, &p, ip));
	gateway_put(g, WAN, ip, esp_seal_packet(sa, 137, &p, ip));
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "in_finish_replay 2");
	gateway_put(g, WAN, ip, esp_seal_packet(sa, 137, &p, ip));
	gateway_put(g, WAN, ip, esp_seal_packet(sa, 136, &p, ip));
	gateway_put(g, WAN, ip, esp_seal_packet(sa, 0, &p, ip));
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "in_esp_replay 3");
	gateway_close(g);
}
END_TEST

START_TEST(extended_numbers_cross_2_to_the_32_within_a_burst)
{
	uint64_t epoch = UINT64_C(0x01020304) << 32, edge = epoch - 100;
	struct packet p = packet_ab(4);
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);
	struct gateway *g;
	struct sa_spec *sa;

	crypto.esn = true;
	site_a(&site[0]);
	site_b(&site[1]);
	sa = site_tunnel(&site[0], &site[1], &crypto, CRYPTO_AESNI_MB, 4).in;
	sa->seq_top = edge;
	g = gateway_open(&site[1]);
	for (unsigned i = 2; i <= 200; i++)
		gateway_put(g, WAN, ip, esp_seal_packet(sa, edge + (i ^ 1), &p, ip));
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "");
	ck_assert_uint_eq(top(g), edge + 201);
	/* 200 is missing yet, and was seen by nobody: late, but of this epoch */
	gateway_put(g, WAN, ip, esp_seal_packet(sa, edge + 200, &p, ip));
	gateway_put(g, WAN, ip, esp_seal_packet(sa, edge + 199, &p, ip));
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "in_esp_replay 1");
	gateway_close(g);
}
END_TEST

/* RFC 6040 figure 4. Rows: inner; columns: outer Not-ECT, ECT(1), ECT(0), CE. -1: dropped. */
static const int8_t decap[4][4] = {
	[0] = {0, 0, 0, -1},
	[1] = {1, 1, 1, 3},
	[2] = {2, 1, 2, 3},
	[3] = {3, 3, 3, 3},
};

static uint8_t *set_outer_ecn(uint8_t *at, uint8_t ecn)
{
	if (at[0] >> 4 == 6) {
		at[1] = (at[1] & 0xcf) | ecn << 4;
	} else {
		at[1] = (at[1] & 0xfc) | ecn;
		packet_checksum4(at);
	}
	return at;
}

static uint8_t tos_of(const uint8_t *at)
{
	return at[0] >> 4 == 4 ? at[1] : (uint8_t)(at[0] << 4 | at[1] >> 4);
}

START_TEST(marks_of_congestion_come_in_as_rfc_6040_says)
{
	unsigned outer = _i & 1 ? 6 : 4, inner = _i & 2 ? 6 : 4;
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);
	enum sa_ecn mode = _i / 4;
	struct gateway *g;
	struct sa_spec *sa;
	uint64_t seq = 0;

	site_a(&site[0]);
	site_b(&site[1]);
	sa = site_tunnel(&site[0], &site[1], &crypto, CRYPTO_AESNI_MB, outer).in;
	sa->ecn = mode;
	g = gateway_open(&site[1]);
	for (unsigned i = 0; i < 4; i++) {
		for (unsigned o = 0; o < 4; o++) {
			struct packet p = packet_ab(inner);
			int8_t expect = mode == SA_ECN_OFF ? (int8_t)i : decap[i][o];
			uint16_t len;

			p.tos = 0xb8 | i;
			len = esp_seal_packet(sa, ++seq, &p, ip);
			gateway_put(g, WAN, set_outer_ecn(ip, o), len);
			gateway_run(g);
			ck_assert_str_eq(gateway_exits(g), expect < 0 ? "in_finish_ecn 1" : "");
			/* gateway_take() holds the checksum of IPv4 to be right */
			ck_assert_uint_eq(gateway_take(g, LAN, got), expect < 0 ? 0 : p.len);
			if (expect >= 0)
				ck_assert_uint_eq(tos_of(got), 0xb8 | expect);
			ck_assert_uint_eq(top(g), seq);
		}
	}
	gateway_close(g);
}
END_TEST

START_TEST(an_inner_checksum_is_right_after_a_mark_whatever_it_was)
{
	struct sa_spec *sa;
	struct gateway *g = open_b(&suites[0], CRYPTO_AESNI_MB, 4, false, &sa);
	uint8_t inner[28];
	uint64_t seq = 1;

	for (unsigned id = 0; id < 0x10000;
		id += 16) { /* IDs turn the checksum all the way round */
		struct packet p = packet_ab(4);
		uint16_t n;

		p.len = 28;
		p.tos = 2 + (id >> 4) % 2 * 0xfc - (id >> 5) % 2; /* ECT(0) and ECT(1) */
		packet_write(&p, inner);
		inner[4] = id >> 8;
		inner[5] = id;
		packet_checksum4(inner);
		n = esp_payload(sa, inner, 28, 4, payload);
		n = esp_seal(sa, seq++, payload, n, ip);
		gateway_put(g, WAN, set_outer_ecn(ip, 3), n);
		if (seq % BURST_MAX == 0) {
			gateway_run(g);
			while (gateway_take(g, LAN, got) > 0)
				ck_assert_uint_eq(got[1] & 3, 3);
		}
	}
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), "");
	while (gateway_take(g, LAN, got) > 0)
		;
	gateway_close(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, a_payload_is_taken_for_what_its_end_says, 0, RTE_DIM(endings));
	tcase_add_loop_test(t, a_wrong_inner_header_is_refused, 0, RTE_DIM(inners));
	tcase_add_loop_test(
		t, a_bit_changed_anywhere_is_found_and_moves_nothing, 0, 2 * RTE_DIM(suites));
	tcase_add_loop_test(t, a_refused_header_is_as_it_came, 0, 2);
	tcase_add_loop_test(t, forged_numbers_leave_the_window_alone, 0, RTE_DIM(suites));
	tcase_add_loop_test(t, of_copies_in_one_burst_one_passes, 0, RTE_DIM(suites));
	tcase_add_test(t, a_burst_moves_the_window_past_its_own_late_packets);
	tcase_add_test(t, extended_numbers_cross_2_to_the_32_within_a_burst);
	tcase_add_loop_test(t, marks_of_congestion_come_in_as_rfc_6040_says, 0, 12);
	tcase_add_test(t, an_inner_checksum_is_right_after_a_mark_whatever_it_was);
	return pipeline_fixture_main("in_finish", t);
}
