/* SPDX-License-Identifier: BSD-3-Clause */
/* test_in_classify.c - every way in which a frame is refused, punted or judged before there is an SA:
 * on the unprotected side, and the same frames on the protected one (out_classify.c). */
#include <string.h>

#include "pipeline_fixture.h"

static struct site site[2];
static uint8_t ip[PACKET_MAX], frame[PACKET_MAX], got[PACKET_MAX];

static struct sa_spec *open_sites(const char *name, const char *auth, unsigned outer)
{
	struct crypto_spec crypto = crypto_named(name, auth);

	site_a(&site[0]);
	site_b(&site[1]);
	return site_tunnel(&site[0], &site[1], &crypto, CRYPTO_AESNI_MB, outer).in;
}

static void exits_are(struct gateway *g, const char *what, const char *expect)
{
	gateway_run(g);
	ck_assert_msg(strcmp(gateway_exits(g), expect) == 0, "%s: %s, not %s", what, g->exits_text,
		expect);
}

static void nothing_left(struct gateway *g)
{
	ck_assert_uint_eq(gateway_take(g, LAN, got), 0);
	ck_assert_uint_eq(gateway_take(g, WAN, got), 0);
}

/* A frame of a packet to B's hosts, with one thing changed. */
static const struct {
	const char *what;
	unsigned family;
	uint16_t len; /* of the frame; 0: whole */
	uint8_t at, value;
	bool mend; /* the IPv4 checksum */
	const char *exit; /* behind in_ or out_ */
} frames[] = {
	{"no bytes", 4, 1, 0, 0x02, false, "classify_runt 1"},
	{"a runt", 4, 13, 0, 0x02, false, "classify_runt 1"},
	{"another station's", 4, 0, 5, 0x77, false, "classify_mac 1"},
	{"a tag", 4, 0, 12, 0x81, false, "classify_vlan 1"},
	{"another type", 4, 0, 13, 0x05, false, "classify_not_ip 1"},
	{"another version", 4, 0, 14, 0x65, false, "classify_version 1"},
	{"another version in IPv6", 6, 0, 14, 0x40, false, "classify_version 1"},
	{"half an IPv4 header", 4, 24, 0, 0x02, false, "classify_length 1"},
	{"half an IPv6 header", 6, 44, 0, 0x02, false, "classify_length 1"},
	{"a header length of 16", 4, 0, 14, 0x44, true, "classify_length 1"},
	{"a total length beyond the frame", 4, 0, 16, 0x7f, true, "classify_length 1"},
	{"a payload length beyond the frame", 6, 0, 18, 0x7f, false, "classify_length 1"},
	{"a wrong checksum", 4, 0, 15, 0x04, false, "classify_checksum 1"},
	{"options without end", 6, 0, 20, 0, false, "classify_extensions 1"},
};

START_TEST(a_frame_that_is_wrong_leaves_by_its_exit)
{
	struct packet p[2] = {packet_ba(frames[_i].family), packet_ab(frames[_i].family)};
	char expect[64];

	open_sites("aes-128-gcm", NULL, 4);
	for (unsigned port = 0; port < 2; port++) {
		struct gateway *g = gateway_open(&site[1]);
		uint16_t len = frame_write(g, port, ip, packet_write(&p[port], ip), frame);

		frame[14 + 41] = 0xff; /* the length of an option header, if there is one */
		frame[frames[_i].at] = frames[_i].value;
		if (frames[_i].mend)
			packet_checksum4(frame + 14);
		if (frames[_i].len > 0)
			len = frames[_i].len;
		gateway_put_frame(g, port, gateway_frame(g, frame, len, 0));
		snprintf(expect, sizeof(expect), "%s_%s", port == LAN ? "out" : "in",
			frames[_i].exit);
		exits_are(g, frames[_i].what, expect);
		nothing_left(g);
		gateway_close(g);
	}
}
END_TEST

