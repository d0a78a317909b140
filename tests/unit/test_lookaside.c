/* SPDX-License-Identifier: BSD-3-Clause */
/* test_lookaside.c - packets wait in a device that takes its time, forgets, lies, repeats itself or
 * stands still: they go on in order or leave by name, once, and none is freed while the device has it. */
#define ALLOW_EXPERIMENTAL_API /* callbacks on crypto queues */
#include <rte_cryptodev.h>
#include <string.h>

#include "lookaside.h"
#include "pipeline_fixture.h"

#define IN_FLIGHT 64
#define BACKLOG   64

static struct site site[2];
static struct tunnel to_b, to_a;
static uint8_t ip[PACKET_MAX], got[PACKET_MAX];

/* What stands between OpenSSL's device and its queue. */
static struct slow {
	uint16_t allow; /* ops that may leave; they wait otherwise */
	bool is_single; /* one a poll, for who asks for no more: a callback is not told how many */
	unsigned lose; /* every n-th op is never given back; 0: none is */
	bool refuses; /* takes nothing any more */
	unsigned fail; /* every n-th op comes back with an error; 0: none does */
	bool repeats; /* gives each op back twice */
	bool lies; /* flips a bit of each op that comes back */
	bool undoes; /* gives the first op back with its text as it was, and says that all is well */
	struct rte_crypto_op *undone;
	uint8_t text[2048];
	struct rte_crypto_op *op[1024], *lost[1024];
	unsigned n, n_lost, seen;
} slow;

static uint8_t *text_of(const struct rte_crypto_op *op)
{
	return rte_pktmbuf_mtod_offset(op->sym->m_src, uint8_t *, op->sym->aead.data.offset);
}

static uint16_t take_in(
	uint16_t dev, uint16_t pair, struct rte_crypto_op **ops, uint16_t n, void *arg)
{
	(void)dev;
	(void)pair;
	(void)arg;
	if (slow.undoes && slow.undone == NULL) {
		slow.undone = ops[0];
		memcpy(slow.text, text_of(ops[0]), ops[0]->sym->aead.data.length);
	}
	return slow.refuses ? 0 : n;
}

static uint16_t give_out(
	uint16_t dev, uint16_t pair, struct rte_crypto_op **ops, uint16_t n, void *arg)
{
	uint16_t out;

	(void)dev;
	(void)pair;
	(void)arg;
	for (uint16_t i = 0; i < n; i++) {
		slow.seen++;
		if (slow.lies)
			text_of(ops[i])[20] ^= 1;
		if (ops[i] == slow.undone)
			memcpy(text_of(ops[i]), slow.text, ops[i]->sym->aead.data.length);
		if (slow.fail > 0 && slow.seen % slow.fail == 0)
			ops[i]->status = RTE_CRYPTO_OP_STATUS_ERROR;
		if (slow.lose > 0 && slow.seen % slow.lose == 0)
			slow.lost[slow.n_lost++] = ops[i];
		else
			slow.op[slow.n++] = ops[i];
		if (slow.repeats)
			slow.op[slow.n++] = ops[i];
	}
	out = RTE_MIN(slow.n, slow.allow);
	out = RTE_MIN(out, slow.is_single ? 1 : 32);
	memcpy(ops, slow.op, out * sizeof(ops[0]));
	slow.n -= out;
	slow.allow -= out;
	memmove(slow.op, slow.op + out, slow.n * sizeof(slow.op[0]));
	return out;
}

static void let_go(unsigned n)
{
	slow.allow = n;
}

#define ALL UINT16_MAX

#define SOON 20 /* ms that the device may keep a job: where jobs are to be given up */
#define AGES 60000

