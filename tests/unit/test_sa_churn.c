/* SPDX-License-Identifier: BSD-3-Clause */
/* test_sa_churn.c - SAs come and go by the ten thousand while a worker sends and receives by them, on a
 * device that answers at once and on one that still has packets of them when they are retired: nothing
 * of them is left behind. */
#define ALLOW_EXPERIMENTAL_API /* callbacks on crypto queues */
#include <pthread.h>
#include <rte_cryptodev.h>
#include <string.h>

#include "device.h"
#include "lookaside.h"
#include "pipeline_fixture.h"

#define CHURN     50000
#define WARM_UP   1000
#define EACH      20 /* SAs of a set; half of them send, and half are on each provider */
#define SETS      2 /* that follow one another */
#define IN_FLIGHT 512
#define AGES      60000
#define BURST     8
#define TAKE      32u /* what a poll has room for */
#define HOLD      64 /* polls in which ops are held, and then a few that let go */

static struct site site[2];
static struct gateway *g;
static struct sa_spec spec[SETS][EACH];
static uint8_t frame_out[PACKET_MAX], frame_in[SETS][EACH][PACKET_MAX];
static uint16_t len_out, len_in[SETS][EACH]; /* 0: it sends */
static _Atomic bool is_over;
static uint64_t sent, received;

/* The device gives ops back late. */
static uint16_t hold_back(
	uint16_t dev, uint16_t pair, struct rte_crypto_op **ops, uint16_t n, void *arg)
{
	static struct rte_crypto_op *held[1024];
	static unsigned n_held, polls;
	uint16_t out;

	(void)dev;
	(void)pair;
	(void)arg;
	memcpy(held + n_held, ops, n * sizeof(ops[0]));
	n_held += n;
	out = polls++ % HOLD < HOLD / 2 ? 0 : RTE_MIN(n_held, TAKE);
	memcpy(ops, held, out * sizeof(ops[0]));
	n_held -= out;
	memmove(held, held + out, n_held * sizeof(held[0]));
	return out;
}

static void receive(enum lane_id lane, uint16_t port, const uint8_t *frame, uint16_t len)
{
	struct burst *b = &g->w->lane[lane].burst;

	for (unsigned i = 0; i < BURST; i++) {
		b->pkt[b->n] = gateway_frame(g, frame, len, 0);
		b->pkt[b->n++]->port = port;
	}
	g->w->stats.received += BURST;
	lanes_run(g->w, lane, 0);
}

static void go_on(void)
{
	uint8_t ip[PACKET_MAX];

	lookaside_poll(g->w);
	tx_flush(g->w);
	while (gateway_take(g, WAN, ip) > 0)
		sent++;
	while (gateway_take(g, LAN, ip) > 0)
		received++;
	rcu_quiescent(&g->rcu, 0);
}

static void *work(void *arg)
{
	(void)arg;
	rcu_join(&g->rcu, 0);
	for (unsigned n = 0; !is_over; n = (n + 1) % EACH) {
		receive(LANE_OUT, LAN, frame_out, len_out);
		for (unsigned s = 0; s < SETS; s++) {
			if (len_in[s][n] > 0)
				receive(LANE_IN, WAN, frame_in[s][n], len_in[s][n]);
		}
		go_on();
		sched_yield();
	}
	while (gateway_stats(g).parked > 0)
		go_on();
	rcu_leave(&g->rcu, 0);
	return NULL;
}

/* The last one that a set opens sends for all: it is on the other provider in the other set. Inbound
 * ones have no window, so that one packet will do for all times. */
static void make_spec(unsigned s, unsigned i, const struct crypto_spec *crypto)
{
	enum crypto_provider provider = (i + s) % 2 == 0 ? CRYPTO_AESNI_MB : CRYPTO_OPENSSL;
	struct packet ba = packet_ba(4);
	uint8_t ip[PACKET_MAX];

	site_a(&site[0]);
	site_b(&site[1]);
	if (i >= EACH / 2) {
		spec[s][i] = *site_tunnel(&site[0], &site[1], crypto, provider, 4).out;
		return;
	}
	spec[s][i] = *site_tunnel(&site[1], &site[0], crypto, provider, 4).in;
	spec[s][i].spi = 0x2001 + s * EACH + i;
	spec[s][i].window = 0;
	len_in[s][i] =
		frame_write(g, WAN, ip, esp_seal_packet(&spec[s][i], 1, &ba, ip), frame_in[s][i]);
}

