/* SPDX-License-Identifier: BSD-3-Clause */
/* test_device_faults.c - a crypto device forgets, lies, repeats itself or stands still: packets go on or
 * leave by name, once, and none is freed while the device has it. */
#include "slow_device.h"

static uint8_t got[PACKET_MAX];

START_TEST(an_error_of_the_device_leaves_by_name)
{
	struct gateway *g = slow_open_with(SA_NO_PROVIDER, _i, SLOW_AGES);

	slow.fail = 4;
	slow_let_go(SLOW_ALL);
	slow_receive(g, 16, 0);
	slow_poll_once(g);
	ck_assert_str_eq(gateway_exits(g), "crypt_failed 4");
	for (unsigned i = 0; i < 12; i++)
		ck_assert_uint_gt(gateway_take(g, WAN, got), 0);
	slow_receive_esp(g, 8, 1);
	slow_poll_once(g);
	ck_assert_str_eq(gateway_exits(g), "crypt_failed 2");
	for (unsigned i = 0; i < 6; i++)
		ck_assert_uint_gt(gateway_take(g, LAN, got), 0);
	slow_end(g);
}
END_TEST

/* It says that all is well, and the text is as it was: clear outbound, not deciphered inbound. */
START_TEST(a_device_that_did_nothing_is_found_out)
{
	struct gateway *g = slow_open_with(SA_NO_PROVIDER, _i, SLOW_AGES);

	slow.undoes = true;
	slow_let_go(SLOW_ALL);
	slow_receive(g, 16, 0);
	slow_settle(g);
	ck_assert_str_eq(gateway_exits(g), "crypt_failed 1");
	slow_take_esp(g, 15, 2);
	slow.undone = NULL;
	slow_receive_esp(g, 16, 1);
	slow_settle(g);
	ck_assert_str_eq(gateway_exits(g), "crypt_failed 1");
	for (unsigned i = 0; i < 15; i++)
		ck_assert_uint_eq(gateway_take(g, LAN, got), 100);
	slow_end(g);
}
END_TEST

START_TEST(a_lost_op_is_given_up_alone_and_its_memory_stays_the_devices)
{
	struct gateway *g = slow_open_with(SA_NO_PROVIDER, _i, SLOW_SOON);
	struct crypto_device_stats stats;

	slow.lose = 5;
	slow_let_go(SLOW_ALL);
	slow_receive(g, 20, 0);
	slow_settle(g);
	ck_assert_str_eq(gateway_exits(g), "crypt_stalled 4");
	ck_assert_uint_eq(slow_parked(g), 0);
	for (unsigned i = 0; i < 16; i++)
		ck_assert_uint_gt(gateway_take(g, WAN, got), 0);
	ck_assert_uint_eq(rte_mempool_avail_count(g->pool), g->pool_size - 4);
	/* It works on. */
	slow.lose = 0;
	slow_receive(g, 20, 0);
	slow_poll_once(g);
	slow_take_esp(g, 20, 21);
	ck_assert_str_eq(gateway_exits(g), "");
	/* One comes late; what never comes is freed when the device is stopped. */
	slow.op[slow.n++] = slow.lost[0];
	slow_poll_once(g);
	ck_assert_uint_eq(rte_mempool_avail_count(g->pool), g->pool_size - 3);
	ck_assert(crypto_device_stats(g->p->setup.crypto, 0, &stats));
	ck_assert_uint_eq(stats.lost, 4);
	ck_assert_uint_eq(stats.late, 1);
	ck_assert_uint_eq(stats.in_flight, 0);
	ck_assert(!stats.is_stalled);
	crypto_stop(g->p->setup.crypto);
	gateway_close(g);
}
END_TEST

