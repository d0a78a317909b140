/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.c - what goes into the thing that is measured, and whether what comes out is right. */
#include "traffic.h"

#include <errno.h>
#include <netinet/in.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_mbuf.h>
#include <rte_udp.h>
#include <stdlib.h>
#include <string.h>

#define BURST_MAX   256
#define L2_LEN      RTE_ETHER_HDR_LEN
#define HEADERS_LEN (sizeof(struct rte_ipv4_hdr) + sizeof(struct rte_udp_hdr))
#define MARK_OFS    HEADERS_LEN /* of struct mark */
#define MARKED_LEN  (HEADERS_LEN + sizeof(struct mark))
#define TTL         64

const uint8_t traffic_mac_lan[6] = {0x02, 0, 0, 0, 1, 1};
const uint8_t traffic_mac_wan[6] = {0x02, 0, 0, 0, 1, 2};
const uint8_t traffic_mac_peer[6] = {0x02, 0, 0, 0, 2, 1};

struct mark {
	uint32_t serial, flow;
};

struct queue {
	uint32_t *order; /* the flows of this queue, shuffled */
	uint32_t n_order;
	uint64_t fed, drained; /* since the traffic was opened */
};

struct traffic {
	struct traffic_setup setup;
	bool is_inbound;
	enum traffic_kind kind;
	struct sizes sizes;
	struct oracle *oracle;
	struct traffic_count count;
	uint32_t *sent, *seen; /* by SA: the sequence number last sent, and last seen */
	uint8_t body[SIZES_MAX]; /* of an inner packet, all but what differs */
	struct queue queue[WIRE_QUEUES_MAX];
};

static void shuffle(uint32_t *v, uint32_t n)
{
	uint64_t x = 88172645463325252u;

	for (uint32_t i = n; i > 1; i--) {
		uint32_t k, tmp = v[i - 1];

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		k = x % i;
		v[i - 1] = v[k];
		v[k] = tmp;
	}
}

/* An SA belongs to one queue, so that its packets stay in order. */
static bool open_queue(struct traffic *t, uint16_t q)
{
	struct queue *queue = &t->queue[q];

	queue->order = calloc(t->setup.n_flows, sizeof(queue->order[0]));
	if (queue->order == NULL)
		return false;
	for (uint32_t flow = 0; flow < t->setup.n_flows; flow++) {
		if (flow % t->setup.n_sas % t->setup.n_queues == q)
			queue->order[queue->n_order++] = flow;
	}
	shuffle(queue->order, queue->n_order);
	return true;
}

int traffic_open(
	const struct traffic_setup *setup, bool is_inbound, struct traffic **out, struct why *why)
{
	struct traffic *t = calloc(1, sizeof(*t));
	bool done = t != NULL;
	int rc;

	if (!done)
		return why_set(why, -ENOMEM, "no memory for the traffic");
	t->setup = *setup;
	t->is_inbound = is_inbound;
	t->sent = calloc(setup->n_sas, sizeof(t->sent[0]));
	t->seen = calloc(setup->n_sas, sizeof(t->seen[0]));
	done = t->sent != NULL && t->seen != NULL;
	for (uint16_t q = 0; q < setup->n_queues; q++)
		done = done && open_queue(t, q);
	for (unsigned k = 0; k < sizeof(t->body); k++)
		t->body[k] = k * 7 + (k >> 8);
	rc = done ? oracle_open(setup->suite, setup->n_sas, &t->oracle, why)
		  : why_set(why, -ENOMEM, "no memory for the traffic");
	if (rc < 0) {
		traffic_close(t);
		return rc;
	}
	*out = t;
	return 0;
}

void traffic_close(struct traffic *t)
{
	if (t == NULL)
		return;
	for (uint16_t q = 0; q < t->setup.n_queues; q++)
		free(t->queue[q].order);
	oracle_close(t->oracle);
	free(t->sent);
	free(t->seen);
	free(t);
}

void traffic_begin(struct traffic *t, enum traffic_kind kind, const struct sizes *sizes)
{
	t->kind = kind;
	t->sizes = *sizes;
	t->count = (struct traffic_count){0};
}

