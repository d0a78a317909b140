/* SPDX-License-Identifier: BSD-3-Clause */
/* pipeline_fixture.c - gateways of real rooms with rings for wires. */
#include "pipeline_fixture.h"

#include <rte_errno.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <string.h>

#define WIRES       6
#define WIRE_DEPTH  512
#define POOL_SIZE   1023
#define WORKERS_MAX 2
#define IN_FLIGHT   512

#define OPENSSL_DEVICE "crypto_openssl0"

/* A port of rings; in: towards the gateway. */
static struct wire {
	struct rte_ring *in, *out;
	uint16_t ethdev;
	bool taken;
} wires[WIRES];

static struct gateway *gateways[2]; /* that are open */
static struct crypto *crypto;
static struct rte_mempool *port_pool;

static struct rte_ring *make_ring(const char *kind, unsigned i)
{
	char name[32];

	snprintf(name, sizeof(name), "%s%u", kind, i);
	return rte_ring_create(name, WIRE_DEPTH, 0, RING_F_SP_ENQ | RING_F_SC_DEQ);
}

/* Outside of a test Check has nobody to report to. */
static void must(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s: %s\n", what, rte_strerror(rte_errno));
	exit(EXIT_FAILURE);
}

static void wire_open(struct wire *w, unsigned i)
{
	struct rte_eth_conf conf = {0};
	char name[16];
	int id;

	w->in = make_ring("in", i);
	w->out = make_ring("out", i);
	snprintf(name, sizeof(name), "wire%u", i);
	id = rte_eth_from_rings(name, &w->in, 1, &w->out, 1, 0);
	must(id >= 0, "no port of rings");
	w->ethdev = id;
	must(rte_eth_dev_configure(id, 1, 1, &conf) == 0 &&
			rte_eth_rx_queue_setup(id, 0, 64, 0, NULL, port_pool) == 0 &&
			rte_eth_tx_queue_setup(id, 0, 64, 0, NULL) == 0 &&
			rte_eth_dev_start(id) == 0,
		"a port of rings does not start");
}

static struct wire *wire_of(uint16_t ethdev)
{
	for (unsigned i = 0; i < WIRES; i++) {
		if (wires[i].ethdev == ethdev)
			return &wires[i];
	}
	ck_abort_msg("no such wire");
}

static uint16_t take_wire(void)
{
	for (unsigned i = 0; i < WIRES; i++) {
		if (!wires[i].taken) {
			wires[i].taken = true;
			return wires[i].ethdev;
		}
	}
	ck_abort_msg("no wire is left");
}

static void pipeline_fixture_open(void)
{
	char *vdevs[] = {"--vdev=crypto_aesni_mb0", "--vdev=" OPENSSL_DEVICE};

	fixture_eal(vdevs, RTE_DIM(vdevs));
	/* QAT is played by a cryptodev. */
	crypto = fixture_room_named(WORKERS_MAX, IN_FLIGHT, CRYPTO_QAT, "crypto_aesni_mb0");
	port_pool = rte_pktmbuf_pool_create("ports", 63, 0, 0, 2048, SOCKET_ID_ANY);
	must(port_pool != NULL, "no pool");
	for (unsigned i = 0; i < WIRES; i++)
		wire_open(&wires[i], i);
}

static void pipeline_fixture_close(void)
{
	for (unsigned i = 0; i < WIRES; i++) {
		rte_eth_dev_stop(wires[i].ethdev);
		rte_eth_dev_close(wires[i].ethdev);
	}
	crypto_close(crypto);
}

struct crypto *pipeline_fixture_crypto(uint32_t in_flight, uint32_t overdue_ms)
{
	struct crypto_setup setup = {WORKERS_MAX, .in_flight = in_flight, .overdue_ms = overdue_ms};

	setup.named[CRYPTO_OPENSSL].device[0] = OPENSSL_DEVICE;
	setup.named[CRYPTO_OPENSSL].n = 1;
	crypto_stop(crypto);
	crypto_close(crypto);
	crypto = fixture_room_of(setup);
	return crypto;
}

bool provider_can(enum crypto_provider provider, const struct crypto_spec *spec)
{
	return crypto_can(crypto, provider, spec, NULL) == 0;
}

static void gateway_free(struct gateway *g);