START_TEST(a_packet_without_room_for_headers_leaves)
{
	for (unsigned port = 0; port < 2; port++) {
		struct packet p = port == LAN ? packet_ba(4) : packet_ab(4);
		struct rte_mbuf *m;
		struct gateway *g;
		uint16_t len;

		open_sites("aes-128-gcm", NULL, 4);
		g = gateway_open(&site[1]);
		len = frame_write(g, port, ip, packet_write(&p, ip), frame);
		m = gateway_frame(g, frame, len, 0);
		memmove((uint8_t *)m->buf_addr + 79, rte_pktmbuf_mtod(m, void *), len);
		m->data_off = 79;
		gateway_put_frame(g, port, m);
		/* a chain that one buffer does not hold */
		p.len = 2040;
		len = frame_write(g, port, ip, packet_write(&p, ip), frame);
		gateway_put_frame(g, port, gateway_frame(g, frame, len, 1000));
		exits_are(g, "no room",
			port == LAN ? "out_classify_no_room 2" : "in_classify_no_room 2");
		nothing_left(g);
		gateway_close(g);
	}
}
END_TEST

/* Cut at every byte, ESP inside tags comes through as in one buffer. */
START_TEST(a_chain_cut_anywhere_is_decrypted)
{
	struct sa_spec *sa = open_sites(
		_i ? "aes-128-gcm" : "aes-128-cbc", _i ? NULL : "hmac-sha1-96", _i ? 6 : 4);
	struct packet p = packet_ab(6);
	struct gateway *g;
	uint16_t len;

	site[1].port[WAN].n_vlans = 1;
	site[1].port[WAN].vlan[0] = 9;
	g = gateway_open(&site[1]);
	for (uint16_t cut = 1;; cut++) {
		len = frame_write(g, WAN, ip, esp_seal_packet(sa, cut, &p, ip), frame);
		if (cut >= len)
			break;
		gateway_put_frame(g, WAN, gateway_frame(g, frame, len, cut));
		exits_are(g, "a chain", "");
		ck_assert_uint_eq(gateway_take(g, LAN, got), 100);
		packet_write(&p, ip);
		packet_hops(ip, 1);
		ck_assert_mem_eq(got, ip, 100);
	}
	gateway_close(g);
}
END_TEST