/* OpenSSL's device is the slow one, as provider or as fallback. */
static struct gateway *open_on(enum crypto_provider provider, enum crypto_provider fallback,
	bool is_lookaside, uint32_t overdue_ms)
{
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);
	struct crypto *c = pipeline_fixture_crypto(IN_FLIGHT, overdue_ms);
	struct gateway *g;
	int id;

	memset(&slow, 0, sizeof(slow));
	site_a(&site[0]);
	site_b(&site[1]);
	to_b = site_tunnel(&site[0], &site[1], &crypto, provider, 4);
	to_a = site_tunnel(&site[1], &site[0], &crypto, provider, 4);
	to_b.out->fallback = to_a.in->fallback = fallback;
	site[0].backlog = BACKLOG;
	g = gateway_open(&site[0]);
	for (unsigned i = 0; i < 2; i++)
		sa_session(g->sa[i])->is_lookaside = is_lookaside;
	id = rte_cryptodev_get_dev_id(crypto_device_name(c, provider == CRYPTO_OPENSSL ? 0 : 1));
	ck_assert_int_ge(id, 0);
	ck_assert_ptr_nonnull(rte_cryptodev_add_enq_callback(id, 0, take_in, NULL));
	ck_assert_ptr_nonnull(rte_cryptodev_add_deq_callback(id, 0, give_out, NULL));
	return g;
}

static struct gateway *open_with(
	enum crypto_provider fallback, bool is_lookaside, uint32_t overdue_ms)
{
	return open_on(CRYPTO_OPENSSL, fallback, is_lookaside, overdue_ms);
}

/* A burst of n packets for B, numbered in their payload from `from` on. */
static void receive(struct gateway *g, unsigned n, unsigned from)
{
	struct burst *b = &g->w->lane[LANE_OUT].burst;
	struct packet p = packet_ab(4);
	uint8_t frame[PACKET_MAX];

	for (unsigned i = 0; i < n; i++) {
		uint16_t len = packet_write(&p, ip);

		ip[28] = (from + i) >> 8;
		ip[29] = from + i;
		len = frame_write(g, LAN, ip, len, frame);
		b->pkt[b->n] = gateway_frame(g, frame, len, 0);
		b->pkt[b->n++]->port = LAN;
	}
	g->w->stats.received += n;
	lanes_run(g->w, LANE_OUT, 0);
}

/* The same from B, of one SA and in ESP. */
static void receive_esp(struct gateway *g, unsigned n, uint64_t from)
{
	struct burst *b = &g->w->lane[LANE_IN].burst;
	struct packet p = packet_ba(4);
	uint8_t frame[PACKET_MAX];

	for (unsigned i = 0; i < n; i++) {
		uint16_t len = esp_seal_packet(to_a.in, from + i, &p, ip);

		len = frame_write(g, WAN, ip, len, frame);
		b->pkt[b->n] = gateway_frame(g, frame, len, 0);
		b->pkt[b->n++]->port = WAN;
	}
	g->w->stats.received += n;
	lanes_run(g->w, LANE_IN, 0);
}

static void poll_once(struct gateway *g)
{
	lookaside_poll(g->w);
	tx_flush(g->w);
}

static uint64_t parked(const struct gateway *g)
{
	return gateway_stats(g).parked;
}

/* Until all is back or given up; the machine may be slow. */
static void settle(struct gateway *g)
{
	uint64_t end = rte_rdtsc() + 20 * rte_get_tsc_hz();

	do
		poll_once(g);
	while (parked(g) > 0 && rte_rdtsc() < end);
}

/* Holds the next n packets on the WAN to be ESP with numbers from `seq` on; returns the next. */
static uint32_t take_esp(struct gateway *g, unsigned n, uint32_t seq)
{
	for (unsigned i = 0; i < n; i++, seq++) {
		ck_assert_uint_gt(gateway_take(g, WAN, got), 0);
		ck_assert_uint_eq(got[9], IPPROTO_ESP);
		ck_assert_uint_eq(got[24] << 24 | got[25] << 16 | got[26] << 8 | got[27], seq);
	}
	return seq;
}

