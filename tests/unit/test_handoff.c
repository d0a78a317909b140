/* SPDX-License-Identifier: BSD-3-Clause */
/* test_handoff.c - two workers, driven in turn by hand: flows keep to one of them, a window belongs to
 * one of them, and what a full ring does not take is counted. */
#include <rte_ring.h>
#include <string.h>

#include "pipeline_fixture.h"

static struct site site[2];
static struct tunnel to_b, to_a;
static uint8_t ip[PACKET_MAX], wire[PACKET_MAX], got[PACKET_MAX];

static struct gateway *open_two_workers(void)
{
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);

	site_a(&site[0]);
	site_b(&site[1]);
	to_b = site_tunnel(&site[0], &site[1], &crypto, CRYPTO_AESNI_MB, 4);
	to_a = site_tunnel(&site[1], &site[0], &crypto, CRYPTO_AESNI_MB, 4);
	site[0].n_workers = 2;
	return gateway_open(&site[0]);
}

static struct sa *inbound(struct gateway *g)
{
	return sa_spec_of(g->sa[0])->direction == SA_IN ? g->sa[0] : g->sa[1];
}

/* This packet arrives at this worker, which runs its burst of one. */
static void receive(
	struct gateway *g, uint16_t worker, uint16_t port, const uint8_t *packet, uint16_t len)
{
	struct worker *w = g->p->worker[worker];
	enum lane_id lane = port == LAN ? LANE_OUT : LANE_IN;
	uint8_t frame[PACKET_MAX];
	uint16_t n = frame_write(g, port, packet, len, frame);
	struct rte_mbuf *m = gateway_frame(g, frame, n, 0);

	m->port = port;
	w->lane[lane].burst.pkt[0] = m;
	w->lane[lane].burst.n = 1;
	w->stats.received++;
	lanes_run(w, lane, 0);
}

static void receive_flow(struct gateway *g, uint16_t worker, uint16_t sport)
{
	struct packet p = packet_ab(4);

	p.sport = sport;
	receive(g, worker, LAN, ip, packet_write(&p, ip));
}

static void receive_esp(struct gateway *g, uint16_t worker, uint64_t seq)
{
	struct packet p = packet_ba(4);

	receive(g, worker, WAN, wire, esp_seal_packet(to_a.in, seq, &p, wire));
}

/* Both go on with what they were handed, and send. */
static void settle(struct gateway *g)
{
	for (unsigned round = 0; round < 3; round++) {
		for (uint16_t i = 0; i < 2; i++) {
			handoff_poll(g->p->worker[i]);
			tx_poll(g->p->worker[i]);
			tx_flush(g->p->worker[i]);
		}
	}
	ck_assert_uint_eq(gateway_stats(g).parked, 0);
}

static unsigned take_all(struct gateway *g, uint16_t port)
{
	unsigned n = 0;

	while (gateway_take(g, port, got) > 0)
		n++;
	return n;
}

START_TEST(a_flow_of_a_shared_queue_keeps_to_one_worker_and_flows_are_spread)
{
	struct gateway *g = open_two_workers();
	unsigned handed = 0;

	for (uint16_t sport = 1; sport <= 64; sport++) {
		unsigned before = rte_ring_count(g->p->worker[1]->inbox), after;

		receive_flow(g, 0, sport);
		after = rte_ring_count(g->p->worker[1]->inbox);
		handed += after - before;
		receive_flow(g, 0, sport);
		ck_assert_uint_eq(rte_ring_count(g->p->worker[1]->inbox) - after, after - before);
	}
	ck_assert_uint_gt(handed, 16);
	ck_assert_uint_lt(handed, 48);
	ck_assert_uint_eq(gateway_stats(g).parked, 2 * handed);
	settle(g);
	ck_assert_uint_eq(take_all(g, WAN), 128);
	ck_assert_str_eq(gateway_exits(g), "");
	gateway_close(g);
}
END_TEST

START_TEST(the_first_authentic_packet_claims_the_window_and_a_forged_one_does_not)
{
	struct gateway *g = open_two_workers();
	struct packet p = packet_ba(4);
	uint16_t len = esp_seal_packet(to_a.in, 1, &p, wire);

	g->p->worker[0]->port_is_shared[WAN] = g->p->worker[1]->port_is_shared[WAN] = false;
	wire[len - 1] ^= 1;
	receive(g, 0, WAN, wire, len);
	ck_assert_uint_eq(sa_owner(inbound(g)), SA_NO_OWNER);
	receive_esp(g, 1, 1);
	ck_assert_uint_eq(sa_owner(inbound(g)), 1);
	receive_esp(g, 0, 2);
	ck_assert_uint_eq(sa_owner(inbound(g)), 1);
	ck_assert_uint_eq(rte_ring_count(g->p->worker[1]->inbox), 1);
	settle(g);
	ck_assert_uint_eq(take_all(g, LAN), 2);
	ck_assert_str_eq(gateway_exits(g), "in_finish_icv 1");
	gateway_close(g);
}
END_TEST

