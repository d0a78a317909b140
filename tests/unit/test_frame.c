/* SPDX-License-Identifier: BSD-3-Clause */
/* test_frame.c - which frames are for a port, what is taken off them, and that nothing behind a frame
 * is read. */
#include "frame.h"

#include "guarded.h"
#include "pipeline_fixture.h"

static const uint8_t our_mac[6] = {0x02, 0, 0, 0, 0, 1};
static struct rte_mempool *pool;
static struct rte_mbuf_ext_shared_info shared;

static void free_nothing(void *at, void *arg)
{
	(void)at;
	(void)arg;
}

/* A packet whose last byte is the last that may be read. */
static struct rte_mbuf *mbuf_of(const uint8_t *frame, uint16_t len)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool);
	uint8_t *first = guarded_copy(frame, len);
	uint16_t headroom = RTE_PKTMBUF_HEADROOM;

	shared.free_cb = free_nothing;
	rte_mbuf_ext_refcnt_set(&shared, 1);
	rte_pktmbuf_attach_extbuf(m, first - headroom, 0, headroom + len, &shared);
	m->data_off = headroom;
	m->data_len = m->pkt_len = len;
	return m;
}

#define STRIPPED 0x1000 /* the device took off a tag of this VLAN */

/* clang-format off */
static const struct {
	const char *what;
	const char *dst; /* of the frame */
	uint8_t n_vlans;
	uint16_t vlan[2]; /* of the port */
	uint8_t tags[10]; /* of the frame */
	uint8_t n_tag_bytes;
	uint16_t stripped;
	uint16_t type;
	enum frame_verdict verdict;
} frames[] = {
	{"for us", "\x02\0\0\0\0\1", 0, {0}, {0}, 0, 0, 0x0800, FRAME_OK},
	{"for another", "\x02\0\0\0\0\2", 0, {0}, {0}, 0, 0, 0x0800, FRAME_MAC},
	{"broadcast of a unicast packet", "\xff\xff\xff\xff\xff\xff", 0, {0}, {0}, 0, 0, 0x0800, FRAME_MAC},
	{"multicast of a unicast packet", "\x01\0\x5e\0\0\1", 0, {0}, {0}, 0, 0, 0x0800, FRAME_MAC},
	{"ARP for all", "\xff\xff\xff\xff\xff\xff", 0, {0}, {0}, 0, 0, 0x0806, FRAME_ARP},
	{"ARP for us", "\x02\0\0\0\0\1", 0, {0}, {0}, 0, 0, 0x0806, FRAME_ARP},
	{"ARP for another", "\x02\0\0\0\0\2", 0, {0}, {0}, 0, 0, 0x0806, FRAME_MAC},
	{"LLC", "\x02\0\0\0\0\1", 0, {0}, {0}, 0, 0, 0x0026, FRAME_NOT_IP},
	{"MPLS", "\x02\0\0\0\0\1", 0, {0}, {0}, 0, 0, 0x8847, FRAME_NOT_IP},
	{"IPv6's type before IPv4", "\x02\0\0\0\0\1", 0, {0}, {0}, 0, 0, 0x86dd, FRAME_VERSION},
	{"a priority tag", "\x02\0\0\0\0\1", 0, {0}, {0x81, 0, 0xe0, 0}, 4, 0, 0x0800, FRAME_OK},
	{"an S-tag of VID 0", "\x02\0\0\0\0\1", 0, {0}, {0x88, 0xa8, 0, 0}, 4, 0, 0x0800, FRAME_VLAN},
	{"a tag where there is none", "\x02\0\0\0\0\1", 0, {0}, {0x81, 0, 0, 5}, 4, 0, 0x0800, FRAME_VLAN},
	{"two tags of VID 0", "\x02\0\0\0\0\1", 0, {0}, {0x81, 0, 0, 0, 0x81, 0, 0, 0}, 8, 0, 0x0800, FRAME_VLAN},
	{"our VLAN", "\x02\0\0\0\0\1", 1, {5}, {0x81, 0, 0, 5}, 4, 0, 0x0800, FRAME_OK},
	{"our VLAN with priority", "\x02\0\0\0\0\1", 1, {5}, {0x81, 0, 0xe0, 5}, 4, 0, 0x0800, FRAME_OK},
	{"the widest VID", "\x02\0\0\0\0\1", 1, {4094}, {0x81, 0, 0x0f, 0xfe}, 4, 0, 0x0800, FRAME_OK},
	{"ARP in our VLAN", "\x02\0\0\0\0\1", 1, {5}, {0x81, 0, 0, 5}, 4, 0, 0x0806, FRAME_ARP},
	{"no tag in a VLAN", "\x02\0\0\0\0\1", 1, {5}, {0}, 0, 0, 0x0800, FRAME_VLAN},
	{"a priority tag in a VLAN", "\x02\0\0\0\0\1", 1, {5}, {0x81, 0, 0, 0}, 4, 0, 0x0800, FRAME_VLAN},
	{"another VLAN", "\x02\0\0\0\0\1", 1, {5}, {0x81, 0, 0, 6}, 4, 0, 0x0800, FRAME_VLAN},
	{"the VLAN in the high bits", "\x02\0\0\0\0\1", 1, {5}, {0x81, 0, 0x01, 5}, 4, 0, 0x0800, FRAME_VLAN},
	{"a second tag in our VLAN", "\x02\0\0\0\0\1", 1, {5}, {0x81, 0, 0, 5, 0x81, 0, 0, 5}, 8, 0, 0x0800, FRAME_VLAN},
	{"both of our tags", "\x02\0\0\0\0\1", 2, {7, 5}, {0x88, 0xa8, 0, 7, 0x81, 0, 0, 5}, 8, 0, 0x0800, FRAME_OK},
	{"both of our tags as C-tags", "\x02\0\0\0\0\1", 2, {7, 5}, {0x81, 0, 0, 7, 0x81, 0, 0, 5}, 8, 0, 0x0800, FRAME_OK},
	{"our tags swapped", "\x02\0\0\0\0\1", 2, {7, 5}, {0x88, 0xa8, 0, 5, 0x81, 0, 0, 7}, 8, 0, 0x0800, FRAME_VLAN},
	{"only the outer tag", "\x02\0\0\0\0\1", 2, {7, 5}, {0x88, 0xa8, 0, 7}, 4, 0, 0x0800, FRAME_VLAN},
	{"a VLAN that the device took off", "\x02\0\0\0\0\1", 1, {5}, {0}, 0, STRIPPED | 5, 0x0800, FRAME_OK},
	{"another that it took off", "\x02\0\0\0\0\1", 1, {5}, {0}, 0, STRIPPED | 6, 0x0800, FRAME_VLAN},
	{"one taken off where there is none", "\x02\0\0\0\0\1", 0, {0}, {0}, 0, STRIPPED | 6, 0x0800, FRAME_VLAN},
	{"a priority tag taken off", "\x02\0\0\0\0\1", 0, {0}, {0}, 0, STRIPPED, 0x0800, FRAME_OK},
	{"the outer taken off", "\x02\0\0\0\0\1", 2, {7, 5}, {0x81, 0, 0, 5}, 4, STRIPPED | 7, 0x0800, FRAME_OK},
	{"the outer taken off, no inner", "\x02\0\0\0\0\1", 2, {7, 5}, {0}, 0, STRIPPED | 7, 0x0800, FRAME_VLAN},
};
/* clang-format on */