/* A burst waits for its own: what an earlier one has lost does not stand for them. */
START_TEST(what_comes_late_is_not_taken_for_what_is_awaited)
{
	struct gateway *g = slow_open_with(SA_NO_PROVIDER, false, SLOW_SOON);

	slow_let_go(4);
	slow_receive(g, 8, 0);
	tx_flush(g->w);
	slow_take_esp(g, 4, 1);
	slow_let_go(20);
	slow_receive(g, 20, 0);
	tx_flush(g->w);
	ck_assert_str_eq(gateway_exits(g), "crypt_stalled 8");
	slow_take_esp(g, 16, 9);
	ck_assert_uint_eq(rte_mempool_avail_count(g->pool), g->pool_size - 4);
	slow_let_go(SLOW_ALL);
	slow_receive(g, 8, 0);
	tx_flush(g->w);
	ck_assert_str_eq(gateway_exits(g), "");
	slow_take_esp(g, 8, 29);
	ck_assert_uint_eq(rte_mempool_avail_count(g->pool), g->pool_size);
	sa_retire(g->sas, g->sa[0]);
	ck_assert_int_eq(sa_db_publish(g->sas, NULL), 0);
	ck_assert_uint_eq(sa_db_reap(g->sas), 0);
	slow_end(g);
}
END_TEST

/* Two are missed at different times, and nothing came in between: there was nothing to come. */
START_TEST(lost_ops_before_a_silence_do_not_condemn_the_device)
{
	struct gateway *g = slow_open_with(SA_NO_PROVIDER, true, SLOW_SOON);
	struct crypto_device_stats stats;

	slow_let_go(SLOW_ALL);
	slow.lose = 4;
	slow_receive(g, 4, 0);
	for (unsigned i = 0; i < 2000; i++)
		slow_poll_once(g); /* some of the time that it has */
	slow_receive(g, 5, 0);
	slow_settle(g);
	ck_assert_str_eq(gateway_exits(g), "crypt_stalled 2");
	ck_assert(crypto_device_stats(g->p->setup.crypto, 0, &stats));
	ck_assert(!stats.is_stalled);
	crypto_stop(g->p->setup.crypto);
	gateway_close(g);
}
END_TEST

/* Though it takes what it is given. */
START_TEST(a_device_that_takes_and_never_gives_is_found_out_at_any_rate)
{
	struct gateway *g = slow_open_with(SA_NO_PROVIDER, true, SLOW_SOON);
	struct crypto_device_stats stats;

	for (unsigned i = 0; i < 3; i++) {
		slow_receive(g, 1, 0);
		slow_settle(g);
	}
	ck_assert(crypto_device_stats(g->p->setup.crypto, 0, &stats));
	ck_assert(stats.is_stalled);
	ck_assert_str_eq(gateway_exits(g), "crypt_stalled 3");
	crypto_stop(g->p->setup.crypto);
	gateway_close(g);
}
END_TEST

START_TEST(an_op_that_comes_twice_counts_once)
{
	struct gateway *g = slow_open_with(SA_NO_PROVIDER, true, SLOW_AGES);

	slow.repeats = true;
	slow_let_go(SLOW_ALL);
	slow_receive(g, 20, 0);
	slow_settle(g);
	slow_take_esp(g, 20, 1);
	ck_assert_str_eq(gateway_exits(g), "");
	slow_end(g);
}
END_TEST

/* The device has the packet's memory again, in another job: an op that comes a second time says
 * nothing about that. */
START_TEST(an_op_that_comes_before_it_is_processed_changes_nothing)
{
	static const uint8_t none[] = {RTE_CRYPTO_OP_STATUS_NOT_PROCESSED, 0x80};
	struct gateway *g = slow_open_with(SA_NO_PROVIDER, true, SLOW_AGES);

	slow_receive(g, 1, 0);
	slow_poll_once(g);
	for (unsigned i = 0; i < RTE_DIM(none); i++) {
		slow.op[slow.n++] = slow.op[0];
		slow.op[0]->status = none[i];
		slow_let_go(1);
		slow_poll_once(g);
		ck_assert_uint_eq(slow_parked(g), 1);
	}
	slow.op[0]->status = RTE_CRYPTO_OP_STATUS_SUCCESS;
	slow_let_go(1);
	slow_poll_once(g);
	slow_take_esp(g, 1, 1);
	ck_assert_str_eq(gateway_exits(g), "");
	slow_end(g);
}
END_TEST

static const struct {
	bool is_lookaside, refuses;
} stalls[] = {{true, false}, {true, true}, {false, false}, {false, true}};