static void end(struct gateway *g)
{
	let_go(ALL);
	settle(g);
	ck_assert_uint_eq(parked(g), 0);
	ck_assert_uint_eq(gateway_take(g, WAN, got), 0);
	gateway_close(g);
}

START_TEST(packets_wait_in_the_device_and_go_on_in_order)
{
	struct gateway *g = open_with(SA_NO_PROVIDER, true, AGES);

	receive(g, 10, 0);
	poll_once(g);
	ck_assert_uint_eq(parked(g), 10);
	ck_assert_uint_eq(gateway_take(g, WAN, got), 0);
	receive(g, 5, 10);
	let_go(7);
	poll_once(g);
	ck_assert_uint_eq(parked(g), 8);
	take_esp(g, 7, 1);
	ck_assert_uint_eq(gateway_take(g, WAN, got), 0);
	let_go(ALL);
	poll_once(g);
	take_esp(g, 8, 8);
	ck_assert_str_eq(gateway_exits(g), "");
	end(g);
}
END_TEST

START_TEST(what_waits_between_both_directions_keeps_its_own_way)
{
	struct gateway *g = open_with(SA_NO_PROVIDER, true, AGES);

	for (unsigned i = 0; i < 8; i++) {
		receive(g, 1 + i % 3, 0);
		receive_esp(g, 2, 1 + 2 * i);
	}
	ck_assert_uint_eq(parked(g), 31);
	let_go(ALL);
	poll_once(g);
	take_esp(g, 15, 1);
	for (unsigned i = 0; i < 16; i++)
		ck_assert_uint_eq(gateway_take(g, LAN, got), 100);
	ck_assert_uint_eq(sa_count_of(g->sa[0]).packets, 15);
	ck_assert_uint_eq(sa_count_of(g->sa[1]).packets, 16);
	ck_assert_str_eq(gateway_exits(g), "");
	end(g);
}
END_TEST

/* Three times what it can take: the rest leaves before a number is spent on it, and nothing that was
 * numbered is missing or out of its turn. */
START_TEST(an_overload_leaves_by_name_and_spends_no_number)
{
	struct gateway *g = open_with(SA_NO_PROVIDER, true, AGES);
	unsigned sent = 0;
	uint32_t seq = 1;

	for (unsigned round = 0; round < 40; round++) {
		receive(g, 48, 0);
		let_go(16);
		poll_once(g);
		poll_once(g);
		seq = take_esp(g, 16, seq);
		sent += 16;
	}
	ck_assert_uint_le(parked(g), IN_FLIGHT + BACKLOG + 48);
	ck_assert_uint_ge(parked(g), IN_FLIGHT + BACKLOG - 16);
	for (unsigned left = parked(g); left > 0; left = parked(g)) {
		let_go(ALL);
		poll_once(g);
		seq = take_esp(g, left - parked(g), seq);
		sent += left - parked(g);
	}
	ck_assert_uint_eq(g->w->stats.exit[EXIT_CRYPT_QUEUE_FULL], 40 * 48 - sent);
	ck_assert_uint_eq(sa_sequence(g->sa[0]), sent + 1);
	end(g);
}
END_TEST

START_TEST(inbound_overload_leaves_by_name_and_marks_nothing_as_seen)
{
	struct gateway *g = open_with(SA_NO_PROVIDER, true, AGES);

	for (unsigned i = 0; i < 6; i++)
		receive_esp(g, 32, 1 + 32 * i);
	ck_assert_str_eq(gateway_exits(g), "crypt_queue_full 64");
	while (parked(g) > 0) {
		let_go(ALL);
		poll_once(g);
	}
	for (unsigned i = 0; i < 128; i++)
		ck_assert_uint_eq(gateway_take(g, LAN, got), 100);
	receive_esp(g, 32, 129); /* they were refused, not seen */
	let_go(ALL);
	poll_once(g);
	ck_assert_str_eq(gateway_exits(g), "");
	ck_assert_uint_eq(sa_count_of(g->sa[1]).packets, 160);
	for (unsigned i = 0; i < 32; i++)
		ck_assert_uint_eq(gateway_take(g, LAN, got), 100);
	end(g);
}
END_TEST