static uint8_t bytes[4096];

static struct port port_of(unsigned i)
{
	struct port port = {.route.n_vlans = frames[i].n_vlans};

	memcpy(port.route.mac, our_mac, 6);
	memcpy(port.route.vlan, frames[i].vlan, sizeof(frames[i].vlan));
	return port;
}

static uint16_t write_frame(unsigned i, const struct packet *p)
{
	uint16_t at = 12 + frames[i].n_tag_bytes;

	memcpy(bytes, frames[i].dst, 6);
	memset(bytes + 6, 0, 6);
	memcpy(bytes + 12, frames[i].tags, frames[i].n_tag_bytes);
	bytes[at] = frames[i].type >> 8;
	bytes[at + 1] = frames[i].type;
	return at + 2 + packet_write(p, bytes + at + 2);
}

static struct rte_mbuf *mbuf_at(unsigned i, uint16_t len)
{
	struct rte_mbuf *m = mbuf_of(bytes, len);

	if (frames[i].stripped != 0) {
		m->ol_flags |= RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED;
		m->vlan_tci = (frames[i].stripped & 0xfff) | 0x2000; /* and a priority */
	}
	return m;
}

START_TEST(a_frame_is_judged_by_mac_tags_and_type)
{
	struct packet p = packet_ab(4);
	struct port port = port_of(_i);
	uint16_t len = write_frame(_i, &p);
	struct rte_mbuf *m = mbuf_at(_i, len);
	struct facts f;
	enum frame_verdict v = frame_open(&port, m, &f);

	ck_assert_msg(v == frames[_i].verdict, "%s: %u", frames[_i].what, v);
	if (v == FRAME_OK) {
		ck_assert_uint_eq(m->data_len, p.len);
		ck_assert_uint_eq(m->pkt_len, p.len);
		ck_assert_uint_eq(*rte_pktmbuf_mtod(m, uint8_t *), 0x45);
		ck_assert_uint_eq(f.len, p.len);
	}
	rte_pktmbuf_free(m);
}
END_TEST

