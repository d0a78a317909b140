/* SPDX-License-Identifier: BSD-3-Clause */
/* test_rx.c - a port's word about a packet is not taken, and what it leaves for another to do is not
 * done. */
#include <rte_ethdev.h>

#include "pipeline_fixture.h"

static struct site site[2];
static uint64_t flags_sent;

static uint16_t see(uint16_t port, uint16_t queue, struct rte_mbuf *pkts[], uint16_t n, void *arg)
{
	(void)port;
	(void)queue;
	(void)arg;
	for (uint16_t i = 0; i < n; i++)
		flags_sent |= pkts[i]->ol_flags;
	return n;
}

static const struct {
	uint64_t flags;
	bool is_corrupt;
	const char *exits;
} words[] = {
	{0, false, ""},
	{0, true, "out_classify_checksum 1"},
	{RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_GOOD, true,
		"out_classify_checksum 1"},
	{RTE_MBUF_F_RX_IP_CKSUM_BAD | RTE_MBUF_F_RX_L4_CKSUM_BAD, false, ""},
	{RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_CKSUM, false, ""},
	{RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_VLAN | RTE_MBUF_F_TX_OUTER_IP_CKSUM, false, ""},
};

START_TEST(flags_change_nothing)
{
	struct crypto_spec gcm = crypto_named("aes-128-gcm", NULL);
	struct packet p = packet_ab(4);
	uint8_t ip[PACKET_MAX], frame[PACKET_MAX];
	const struct rte_eth_rxtx_callback *callback;
	struct rte_mbuf *m;
	struct gateway *g;
	uint16_t len;

	site_a(&site[0]);
	site_b(&site[1]);
	site_tunnel(&site[0], &site[1], &gcm, CRYPTO_AESNI_MB, 4);
	g = gateway_open(&site[0]);
	flags_sent = 0;
	callback = rte_eth_add_tx_callback(g->ethdev[WAN], 0, see, NULL);
	ck_assert_ptr_nonnull(callback);
	len = packet_write(&p, ip);
	ip[10] ^= words[_i].is_corrupt;
	len = frame_write(g, LAN, ip, len, frame);
	m = gateway_frame(g, frame, len, 0);
	m->ol_flags |= words[_i].flags;
	gateway_put_frame(g, LAN, m);
	gateway_run(g);
	ck_assert_str_eq(gateway_exits(g), words[_i].exits);
	ck_assert_uint_eq(gateway_take(g, WAN, ip) > 0, !words[_i].is_corrupt);
	ck_assert_uint_eq(flags_sent & RTE_MBUF_F_TX_OFFLOAD_MASK, 0);
	rte_eth_remove_tx_callback(g->ethdev[WAN], 0, callback);
	gateway_close(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, flags_change_nothing, 0, sizeof(words) / sizeof(words[0]));
	return pipeline_fixture_main("rx", t);
}