/* Both have opened the same packet before either has claimed: the window sees it twice. */
START_TEST(a_packet_opened_by_two_workers_is_accepted_once)
{
	struct gateway *g = open_two_workers();
	struct worker *w = g->p->worker[0];
	struct packet p = packet_ba(4);
	uint8_t frame[PACKET_MAX];
	uint16_t n;

	g->p->worker[0]->port_is_shared[WAN] = g->p->worker[1]->port_is_shared[WAN] = false;
	n = frame_write(g, WAN, wire, esp_seal_packet(to_a.in, 9, &p, wire), frame);
	w->lane[LANE_IN].burst.pkt[0] = gateway_frame(g, frame, n, 0);
	w->lane[LANE_IN].burst.pkt[0]->port = WAN;
	w->lane[LANE_IN].burst.n = 1;
	w->stats.received++;
	in_classify(w, &w->lane[LANE_IN].burst);
	in_sad(w, &w->lane[LANE_IN].burst);
	in_esp(w, &w->lane[LANE_IN].burst);
	crypt_burst(w, &w->lane[LANE_IN].burst);
	receive_esp(g, 1, 9); /* the other one comes first, and claims */
	for (unsigned k = 0; inbound_stages[k].name != NULL; k++) {
		if (inbound_stages[k].run == in_finish)
			lanes_run(w, LANE_IN, k);
	}
	ck_assert_uint_eq(rte_ring_count(g->p->worker[1]->inbox), 1); /* whose window it is */
	settle(g);
	ck_assert_uint_eq(take_all(g, LAN), 1);
	ck_assert_str_eq(gateway_exits(g), "in_finish_replay 1");
	gateway_close(g);
}
END_TEST

static void fill(struct rte_ring *r)
{
	while (rte_ring_enqueue(r, &site) == 0)
		;
}

static void empty(struct rte_ring *r)
{
	void *any;

	while (rte_ring_dequeue(r, &any) == 0)
		;
}

START_TEST(what_the_ring_to_the_owner_does_not_take_leaves_by_name)
{
	struct gateway *g = open_two_workers();

	g->p->worker[0]->port_is_shared[WAN] = g->p->worker[1]->port_is_shared[WAN] = false;
	receive_esp(g, 1, 1);
	fill(g->p->worker[1]->inbox);
	receive_esp(g, 0, 2);
	receive_esp(g, 0, 3);
	empty(g->p->worker[1]->inbox);
	receive_esp(g, 0, 4);
	settle(g);
	ck_assert_uint_eq(take_all(g, LAN), 2);
	ck_assert_str_eq(gateway_exits(g), "handoff_full 2");
	gateway_close(g);
}
END_TEST

/* WAN is port 1, so worker 1 sends for both. */
START_TEST(what_the_ring_to_the_sender_does_not_take_leaves_by_name)
{
	struct gateway *g = open_two_workers();

	for (uint16_t i = 0; i < 2; i++)
		g->p->worker[i]->port_is_shared[LAN] = false;
	fill(g->p->worker[1]->outbox);
	receive_flow(g, 0, 1);
	tx_flush(g->p->worker[0]);
	empty(g->p->worker[1]->outbox);
	receive_flow(g, 0, 2);
	settle(g);
	ck_assert_uint_eq(take_all(g, WAN), 1);
	ck_assert_str_eq(gateway_exits(g), "tx_full 1");
	gateway_close(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_test(t, a_flow_of_a_shared_queue_keeps_to_one_worker_and_flows_are_spread);
	tcase_add_test(t, the_first_authentic_packet_claims_the_window_and_a_forged_one_does_not);
	tcase_add_test(t, a_packet_opened_by_two_workers_is_accepted_once);
	tcase_add_test(t, what_the_ring_to_the_owner_does_not_take_leaves_by_name);
	tcase_add_test(t, what_the_ring_to_the_sender_does_not_take_leaves_by_name);
	return pipeline_fixture_main("handoff", t);
}
