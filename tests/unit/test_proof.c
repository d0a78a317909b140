/* SPDX-License-Identifier: BSD-3-Clause */
/* test_proof.c - what a lookaside device computed is compared with what its fallback comes to. */
#include "slow_device.h"

static uint8_t got[PACKET_MAX];

/* Each packet is proved, or one of four: none that came out wrong goes on, nor what came with it, and the
 * device is not asked again. */
START_TEST(a_device_that_computes_wrongly_is_found_out)
{
	struct gateway *g = slow_open_with(CRYPTO_AESNI_MB, true, SLOW_AGES);

	g->p->setup.proof_every = 1 + 3 * _i;
	slow_let_go(SLOW_ALL);
	slow_receive(g, 16, 0);
	slow_receive_esp(g, 16, 1);
	slow_settle(g);
	ck_assert_str_eq(gateway_exits(g), "");
	slow_take_esp(g, 16, 1);
	for (unsigned i = 0; i < 16; i++)
		ck_assert_uint_eq(gateway_take(g, LAN, got), 100);
	slow.lies = true;
	if (_i == 0)
		slow_receive(g, 48, 0);
	else
		slow_receive_esp(g, 48, 17);
	slow_settle(g);
	ck_assert_str_eq(gateway_exits(g), "crypt_stalled 16, crypt_wrong 32");
	ck_assert_uint_eq(gateway_take(g, WAN, got), 0);
	ck_assert_uint_eq(gateway_take(g, LAN, got), 0);
	ck_assert_uint_eq(sa_db_fall_back(g->sas).moved, 2);
	slow_receive(g, 8, 0);
	slow_poll_once(g);
	slow_take_esp(g, 8, _i == 0 ? 65 : 17);
	crypto_stop(g->p->setup.crypto);
	gateway_close(g);
}
END_TEST

/* What both say is wrong is the sender's affair. */
START_TEST(a_forgery_proves_nothing_against_the_device)
{
	struct gateway *g = slow_open_with(CRYPTO_AESNI_MB, true, SLOW_AGES);

	g->p->setup.proof_every = 1;
	slow_to_a.in->crypto.key.bytes[0] ^= 1;
	slow_let_go(SLOW_ALL);
	slow_receive_esp(g, 16, 1);
	slow_settle(g);
	ck_assert_str_eq(gateway_exits(g), "in_finish_icv 16");
	slow_end(g);
}
END_TEST

/* The packet goes on without proof, and the copy is freed when it comes. */
START_TEST(a_fallback_that_loses_a_proof_harms_nothing)
{
	struct gateway *g = slow_open_on(CRYPTO_AESNI_MB, CRYPTO_OPENSSL, true, SLOW_SOON);

	g->p->setup.proof_every = 1;
	slow.is_single = true;
	for (unsigned i = 0; i < 3; i++) {
		slow_let_go(i < 2 ? i : SLOW_ALL);
		slow_receive(g, 1, i);
		slow_settle(g);
		slow_take_esp(g, 1, 1 + i);
		ck_assert_uint_eq(rte_mempool_avail_count(g->pool), g->pool_size - (i < 2 ? 1 : 0));
	}
	ck_assert_str_eq(gateway_exits(g), "");
	slow_end(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, a_device_that_computes_wrongly_is_found_out, 0, 2);
	tcase_add_test(t, a_forgery_proves_nothing_against_the_device);
	tcase_add_test(t, a_fallback_that_loses_a_proof_harms_nothing);
	return pipeline_fixture_main("proof", t);
}