/* After a test that failed: the next one finds the wires and the memory free. */
static void free_what_is_left(void)
{
	for (unsigned i = 0; i < RTE_DIM(gateways); i++) {
		if (gateways[i] != NULL)
			gateway_free(gateways[i]);
	}
}

int check_in_process(const char *name, TCase *t)
{
	Suite *s = suite_create(name);
	SRunner *r = srunner_create(s);
	int failed;

	tcase_set_timeout(t, 120);
	suite_add_tcase(s, t);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int pipeline_fixture_main(const char *name, TCase *t)
{
	int rc;

	pipeline_fixture_open();
	tcase_add_checked_fixture(t, NULL, free_what_is_left);
	rc = check_in_process(name, t);
	pipeline_fixture_close();
	return rc;
}

static void stop_when_empty(const struct gateway *g)
{
	for (uint16_t i = 0; i < g->n_ports; i++) {
		if (rte_ring_count(wire_of(g->ethdev[i])->in) > 0)
			return;
	}
	pipeline_stop(g->p);
}

/* Looks at the wires with each poll: the worker drains and returns when nothing is on them. */
static uint16_t watch_wires(
	uint16_t port, uint16_t queue, struct rte_mbuf *pkts[], uint16_t n, uint16_t max, void *arg)
{
	(void)port;
	(void)queue;
	(void)pkts;
	(void)max;
	stop_when_empty(arg);
	return n;
}

static void open_sas(struct gateway *g, const struct site *s)
{
	struct sa_setup setup = {crypto, &g->rcu, WORKERS_MAX, RTE_DIM(s->sa)};
	struct why why;

	ck_assert_int_eq(sa_db_open(&setup, &g->sas, NULL), 0);
	for (uint32_t i = 0; i < s->n_sas; i++) {
		struct sequence *seq;

		ck_assert_msg(
			sa_open(g->sas, &s->sa[i], &g->sa[i], &why) == 0, "SA %u: %s", i, why.text);
		if (s->sa[i].direction == SA_IN)
			continue;
		seq = sa_sequence_numbers(g->sa[i]);
		atomic_store(&seq->limit, seq->end); /* a lease of everything */
		sa_set_path_mtu(g->sa[i], s->path_mtu);
	}
	ck_assert_int_eq(sa_db_publish(g->sas, NULL), 0);
}

static void open_routes(struct gateway *g, const struct site *s)
{
	struct route_setup setup = {
		.ports = s->port,
		.n_ports = s->n_ports,
		.routes = s->route,
		.n_routes = s->n_routes,
		.neighbours = s->neighbour,
		.n_neighbours = s->n_neighbours,
		.socket = SOCKET_ID_ANY,
	};
	struct why why;

	ck_assert_msg(route_open(&setup, &g->routes, &why) == 0, "%s", why.text);
}

static void open_pool(struct gateway *g, const struct site *s)
{
	static unsigned serial;
	char name[32];

	snprintf(name, sizeof(name), "gateway%u", serial++);
	g->pool_size = POOL_SIZE;
	g->pool = rte_pktmbuf_pool_create(
		name, POOL_SIZE, 0, CRYPTO_JOB_SIZE, s->data_room, SOCKET_ID_ANY);
	ck_assert_ptr_nonnull(g->pool);
}

struct gateway *gateway_open(const struct site *s)
{
	static const uint16_t lcores[WORKERS_MAX];
	struct gateway *g = calloc(1, sizeof(*g));
	struct pipeline_setup setup = {
		.lcores = lcores,
		.n_workers = RTE_MAX(s->n_workers, 1),
		.burst = s->burst,
		.ports = g->port,
		.n_ports = s->n_ports,
		.rcu = &g->rcu,
		.crypto = crypto,
		.builtin_arp = s->builtins,
		.builtin_nd = s->builtins,
		.builtin_ike = s->builtins,
		.icmp_rate = s->icmp_rate,
		.backlog = s->backlog,
		.proof_every = s->proof_every,
	};

	for (enum punt_kind k = 0; k < PUNT_KINDS; k++)
		setup.punt_rate[k] = s->punt_rate;
	ck_assert_ptr_nonnull(g);
	gateways[gateways[0] != NULL] = g;
	ck_assert_int_eq(rcu_open(&g->rcu, 1), 0);
	open_pool(g, s);
	open_sas(g, s);
	ck_assert_int_eq(spd_open(s->policy, s->n_policies, g->sas, &g->spd, NULL), 0);
	open_routes(g, s);
	for (uint16_t i = 0; i < s->n_ports; i++) {
		g->n_ports = i + 1;
		g->ethdev[i] = take_wire();
		g->port[i] = (struct port){.ethdev = g->ethdev[i],
			.n_rx_queues = 1,
			.n_tx_queues = 1,
			.route = s->port[i]};
		g->watch[i] = rte_eth_add_rx_callback(g->ethdev[i], 0, watch_wires, g);
		ck_assert_ptr_nonnull(g->watch[i]);
	}
	setup.sas = g->sas;
	setup.spd = g->spd;
	setup.routes = g->routes;
	ck_assert_int_eq(pipeline_open(&setup, &g->p, NULL), 0);
	g->w = g->p->worker[0];
	return g;
}

struct worker_stats gateway_stats(const struct gateway *g)
{
	struct worker_stats sum, stats;

	pipeline_stats(g->p, 0, &sum);
	for (uint16_t i = 1; i < pipeline_workers(g->p); i++) {
		pipeline_stats(g->p, i, &stats);
		sum.received += stats.received;
		sum.made += stats.made;
		sum.sent += stats.sent;
		sum.merged += stats.merged;
		sum.parked += stats.parked;
		for (unsigned e = 0; e < EXIT_COUNT; e++)
			sum.exit[e] += stats.exit[e];
	}
	return sum;
}

static void check_books(const struct gateway *g)
{
	struct worker_stats s = gateway_stats(g);
	uint64_t exits = 0;

	for (unsigned i = 0; i < EXIT_COUNT; i++)
		exits += s.exit[i];
	ck_assert_uint_eq(s.received + s.made, s.sent + exits + s.merged + s.parked);
}

/* Every packet is in the pool or on a wire. */
static void check_pool(const struct gateway *g)
{
	unsigned on_wires = 0;

	for (uint16_t i = 0; i < g->n_ports; i++)
		on_wires += rte_ring_count(wire_of(g->ethdev[i])->out);
	ck_assert_uint_eq(rte_mempool_avail_count(g->pool) + on_wires, g->pool_size);
}

static void empty_ring(struct rte_ring *r)
{
	void *m;

	while (rte_ring_dequeue(r, &m) == 0)
		rte_pktmbuf_free(m);
}

/* A gateway that is open, or as far as it came. */
static void gateway_free(struct gateway *g)
{
	for (uint16_t i = 0; i < g->n_ports; i++) {
		struct wire *wire = wire_of(g->ethdev[i]);

		empty_ring(wire->in);
		empty_ring(wire->out);
		rte_eth_remove_rx_callback(g->ethdev[i], 0, g->watch[i]);
		rte_free((void *)(uintptr_t)g->watch[i]);
		wire->taken = false;
	}
	pipeline_close(g->p);
	if (g->routes != NULL)
		route_close(g->routes);
	if (g->spd != NULL)
		spd_close(g->spd);
	sa_db_close(g->sas);
	rcu_close(&g->rcu);
	rte_mempool_free(g->pool);
	gateways[gateways[1] == g] = NULL;
	free(g);
}

void gateway_close(struct gateway *g)
{
	check_books(g);
	for (uint16_t i = 0; i < g->n_ports; i++)
		empty_ring(wire_of(g->ethdev[i])->out);
	check_pool(g);
	gateway_free(g);
}

struct rte_mbuf *gateway_frame(struct gateway *g, const void *bytes, uint16_t len, uint16_t cut)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(g->pool), *rest;
	uint16_t first = cut > 0 && cut < len ? cut : len;

	ck_assert_ptr_nonnull(m);
	memset(crypto_job_of(m), 0xee,
		CRYPTO_JOB_SIZE); /* a packet's private area holds anything */
	memcpy(rte_pktmbuf_append(m, first), bytes, first);
	if (first == len)
		return m;
	rest = rte_pktmbuf_alloc(g->pool);
	ck_assert_ptr_nonnull(rest);
	memcpy(rte_pktmbuf_append(rest, len - first), (const uint8_t *)bytes + first, len - first);
	ck_assert_int_eq(rte_pktmbuf_chain(m, rest), 0);
	return m;
}

