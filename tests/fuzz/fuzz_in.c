/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_in.c - frames with changed bytes into both sides of a gateway: nothing crashes, nothing that
 * the SPD did not let out leaves in clear, and the books close.
 *
 * fuzz_in FRAMES SEED. The same numbers give the same changes; keys are new in each run. */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline_fixture.h"

static struct site site[2];
static unsigned long n_frames;
static uint64_t state;

/* xorshift64* */
static uint32_t any(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * UINT64_C(2685821657736338717) >> 32;
}

static uint32_t below(uint32_t n)
{
	return any() % n;
}

static const struct {
	const char *name, *auth;
	unsigned outer;
	bool esn;
} suites[] = {
	{"aes-128-gcm", NULL, 4, false},
	{"aes-128-gcm", NULL, 6, true},
	{"aes-128-cbc", "hmac-sha1-96", 4, false},
	{"null", "hmac-sha2-256-128", 6, false},
	{"aes-128-gmac", NULL, 4, true},
	{"aes-128-gmac", NULL, 6, false},
	{"aes-128-ccm", NULL, 4, true},
};

/* An inner packet, authentic whatever its bytes and its trailer are: behind the ICV is where
 * most of what parses is. */
static uint16_t write_esp(const struct sa_spec *sa, uint8_t *ip)
{
	static uint64_t seq;
	uint8_t inner[2048], payload[2304];
	struct packet p = packet_ab(below(2) ? 4 : 6);
	uint16_t len;

	p.len = 40 + below(200);
	p.ttl = below(4);
	p.tos = any();
	len = packet_write(&p, inner);
	for (unsigned n = below(4); n > 0; n--)
		inner[below(RTE_MIN(len, 64u))] = any();
	if (p.family == 4 && below(2))
		packet_checksum4(inner);
	len = esp_payload(sa, inner, len, p.family == 4 ? IPPROTO_IPIP : IPPROTO_IPV6, payload);
	if (below(4) == 0)
		payload[len - 1 - below(2)] = any();
	return esp_seal(sa, ++seq, payload, len, ip);
}

static uint16_t write_clear(uint8_t *ip, bool from_lan)
{
	static const uint8_t protocols[] = {0, 1, 6, 17, 43, 44, 50, 51, 58, 59, 60, 132, 135};
	static const char *const to[2][4] = {{"10.2.0.9", "10.1.0.9", "192.0.2.2", "224.0.0.1"},
		{"2001:db8:2::9", "2001:db8:1::9", "2001:db8:f::2", "ff02::1"}};
	unsigned is6 = below(2);
	struct packet p = from_lan ? packet_ba(is6 ? 6 : 4) : packet_ab(is6 ? 6 : 4);

	p.dst = to[is6][below(4)];
	p.protocol = protocols[below(RTE_DIM(protocols))];
	p.len = 40 + below(1500);
	p.ttl = below(4);
	p.dport = below(2) ? 4500 : 500;
	return packet_write(&p, ip);
}

static void mutate(uint8_t *frame, uint16_t *len)
{
	uint8_t *ip = frame + 14;

	for (unsigned n = below(4); n > 0; n--)
		frame[12 + below(RTE_MIN(*len - 12u, 90u))] = any();
	if (ip[0] >> 4 == 4 && (ip[0] & 15) * 4 + 14 <= *len && below(4) > 0)
		packet_checksum4(ip);
	if (below(8) == 0)
		*len = 1 + below(*len);
	else if (below(8) == 0) {
		memset(frame + *len, any(), 40);
		*len += 40;
	}
}

static void put_any(struct gateway *g)
{
	static uint8_t ip[PACKET_MAX], frame[PACKET_MAX];
	uint16_t port = below(3) == 0 ? LAN : WAN, len;

	if (port == WAN && below(4) > 0)
		len = write_esp(&site[1].sa[below(RTE_DIM(suites))], ip);
	else
		len = write_clear(ip, port == LAN);
	len = frame_write(g, port, ip, len, frame);
	mutate(frame, &len);
	gateway_put_frame(g, port, gateway_frame(g, frame, len, below(8) == 0 ? below(len) : 0));
}

START_TEST(the_books_close_whatever_the_bytes_are)
{
	static uint8_t got[PACKET_MAX];
	struct worker_stats stats;
	struct gateway *g;

	site_a(&site[0]);
	site_b(&site[1]);
	for (unsigned i = 0; i < RTE_DIM(suites); i++) {
		struct crypto_spec crypto = crypto_named(suites[i].name, suites[i].auth);
		struct tunnel t;

		crypto.esn = suites[i].esn;
		t = site_tunnel(&site[0], &site[1], &crypto, i % 2, suites[i].outer);
		t.in->window = 65536;
	}
	for (unsigned i = 0; i < RTE_DIM(suites); i++) {
		struct crypto_spec crypto = crypto_named(suites[i].name, suites[i].auth);

		site_tunnel(&site[1], &site[0], &crypto, i % 2, suites[i].outer);
	}
	g = gateway_open(&site[1]);
	for (unsigned long i = 0; i < n_frames; i++) {
		put_any(g);
		if (i % 64 != 63)
			continue;
		gateway_run(g); /* holds the books to be closed and every buffer to be somewhere */
		while (gateway_take(g, LAN, got) > 0)
			;
		while (gateway_take(g, WAN, got) > 0) {
			uint8_t protocol = got[0] >> 4 == 4 ? got[9] : got[6];

			ck_assert_uint_eq(protocol, IPPROTO_ESP);
		}
	}
	gateway_run(g);
	stats = gateway_stats(g);
	ck_assert_uint_eq(stats.received, n_frames);
	ck_assert_uint_gt(stats.sent, n_frames / 100); /* it was not all refused at the door */
	ck_assert_uint_gt(stats.exit[EXIT_IN_FINISH_INNER], 0);
	printf("%lu frames, %lu sent: %s\n", n_frames, stats.sent, gateway_exits(g));
	gateway_close(g);
}
END_TEST

int main(int argc, char **argv)
{
	TCase *t = tcase_create("all");

	if (argc != 3) {
		fprintf(stderr, "usage: fuzz_in FRAMES SEED\n");
		return EXIT_FAILURE;
	}
	n_frames = strtoul(argv[1], NULL, 0);
	state = strtoull(argv[2], NULL, 0) | 1;
	tcase_add_test(t, the_books_close_whatever_the_bytes_are);
	return pipeline_fixture_main("fuzz_in", t);
}
