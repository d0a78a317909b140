/* SPDX-License-Identifier: BSD-3-Clause */
/* test_lookaside.c - packets wait in a device that takes its time: they go on in order, beyond its room
 * they leave by name, and their SA stays until the last is through. */
#include "slow_device.h"

static uint8_t got[PACKET_MAX];

START_TEST(packets_wait_in_the_device_and_go_on_in_order)
{
	struct gateway *g = slow_open_with(SA_NO_PROVIDER, true, SLOW_AGES);

	slow_receive(g, 10, 0);
	slow_poll_once(g);
	ck_assert_uint_eq(slow_parked(g), 10);
	ck_assert_uint_eq(gateway_take(g, WAN, got), 0);
	slow_receive(g, 5, 10);
	slow_let_go(7);
	slow_poll_once(g);
	ck_assert_uint_eq(slow_parked(g), 8);
	slow_take_esp(g, 7, 1);
	ck_assert_uint_eq(gateway_take(g, WAN, got), 0);
	slow_let_go(SLOW_ALL);
	slow_poll_once(g);
	slow_take_esp(g, 8, 8);
	ck_assert_str_eq(gateway_exits(g), "");
	slow_end(g);
}
END_TEST

START_TEST(what_waits_between_both_directions_keeps_its_own_way)
{
	struct gateway *g = slow_open_with(SA_NO_PROVIDER, true, SLOW_AGES);

	for (unsigned i = 0; i < 8; i++) {
		slow_receive(g, 1 + i % 3, 0);
		slow_receive_esp(g, 2, 1 + 2 * i);
	}
	ck_assert_uint_eq(slow_parked(g), 31);
	slow_let_go(SLOW_ALL);
	slow_poll_once(g);
	slow_take_esp(g, 15, 1);
	for (unsigned i = 0; i < 16; i++)
		ck_assert_uint_eq(gateway_take(g, LAN, got), 100);
	ck_assert_uint_eq(sa_count_of(g->sa[0]).packets, 15);
	ck_assert_uint_eq(sa_count_of(g->sa[1]).packets, 16);
	ck_assert_str_eq(gateway_exits(g), "");
	slow_end(g);
}
END_TEST

/* Three times what it can take: the rest leaves before a number is spent on it, and nothing that was
 * numbered is missing or out of its turn. */
START_TEST(an_overload_leaves_by_name_and_spends_no_number)
{
	struct gateway *g = slow_open_with(SA_NO_PROVIDER, true, SLOW_AGES);
	unsigned sent = 0;
	uint32_t seq = 1;

	for (unsigned round = 0; round < 40; round++) {
		slow_receive(g, 48, 0);
		slow_let_go(16);
		slow_poll_once(g);
		slow_poll_once(g);
		seq = slow_take_esp(g, 16, seq);
		sent += 16;
	}
	ck_assert_uint_le(slow_parked(g), SLOW_IN_FLIGHT + SLOW_BACKLOG + 48);
	ck_assert_uint_ge(slow_parked(g), SLOW_IN_FLIGHT + SLOW_BACKLOG - 16);
	for (unsigned left = slow_parked(g); left > 0; left = slow_parked(g)) {
		slow_let_go(SLOW_ALL);
		slow_poll_once(g);
		seq = slow_take_esp(g, left - slow_parked(g), seq);
		sent += left - slow_parked(g);
	}
	ck_assert_uint_eq(g->w->stats.exit[EXIT_CRYPT_QUEUE_FULL], 40 * 48 - sent);
	ck_assert_uint_eq(sa_sequence(g->sa[0]), sent + 1);
	slow_end(g);
}
END_TEST

START_TEST(inbound_overload_leaves_by_name_and_marks_nothing_as_seen)
{
	struct gateway *g = slow_open_with(SA_NO_PROVIDER, true, SLOW_AGES);

	for (unsigned i = 0; i < 6; i++)
		slow_receive_esp(g, 32, 1 + 32 * i);
	ck_assert_str_eq(gateway_exits(g), "crypt_queue_full 64");
	while (slow_parked(g) > 0) {
		slow_let_go(SLOW_ALL);
		slow_poll_once(g);
	}
	for (unsigned i = 0; i < 128; i++)
		ck_assert_uint_eq(gateway_take(g, LAN, got), 100);
	slow_receive_esp(g, 32, 129); /* they were refused, not seen */
	slow_let_go(SLOW_ALL);
	slow_poll_once(g);
	ck_assert_str_eq(gateway_exits(g), "");
	ck_assert_uint_eq(sa_count_of(g->sa[1]).packets, 160);
	for (unsigned i = 0; i < 32; i++)
		ck_assert_uint_eq(gateway_take(g, LAN, got), 100);
	slow_end(g);
}
END_TEST

/* Its session and counters are needed until the last packet is through. */
START_TEST(a_retired_sa_stays_while_packets_wait)
{
	struct gateway *g = slow_open_with(SA_NO_PROVIDER, true, SLOW_AGES);
	struct crypto_device_stats stats;

	slow_receive(g, 10, 0);
	slow_receive_esp(g, 10, 1);
	sa_retire(g->sas, g->sa[0]);
	sa_retire(g->sas, g->sa[1]);
	ck_assert_int_eq(sa_db_publish(g->sas, NULL), 0);
	ck_assert_uint_eq(sa_db_reap(g->sas), 2);
	slow_let_go(10);
	slow_poll_once(g);
	ck_assert_uint_eq(sa_db_reap(g->sas), 1);
	slow_take_esp(g, 10, 1);
	slow_let_go(9);
	slow_poll_once(g);
	ck_assert_uint_eq(sa_db_reap(g->sas), 1);
	slow_let_go(1);
	slow_poll_once(g);
	ck_assert_uint_eq(sa_db_reap(g->sas), 0);
	for (unsigned i = 0; i < 10; i++)
		ck_assert_uint_eq(gateway_take(g, LAN, got), 100);
	ck_assert(crypto_device_stats(g->p->setup.crypto, 0, &stats));
	ck_assert_uint_eq(stats.sessions, 0);
	slow_end(g);
}
END_TEST

START_TEST(a_retired_sa_stays_while_a_device_keeps_a_packet_of_it)
{
	struct gateway *g = slow_open_with(SA_NO_PROVIDER, true, SLOW_SOON);

	slow.lose = 10;
	slow_let_go(SLOW_ALL);
	slow_receive(g, 10, 0);
	slow_settle(g);
	slow_take_esp(g, 9, 1);
	sa_retire(g->sas, g->sa[0]);
	ck_assert_int_eq(sa_db_publish(g->sas, NULL), 0);
	ck_assert_uint_eq(sa_db_reap(g->sas), 1);
	slow.op[slow.n++] = slow.lost[0];
	slow_poll_once(g);
	ck_assert_uint_eq(sa_db_reap(g->sas), 0);
	slow_end(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_test(t, packets_wait_in_the_device_and_go_on_in_order);
	tcase_add_test(t, what_waits_between_both_directions_keeps_its_own_way);
	tcase_add_test(t, an_overload_leaves_by_name_and_spends_no_number);
	tcase_add_test(t, inbound_overload_leaves_by_name_and_marks_nothing_as_seen);
	tcase_add_test(t, a_retired_sa_stays_while_packets_wait);
	tcase_add_test(t, a_retired_sa_stays_while_a_device_keeps_a_packet_of_it);
	return pipeline_fixture_main("lookaside", t);
}