static void open_all(void)
{
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);
	struct packet ab = packet_ab(4);
	uint8_t ip[PACKET_MAX];

	pipeline_fixture_crypto(IN_FLIGHT, AGES);
	site_a(&site[0]);
	site[0].backlog = 256;
	g = gateway_open(&site[0]);
	len_out = frame_write(g, LAN, ip, packet_write(&ab, ip), frame_out);
	for (unsigned s = 0; s < SETS; s++) {
		for (unsigned i = 0; i < EACH; i++)
			make_spec(s, i, &crypto);
	}
}

static void open_set(const struct sa_spec *specs, struct sa *sa[])
{
	for (unsigned i = 0; i < EACH; i++) {
		struct sequence *seq;
		struct why why;

		ck_assert_msg(sa_open(g->sas, &specs[i], &sa[i], &why) == 0, "%s", why.text);
		if (specs[i].direction == SA_IN)
			continue;
		sa_set_path_mtu(sa[i], 1500);
		seq = sa_sequence_numbers(sa[i]);
		atomic_store(&seq->limit, seq->end);
	}
}

static void retire_set(struct sa *sa[])
{
	for (unsigned i = 0; i < EACH; i++)
		sa_retire(g->sas, sa[i]);
}

struct level {
	size_t heap, allocs;
	unsigned sessions;
};

/* What is taken when nothing waits. */
static struct level level(const struct crypto_device *d)
{
	struct rte_malloc_socket_stats heap;

	ck_assert_int_eq(sa_db_publish(g->sas, NULL), 0);
	while (sa_db_reap(g->sas) > 0)
		sched_yield();
	ck_assert_int_eq(rte_malloc_get_socket_stats(rte_socket_id(), &heap), 0);
	return (struct level){heap.heap_allocsz_bytes, heap.alloc_count,
		rte_mempool_in_use_count(d->member_of[0]->sessions)};
}

/* A session tells which device is to answer late. */
static struct crypto_device *make_late(void)
{
	struct crypto_device *d;
	struct sa *sa[EACH];
	int id;

	open_set(spec[0], sa);
	d = sa_session(sa[1])->owner;
	d->is_lookaside = true;
	id = rte_cryptodev_get_dev_id(d->name);
	ck_assert_ptr_nonnull(rte_cryptodev_add_deq_callback(id, 0, hold_back, NULL));
	retire_set(sa);
	ck_assert_int_eq(sa_db_publish(g->sas, NULL), 0);
	return d;
}

START_TEST(fifty_thousand_sas_come_and_go_under_traffic)
{
	struct level before = {0}, after;
	struct sa *sa[SETS][EACH];
	struct crypto_device *d;
	unsigned waited = 0;
	pthread_t worker;

	open_all();
	d = make_late();
	open_set(spec[1], sa[1]);
	ck_assert_int_eq(sa_db_publish(g->sas, NULL), 0);
	is_over = false;
	ck_assert_int_eq(pthread_create(&worker, NULL, work, NULL), 0);
	for (unsigned n = 0; n < CHURN; n += EACH) {
		unsigned s = n / EACH % SETS;

		if (n == WARM_UP)
			before = level(d);
		while (sa_db_reap(g->sas) > EACH) /* sessions are few */
			sched_yield();
		open_set(spec[s], sa[s]);
		retire_set(sa[1 - s]);
		ck_assert_int_eq(sa_db_publish(g->sas, NULL), 0);
		waited += sa_db_reap(g->sas) > 0;
	}
	after = level(d);
	is_over = true;
	pthread_join(worker, NULL);
	ck_assert_uint_eq(after.allocs, before.allocs);
	ck_assert_uint_lt(
		after.heap, before.heap + 4096); /* pieces are cut a line longer or shorter */
	ck_assert_uint_eq(after.sessions, before.sessions);
	ck_assert_uint_eq(after.sessions, EACH / 2);
	ck_assert_msg(waited > CHURN / EACH / 25, "only %u had packets in flight", waited);
	ck_assert_uint_gt(sent, CHURN / 10);
	ck_assert_uint_gt(received, CHURN / 10);
	gateway_close(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_test(t, fifty_thousand_sas_come_and_go_under_traffic);
	return pipeline_fixture_main("sa_churn", t);
}
