/* SPDX-License-Identifier: BSD-3-Clause */
/* test_ip_measure.c - what is measured of an IP packet, and that nothing behind its bytes is read. */
#include "ip_measure.h"

#include "guarded.h"
#include "pipeline_fixture.h"

/* An IPv6 packet: these extension headers, each naming the next, then the upper layer's bytes. */
struct chain {
	const char *what;
	uint8_t type[10]; /* of each header, 0xff ends; the last is the upper layer's */
	uint8_t words[10]; /* of 8 bytes, of each extension header */
	uint16_t fragment; /* offset and flags of a fragment header */
	uint8_t upper; /* bytes of the upper layer */
	enum measure_verdict verdict;
	uint8_t protocol, opaque, flags;
	uint16_t l4_ofs, sport, dport;
};

#define HBH  IPPROTO_HOPOPTS
#define RH   IPPROTO_ROUTING
#define FH   IPPROTO_FRAGMENT
#define DO   IPPROTO_DSTOPTS
#define UDP  IPPROTO_UDP
#define LATE (FACT_FRAGMENT | FACT_LATER_FRAGMENT)

/* clang-format off */
static const struct chain chains[] = {
	{"UDP", {UDP, 0xff}, {0}, 0, 8, MEASURE_OK, UDP, 0, 0, 40, 0x0102, 0x0304},
	{"TCP", {6, 0xff}, {0}, 0, 20, MEASURE_OK, 6, 0, 0, 40, 0x0102, 0x0304},
	{"SCTP", {132, 0xff}, {0}, 0, 12, MEASURE_OK, 132, 0, 0, 40, 0x0102, 0x0304},
	{"ICMPv6", {58, 0xff}, {0}, 0, 8, MEASURE_OK, 58, 0, 0, 40, 1, 2},
	{"MH", {135, 0xff}, {0}, 0, 8, MEASURE_OK, 135, 0, 0, 40, 3, 0},
	{"no next header", {59, 0xff}, {0}, 0, 4, MEASURE_OK, 59, SPD_OPAQUE_PORTS, 0, 40, 0, 0},
	{"ESP", {50, 0xff}, {0}, 0, 32, MEASURE_OK, 50, SPD_OPAQUE_PORTS, 0, 40, 0, 0},
	{"nothing at all", {UDP, 0xff}, {0}, 0, 0, MEASURE_OK, UDP, SPD_OPAQUE_PORTS, 0, 40, 0, 0},
	{"half of the ports", {UDP, 0xff}, {0}, 0, 3, MEASURE_OK, UDP, SPD_OPAQUE_PORTS, 0, 40, 0, 0},
	{"just the ports", {UDP, 0xff}, {0}, 0, 4, MEASURE_OK, UDP, 0, 0, 40, 0x0102, 0x0304},
	{"an ICMPv6 type without code", {58, 0xff}, {0}, 0, 1, MEASURE_OK, 58, SPD_OPAQUE_PORTS, 0, 40, 0, 0},
	{"an MH without type", {135, 0xff}, {0}, 0, 2, MEASURE_OK, 135, SPD_OPAQUE_PORTS, 0, 40, 0, 0},
	{"HBH", {HBH, UDP, 0xff}, {1}, 0, 8, MEASURE_OK, UDP, 0, 0, 48, 0x0102, 0x0304},
	{"HBH of 2048 bytes", {HBH, UDP, 0xff}, {0}, 0, 8, MEASURE_OK, UDP, 0, 0, 40 + 2048, 0x0102, 0x0304},
	{"HBH, DestOpt", {HBH, DO, UDP, 0xff}, {1, 2}, 0, 8, MEASURE_OK, UDP, 0, 0, 64, 0x0102, 0x0304},
	{"Routing", {RH, UDP, 0xff}, {3}, 0, 8, MEASURE_OK, UDP, 0, 0, 64, 0x0102, 0x0304},
	{"atomic fragment", {FH, UDP, 0xff}, {1}, 0, 8, MEASURE_OK, UDP, 0, 0, 48, 0x0102, 0x0304},
	{"atomic, reserved bits set", {FH, UDP, 0xff}, {1}, 0x0006, 8, MEASURE_OK, UDP, 0, 0, 48, 0x0102, 0x0304},
	{"first fragment", {FH, UDP, 0xff}, {1}, 0x0001, 8, MEASURE_OK, UDP, 0, FACT_FRAGMENT, 48, 0x0102, 0x0304},
	{"later fragment", {FH, UDP, 0xff}, {1}, 0x0009, 8, MEASURE_OK, UDP, SPD_OPAQUE_PORTS, LATE, 48, 0, 0},
	{"last fragment", {FH, UDP, 0xff}, {1}, 0x0008, 8, MEASURE_OK, UDP, SPD_OPAQUE_PORTS, LATE, 48, 0, 0},
	{"later fragment of DestOpt", {FH, DO, 0xff}, {1}, 0x0008, 8, MEASURE_OK, DO,
		SPD_OPAQUE_PORTS | SPD_OPAQUE_PROTOCOL, LATE, 48, 0, 0},
	{"later fragment of ESP", {FH, 50, 0xff}, {1}, 0x0008, 8, MEASURE_OK, 50, SPD_OPAQUE_PORTS, LATE, 48, 0, 0},
	{"HBH, first fragment, DestOpt", {HBH, FH, DO, UDP, 0xff}, {1, 1, 1}, 1, 8, MEASURE_OK, UDP, 0,
		FACT_FRAGMENT, 64, 0x0102, 0x0304},
	{"eight", {HBH, DO, DO, DO, DO, DO, DO, DO, UDP, 0xff}, {1, 1, 1, 1, 1, 1, 1, 1}, 0, 8, MEASURE_OK,
		UDP, 0, 0, 104, 0x0102, 0x0304},
	{"nine", {HBH, DO, DO, DO, DO, DO, DO, DO, DO, UDP}, {1, 1, 1, 1, 1, 1, 1, 1, 1}, 0, 8,
		MEASURE_EXTENSIONS, 0, 0, 0, 0, 0, 0},
};
/* clang-format on */