START_TEST(a_frame_cut_anywhere_is_refused_and_nothing_behind_is_read)
{
	struct packet p = packet_ab(4);
	struct port port = port_of(_i);
	uint16_t len = write_frame(_i, &p), l2 = len - p.len;

	for (uint16_t have = 0; have < len; have++) {
		struct rte_mbuf *m = mbuf_at(_i, have);
		struct facts f;
		enum frame_verdict v = frame_open(&port, m, &f);

		if (have < 14)
			ck_assert_msg(
				v == FRAME_RUNT, "%s cut at %u: %u", frames[_i].what, have, v);
		if (have >= l2 && frames[_i].verdict == FRAME_OK)
			ck_assert_msg(
				v == FRAME_LENGTH, "%s cut at %u: %u", frames[_i].what, have, v);
		ck_assert_msg(v != FRAME_OK, "%s cut at %u", frames[_i].what, have);
		rte_pktmbuf_free(m);
	}
}
END_TEST

START_TEST(padding_behind_the_packet_is_trimmed)
{
	unsigned families[] = {4, 6};
	struct port port = port_of(0);
	struct packet p = packet_ab(families[_i]);
	struct rte_mbuf *m;
	struct facts f;
	uint16_t len;

	p.len = 41;
	len = write_frame(0, &p);
	if (_i == 1)
		memcpy(bytes + 12, "\x86\xdd", 2);
	for (uint16_t more = 0; more < 64; more++) {
		memset(bytes + len, 0xee, more);
		m = mbuf_of(bytes, len + more);
		ck_assert_int_eq(frame_open(&port, m, &f), FRAME_OK);
		ck_assert_uint_eq(m->data_len, 41);
		ck_assert_uint_eq(m->pkt_len, 41);
		ck_assert_uint_eq(f.len, 41);
		rte_pktmbuf_free(m);
	}
}
END_TEST

START_TEST(a_group_packet_may_come_to_any_of_our_addresses)
{
	static const char *const to[] = {
		"\x02\0\0\0\0\1", "\x01\0\x5e\0\0\1", "\xff\xff\xff\xff\xff\xff"};
	struct packet p = packet_ab(4);
	struct port port = port_of(0);
	struct rte_mbuf *m;
	struct facts f;
	uint16_t len;

	p.dst = "224.0.0.1";
	len = write_frame(0, &p);
	memcpy(bytes, to[_i], 6);
	m = mbuf_of(bytes, len);
	ck_assert_int_eq(frame_open(&port, m, &f), FRAME_OK);
	ck_assert_uint_eq(f.flags, FACT_GROUP);
	rte_pktmbuf_free(m);
}
END_TEST