static uint16_t size_of(const struct traffic *t, uint64_t serial)
{
	return t->sizes.size[serial % t->sizes.n];
}

/* The inner packet of this serial number, its headers alone or whole. */
static void write_inner(const struct traffic *t, uint8_t *ip, uint64_t serial, uint32_t flow,
	uint8_t ttl, bool whole)
{
	struct rte_ipv4_hdr *h = (struct rte_ipv4_hdr *)ip;
	struct rte_udp_hdr *udp = (struct rte_udp_hdr *)(h + 1);
	struct mark mark = {(uint32_t)serial, flow};
	uint16_t size = size_of(t, serial);

	if (whole)
		memcpy(ip + MARKED_LEN, t->body + MARKED_LEN, size - MARKED_LEN);
	*h = (struct rte_ipv4_hdr){
		.version_ihl = RTE_IPV4_VHL_DEF,
		.total_length = rte_cpu_to_be_16(size),
		.time_to_live = ttl,
		.next_proto_id = IPPROTO_UDP,
		.src_addr = rte_cpu_to_be_32(TRAFFIC_SRC),
		.dst_addr = rte_cpu_to_be_32(TRAFFIC_DST + flow),
	};
	h->hdr_checksum = rte_ipv4_cksum(h);
	*udp = (struct rte_udp_hdr){
		.src_port = RTE_BE16(4000),
		.dst_port = RTE_BE16(4001),
		.dgram_len = rte_cpu_to_be_16(size - sizeof(*h)),
	};
	memcpy(ip + MARK_OFS, &mark, sizeof(mark));
}

static uint16_t write_ip(struct traffic *t, uint8_t *ip, uint64_t serial, uint32_t flow, bool whole)
{
	uint32_t sa = flow % t->setup.n_sas;
	uint8_t inner[SIZES_MAX];

	if (!t->is_inbound) {
		write_inner(t, ip, serial, flow, TTL, whole);
		return size_of(t, serial);
	}
	write_inner(t, inner, serial, flow, TTL, true);
	return oracle_seal(t->oracle, sa, rte_cpu_to_be_32(TRAFFIC_PEER + sa),
		rte_cpu_to_be_32(TRAFFIC_LOCAL),
		rte_cpu_to_be_32(TRAFFIC_SPI_IN + TRAFFIC_SPI + sa), ++t->sent[sa], inner,
		size_of(t, serial), ip);
}

static void write_packet(struct traffic *t, struct queue *q, struct rte_mbuf *m, bool whole)
{
	uint64_t serial = q->fed++, flow = q->order[serial % q->n_order];
	bool is_checked = t->setup.sample > 0 && serial % t->setup.sample == 0;
	uint8_t *frame;
	uint16_t len;

	rte_pktmbuf_reset(m); /* the memory is as it was */
	frame = rte_pktmbuf_mtod(m, uint8_t *);
	memcpy(frame, t->is_inbound ? traffic_mac_wan : traffic_mac_lan, 6);
	memcpy(frame + 6, traffic_mac_peer, 6);
	memcpy(frame + 12, "\x08\x00", 2);
	len = write_ip(t, frame + L2_LEN, serial, flow, whole || is_checked);
	m->data_len = m->pkt_len = L2_LEN + len;
}

uint16_t traffic_feed_again(struct traffic *t, uint16_t queue, struct rte_mbuf *pkt[], uint16_t n)
{
	for (uint16_t i = 0; i < n; i++)
		write_packet(t, &t->queue[queue], pkt[i], false);
	t->count.fed += n;
	/* There is room: fewer packets are on the way than a ring has places. */
	return rte_ring_sp_enqueue_bulk(t->setup.from->in[queue], (void **)pkt, n, NULL);
}

