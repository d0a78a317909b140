/* SPDX-License-Identifier: BSD-3-Clause */
/* test_reference.c - the bench's references do the crypto that they are measured by: what they encipher
 * opens by another path, and no changed packet passes them. */
#include <check.h>
#include <errno.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ip.h>
#include <stdio.h>
#include <stdlib.h>

#include "crypto_dp.h"
#include "oracle.h"
#include "reference_kind.h"

#define SAS     3
#define BURST   200 /* more than intel-ipsec-mb takes at once */
#define TEXT_AT 64 /* from the start of a packet: where a flaw is in the text */
#define ROOM    (2048 + RTE_PKTMBUF_HEADROOM)

static const char *const suites[] = {
	"aes-128-gcm",
	"aes-192-gcm",
	"aes-256-gcm",
	"aes-128-gcm-8",
	"aes-256-gcm-12",
	"chacha20-poly1305",
	"aes-128-cbc+hmac-sha1-96",
	"aes-256-cbc+hmac-sha2-256-128",
	"aes-192-cbc+hmac-sha2-384-192",
	"aes-128-ctr+hmac-sha2-512-256",
};

static const uint16_t sizes[] = {64, 65, 78, 79, 100, 333, 1399, 1400};

static struct wire lan, wan;
static struct rte_mempool *pool;
static struct suite suite;
static struct oracle *oracle;
static struct reference *reference;
static struct subject out, in;

/* False: it cannot do this suite, as it says itself. */
static bool open_reference(enum reference_kind kind, const char *name)
{
	struct reference_setup setup = {&suite, SAS, 1, BURST, &lan, &wan};
	struct why why;
	int rc;

	ck_assert_msg(suite_find(name, &suite, &why) == 0, "%s", why.text);
	rc = reference_open(&setup, kind, &reference, &why);
	if (rc == -ENOTSUP)
		return false;
	ck_assert_msg(rc == 0, "%s", why.text);
	ck_assert_msg(oracle_open(&suite, SAS, &oracle, &why) == 0, "%s", why.text);
	reference_subject(reference, false, &out);
	reference_subject(reference, true, &in);
	return true;
}

static void close_reference(void)
{
	reference_close(reference);
	oracle_close(oracle);
	ck_assert_uint_eq(rte_mempool_in_use_count(pool), 0);
}

/* The inner packet of a flow, with padding and trailer behind it, which a reference does not write. */
static void write_inner(uint8_t *ip, uint16_t size, uint32_t flow)
{
	struct rte_ipv4_hdr *h = (struct rte_ipv4_hdr *)ip;
	uint16_t block = suite.aead != NULL ? 4 : RTE_MAX(suite.cipher->block, 4);
	uint16_t text_len = RTE_ALIGN_CEIL(size + 2, block), pad = text_len - size - 2;

	for (uint16_t i = 0; i < size; i++)
		ip[i] = i * 13 + size;
	*h = (struct rte_ipv4_hdr){
		.version_ihl = RTE_IPV4_VHL_DEF,
		.total_length = rte_cpu_to_be_16(size),
		.time_to_live = 64,
		.next_proto_id = IPPROTO_UDP,
		.src_addr = rte_cpu_to_be_32(TRAFFIC_SRC),
		.dst_addr = rte_cpu_to_be_32(TRAFFIC_DST + flow),
	};
	for (uint16_t i = 0; i < pad; i++)
		ip[size + i] = i + 1;
	ip[text_len - 2] = pad;
	ip[text_len - 1] = IPPROTO_IPIP;
}

static struct rte_mbuf *new_packet(const struct wire *w)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool);

	ck_assert_ptr_nonnull(m);
	ck_assert_int_eq(rte_ring_enqueue(w->in[0], m), 0);
	return m;
}

static void send_inner(uint16_t size, uint32_t flow)
{
	struct rte_mbuf *m = new_packet(&lan);

	write_inner(rte_pktmbuf_mtod_offset(m, uint8_t *, RTE_ETHER_HDR_LEN), size, flow);
	m->data_len = m->pkt_len = RTE_ETHER_HDR_LEN + size;
}

/* Flawed: one bit is not as it was, this far from the start of the IP packet or, below zero, from its
 * end. */