START_TEST(an_error_of_the_device_leaves_by_name)
{
	struct gateway *g = open_with(SA_NO_PROVIDER, _i, AGES);

	slow.fail = 4;
	let_go(ALL);
	receive(g, 16, 0);
	poll_once(g);
	ck_assert_str_eq(gateway_exits(g), "crypt_failed 4");
	for (unsigned i = 0; i < 12; i++)
		ck_assert_uint_gt(gateway_take(g, WAN, got), 0);
	receive_esp(g, 8, 1);
	poll_once(g);
	ck_assert_str_eq(gateway_exits(g), "crypt_failed 2");
	for (unsigned i = 0; i < 6; i++)
		ck_assert_uint_gt(gateway_take(g, LAN, got), 0);
	end(g);
}
END_TEST

/* It says that all is well, and the text is as it was: clear outbound, not deciphered inbound. */
START_TEST(a_device_that_did_nothing_is_found_out)
{
	struct gateway *g = open_with(SA_NO_PROVIDER, _i, AGES);

	slow.undoes = true;
	let_go(ALL);
	receive(g, 16, 0);
	settle(g);
	ck_assert_str_eq(gateway_exits(g), "crypt_failed 1");
	take_esp(g, 15, 2);
	slow.undone = NULL;
	receive_esp(g, 16, 1);
	settle(g);
	ck_assert_str_eq(gateway_exits(g), "crypt_failed 1");
	for (unsigned i = 0; i < 15; i++)
		ck_assert_uint_eq(gateway_take(g, LAN, got), 100);
	end(g);
}
END_TEST

/* Each packet is proved, or one of four: none that came out wrong goes on, nor what came with it, and the
 * device is not asked again. */
START_TEST(a_device_that_computes_wrongly_is_found_out)
{
	struct gateway *g = open_with(CRYPTO_AESNI_MB, true, AGES);

	g->p->setup.proof_every = 1 + 3 * _i;
	let_go(ALL);
	receive(g, 16, 0);
	receive_esp(g, 16, 1);
	settle(g);
	ck_assert_str_eq(gateway_exits(g), "");
	take_esp(g, 16, 1);
	for (unsigned i = 0; i < 16; i++)
		ck_assert_uint_eq(gateway_take(g, LAN, got), 100);
	slow.lies = true;
	if (_i == 0)
		receive(g, 48, 0);
	else
		receive_esp(g, 48, 17);
	settle(g);
	ck_assert_str_eq(gateway_exits(g), "crypt_stalled 16, crypt_wrong 32");
	ck_assert_uint_eq(gateway_take(g, WAN, got), 0);
	ck_assert_uint_eq(gateway_take(g, LAN, got), 0);
	ck_assert_uint_eq(sa_db_fall_back(g->sas).moved, 2);
	receive(g, 8, 0);
	poll_once(g);
	take_esp(g, 8, _i == 0 ? 65 : 17);
	crypto_stop(g->p->setup.crypto);
	gateway_close(g);
}
END_TEST

/* What both say is wrong is the sender's affair. */
START_TEST(a_forgery_proves_nothing_against_the_device)
{
	struct gateway *g = open_with(CRYPTO_AESNI_MB, true, AGES);

	g->p->setup.proof_every = 1;
	to_a.in->crypto.key.bytes[0] ^= 1;
	let_go(ALL);
	receive_esp(g, 16, 1);
	settle(g);
	ck_assert_str_eq(gateway_exits(g), "in_finish_icv 16");
	end(g);
}
END_TEST