void gateway_put_frame(struct gateway *g, uint16_t port, struct rte_mbuf *m)
{
	ck_assert_int_eq(rte_ring_enqueue(wire_of(g->ethdev[port])->in, m), 0);
}

uint16_t frame_write(
	const struct gateway *g, uint16_t port, const uint8_t *ip, uint16_t len, uint8_t *frame)
{
	const struct route_port *r = &g->port[port].route;
	uint16_t at = 12;

	memcpy(frame, r->mac, 6);
	memcpy(frame + 6, "\x02\x00\x00\x00\x99\x99", 6);
	for (unsigned i = 0; i < r->n_vlans; i++, at += 4) {
		memcpy(frame + at, i + 1 < r->n_vlans ? "\x88\xa8" : "\x81\x00", 2);
		frame[at + 2] = r->vlan[i] >> 8;
		frame[at + 3] = r->vlan[i];
	}
	memcpy(frame + at, ip[0] >> 4 == 4 ? "\x08\x00" : "\x86\xdd", 2);
	memcpy(frame + at + 2, ip, len);
	return at + 2 + len;
}

void gateway_put(struct gateway *g, uint16_t port, const uint8_t *ip, uint16_t len)
{
	uint8_t frame[PACKET_MAX + L2_LEN_MAX];
	uint16_t n = frame_write(g, port, ip, len, frame);

	gateway_put_frame(g, port, gateway_frame(g, frame, n, 0));
}