/* To B's WAN address, IPv4; the bytes begin behind the IP header. */
static const struct {
	const char *what;
	uint8_t protocol;
	uint16_t len;
	uint8_t bytes[24];
	const char *exits, *off; /* with the built-in policies, and without */
} ours[] = {
	{"IKE", 17, 36, {1, 244, 1, 244, 0, 16}, "in_ike 1", "in_policy_no_match 1"},
	{"IKE behind the marker", 17, 48, {17, 148, 17, 148, 0, 28, 0, 0, 0, 0, 0, 0, 9},
		"in_ike 1", "in_policy_no_match 1"},
	{"ESP in UDP", 17, 48, {17, 148, 17, 148, 0, 28, 0, 0, 0, 0, 0x10, 1},
		"in_sad_udp_refused 1", "in_sad_udp_refused 1"},
	{"a keepalive", 17, 29, {17, 148, 17, 148, 0, 9, 0, 0, 0xff}, "in_keepalive 1",
		"in_keepalive 1"},
	{"a keepalive of another byte", 17, 29, {17, 148, 17, 148, 0, 9, 0, 0, 0xfe},
		"in_classify_udp_short 1", "in_classify_udp_short 1"},
	{"a keepalive of two bytes", 17, 30, {17, 148, 17, 148, 0, 10, 0, 0, 0xff, 0xff},
		"in_classify_udp_short 1", "in_classify_udp_short 1"},
	{"UDP of no payload", 17, 28, {17, 148, 17, 148, 0, 8}, "in_classify_udp_short 1",
		"in_classify_udp_short 1"},
	{"UDP whose length is beyond the packet", 17, 48, {17, 148, 17, 148, 0, 29},
		"in_classify_udp_short 1", "in_classify_udp_short 1"},
	{"UDP whose length is within its header", 17, 48, {17, 148, 17, 148, 0, 7},
		"in_classify_udp_short 1", "in_classify_udp_short 1"},
	{"UDP to 4500 cut short", 17, 26, {17, 148, 17, 148, 0, 6}, "in_classify_udp_short 1",
		"in_classify_udp_short 1"},
	{"ESP in UDP of 7 bytes", 17, 35, {17, 148, 17, 148, 0, 15, 0, 0, 0, 0, 0x10, 1},
		"in_classify_udp_short 1", "in_classify_udp_short 1"},
	{"UDP to another port", 17, 48, {17, 148, 17, 149, 0, 28}, "in_policy_no_match 1",
		"in_policy_no_match 1"},
	{"ping", 1, 48, {8, 0}, "in_policy_no_match 1", "in_policy_no_match 1"},
	{"ESP of 0 bytes", 50, 20, {0}, "in_classify_esp_short 1", "in_classify_esp_short 1"},
	{"ESP of 7 bytes", 50, 27, {0, 0, 0x10, 1}, "in_classify_esp_short 1",
		"in_classify_esp_short 1"},
	{"ESP of SPI 0", 50, 60, {0, 0, 0, 0, 0, 0, 0, 1}, "in_sad_spi_zero 1",
		"in_sad_spi_zero 1"},
	{"ESP of SPI 1", 50, 60, {0, 0, 0, 1, 0, 0, 0, 1}, "in_sad_spi_reserved 1",
		"in_sad_spi_reserved 1"},
	{"ESP of SPI 255", 50, 60, {0, 0, 0, 255, 0, 0, 0, 1}, "in_sad_spi_reserved 1",
		"in_sad_spi_reserved 1"},
	{"ESP of SPI 256", 50, 60, {0, 0, 1, 0, 0, 0, 0, 1}, "in_sad_unknown 1",
		"in_sad_unknown 1"},
	{"ESP of our SPI's bytes swapped", 50, 60, {0, 0, 1, 0x10, 0, 0, 0, 1}, "in_sad_unknown 1",
		"in_sad_unknown 1"},
};

START_TEST(what_is_for_us_is_sorted_out)
{
	for (unsigned off = 0; off < 2; off++) {
		struct packet p = packet_ab(4);
		struct gateway *g;

		open_sites("aes-128-gcm", NULL, 4);
		site[1].builtins = !off;
		g = gateway_open(&site[1]);
		p.src = "192.0.2.1";
		p.dst = "192.0.2.2";
		p.protocol = ours[_i].protocol;
		p.len = ours[_i].len;
		packet_write(&p, ip);
		memcpy(ip + 20, ours[_i].bytes, RTE_MIN(p.len - 20u, sizeof(ours[_i].bytes)));
		gateway_put(g, WAN, ip, p.len);
		exits_are(g, ours[_i].what, off ? ours[_i].off : ours[_i].exits);
		nothing_left(g);
		gateway_close(g);
	}
}
END_TEST

START_TEST(neighbour_discovery_and_arp_are_punted)
{
	for (unsigned off = 0; off < 2; off++) {
		static const uint8_t types[] = {132, 133, 135, 136, 137, 138};
		struct packet p = packet_ab(6);
		struct gateway *g;
		uint16_t len;

		open_sites("aes-128-gcm", NULL, 4);
		site[1].builtins = !off;
		g = gateway_open(&site[1]);
		p.src = "2001:db8:f::1";
		p.protocol = IPPROTO_ICMPV6;
		for (unsigned k = 0; k < 4 * RTE_DIM(types); k++) {
			bool is_nd = types[k / 4] >= 133 && types[k / 4] <= 137;

			p.dst = k & 1 ? "2001:db8:f::2" : "ff02::1:ff00:2";
			p.ttl = k & 2 ? 255 : 254; /* 254 crossed a router */
			packet_write(&p, ip);
			ip[40] = types[k / 4];
			gateway_put(g, WAN, ip, p.len);
			exits_are(g, "ND",
				is_nd && p.ttl == 255 && !off ? "in_nd 1" : "in_policy_no_match 1");
		}
		len = frame_write(g, WAN, ip, p.len, frame);
		memcpy(frame + 12, "\x08\x06", 2);
		gateway_put_frame(g, WAN, gateway_frame(g, frame, len, 0));
		exits_are(g, "ARP", off ? "in_classify_not_ip 1" : "in_arp 1");
		frame_write(g, LAN, ip, p.len, frame);
		memcpy(frame + 12, "\x08\x06", 2);
		gateway_put_frame(g, LAN, gateway_frame(g, frame, len, 0));
		exits_are(g, "ARP", "out_arp 1");
		nothing_left(g);
		gateway_close(g);
	}
}
END_TEST