START_TEST(a_lost_op_is_given_up_alone_and_its_memory_stays_the_devices)
{
	struct gateway *g = open_with(SA_NO_PROVIDER, _i, SOON);
	struct crypto_device_stats stats;

	slow.lose = 5;
	let_go(ALL);
	receive(g, 20, 0);
	settle(g);
	ck_assert_str_eq(gateway_exits(g), "crypt_stalled 4");
	ck_assert_uint_eq(parked(g), 0);
	for (unsigned i = 0; i < 16; i++)
		ck_assert_uint_gt(gateway_take(g, WAN, got), 0);
	ck_assert_uint_eq(rte_mempool_avail_count(g->pool), g->pool_size - 4);
	/* It works on. */
	slow.lose = 0;
	receive(g, 20, 0);
	poll_once(g);
	take_esp(g, 20, 21);
	ck_assert_str_eq(gateway_exits(g), "");
	/* One comes late; what never comes is freed when the device is stopped. */
	slow.op[slow.n++] = slow.lost[0];
	poll_once(g);
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
	struct gateway *g = open_with(SA_NO_PROVIDER, false, SOON);

	let_go(4);
	receive(g, 8, 0);
	tx_flush(g->w);
	take_esp(g, 4, 1);
	let_go(20);
	receive(g, 20, 0);
	tx_flush(g->w);
	ck_assert_str_eq(gateway_exits(g), "crypt_stalled 8");
	take_esp(g, 16, 9);
	ck_assert_uint_eq(rte_mempool_avail_count(g->pool), g->pool_size - 4);
	let_go(ALL);
	receive(g, 8, 0);
	tx_flush(g->w);
	ck_assert_str_eq(gateway_exits(g), "");
	take_esp(g, 8, 29);
	ck_assert_uint_eq(rte_mempool_avail_count(g->pool), g->pool_size);
	sa_retire(g->sas, g->sa[0]);
	ck_assert_int_eq(sa_db_publish(g->sas, NULL), 0);
	ck_assert_uint_eq(sa_db_reap(g->sas), 0);
	end(g);
}
END_TEST

/* The packet goes on without proof, and the copy is freed when it comes. */
START_TEST(a_fallback_that_loses_a_proof_harms_nothing)
{
	struct gateway *g = open_on(CRYPTO_AESNI_MB, CRYPTO_OPENSSL, true, SOON);

	g->p->setup.proof_every = 1;
	slow.is_single = true;
	for (unsigned i = 0; i < 3; i++) {
		let_go(i < 2 ? i : ALL);
		receive(g, 1, i);
		settle(g);
		take_esp(g, 1, 1 + i);
		ck_assert_uint_eq(rte_mempool_avail_count(g->pool), g->pool_size - (i < 2 ? 1 : 0));
	}
	ck_assert_str_eq(gateway_exits(g), "");
	end(g);
}
END_TEST