static void send_esp(uint16_t size, uint32_t sa, int flaw)
{
	static uint32_t seq;
	struct rte_mbuf *m = new_packet(&wan);
	uint8_t *ip = rte_pktmbuf_mtod_offset(m, uint8_t *, RTE_ETHER_HDR_LEN), inner[2048];
	uint16_t len;

	write_inner(inner, size, sa);
	len = oracle_seal(oracle, sa, rte_cpu_to_be_32(TRAFFIC_PEER + sa),
		rte_cpu_to_be_32(TRAFFIC_LOCAL),
		rte_cpu_to_be_32(TRAFFIC_SPI + TRAFFIC_SPI_IN + sa), ++seq, inner, size, ip);
	ck_assert_uint_gt(len, 0);
	if (flaw != 0)
		ip[flaw > 0 ? flaw : len + flaw] ^= 0x10;
	m->data_len = m->pkt_len = RTE_ETHER_HDR_LEN + len;
}

static struct rte_mbuf *receive(const struct wire *w)
{
	struct rte_mbuf *m = NULL;

	ck_assert_int_eq(rte_ring_dequeue(w->out[0], (void **)&m), 0);
	return m;
}

/* librte_ipsec makes the whole packet; what the others leave out is put before the text. */
static uint16_t whole_esp(const struct rte_mbuf *m, uint64_t n, uint16_t size, uint8_t *to)
{
	struct rte_ipv4_hdr *h = (struct rte_ipv4_hdr *)to;
	uint16_t len = oracle_sealed_len(&suite, size);
	uint8_t iv_len = (suite.aead != NULL ? suite.aead : suite.cipher)->iv_len;
	uint8_t *text = to + ORACLE_OUTER_LEN + REFERENCE_ESP_LEN + iv_len;

	if (reference->way == &reference_rte_ipsec) {
		ck_assert_uint_eq(m->pkt_len, len);
		memcpy(to, rte_pktmbuf_mtod(m, void *), len);
		h->hdr_checksum = 0;
	} else {
		memset(to, 0, text - to);
		memcpy(text - 8, &n, 8);
		memcpy(text, (uint8_t *)m->buf_addr + RTE_PKTMBUF_HEADROOM + RTE_ETHER_HDR_LEN,
			len - (text - to));
	}
	h->hdr_checksum = rte_ipv4_cksum(h);
	return len;
}

static void check_sent(uint64_t n, uint16_t size, uint32_t flow)
{
	struct rte_mbuf *m = receive(&wan);
	uint8_t esp[2048], wanted[2048], *inner = NULL;
	uint16_t len = whole_esp(m, n, size, esp);

	ck_assert_uint_eq(oracle_unseal(oracle, flow % SAS, esp, len, &inner), size);
	write_inner(wanted, size, flow);
	ck_assert_mem_eq(inner, wanted, size);
	rte_pktmbuf_free(m);
}

START_TEST(what_goes_out_opens_by_another_path)
{
	for (enum reference_kind kind = 0; kind < REFERENCES; kind++) {
		uint64_t sent = 0;

		if (!open_reference(kind, suites[_i]))
			continue;
		for (unsigned i = 0; i < BURST; i++)
			send_inner(sizes[i % RTE_DIM(sizes)], i);
		ck_assert_uint_eq(out.round(out.arg, 0), BURST);
		for (unsigned i = 0; i < BURST; i++)
			check_sent(++sent, sizes[i % RTE_DIM(sizes)], i);
		ck_assert_uint_eq(out.failures(out.arg), 0);
		close_reference();
	}
}
END_TEST

static void check_opened(uint16_t size, uint32_t sa)
{
	struct rte_mbuf *m = receive(&lan);
	uint8_t *at = rte_pktmbuf_mtod(m, uint8_t *), wanted[2048];

	write_inner(wanted, size, sa);
	if (reference->way != &reference_rte_ipsec)
		at += RTE_ETHER_HDR_LEN + ORACLE_OUTER_LEN + REFERENCE_ESP_LEN +
		      (suite.aead != NULL ? suite.aead : suite.cipher)->iv_len;
	else
		ck_assert_uint_eq(m->pkt_len, size);
	ck_assert_mem_eq(at, wanted, size);
	rte_pktmbuf_free(m);
}

