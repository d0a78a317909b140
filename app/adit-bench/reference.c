/* SPDX-License-Identifier: BSD-3-Clause */
/* reference.c - what all references have in common: packets from one wire, their crypto, and on to the
 * other wire. */
#include "reference.h"

#include <errno.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>

#include "reference_kind.h"

static const struct reference_way *const ways[REFERENCES] = {
	[REFERENCE_MB_JOBS] = &reference_mb_jobs,
	[REFERENCE_MB_CALLS] = &reference_mb_calls,
	[REFERENCE_OP_GCM] = &reference_op_gcm,
	[REFERENCE_OP_MB] = &reference_op_mb,
	[REFERENCE_OP_OPENSSL] = &reference_op_openssl,
	[REFERENCE_RTE_IPSEC] = &reference_rte_ipsec,
};

const char *reference_name(enum reference_kind kind)
{
	return ways[kind]->name;
}

static struct reference_shape shape_of(const struct suite *suite)
{
	const struct algorithm *a = suite->aead != NULL ? suite->aead : suite->cipher;

	return (struct reference_shape){
		.iv_len = a->iv_len,
		.icv_len = suite->aead != NULL ? a->icv_len : suite->auth->icv_len,
		.salt_len = a->salt_len,
		.block = RTE_MAX(a->block, 4),
		.is_aead = suite->aead != NULL,
		.is_cbc = a->family == ALGORITHM_CBC,
	};
}

int reference_open(const struct reference_setup *setup, enum reference_kind kind,
	struct reference **out, struct why *why)
{
	struct reference *r = rte_zmalloc("reference", sizeof(*r), RTE_CACHE_LINE_SIZE);
	int rc;

	if (r == NULL)
		return why_set(why, -ENOMEM, "no memory for %s", reference_name(kind));
	r->setup = *setup;
	r->suite = *setup->suite;
	r->shape = shape_of(setup->suite);
	r->way = ways[kind];
	for (unsigned i = 0; i < 2; i++)
		r->side[i] = (struct reference_side){r, i == 1};
	rc = r->way->open(r, why);
	if (rc < 0)
		reference_close(r);
	else
		*out = r;
	return rc;
}

void reference_close(struct reference *r)
{
	if (r == NULL)
		return;
	r->way->close(r);
	rte_free(r);
}

static uint16_t poll_once(void *arg, uint16_t worker)
{
	const struct reference_side *side = arg;
	struct reference *r = side->reference;
	const struct wire *from = side->is_inbound ? r->setup.wan : r->setup.lan;
	const struct wire *to = side->is_inbound ? r->setup.lan : r->setup.wan;
	struct rte_mbuf *pkt[REFERENCE_BURST_MAX];
	uint16_t n = rte_eth_rx_burst(from->ethdev, worker, pkt, r->setup.burst);

	if (n == 0)
		return 0;
	for (uint16_t i = 0; i < n; i++)
		rte_prefetch0(pkt[i]);
	for (uint16_t i = 0; i < n; i++)
		rte_prefetch0(rte_pktmbuf_mtod(pkt[i], void *));
	r->count[worker].failures += r->way->run(r, side->is_inbound, worker, pkt, n);
	return rte_eth_tx_burst(to->ethdev, worker, pkt, n);
}

static uint64_t failures(void *arg)
{
	const struct reference_side *side = arg;
	uint64_t sum = 0;

	for (uint16_t w = 0; w < side->reference->setup.n_workers; w++)
		sum += side->reference->count[w].failures;
	return sum;
}

void reference_subject(struct reference *r, bool is_inbound, struct subject *s)
{
	s->kind = is_inbound ? TRAFFIC_IN_SAME : TRAFFIC_OUT_SAME;
	s->begin = s->end = NULL;
	s->round = poll_once;
	s->failures = failures;
	s->arg = &r->side[is_inbound];
}
