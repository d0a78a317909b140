/* SPDX-License-Identifier: BSD-3-Clause */
/* slow_device.c - a crypto device that answers when it is let, if at all. */
#define ALLOW_EXPERIMENTAL_API /* callbacks on crypto queues */
#include "slow_device.h"

#include <rte_cryptodev.h>
#include <string.h>

#include "lookaside.h"

struct slow slow;
struct tunnel slow_to_b, slow_to_a;
static struct site site[2];
static uint8_t ip[PACKET_MAX], got[PACKET_MAX];

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

void slow_let_go(unsigned n)
{
	slow.allow = n;
}

/* OpenSSL's device is the slow one, as provider or as fallback. */
struct gateway *slow_open_on(enum crypto_provider provider, enum crypto_provider fallback,
	bool is_lookaside, uint32_t overdue_ms)
{
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);
	struct crypto *c = pipeline_fixture_crypto(SLOW_IN_FLIGHT, overdue_ms);
	struct gateway *g;
	int id;

	memset(&slow, 0, sizeof(slow));
	site_a(&site[0]);
	site_b(&site[1]);
	slow_to_b = site_tunnel(&site[0], &site[1], &crypto, provider, 4);
	slow_to_a = site_tunnel(&site[1], &site[0], &crypto, provider, 4);
	slow_to_b.out->fallback = slow_to_a.in->fallback = fallback;
	site[0].backlog = SLOW_BACKLOG;
	g = gateway_open(&site[0]);
	for (unsigned i = 0; i < 2 && is_lookaside; i++)
		sa_session(g->sa[i])->is_lookaside = sa_session(g->sa[i])->is_device = true;
	id = rte_cryptodev_get_dev_id(crypto_device_name(c, provider == CRYPTO_OPENSSL ? 0 : 1));
	ck_assert_int_ge(id, 0);
	ck_assert_ptr_nonnull(rte_cryptodev_add_enq_callback(id, 0, take_in, NULL));
	ck_assert_ptr_nonnull(rte_cryptodev_add_deq_callback(id, 0, give_out, NULL));
	return g;
}

struct gateway *slow_open_with(
	enum crypto_provider fallback, bool is_lookaside, uint32_t overdue_ms)
{
	return slow_open_on(CRYPTO_OPENSSL, fallback, is_lookaside, overdue_ms);
}

/* A burst of n packets for B, numbered in their payload from `from` on. */
void slow_receive(struct gateway *g, unsigned n, unsigned from)
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
void slow_receive_esp(struct gateway *g, unsigned n, uint64_t from)
{
	struct burst *b = &g->w->lane[LANE_IN].burst;
	struct packet p = packet_ba(4);
	uint8_t frame[PACKET_MAX];

	for (unsigned i = 0; i < n; i++) {
		uint16_t len = esp_seal_packet(slow_to_a.in, from + i, &p, ip);

		len = frame_write(g, WAN, ip, len, frame);
		b->pkt[b->n] = gateway_frame(g, frame, len, 0);
		b->pkt[b->n++]->port = WAN;
	}
	g->w->stats.received += n;
	lanes_run(g->w, LANE_IN, 0);
}

void slow_poll_once(struct gateway *g)
{
	lookaside_poll(g->w);
	tx_flush(g->w);
}

uint64_t slow_parked(const struct gateway *g)
{
	return gateway_stats(g).parked;
}

/* Until all is back or given up; the machine may be slow. */
void slow_settle(struct gateway *g)
{
	uint64_t end = rte_rdtsc() + 20 * rte_get_tsc_hz();

	do
		slow_poll_once(g);
	while (slow_parked(g) > 0 && rte_rdtsc() < end);
}

/* Holds the next n packets on the WAN to be ESP with numbers from `seq` on; returns the next. */
uint32_t slow_take_esp(struct gateway *g, unsigned n, uint32_t seq)
{
	for (unsigned i = 0; i < n; i++, seq++) {
		ck_assert_uint_gt(gateway_take(g, WAN, got), 0);
		ck_assert_uint_eq(got[9], IPPROTO_ESP);
		ck_assert_uint_eq(got[24] << 24 | got[25] << 16 | got[26] << 8 | got[27], seq);
	}
	return seq;
}

void slow_end(struct gateway *g)
{
	slow_let_go(SLOW_ALL);
	slow_settle(g);
	ck_assert_uint_eq(slow_parked(g), 0);
	ck_assert_uint_eq(gateway_take(g, WAN, got), 0);
	gateway_close(g);
}