START_TEST(without_headroom_there_is_no_room)
{
	struct packet p = packet_ab(4);
	struct port port = port_of(0);
	uint16_t len = write_frame(0, &p);

	for (uint16_t headroom = 0; headroom <= 128; headroom++) {
		struct rte_mbuf *m = rte_pktmbuf_alloc(pool);
		struct facts f;

		m->data_off = headroom;
		memcpy(rte_pktmbuf_append(m, len), bytes, len);
		ck_assert_int_eq(frame_open(&port, m, &f),
			headroom + 14 < FRAME_HEADROOM ? FRAME_NO_ROOM : FRAME_OK);
		rte_pktmbuf_free(m);
	}
}
END_TEST

/* A chain of the frame's bytes with cuts before each of these. */
static struct rte_mbuf *chain_of(uint16_t len, const uint16_t cut[], unsigned n)
{
	struct rte_mbuf *first = NULL;
	uint16_t at = 0;

	for (unsigned i = 0; i <= n; i++) {
		uint16_t end = i < n ? cut[i] : len;
		struct rte_mbuf *m = rte_pktmbuf_alloc(pool);

		memcpy(rte_pktmbuf_append(m, end - at), bytes + at, end - at);
		at = end;
		if (first == NULL)
			first = m;
		else
			ck_assert_int_eq(rte_pktmbuf_chain(first, m), 0);
	}
	return first;
}

START_TEST(a_chain_cut_anywhere_is_as_good_as_one_buffer)
{
	struct packet p = packet_ab(6);
	struct port port = port_of(23); /* two tags */
	uint16_t len;

	p.len = 200;
	len = write_frame(23, &p);
	memcpy(bytes + 20, "\x86\xdd", 2);
	for (uint16_t cut = 1; cut < len; cut++) {
		uint16_t cuts[] = {cut, RTE_MIN(cut + 1, len), RTE_MIN(cut + 9, len)};
		struct rte_mbuf *m = chain_of(len, cuts, 1 + cut % 3);
		struct facts f;

		ck_assert_int_eq(frame_open(&port, m, &f), FRAME_OK);
		ck_assert_uint_eq(m->nb_segs, 1);
		ck_assert_uint_eq(m->data_len, 200);
		ck_assert_uint_eq(f.len, 200);
		ck_assert_uint_eq(f.dport, 5000);
		ck_assert_mem_eq(rte_pktmbuf_mtod(m, uint8_t *), bytes + 22, 200);
		rte_pktmbuf_free(m);
	}
}
END_TEST

START_TEST(a_chain_that_one_buffer_does_not_hold_has_no_room)
{
	struct packet p = packet_ab(4);
	struct port port = port_of(0);
	unsigned room = 2048;
	struct facts f;

	for (unsigned len = room - 2; len <= room + 2; len++) {
		struct rte_mbuf *m = rte_pktmbuf_alloc(pool), *rest = rte_pktmbuf_alloc(pool);
		enum frame_verdict v;

		p.len = len - 14;
		write_frame(0, &p);
		memcpy(rte_pktmbuf_append(m, 100), bytes, 100);
		memcpy(rte_pktmbuf_append(rest, len - 100), bytes + 100, len - 100);
		rte_pktmbuf_chain(m, rest);
		v = frame_open(&port, m, &f);
		ck_assert_msg(v == (len <= room ? FRAME_OK : FRAME_NO_ROOM), "%u: %u", len, v);
		rte_pktmbuf_free(m);
	}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	fixture_eal(NULL, 0);
	pool = rte_pktmbuf_pool_create(
		"frames", 63, 0, CRYPTO_JOB_SIZE, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	tcase_add_loop_test(t, a_frame_is_judged_by_mac_tags_and_type, 0, RTE_DIM(frames));
	tcase_add_loop_test(
		t, a_frame_cut_anywhere_is_refused_and_nothing_behind_is_read, 0, RTE_DIM(frames));
	tcase_add_loop_test(t, padding_behind_the_packet_is_trimmed, 0, 2);
	tcase_add_loop_test(t, a_group_packet_may_come_to_any_of_our_addresses, 0, 3);
	tcase_add_test(t, without_headroom_there_is_no_room);
	tcase_add_test(t, a_chain_cut_anywhere_is_as_good_as_one_buffer);
	tcase_add_test(t, a_chain_that_one_buffer_does_not_hold_has_no_room);
	return check_in_process("frame", t);
}