static uint8_t packet[8192];

/* 0 words stand for 256, which the length byte can't say otherwise. */
static uint16_t chain_write(const struct chain *c)
{
	uint16_t at = 40;
	unsigned i = 0;

	memset(packet, 0, sizeof(packet));
	packet[0] = 0x60;
	packet[6] = c->type[0];
	packet[7] = 64;
	packet[8] = packet[24] = 0x20;
	for (; i < 9 && c->type[i + 1] != 0xff; i++) {
		uint16_t words = c->words[i] == 0 ? 256 : c->words[i];

		packet[at] = c->type[i + 1];
		packet[at + 1] = words - 1;
		if (c->type[i] == FH) {
			packet[at + 1] = 0xff; /* reserved: of no meaning */
			packet[at + 2] = c->fragment >> 8;
			packet[at + 3] = c->fragment;
		}
		at += words * 8;
	}
	for (uint8_t k = 0; k < c->upper; k++)
		packet[at + k] = k + 1;
	at += c->upper;
	packet[4] = (at - 40) >> 8;
	packet[5] = at - 40;
	return at;
}

static void facts_are(const struct facts *f, const struct chain *c, uint16_t len)
{
	ck_assert_msg(f->family == 6 && f->len == len, "%s: length", c->what);
	ck_assert_msg(f->protocol == c->protocol, "%s: protocol %u", c->what, f->protocol);
	ck_assert_msg(f->opaque == c->opaque, "%s: opaque %#x", c->what, f->opaque);
	ck_assert_msg(f->flags == c->flags, "%s: flags %#x", c->what, f->flags);
	ck_assert_msg(f->l4_ofs == c->l4_ofs, "%s: upper layer at %u", c->what, f->l4_ofs);
	ck_assert_msg(f->sport == c->sport && f->dport == c->dport, "%s: ports %#x %#x", c->what,
		f->sport, f->dport);
}

START_TEST(extension_headers_are_walked_to_the_upper_layer)
{
	const struct chain *c = &chains[_i];
	uint16_t len = chain_write(c);
	struct facts f;

	ck_assert_msg(ip_measure6(guarded_copy(packet, len), len, &f) == c->verdict, "%s", c->what);
	if (c->verdict == MEASURE_OK)
		facts_are(&f, c, len);
}
END_TEST

START_TEST(a_packet_cut_anywhere_is_refused_and_nothing_behind_is_read)
{
	uint16_t len = chain_write(&chains[_i]);
	struct facts f;

	for (uint16_t have = 0; have < len; have++) {
		enum measure_verdict v = ip_measure6(guarded_copy(packet, have), have, &f);

		ck_assert_msg(v == MEASURE_LENGTH, "%s cut at %u", chains[_i].what, have);
	}
}
END_TEST