void gateway_run(struct gateway *g)
{
	g->p->stop = false;
	ck_assert_int_eq(pipeline_run(g->p, 0), 0);
	check_books(g);
	check_pool(g);
}

static uint16_t ip_len(const uint8_t *ip)
{
	return ip[0] >> 4 == 4 ? ip[2] << 8 | ip[3] : 40 + (ip[4] << 8 | ip[5]);
}

uint16_t gateway_take(struct gateway *g, uint16_t port, uint8_t *ip)
{
	const struct route_port *r = &g->port[port].route;
	struct rte_mbuf *m;
	const uint8_t *frame;
	uint16_t len, l2 = 14 + 4 * r->n_vlans;

	if (rte_ring_dequeue(wire_of(g->ethdev[port])->out, (void **)&m) < 0)
		return 0;
	frame = rte_pktmbuf_mtod(m, const uint8_t *);
	len = rte_pktmbuf_data_len(m);
	ck_assert_uint_eq(m->nb_segs, 1);
	ck_assert_uint_eq(m->pkt_len, len);
	ck_assert_uint_ge(len, l2 + 20);
	ck_assert_mem_eq(frame, "\x02\xaa", 2); /* as site_neighbour() names them */
	ck_assert_mem_eq(frame + 6, r->mac, 6);
	for (unsigned i = 0; i < r->n_vlans; i++)
		ck_assert_uint_eq(frame[14 + 4 * i] << 8 | frame[15 + 4 * i], r->vlan[i]);
	memcpy(ip, frame + l2, len - l2);
	ck_assert_mem_eq(frame + l2 - 2, ip[0] >> 4 == 4 ? "\x08\x00" : "\x86\xdd", 2);
	ck_assert_uint_eq(ip_len(ip), len - l2);
	if (ip[0] >> 4 == 4)
		ck_assert_uint_eq(internet_checksum(ip, (ip[0] & 15) * 4), 0);
	rte_pktmbuf_free(m);
	return len - l2;
}

const char *gateway_exits(struct gateway *g)
{
	struct worker_stats s = gateway_stats(g);
	size_t at = 0;

	g->exits_text[0] = '\0';
	for (unsigned i = 0; i < EXIT_COUNT; i++) {
		uint64_t n = s.exit[i] - g->exits_told[i];

		if (n > 0)
			at += snprintf(g->exits_text + at, sizeof(g->exits_text) - at, "%s%s %lu",
				at > 0 ? ", " : "", exit_name(i), n);
		ck_assert_uint_lt(at, sizeof(g->exits_text));
		g->exits_told[i] = s.exit[i];
	}
	return g->exits_text;
}
