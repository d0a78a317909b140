/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_ipsec.c - librte_ipsec's ESP in tunnel mode, from prepare to process, over the faster of
 * DPDK's devices. Its window of anti-replay is off: it is wrong for half of all numbers. */
#define ALLOW_EXPERIMENTAL_API /* librte_ipsec's header and sessions of 22.11 */
#include <errno.h>
#include <rte_ip.h>
#include <rte_ipsec.h>
#include <rte_malloc.h>
#include <stdlib.h>

#include "reference_device.h"

#define NONCE_AT (offsetof(struct crypto_job, nonce) - offsetof(struct crypto_job, op))

struct ipsec {
	struct reference_device device;
	struct rte_ipsec_session *session[2]; /* out, in; by SA */
};

/* What librte_ipsec wants to know of the algorithms; the keys are the device's. */
static void describe_crypto(
	const struct reference *r, bool is_inbound, struct rte_crypto_sym_xform x[2])
{
	struct rte_crypto_sym_xform *cipher = &x[is_inbound ? 1 : 0],
				    *auth = &x[is_inbound ? 0 : 1];

	memset(x, 0, 2 * sizeof(x[0]));
	if (r->shape.is_aead) {
		x->type = RTE_CRYPTO_SYM_XFORM_AEAD;
		x->aead.op = is_inbound ? RTE_CRYPTO_AEAD_OP_DECRYPT : RTE_CRYPTO_AEAD_OP_ENCRYPT;
		x->aead.algo = r->suite.aead->family == ALGORITHM_GCM
				       ? RTE_CRYPTO_AEAD_AES_GCM
				       : RTE_CRYPTO_AEAD_CHACHA20_POLY1305;
		x->aead.iv.offset = NONCE_AT;
		x->aead.digest_length = r->shape.icv_len;
		return;
	}
	x->next = x + 1;
	cipher->type = RTE_CRYPTO_SYM_XFORM_CIPHER;
	cipher->cipher.op =
		is_inbound ? RTE_CRYPTO_CIPHER_OP_DECRYPT : RTE_CRYPTO_CIPHER_OP_ENCRYPT;
	cipher->cipher.algo =
		r->shape.is_cbc ? RTE_CRYPTO_CIPHER_AES_CBC : RTE_CRYPTO_CIPHER_AES_CTR;
	cipher->cipher.iv.offset = NONCE_AT;
	auth->type = RTE_CRYPTO_SYM_XFORM_AUTH;
	auth->auth.op = is_inbound ? RTE_CRYPTO_AUTH_OP_VERIFY : RTE_CRYPTO_AUTH_OP_GENERATE;
	auth->auth.digest_length = r->shape.icv_len;
}

static int open_sa(const struct reference *r, bool is_inbound, uint32_t n,
	struct rte_ipsec_session *out, struct why *why)
{
	const struct ipsec *own = r->own;
	struct rte_crypto_sym_xform x[2];
	struct rte_ipv4_hdr outer = {
		.version_ihl = RTE_IPV4_VHL_DEF,
		.time_to_live = 64,
		.next_proto_id = IPPROTO_ESP,
		.src_addr = rte_cpu_to_be_32(TRAFFIC_LOCAL),
		.dst_addr = rte_cpu_to_be_32(TRAFFIC_PEER + n),
	};
	struct rte_ipsec_sa_prm prm = {
		.ipsec_xform =
			{
				.spi = TRAFFIC_SPI + n + (is_inbound ? TRAFFIC_SPI_IN : 0),
				.direction = is_inbound ? RTE_SECURITY_IPSEC_SA_DIR_INGRESS
							: RTE_SECURITY_IPSEC_SA_DIR_EGRESS,
				.proto = RTE_SECURITY_IPSEC_SA_PROTO_ESP,
				.mode = RTE_SECURITY_IPSEC_SA_MODE_TUNNEL,
				.tunnel.type = RTE_SECURITY_IPSEC_TUNNEL_IPV4,
			},
		.crypto_xform = x,
		.tun = {.hdr = &outer, .hdr_len = sizeof(outer), .next_proto = IPPROTO_IPIP},
	};
	int size = rte_ipsec_sa_size(&prm);

	describe_crypto(r, is_inbound, x);
	memcpy(&prm.ipsec_xform.salt, own->device.salt[n], 4);
	out->type = RTE_SECURITY_ACTION_TYPE_NONE;
	out->crypto.dev_id = own->device.id;
	out->sa = rte_zmalloc("reference_sa", size, RTE_CACHE_LINE_SIZE);
	if (out->sa == NULL)
		return why_set(
			why, -ENOMEM, "no memory for %u SAs of librte_ipsec", r->setup.n_sas);
	if (rte_ipsec_sa_init(out->sa, &prm, size) < 0)
		return why_set(why, -ENOTSUP, "librte_ipsec cannot do %s", r->suite.name);
	/* All workers have one and the same, as they have one device. */
	out->crypto.ses = own->device.session[is_inbound][n]->dev_session[0];
	return rte_ipsec_session_prepare(out) == 0
		       ? 0
		       : why_set(why, -ENOTSUP, "librte_ipsec cannot do %s", r->suite.name);
}