/* The length in the header agrees with the cut: now the extension headers are what doesn't fit. */
START_TEST(a_chain_that_outgrows_the_payload_is_refused)
{
	const struct chain *c = &chains[_i];
	uint16_t whole = chain_write(c);
	uint16_t last = c->verdict == MEASURE_OK ? c->l4_ofs : 40 + 9 * 8;
	struct facts f;

	for (uint16_t have = 40; have < whole; have++) {
		uint8_t *ip = guarded_copy(packet, have);
		enum measure_verdict v;

		ip[4] = (have - 40) >> 8;
		ip[5] = have - 40;
		v = ip_measure6(ip, have, &f);
		if (have < last)
			ck_assert_msg(v == MEASURE_EXTENSIONS, "%s, payload cut at %u: %u", c->what,
				have, v);
		else if (c->verdict == MEASURE_OK)
			ck_assert_msg(v == MEASURE_OK && f.len == have && f.l4_ofs == last,
				"%s, payload cut at %u: %u", c->what, have, v);
	}
}
END_TEST

/* clang-format off */
static const struct {
	const char *what;
	uint8_t ihl, version;
	uint16_t total, have, fragment;
	uint8_t protocol;
	bool bad_sum;
	const char *dst;
	enum measure_verdict verdict;
	uint8_t opaque, flags;
	uint16_t sport, dport;
} v4s[] = {
	{"UDP", 5, 4, 28, 28, 0, 17, false, "10.0.0.1", MEASURE_OK, 0, 0, 0x0102, 0x0304},
	{"with padding behind", 5, 4, 28, 46, 0, 17, false, "10.0.0.1", MEASURE_OK, 0, 0, 0x0102, 0x0304},
	{"longest options", 15, 4, 68, 68, 0, 17, false, "10.0.0.1", MEASURE_OK, 0, 0, 0x0102, 0x0304},
	{"options that fill the packet", 15, 4, 60, 60, 0, 17, false, "10.0.0.1", MEASURE_OK, SPD_OPAQUE_PORTS, 0, 0, 0},
	{"header only", 5, 4, 20, 20, 0, 17, false, "10.0.0.1", MEASURE_OK, SPD_OPAQUE_PORTS, 0, 0, 0},
	{"three bytes of ports", 5, 4, 23, 23, 0, 17, false, "10.0.0.1", MEASURE_OK, SPD_OPAQUE_PORTS, 0, 0, 0},
	{"ICMP", 5, 4, 28, 28, 0, 1, false, "10.0.0.1", MEASURE_OK, 0, 0, 1, 2},
	{"ICMP of one byte", 5, 4, 21, 21, 0, 1, false, "10.0.0.1", MEASURE_OK, SPD_OPAQUE_PORTS, 0, 0, 0},
	{"ESP", 5, 4, 60, 60, 0, 50, false, "10.0.0.1", MEASURE_OK, SPD_OPAQUE_PORTS, 0, 0, 0},
	{"DF alone", 5, 4, 28, 28, 0x4000, 17, false, "10.0.0.1", MEASURE_OK, 0, 0, 0x0102, 0x0304},
	{"first fragment", 5, 4, 28, 28, 0x2000, 17, false, "10.0.0.1", MEASURE_OK, 0, FACT_FRAGMENT, 0x0102, 0x0304},
	{"later fragment", 5, 4, 28, 28, 0x2001, 17, false, "10.0.0.1", MEASURE_OK, SPD_OPAQUE_PORTS, LATE, 0, 0},
	{"last fragment", 5, 4, 28, 28, 0x1fff, 17, false, "10.0.0.1", MEASURE_OK, SPD_OPAQUE_PORTS, LATE, 0, 0},
	{"multicast", 5, 4, 28, 28, 0, 17, false, "239.255.0.1", MEASURE_OK, 0, FACT_GROUP, 0x0102, 0x0304},
	{"broadcast", 5, 4, 28, 28, 0, 17, false, "255.255.255.255", MEASURE_OK, 0, FACT_GROUP, 0x0102, 0x0304},
	{"wrong checksum", 5, 4, 28, 28, 0, 17, true, "10.0.0.1", MEASURE_CHECKSUM, 0, 0, 0, 0},
	{"version 6", 5, 6, 28, 28, 0, 17, false, "10.0.0.1", MEASURE_VERSION, 0, 0, 0, 0},
	{"version 0", 5, 0, 28, 28, 0, 17, false, "10.0.0.1", MEASURE_VERSION, 0, 0, 0, 0},
	{"header of 16", 4, 4, 28, 28, 0, 17, false, "10.0.0.1", MEASURE_LENGTH, 0, 0, 0, 0},
	{"header of 0", 0, 4, 28, 28, 0, 17, false, "10.0.0.1", MEASURE_LENGTH, 0, 0, 0, 0},
	{"header beyond the total", 6, 4, 23, 28, 0, 17, false, "10.0.0.1", MEASURE_LENGTH, 0, 0, 0, 0},
	{"header beyond the frame", 15, 4, 28, 28, 0, 17, false, "10.0.0.1", MEASURE_LENGTH, 0, 0, 0, 0},
	{"total of 0", 5, 4, 0, 28, 0, 17, false, "10.0.0.1", MEASURE_LENGTH, 0, 0, 0, 0},
	{"total of 19", 5, 4, 19, 28, 0, 17, false, "10.0.0.1", MEASURE_LENGTH, 0, 0, 0, 0},
	{"total beyond the frame", 5, 4, 29, 28, 0, 17, false, "10.0.0.1", MEASURE_LENGTH, 0, 0, 0, 0},
};
/* clang-format on */