uint16_t traffic_feed(struct traffic *t, uint16_t queue, uint16_t n, bool whole)
{
	struct rte_mbuf *pkt[BURST_MAX];

	if (rte_ring_free_count(t->setup.from->in[queue]) < n ||
		rte_pktmbuf_alloc_bulk(t->setup.pool, pkt, n) != 0)
		return 0;
	for (uint16_t i = 0; i < n; i++)
		write_packet(t, &t->queue[queue], pkt[i], whole);
	t->count.fed += n;
	return rte_ring_sp_enqueue_bulk(t->setup.from->in[queue], (void **)pkt, n, NULL);
}

/* A packet in clear is the one of this serial number, byte by byte if it is to be checked. */
static bool is_inner(const struct traffic *t, const uint8_t *ip, uint16_t len, uint64_t serial,
	uint32_t flow, bool is_checked)
{
	uint8_t wanted[SIZES_MAX];
	struct mark mark;

	if (len != size_of(t, serial))
		return false;
	memcpy(&mark, ip + MARK_OFS, sizeof(mark));
	if (mark.serial != (uint32_t)serial || mark.flow != flow)
		return false;
	if (!is_checked)
		return true;
	write_inner(t, wanted, serial, flow, TTL - 1, true);
	return memcmp(wanted, ip, len) == 0;
}

/* The ESP packet has the next number of its SA; inside is the inner packet, if that is to be checked. */
static bool is_esp(struct traffic *t, uint8_t *ip, uint16_t len, uint64_t serial, uint32_t flow,
	bool is_checked)
{
	uint32_t sa = flow % t->setup.n_sas, spi, seq;
	uint8_t *inner;
	uint16_t inner_len;

	memcpy(&spi, ip + ORACLE_OUTER_LEN, 4);
	memcpy(&seq, ip + ORACLE_OUTER_LEN + 4, 4);
	if (rte_be_to_cpu_32(spi) != TRAFFIC_SPI + sa || rte_be_to_cpu_32(seq) != ++t->seen[sa] ||
		len != oracle_sealed_len(t->setup.suite, size_of(t, serial)))
		return false;
	if (!is_checked)
		return true;
	inner_len = oracle_unseal(t->oracle, sa, ip, len, &inner);
	return inner_len > 0 && is_inner(t, inner, inner_len, serial, flow, true);
}

static void check(struct traffic *t, struct queue *q, struct rte_mbuf *m)
{
	uint64_t serial = q->drained++, flow = q->order[serial % q->n_order];
	bool is_checked = t->setup.sample > 0 && serial % t->setup.sample == 0, is_right;
	uint8_t *ip = rte_pktmbuf_mtod_offset(m, uint8_t *, L2_LEN);
	uint16_t len = rte_pktmbuf_data_len(m) - L2_LEN;

	t->count.bytes += size_of(t, serial);
	switch (t->kind) {
	case TRAFFIC_OUT: is_right = is_esp(t, ip, len, serial, flow, is_checked); break;
	case TRAFFIC_IN:
	case TRAFFIC_CLEAR: is_right = is_inner(t, ip, len, serial, flow, is_checked); break;
	default: return;
	}
	t->count.checked += is_checked;
	t->count.wrong += !is_right;
}

uint16_t traffic_drain(struct traffic *t, uint16_t queue, struct rte_mbuf *pkt[], uint16_t max)
{
	uint16_t n = rte_ring_sc_dequeue_burst(
		t->setup.to->out[queue], (void **)pkt, RTE_MIN(max, BURST_MAX), NULL);

	for (uint16_t i = 0; i < n; i++)
		check(t, &t->queue[queue], pkt[i]);
	t->count.drained += n;
	return n;
}

bool traffic_is_through(const struct traffic *t, uint16_t queue)
{
	return rte_ring_count(t->setup.to->out[queue]) == traffic_pending(t, queue);
}

uint64_t traffic_pending(const struct traffic *t, uint16_t queue)
{
	return t->queue[queue].fed - t->queue[queue].drained;
}

struct traffic_count traffic_count_of(const struct traffic *t)
{
	return t->count;
}

void traffic_give_up(struct traffic *t)
{
	for (uint16_t q = 0; q < t->setup.n_queues; q++) {
		t->count.lost += t->queue[q].fed - t->queue[q].drained;
		t->queue[q].drained = t->queue[q].fed;
	}
}