static int open_sas(const struct reference *r, bool is_inbound, struct why *why)
{
	struct ipsec *own = r->own;
	struct rte_ipsec_session *s =
		rte_zmalloc("reference_sas", r->setup.n_sas * sizeof(s[0]), RTE_CACHE_LINE_SIZE);
	int rc = 0;

	own->session[is_inbound] = s;
	if (s == NULL)
		return why_set(
			why, -ENOMEM, "no memory for %u SAs of librte_ipsec", r->setup.n_sas);
	for (uint32_t n = 0; rc == 0 && n < r->setup.n_sas; n++)
		rc = open_sa(r, is_inbound, n, &s[n], why);
	return rc;
}

static int open_ipsec(struct reference *r, struct why *why)
{
	bool is_gcm = r->suite.aead != NULL && r->suite.aead->family == ALGORITHM_GCM;
	struct ipsec *own = r->own = calloc(1, sizeof(*own));
	int rc;

	if (own == NULL)
		return why_set(why, -ENOMEM, "no memory for librte_ipsec");
	rc = reference_device_open(
		&own->device, r, is_gcm ? "crypto_aesni_gcm" : "crypto_aesni_mb", why);
	if (rc == 0)
		rc = open_sas(r, false, why);
	if (rc == 0)
		rc = open_sas(r, true, why);
	return rc;
}

static void close_ipsec(struct reference *r)
{
	struct ipsec *own = r->own;

	if (own == NULL)
		return;
	for (unsigned i = 0; i < 2; i++) {
		for (uint32_t n = 0; own->session[i] != NULL && n < r->setup.n_sas; n++)
			rte_free(own->session[i][n].sa);
		rte_free(own->session[i]);
	}
	reference_device_close(&own->device, r);
	free(own);
}

/* Packets one after the other that are of one SA. */
struct series {
	const struct rte_ipsec_session *session;
	uint16_t first, n;
};

static uint16_t find_series(const struct reference *r, bool is_inbound, struct rte_mbuf *pkt[],
	uint16_t n, struct series series[])
{
	const struct ipsec *own = r->own;
	uint16_t n_series = 0;

	for (uint16_t i = 0; i < n; i++) {
		uint32_t sa = reference_task_of(r, is_inbound, pkt[i]).sa;
		const struct rte_ipsec_session *session = &own->session[is_inbound][sa];

		if (n_series == 0 || series[n_series - 1].session != session)
			series[n_series++] = (struct series){session, i, 0};
		series[n_series - 1].n++;
		/* It knows no Ethernet. */
		rte_pktmbuf_adj(pkt[i], RTE_ETHER_HDR_LEN);
		pkt[i]->l2_len = 0;
		pkt[i]->l3_len = is_inbound ? ORACLE_OUTER_LEN : 0;
	}
	return n_series;
}

static uint16_t run_ipsec(
	struct reference *r, bool is_inbound, uint16_t worker, struct rte_mbuf *pkt[], uint16_t n)
{
	const struct ipsec *own = r->own;
	struct crypto_job *slot = own->device.slot[worker];
	struct rte_crypto_op *op[REFERENCE_BURST_MAX];
	struct series series[REFERENCE_BURST_MAX];
	uint16_t n_series = find_series(r, is_inbound, pkt, n, series), prepared = 0, well = 0;

	for (uint16_t i = 0; i < n; i++)
		op[i] = &slot[i].op;
	for (uint16_t i = 0; i < n_series; i++) {
		struct series *s = &series[i];

		s->n = rte_ipsec_pkt_crypto_prepare(
			s->session, pkt + s->first, op + prepared, s->n);
		prepared += s->n;
	}
	reference_device_run(&own->device, worker, op, prepared);
	/* As rte_ipsec_pkt_crypto_group() does, which nobody needs where the order stays. */
	for (uint16_t i = 0; i < prepared; i++) {
		if (unlikely(op[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS))
			op[i]->sym->m_src->ol_flags |= RTE_MBUF_F_RX_SEC_OFFLOAD_FAILED;
	}
	for (uint16_t i = 0; i < n_series; i++)
		well += rte_ipsec_pkt_process(
			series[i].session, pkt + series[i].first, series[i].n);
	return n - well;
}

const struct reference_way reference_rte_ipsec = {
	.name = "librte_ipsec",
	.open = open_ipsec,
	.close = close_ipsec,
	.run = run_ipsec,
};