static void v4_write(unsigned i)
{
	struct packet p = packet_ab(4);

	p.len = RTE_MAX(v4s[i].have, 60);
	p.protocol = v4s[i].protocol;
	p.dst = v4s[i].dst;
	packet_write(&p, packet);
	packet[0] = v4s[i].version << 4 | v4s[i].ihl;
	packet[2] = v4s[i].total >> 8;
	packet[3] = v4s[i].total;
	packet[6] = v4s[i].fragment >> 8;
	packet[7] = v4s[i].fragment;
	memcpy(packet + RTE_MAX(v4s[i].ihl * 4, 20), "\x01\x02\x03\x04", 4);
	packet_checksum4(packet);
	if (v4s[i].bad_sum)
		packet[10] ^= 1;
}

START_TEST(an_ipv4_header_is_measured)
{
	struct facts f;
	enum measure_verdict v;

	v4_write(_i);
	v = ip_measure4(guarded_copy(packet, v4s[_i].have), v4s[_i].have, &f);
	ck_assert_msg(v == v4s[_i].verdict, "%s: %u", v4s[_i].what, v);
	if (v != MEASURE_OK)
		return;
	ck_assert_msg(f.family == 4 && f.len == v4s[_i].total && f.l4_ofs == v4s[_i].ihl * 4 &&
			      f.protocol == v4s[_i].protocol,
		"%s", v4s[_i].what);
	ck_assert_msg(f.opaque == v4s[_i].opaque && f.flags == v4s[_i].flags, "%s: %#x %#x",
		v4s[_i].what, f.opaque, f.flags);
	ck_assert_msg(
		f.sport == v4s[_i].sport && f.dport == v4s[_i].dport, "%s: ports", v4s[_i].what);
}
END_TEST

START_TEST(an_ipv4_packet_cut_anywhere_is_refused)
{
	struct facts f;

	v4_write(_i);
	for (uint16_t have = 0; have < v4s[_i].total && have < v4s[_i].have; have++) {
		enum measure_verdict v = ip_measure4(guarded_copy(packet, have), have, &f);

		ck_assert_msg(v == MEASURE_LENGTH || v == v4s[_i].verdict, "%s cut at %u: %u",
			v4s[_i].what, have, v);
		ck_assert_msg(v != MEASURE_OK, "%s cut at %u", v4s[_i].what, have);
	}
}
END_TEST

START_TEST(an_ipv6_header_is_measured)
{
	uint16_t len = chain_write(&chains[0]);
	struct facts f;

	packet[0] = 0x40;
	ck_assert_int_eq(ip_measure6(guarded_copy(packet, len), len, &f), MEASURE_VERSION);
	packet[0] = 0x60;
	packet[5]++;
	ck_assert_int_eq(ip_measure6(guarded_copy(packet, len), len, &f), MEASURE_LENGTH);
	packet[5] -= 2; /* a byte of padding behind */
	ck_assert_int_eq(ip_measure6(guarded_copy(packet, len), len, &f), MEASURE_OK);
	ck_assert_uint_eq(f.len, len - 1);
	packet[4] = packet[5] = 0xff;
	ck_assert_int_eq(ip_measure6(guarded_copy(packet, len), len, &f), MEASURE_LENGTH);
	chain_write(&chains[0]);
	packet[24] = 0xff;
	ck_assert_int_eq(ip_measure6(guarded_copy(packet, len), len, &f), MEASURE_OK);
	ck_assert_uint_eq(f.flags, FACT_GROUP);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, extension_headers_are_walked_to_the_upper_layer, 0, RTE_DIM(chains));
	tcase_add_loop_test(
		t, a_packet_cut_anywhere_is_refused_and_nothing_behind_is_read, 0, RTE_DIM(chains));
	tcase_add_loop_test(t, a_chain_that_outgrows_the_payload_is_refused, 0, RTE_DIM(chains));
	tcase_add_loop_test(t, an_ipv4_header_is_measured, 0, RTE_DIM(v4s));
	tcase_add_loop_test(t, an_ipv4_packet_cut_anywhere_is_refused, 0, RTE_DIM(v4s));
	tcase_add_test(t, an_ipv6_header_is_measured);
	return check_in_process("ip_measure", t);
}