/* The device stands still after 8 packets; the SA goes on with its fallback and the next number. */
START_TEST(a_stalled_device_is_given_up_and_the_fallback_takes_over)
{
	struct gateway *g = slow_open_with(CRYPTO_AESNI_MB, stalls[_i].is_lookaside, SLOW_SOON);
	struct sa_fall_back done;
	uint64_t next;

	slow_let_go(8);
	slow_receive(g, 8, 0);
	slow_poll_once(g);
	slow_take_esp(g, 8, 1);
	slow.refuses = stalls[_i].refuses;
	slow_receive(g, 60, 0);
	slow_settle(g);
	slow_receive(g, 40, 0);
	slow_settle(g);
	ck_assert_str_eq(gateway_exits(g), "crypt_stalled 100");
	ck_assert_uint_eq(slow_parked(g), 0);
	next = sa_sequence(g->sa[0]);
	ck_assert_uint_ge(next, 69);

	done = sa_db_fall_back(g->sas);
	ck_assert_uint_eq(done.moved, 2);
	ck_assert_uint_eq(done.stopped, 0);
	ck_assert_str_eq(sa_provider(g->sa[0]), "aesni_mb");
	slow_receive(g, 10, 0);
	slow_poll_once(g);
	slow_take_esp(g, 10, next);
	slow_receive_esp(g, 10, 1);
	slow_poll_once(g);
	for (unsigned i = 0; i < 10; i++)
		ck_assert_uint_eq(gateway_take(g, LAN, got), 100);
	ck_assert_str_eq(gateway_exits(g), "");
	crypto_stop(g->p->setup.crypto);
	gateway_close(g);
}
END_TEST

START_TEST(without_a_fallback_the_sa_stops_and_says_so)
{
	struct gateway *g = slow_open_with(SA_NO_PROVIDER, _i, SLOW_SOON);
	struct crypto_device_stats stats;
	struct sa_fall_back done;
	struct sa *late;
	struct why why;

	for (unsigned i = 0; i < 2; i++) {
		slow_receive(g, 5, 0);
		slow_settle(g);
	}
	ck_assert_str_eq(gateway_exits(g), "crypt_stalled 10");
	done = sa_db_fall_back(g->sas);
	ck_assert_uint_eq(done.moved, 0);
	ck_assert_uint_eq(done.stopped, 2);
	for (unsigned i = 0; i < 3; i++)
		slow_receive(g, 10, 0);
	slow_receive_esp(g, 10, 1);
	ck_assert_str_eq(gateway_exits(g), "crypt_stalled 40");
	ck_assert_uint_eq(sa_sequence(g->sa[0]), 11); /* no number was spent on them */
	ck_assert(crypto_device_stats(g->p->setup.crypto, 0, &stats));
	ck_assert(stats.is_stalled);
	ck_assert_uint_eq(stats.lost, 10);
	/* Nor does it take new SAs. */
	slow_to_b.out->spi = 0x5000;
	ck_assert_int_eq(sa_open(g->sas, slow_to_b.out, &late, &why), -ENODEV);
	ck_assert_str_eq(why.text,
		"openssl: its devices stood still or were wrong, and are given up; "
		"restart to try again");
	crypto_stop(g->p->setup.crypto);
	gateway_close(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, an_error_of_the_device_leaves_by_name, 0, 2);
	tcase_add_loop_test(t, a_device_that_did_nothing_is_found_out, 0, 2);
	tcase_add_loop_test(t, a_lost_op_is_given_up_alone_and_its_memory_stays_the_devices, 0, 2);
	tcase_add_test(t, what_comes_late_is_not_taken_for_what_is_awaited);
	tcase_add_test(t, lost_ops_before_a_silence_do_not_condemn_the_device);
	tcase_add_test(t, a_device_that_takes_and_never_gives_is_found_out_at_any_rate);
	tcase_add_test(t, an_op_that_comes_twice_counts_once);
	tcase_add_test(t, an_op_that_comes_before_it_is_processed_changes_nothing);
	tcase_add_loop_test(
		t, a_stalled_device_is_given_up_and_the_fallback_takes_over, 0, RTE_DIM(stalls));
	tcase_add_loop_test(t, without_a_fallback_the_sa_stops_and_says_so, 0, 2);
	return pipeline_fixture_main("device_faults", t);
}