/* Two are missed at different times, and nothing came in between: there was nothing to come. */
START_TEST(lost_ops_before_a_silence_do_not_condemn_the_device)
{
	struct gateway *g = open_with(SA_NO_PROVIDER, true, SOON);
	struct crypto_device_stats stats;

	let_go(ALL);
	slow.lose = 4;
	receive(g, 4, 0);
	for (unsigned i = 0; i < 2000; i++)
		poll_once(g); /* some of the time that it has */
	receive(g, 5, 0);
	settle(g);
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
	struct gateway *g = open_with(SA_NO_PROVIDER, true, SOON);
	struct crypto_device_stats stats;

	for (unsigned i = 0; i < 3; i++) {
		receive(g, 1, 0);
		settle(g);
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
	struct gateway *g = open_with(SA_NO_PROVIDER, true, AGES);

	slow.repeats = true;
	let_go(ALL);
	receive(g, 20, 0);
	settle(g);
	take_esp(g, 20, 1);
	ck_assert_str_eq(gateway_exits(g), "");
	end(g);
}
END_TEST

/* The device has the packet's memory again, in another job: an op that comes a second time says
 * nothing about that. */
START_TEST(an_op_that_comes_before_it_is_processed_changes_nothing)
{
	static const uint8_t none[] = {RTE_CRYPTO_OP_STATUS_NOT_PROCESSED, 0x80};
	struct gateway *g = open_with(SA_NO_PROVIDER, true, AGES);

	receive(g, 1, 0);
	poll_once(g);
	for (unsigned i = 0; i < RTE_DIM(none); i++) {
		slow.op[slow.n++] = slow.op[0];
		slow.op[0]->status = none[i];
		let_go(1);
		poll_once(g);
		ck_assert_uint_eq(parked(g), 1);
	}
	slow.op[0]->status = RTE_CRYPTO_OP_STATUS_SUCCESS;
	let_go(1);
	poll_once(g);
	take_esp(g, 1, 1);
	ck_assert_str_eq(gateway_exits(g), "");
	end(g);
}
END_TEST

static const struct {
	bool is_lookaside, refuses;
} stalls[] = {{true, false}, {true, true}, {false, false}, {false, true}};

/* The device stands still after 8 packets; the SA goes on with its fallback and the next number. */
START_TEST(a_stalled_device_is_given_up_and_the_fallback_takes_over)
{
	struct gateway *g = open_with(CRYPTO_AESNI_MB, stalls[_i].is_lookaside, SOON);
	struct sa_fall_back done;
	uint64_t next;

	let_go(8);
	receive(g, 8, 0);
	poll_once(g);
	take_esp(g, 8, 1);
	slow.refuses = stalls[_i].refuses;
	receive(g, 60, 0);
	settle(g);
	receive(g, 40, 0);
	settle(g);
	ck_assert_str_eq(gateway_exits(g), "crypt_stalled 100");
	ck_assert_uint_eq(parked(g), 0);
	next = sa_sequence(g->sa[0]);
	ck_assert_uint_ge(next, 69);

	done = sa_db_fall_back(g->sas);
	ck_assert_uint_eq(done.moved, 2);
	ck_assert_uint_eq(done.stopped, 0);
	ck_assert_str_eq(sa_provider(g->sa[0]), "aesni_mb");
	receive(g, 10, 0);
	poll_once(g);
	take_esp(g, 10, next);
	receive_esp(g, 10, 1);
	poll_once(g);
	for (unsigned i = 0; i < 10; i++)
		ck_assert_uint_eq(gateway_take(g, LAN, got), 100);
	ck_assert_str_eq(gateway_exits(g), "");
	crypto_stop(g->p->setup.crypto);
	gateway_close(g);
}
END_TEST

START_TEST(without_a_fallback_the_sa_stops_and_says_so)
{
	struct gateway *g = open_with(SA_NO_PROVIDER, _i, SOON);
	struct crypto_device_stats stats;
	struct sa_fall_back done;
	struct sa *late;
	struct why why;

	for (unsigned i = 0; i < 2; i++) {
		receive(g, 5, 0);
		settle(g);
	}
	ck_assert_str_eq(gateway_exits(g), "crypt_stalled 10");
	done = sa_db_fall_back(g->sas);
	ck_assert_uint_eq(done.moved, 0);
	ck_assert_uint_eq(done.stopped, 2);
	for (unsigned i = 0; i < 3; i++)
		receive(g, 10, 0);
	receive_esp(g, 10, 1);
	ck_assert_str_eq(gateway_exits(g), "crypt_stalled 40");
	ck_assert_uint_eq(sa_sequence(g->sa[0]), 11); /* no number was spent on them */
	ck_assert(crypto_device_stats(g->p->setup.crypto, 0, &stats));
	ck_assert(stats.is_stalled);
	ck_assert_uint_eq(stats.lost, 10);
	/* Nor does it take new SAs. */
	to_b.out->spi = 0x5000;
	ck_assert_int_eq(sa_open(g->sas, to_b.out, &late, &why), -ENODEV);
	ck_assert_str_eq(why.text,
		"openssl: its devices stood still or were wrong, and are given up; "
		"restart to try again");
	crypto_stop(g->p->setup.crypto);
	gateway_close(g);
}
END_TEST

/* Its session and counters are needed until the last packet is through. */
START_TEST(a_retired_sa_stays_while_packets_wait)
{
	struct gateway *g = open_with(SA_NO_PROVIDER, true, AGES);
	struct crypto_device_stats stats;

	receive(g, 10, 0);
	receive_esp(g, 10, 1);
	sa_retire(g->sas, g->sa[0]);
	sa_retire(g->sas, g->sa[1]);
	ck_assert_int_eq(sa_db_publish(g->sas, NULL), 0);
	ck_assert_uint_eq(sa_db_reap(g->sas), 2);
	let_go(10);
	poll_once(g);
	ck_assert_uint_eq(sa_db_reap(g->sas), 1);
	take_esp(g, 10, 1);
	let_go(9);
	poll_once(g);
	ck_assert_uint_eq(sa_db_reap(g->sas), 1);
	let_go(1);
	poll_once(g);
	ck_assert_uint_eq(sa_db_reap(g->sas), 0);
	for (unsigned i = 0; i < 10; i++)
		ck_assert_uint_eq(gateway_take(g, LAN, got), 100);
	ck_assert(crypto_device_stats(g->p->setup.crypto, 0, &stats));
	ck_assert_uint_eq(stats.sessions, 0);
	end(g);
}
END_TEST

START_TEST(a_retired_sa_stays_while_a_device_keeps_a_packet_of_it)
{
	struct gateway *g = open_with(SA_NO_PROVIDER, true, SOON);

	slow.lose = 10;
	let_go(ALL);
	receive(g, 10, 0);
	settle(g);
	take_esp(g, 9, 1);
	sa_retire(g->sas, g->sa[0]);
	ck_assert_int_eq(sa_db_publish(g->sas, NULL), 0);
	ck_assert_uint_eq(sa_db_reap(g->sas), 1);
	slow.op[slow.n++] = slow.lost[0];
	poll_once(g);
	ck_assert_uint_eq(sa_db_reap(g->sas), 0);
	end(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_test(t, packets_wait_in_the_device_and_go_on_in_order);
	tcase_add_test(t, what_waits_between_both_directions_keeps_its_own_way);
	tcase_add_test(t, an_overload_leaves_by_name_and_spends_no_number);
	tcase_add_test(t, inbound_overload_leaves_by_name_and_marks_nothing_as_seen);
	tcase_add_loop_test(t, an_error_of_the_device_leaves_by_name, 0, 2);
	tcase_add_loop_test(t, a_device_that_did_nothing_is_found_out, 0, 2);
	tcase_add_loop_test(t, a_device_that_computes_wrongly_is_found_out, 0, 2);
	tcase_add_test(t, a_forgery_proves_nothing_against_the_device);
	tcase_add_loop_test(t, a_lost_op_is_given_up_alone_and_its_memory_stays_the_devices, 0, 2);
	tcase_add_test(t, what_comes_late_is_not_taken_for_what_is_awaited);
	tcase_add_test(t, a_fallback_that_loses_a_proof_harms_nothing);
	tcase_add_test(t, lost_ops_before_a_silence_do_not_condemn_the_device);
	tcase_add_test(t, a_device_that_takes_and_never_gives_is_found_out_at_any_rate);
	tcase_add_test(t, an_op_that_comes_twice_counts_once);
	tcase_add_test(t, an_op_that_comes_before_it_is_processed_changes_nothing);
	tcase_add_loop_test(
		t, a_stalled_device_is_given_up_and_the_fallback_takes_over, 0, RTE_DIM(stalls));
	tcase_add_loop_test(t, without_a_fallback_the_sa_stops_and_says_so, 0, 2);
	tcase_add_test(t, a_retired_sa_stays_while_packets_wait);
	tcase_add_test(t, a_retired_sa_stays_while_a_device_keeps_a_packet_of_it);
	return pipeline_fixture_main("lookaside", t);
}