static const struct {
	const char *dst, *exits;
	unsigned family;
} locals[] = {
	{"10.1.0.1", "out_local 1", 4},
	{"192.0.2.1", "out_local 1", 4},
	{"2001:db8:1::1", "out_local 1", 6},
	{"2001:db8:f::1", "out_local 1", 6},
	{"224.0.0.251", "out_multicast 1", 4},
	{"255.255.255.255", "out_multicast 1", 4},
	{"ff02::2", "out_multicast 1", 6},
};

START_TEST(what_is_not_to_be_forwarded_is_punted)
{
	struct packet p = packet_ab(locals[_i].family);
	struct gateway *g;

	open_sites("aes-128-gcm", NULL, 4);
	site_policy(&site[0], POLICY_OUT, POLICY_BYPASS, 0, NULL, NULL);
	g = gateway_open(&site[0]);
	p.dst = locals[_i].dst;
	gateway_put(g, LAN, ip, packet_write(&p, ip));
	exits_are(g, p.dst, locals[_i].exits);
	nothing_left(g);
	gateway_close(g);
}
END_TEST

/* RFC 4303 3.4.1: a fragment of ESP is never opened. An atomic one is no fragment (RFC 6946). */
START_TEST(a_fragment_of_esp_is_refused)
{
	static const struct {
		uint16_t v4, v6;
		bool is_fragment;
	} words[] = {{0x4000, 0x0000, false}, {0x2000, 0x0001, true}, {0x2001, 0x0009, true},
		{0x0001, 0x0008, true}};

	for (unsigned outer = 4; outer <= 6; outer += 2) {
		struct sa_spec *sa = open_sites("aes-128-gcm", NULL, outer);
		struct packet p = packet_ab(4);
		struct gateway *g = gateway_open(&site[1]);

		for (unsigned k = 0; k < RTE_DIM(words); k++) {
			uint16_t len = esp_seal_packet(sa, 1 + k, &p, ip);

			if (outer == 4) {
				ip[6] = words[k].v4 >> 8;
				ip[7] = words[k].v4;
				packet_checksum4(ip);
			} else {
				memmove(ip + 48, ip + 40, len - 40);
				len += 8;
				memset(ip + 40, 0, 8);
				ip[5] += 8;
				ip[6] = IPPROTO_FRAGMENT;
				ip[40] = IPPROTO_ESP;
				ip[42] = words[k].v6 >> 8;
				ip[43] = words[k].v6;
			}
			gateway_put(g, WAN, ip, len);
			exits_are(g, "a fragment",
				words[k].is_fragment ? "in_classify_fragment 1" : "");
			ck_assert_uint_eq(
				gateway_take(g, LAN, got), words[k].is_fragment ? 0 : p.len);
		}
		gateway_close(g);
	}
}
END_TEST