START_TEST(what_comes_in_is_opened)
{
	for (enum reference_kind kind = 0; kind < REFERENCES; kind++) {
		if (!open_reference(kind, suites[_i]))
			continue;
		for (unsigned i = 0; i < BURST; i++)
			send_esp(sizes[i % RTE_DIM(sizes)], i % SAS, 0);
		ck_assert_uint_eq(in.round(in.arg, 0), BURST);
		ck_assert_uint_eq(in.failures(in.arg), 0);
		for (unsigned i = 0; i < BURST; i++)
			check_opened(sizes[i % RTE_DIM(sizes)], i % SAS);
		close_reference();
	}
}
END_TEST

/* Of an IP packet of ESP: the sequence number, the IV, the text, both ends of the ICV. */
static const int flaws[] = {
	ORACLE_OUTER_LEN + 7,
	ORACLE_OUTER_LEN + REFERENCE_ESP_LEN,
	TEXT_AT,
	-1,
	-8,
};

START_TEST(a_changed_packet_is_a_failure)
{
	for (enum reference_kind kind = 0; kind < REFERENCES; kind++) {
		if (!open_reference(kind, suites[_i]))
			continue;
		for (unsigned i = 0; i < RTE_DIM(flaws); i++) {
			send_esp(100, 0, 0);
			send_esp(100, 1, flaws[i]);
			send_esp(1400, 2, 0);
			ck_assert_uint_eq(in.round(in.arg, 0), 3);
			ck_assert_msg(in.failures(in.arg) == i + 1, "%s, flaw at %d: %lu failures",
				reference_name(kind), flaws[i], in.failures(in.arg));
			for (unsigned k = 0; k < 3; k++)
				rte_pktmbuf_free(receive(&lan));
		}
		ck_assert_uint_eq(out.failures(out.arg), RTE_DIM(flaws));
		close_reference();
	}
}
END_TEST

/* Which references a suite has. */
START_TEST(those_that_can_do_a_suite_do)
{
	static const struct {
		const char *suite;
		bool can[REFERENCES];
	} rows[] = {
		{"aes-128-gcm", {true, true, true, true, true, true}},
		{"aes-128-cbc+hmac-sha1-96", {true, false, false, true, true, true}},
		{"chacha20-poly1305", {true, false, false, true, false, true}},
	};

	for (unsigned i = 0; i < RTE_DIM(rows); i++) {
		for (enum reference_kind kind = 0; kind < REFERENCES; kind++) {
			bool can = open_reference(kind, rows[i].suite);

			if (can)
				close_reference();
			ck_assert_msg(can == rows[i].can[kind], "%s, %s", rows[i].suite,
				reference_name(kind));
		}
	}
}
END_TEST

static void init_eal(void)
{
	char *argv[] = {"test", "--no-huge", "-m", "256", "--no-pci", "--no-shconf",
		"--no-telemetry", "--log-level=error"};

	if (rte_eal_init(RTE_DIM(argv), argv) < 0) {
		fprintf(stderr, "no EAL: %s\n", rte_strerror(rte_errno));
		exit(EXIT_FAILURE);
	}
}

int main(void)
{
	Suite *s = suite_create("reference");
	TCase *t = tcase_create("all");
	struct why why = {0};
	SRunner *r;
	int failed;

	init_eal();
	pool = rte_pktmbuf_pool_create("packets", 511, 0, CRYPTO_JOB_SIZE, ROOM, 0);
	if (pool == NULL || wire_open(&lan, "lan", 1, &why) < 0 ||
		wire_open(&wan, "wan", 1, &why) < 0) {
		fprintf(stderr, "no wires: %s\n", why.text);
		return EXIT_FAILURE;
	}
	tcase_set_timeout(t, 0);
	tcase_add_loop_test(t, what_goes_out_opens_by_another_path, 0, RTE_DIM(suites));
	tcase_add_loop_test(t, what_comes_in_is_opened, 0, RTE_DIM(suites));
	tcase_add_loop_test(t, a_changed_packet_is_a_failure, 0, RTE_DIM(suites));
	tcase_add_test(t, those_that_can_do_a_suite_do);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	wire_close(&lan);
	wire_close(&wan);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
