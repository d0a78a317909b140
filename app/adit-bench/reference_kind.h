/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_kind.h - inside the references: what each kind of them is, and what of a packet they treat.
 *
 *   out:  | Ethernet 14 |             inner packet | padding, trailer | ICV |
 *              | ESP 8, IV |          text                            |      (HMAC: in the packet,
 *                                                                             AEAD: AAD and IV aside)
 *   in:   | Ethernet 14 | IPv4 20 | ESP 8, IV | text                  | ICV |
 *
 * Out, nobody reads the packets: the ESP header is all zero, the n-th packet of a worker has the IV n,
 * and the padding is whatever lies there. */
#pragma once

#include <rte_byteorder.h>
#include <rte_ether.h>
#include <rte_mbuf.h>
#include <stdalign.h>
#include <string.h>

#include "reference.h"
#include "suite.h"

#define REFERENCE_BURST_MAX 256
#define REFERENCE_ESP_LEN   8

/* How the suite lays out ESP. */
struct reference_shape {
	uint8_t iv_len, icv_len, salt_len;
	uint8_t block; /* what text is a multiple of, a power of 2 */
	bool is_aead;
	bool is_cbc;
};

struct reference_way;

struct reference_side {
	struct reference *reference;
	bool is_inbound;
};

struct reference_count { /* of one worker */
	alignas(RTE_CACHE_LINE_SIZE) uint64_t failures;
	uint64_t sent; /* IVs */
};

struct reference {
	struct reference_setup setup;
	struct suite suite;
	struct reference_shape shape;
	const struct reference_way *way;
	struct reference_side side[2]; /* out, in */
	void *own; /* of the way */
	struct reference_count count[WIRE_QUEUES_MAX];
};

struct reference_way {
	const char *name;
	/* Fills r->own. Errors of reference_open(). */
	int (*open)(struct reference *r, struct why *why);
	void (*close)(struct reference *r); /* after a failed open too */
	/* Does the crypto of a worker's burst; how many packets it could not do right. */
	uint16_t (*run)(struct reference *r, bool is_inbound, uint16_t worker,
		struct rte_mbuf *pkt[], uint16_t n);
};

extern const struct reference_way reference_mb_jobs, reference_mb_calls, reference_op_gcm,
	reference_op_mb, reference_op_openssl, reference_rte_ipsec;

/* What is to be done with a packet. */
struct reference_task {
	uint32_t sa;
	uint8_t *esp; /* in; out: where it belongs */
	uint8_t *text;
	uint16_t text_len; /* the ICV is behind it */
};

static __rte_always_inline struct reference_task reference_task_of(
	const struct reference *r, bool is_inbound, struct rte_mbuf *m)
{
	const struct reference_shape *s = &r->shape;
	uint8_t *ip = rte_pktmbuf_mtod_offset(m, uint8_t *, RTE_ETHER_HDR_LEN);
	uint16_t len = rte_pktmbuf_data_len(m) - RTE_ETHER_HDR_LEN;
	struct reference_task t;
	uint32_t word;

	if (is_inbound) {
		t.esp = ip + ORACLE_OUTER_LEN;
		t.text = t.esp + REFERENCE_ESP_LEN + s->iv_len;
		t.text_len = len - (t.text - ip) - s->icv_len;
		memcpy(&word, t.esp, sizeof(word));
		t.sa = rte_be_to_cpu_32(word) - (TRAFFIC_SPI + TRAFFIC_SPI_IN);
		if (unlikely(t.sa >= r->setup.n_sas)) /* its ICV will be wrong */
			t.sa = 0;
		return t;
	}
	t.esp = ip - s->iv_len - REFERENCE_ESP_LEN;
	t.text = ip;
	t.text_len = (len + 2 + s->block - 1) & ~(s->block - 1);
	memcpy(&word, ip + 16, sizeof(word));
	t.sa = rte_be_to_cpu_32(word) - TRAFFIC_DST;
	if (t.sa >= r->setup.n_sas)
		t.sa %= r->setup.n_sas;
	return t;
}

/* The nonce of a packet, which out gets a new IV: salt and IV; CBC: the IV; CTR: a counter of 1 too.
 * What HMAC covers before the text is written out. */
static __rte_always_inline void reference_nonce(const struct reference *r, bool is_inbound,
	const struct reference_task *t, const uint8_t *salt, uint64_t iv, uint8_t nonce[16])
{
	const struct reference_shape *s = &r->shape;
	uint8_t *in_packet = t->esp + REFERENCE_ESP_LEN;

	if (!is_inbound && !s->is_aead) {
		memset(t->esp, 0, REFERENCE_ESP_LEN);
		if (s->is_cbc)
			memset(in_packet, 0, 8);
		memcpy(in_packet + s->iv_len - 8, &iv, 8);
	}
	if (s->is_cbc) {
		memcpy(nonce, in_packet, 16);
		return;
	}
	memcpy(nonce, salt, 4);
	if (is_inbound)
		memcpy(&iv, in_packet, 8);
	memcpy(nonce + 4, &iv, 8);
	if (!s->is_aead)
		memcpy(nonce + 12, (const uint8_t[]){0, 0, 0, 1}, 4);
}