START_TEST(esp_behind_extension_headers_is_found)
{
	struct sa_spec *sa = open_sites("aes-128-gcm", NULL, 6);
	struct packet p = packet_ab(4);
	struct gateway *g = gateway_open(&site[1]);
	static const uint8_t headers[] = {
		IPPROTO_DSTOPTS, 0, 1, 4, 0, 0, 0, 0, IPPROTO_ESP, 0, 1, 4, 0, 0, 0, 0};

	for (unsigned n = 1; n <= 2; n++) {
		uint16_t len = esp_seal_packet(sa, n, &p, ip), more = 8 * n;

		memmove(ip + 40 + more, ip + 40, len - 40);
		memcpy(ip + 40, headers + sizeof(headers) - more, more);
		ip[5] += more;
		ip[6] = n == 2 ? IPPROTO_HOPOPTS : IPPROTO_DSTOPTS;
		gateway_put(g, WAN, ip, len + more);
		exits_are(g, "ESP behind options", "");
		ck_assert_uint_eq(gateway_take(g, LAN, got), p.len);
	}
	gateway_close(g);
}
END_TEST

static const struct {
	const char *name, *auth;
	unsigned overhead, block; /* behind the IP header without text; text is a multiple of */
} suites[] = {
	{"aes-128-gcm", NULL, 8 + 8 + 16, 4},
	{"aes-128-cbc", "hmac-sha1-96", 8 + 16 + 12, 16},
	{"aes-256-cbc", "hmac-sha2-512-256", 8 + 16 + 32, 16},
	{"null", "hmac-sha2-256-128", 8 + 16, 4},
};

/* Every length of ESP from none to a few blocks, for a known and an unknown SPI. */
START_TEST(tiny_esp_leaves_by_its_length)
{
	unsigned k = _i / 2, outer = _i % 2 ? 6 : 4, header = outer == 4 ? 20 : 40;
	struct sa_spec *sa = open_sites(suites[k].name, suites[k].auth, outer);
	struct gateway *g = gateway_open(&site[1]);

	for (unsigned len = 0; len < suites[k].overhead + 40; len++) {
		struct packet p = packet_ab(outer);
		const char *expect = "in_finish_icv 1";
		int text = len - suites[k].overhead;

		p.src = outer == 4 ? "192.0.2.1" : "2001:db8:f::1";
		p.dst = outer == 4 ? "192.0.2.2" : "2001:db8:f::2";
		p.protocol = IPPROTO_ESP;
		p.len = header + len;
		packet_write(&p, ip);
		memcpy(ip + header, "\0\0\x10\1\0\0\0\x7", RTE_MIN(len, 8u));
		if (len < 8)
			expect = "in_classify_esp_short 1";
		else if (text < 2)
			expect = "in_esp_short 1";
		else if (text % suites[k].block != 0)
			expect = "in_esp_misaligned 1";
		gateway_put(g, WAN, ip, p.len);
		exits_are(g, suites[k].name, expect);
		if (len >= 8) {
			ip[header]++;
			gateway_put(g, WAN, ip, p.len);
			exits_are(g, "unknown", "in_sad_unknown 1");
		}
	}
	ck_assert_uint_eq(sa_sequence(g->sa[0]), sa->seq_top);
	nothing_left(g);
	gateway_close(g);
}
END_TEST

START_TEST(esp_that_is_not_for_us_is_judged_like_any_packet)
{
	struct sa_spec *sa = open_sites("aes-128-gcm", NULL, 4);
	struct packet p = packet_ab(4);
	struct gateway *g = gateway_open(&site[1]);
	uint16_t len = esp_seal_packet(sa, 1, &p, ip);

	memcpy(ip + 16, "\x0a\x02\x00\x09", 4);
	packet_checksum4(ip);
	gateway_put(g, WAN, ip, len);
	exits_are(g, "transit ESP", "in_policy_no_match 1");
	memcpy(ip + 16, "\x0a\x02\x00\x01", 4); /* ours, but not where the SA ends */
	packet_checksum4(ip);
	gateway_put(g, WAN, ip, len);
	exits_are(g, "ESP to another of our addresses", "in_sad_unknown 1");
	nothing_left(g);
	gateway_close(g);
}
END_TEST

/* RFC 4301 5.2: what a policy protects does not come in clear. */
static const struct {
	bool has_policy;
	enum policy_action action;
	const char *exits;
} clears[] = {
	{false, 0, "in_policy_no_match 1"},
	{true, POLICY_PROTECT, "in_policy_clear 1"},
	{true, POLICY_DISCARD, "in_policy_discard 1"},
	{true, POLICY_BYPASS, ""},
};

START_TEST(clear_text_is_judged)
{
	for (unsigned family = 4; family <= 6; family += 2) {
		struct packet p = packet_ab(family);
		struct gateway *g;

		open_sites("aes-128-gcm", NULL, 4);
		site[1].n_policies = 0;
		if (clears[_i].has_policy)
			site_policy(&site[1], POLICY_IN, clears[_i].action, 1, NULL, NULL);
		g = gateway_open(&site[1]);
		gateway_put(g, WAN, ip, packet_write(&p, ip));
		exits_are(g, "clear", clears[_i].exits);
		ck_assert_uint_eq(
			gateway_take(g, LAN, got), clears[_i].exits[0] == '\0' ? p.len : 0);
		nothing_left(g);
		gateway_close(g);
	}
}
END_TEST

/* RFC 4301 5.2 step 4: the right key, and an inner packet that its policies do not name. */
static const struct {
	unsigned family;
	const char *src, *dst;
	uint32_t reqid; /* of the SA */
	const char *exits;
} inners[] = {
	{4, "10.1.0.9", "10.2.0.9", 1, ""}, {4, "10.1.0.9", "10.2.0.9", 2, "in_policy_selectors 1"},
	{4, "10.9.0.9", "10.2.0.9", 1, "in_policy_selectors 1"},
	{4, "10.1.0.9", "10.2.1.9", 1, "in_policy_selectors 1"},
	{4, "10.2.0.9", "10.1.0.9", 1, "in_policy_selectors 1"},
	{6, "2001:db8:1::9", "2001:db8:2::9", 1, ""},
	{6, "2001:db8:9::9", "2001:db8:2::9", 1, "in_policy_selectors 1"},
	{4, "10.5.0.9", "10.2.0.9", 1, "in_policy_selectors 1"}, /* which a policy lets in clear */
};

START_TEST(an_sa_carries_what_its_policies_allow)
{
	struct sa_spec *sa = open_sites("aes-128-gcm", NULL, 4);
	struct packet p = packet_ab(inners[_i].family);
	struct gateway *g;

	site_policy(&site[1], POLICY_IN, POLICY_BYPASS, 0, "10.5.0.0/24", NULL);
	sa->reqid = inners[_i].reqid;
	g = gateway_open(&site[1]);
	p.src = inners[_i].src;
	p.dst = inners[_i].dst;
	gateway_put(g, WAN, ip, esp_seal_packet(sa, 1, &p, ip));
	exits_are(g, p.src, inners[_i].exits);
	ck_assert_uint_eq(gateway_take(g, LAN, got), inners[_i].exits[0] == '\0' ? p.len : 0);
	nothing_left(g);
	gateway_close(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, a_frame_that_is_wrong_leaves_by_its_exit, 0, RTE_DIM(frames));
	tcase_add_test(t, a_packet_without_room_for_headers_leaves);
	tcase_add_loop_test(t, a_chain_cut_anywhere_is_decrypted, 0, 2);
	tcase_add_loop_test(t, what_is_for_us_is_sorted_out, 0, RTE_DIM(ours));
	tcase_add_test(t, neighbour_discovery_and_arp_are_punted);
	tcase_add_loop_test(t, what_is_not_to_be_forwarded_is_punted, 0, RTE_DIM(locals));
	tcase_add_test(t, a_fragment_of_esp_is_refused);
	tcase_add_test(t, esp_behind_extension_headers_is_found);
	tcase_add_loop_test(t, tiny_esp_leaves_by_its_length, 0, 2 * RTE_DIM(suites));
	tcase_add_test(t, esp_that_is_not_for_us_is_judged_like_any_packet);
	tcase_add_loop_test(t, clear_text_is_judged, 0, RTE_DIM(clears));
	tcase_add_loop_test(t, an_sa_carries_what_its_policies_allow, 0, RTE_DIM(inners));
	return pipeline_fixture_main("in_classify", t);
}
