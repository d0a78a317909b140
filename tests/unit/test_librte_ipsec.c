/* SPDX-License-Identifier: BSD-3-Clause */
/* test_librte_ipsec.c - DPDK's own ESP as the peer, both ways, where it is right: numbers whose low six
 * bits are below 32, no padding beyond alignment, no TFC. */
#define ALLOW_EXPERIMENTAL_API /* librte_ipsec's header and sessions of 22.11 */
#include <rte_cryptodev.h>
#include <rte_dev.h>
#include <rte_ipsec.h>
#include <string.h>

#include "pipeline_fixture.h"

#define DEVICE "crypto_openssl_peer"

static const struct suite {
	const char *name, *auth;
	bool esn;
	unsigned outer;
} suites[] = {
	{"aes-128-gcm", NULL, false, 4},
	{"aes-128-gcm", NULL, true, 6},
	{"aes-256-gcm", NULL, false, 6},
	{"aes-256-gcm", NULL, true, 4},
	{"aes-128-cbc", "hmac-sha1-96", false, 4},
	{"aes-128-cbc", "hmac-sha1-96", true, 6},
	{"aes-256-cbc", "hmac-sha2-256-128", false, 6},
	{"aes-128-cbc", "hmac-sha2-256-128", true, 4},
};

static const uint16_t lengths[] = {20, 28, 29, 40, 41, 42, 43, 44, 60, 100, 333, 1000, 1280, 1360};

/* The peer's end of one SA. */
struct peer {
	uint8_t device;
	struct rte_mempool *ops, *sessions, *packets;
	struct rte_crypto_sym_xform xform[2];
	struct rte_ipsec_session session;
	bool is_out;
	uint16_t outer_len;
};

static struct site site[2];
static uint8_t ip[PACKET_MAX], sent[PACKET_MAX], got[PACKET_MAX];

static void open_device(struct peer *p)
{
	struct rte_cryptodev_config conf = {.nb_queue_pairs = 1};
	struct rte_cryptodev_qp_conf qp = {.nb_descriptors = 128};

	ck_assert_int_eq(rte_eal_hotplug_add("vdev", DEVICE, ""), 0);
	p->device = rte_cryptodev_get_dev_id(DEVICE);
	p->packets = rte_pktmbuf_pool_create(
		"peer_packets", 63, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	p->ops = rte_crypto_op_pool_create(
		"peer_ops", RTE_CRYPTO_OP_TYPE_SYMMETRIC, 63, 0, 64, SOCKET_ID_ANY);
	p->sessions = rte_cryptodev_sym_session_pool_create("peer_sessions", 7,
		rte_cryptodev_sym_get_private_session_size(p->device), 0, 0, SOCKET_ID_ANY);
	qp.mp_session = p->sessions;
	ck_assert_int_eq(rte_cryptodev_configure(p->device, &conf), 0);
	ck_assert_int_eq(rte_cryptodev_queue_pair_setup(p->device, 0, &qp, SOCKET_ID_ANY), 0);
	ck_assert_int_eq(rte_cryptodev_start(p->device), 0);
}

#define IV_OFS (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))

static void write_xforms(struct peer *p, const struct crypto_spec *c, bool esn)
{
	struct rte_crypto_sym_xform *cipher = &p->xform[p->is_out ? 0 : 1];
	struct rte_crypto_sym_xform *auth = &p->xform[p->is_out ? 1 : 0];

	memset(p->xform, 0, sizeof(p->xform));
	if (c->aead != NULL) {
		p->xform[0].type = RTE_CRYPTO_SYM_XFORM_AEAD;
		p->xform[0].aead = (struct rte_crypto_aead_xform){
			.op = p->is_out ? RTE_CRYPTO_AEAD_OP_ENCRYPT : RTE_CRYPTO_AEAD_OP_DECRYPT,
			.algo = RTE_CRYPTO_AEAD_AES_GCM,
			.key = {c->key.bytes, c->aead->key_len},
			.iv = {IV_OFS, 12},
			.digest_length = 16,
			.aad_length = esn ? 12 : 8,
		};
		return;
	}
	p->xform[0].next = &p->xform[1];
	cipher->type = RTE_CRYPTO_SYM_XFORM_CIPHER;
	cipher->cipher = (struct rte_crypto_cipher_xform){
		.op = p->is_out ? RTE_CRYPTO_CIPHER_OP_ENCRYPT : RTE_CRYPTO_CIPHER_OP_DECRYPT,
		.algo = RTE_CRYPTO_CIPHER_AES_CBC,
		.key = {c->key.bytes, c->cipher->key_len},
		.iv = {IV_OFS, 16},
	};
	auth->type = RTE_CRYPTO_SYM_XFORM_AUTH;
	auth->auth = (struct rte_crypto_auth_xform){
		.op = p->is_out ? RTE_CRYPTO_AUTH_OP_GENERATE : RTE_CRYPTO_AUTH_OP_VERIFY,
		.algo = c->auth->hash == HASH_SHA1 ? RTE_CRYPTO_AUTH_SHA1_HMAC
						   : RTE_CRYPTO_AUTH_SHA256_HMAC,
		.key = {c->auth_key.bytes, c->auth_key.len},
		.digest_length = c->auth->icv_len,
	};
}

static void peer_open(struct peer *p, const struct sa_spec *sa, bool is_out)
{
	bool is6 = sa->dst.family == 6;
	uint8_t outer[40];
	struct packet header = packet_ab(sa->dst.family);
	struct rte_ipsec_sa_prm prm = {
		.ipsec_xform =
			{
				.spi = sa->spi,
				.options.esn = sa->esn,
				.direction = is_out ? RTE_SECURITY_IPSEC_SA_DIR_EGRESS
						    : RTE_SECURITY_IPSEC_SA_DIR_INGRESS,
				.proto = RTE_SECURITY_IPSEC_SA_PROTO_ESP,
				.mode = RTE_SECURITY_IPSEC_SA_MODE_TUNNEL,
				.tunnel.type = is6 ? RTE_SECURITY_IPSEC_TUNNEL_IPV6
						   : RTE_SECURITY_IPSEC_TUNNEL_IPV4,
				.replay_win_sz = is_out ? 0 : 64,
			},
		.crypto_xform = p->xform,
	};
	int size;

	p->is_out = is_out;
	p->outer_len = header.len = is6 ? 40 : 20;
	header.protocol = IPPROTO_ESP;
	packet_write(&header, outer);
	memcpy(outer + (is6 ? 8 : 12), sa->src.bytes, is6 ? 16 : 4);
	memcpy(outer + (is6 ? 24 : 16), sa->dst.bytes, is6 ? 16 : 4);
	prm.tun.hdr = outer;
	prm.tun.hdr_len = p->outer_len;
	prm.tun.next_proto = IPPROTO_IPIP;
	if (sa->crypto.aead != NULL)
		memcpy(&prm.ipsec_xform.salt, sa->crypto.key.bytes + sa->crypto.aead->key_len, 4);
	open_device(p);
	write_xforms(p, &sa->crypto, sa->esn);

	size = rte_ipsec_sa_size(&prm);
	ck_assert_int_gt(size, 0);
	memset(&p->session, 0, sizeof(p->session));
	p->session.sa = rte_zmalloc(NULL, size, RTE_CACHE_LINE_SIZE);
	ck_assert_int_gt(rte_ipsec_sa_init(p->session.sa, &prm, size), 0);
	p->session.type = RTE_SECURITY_ACTION_TYPE_NONE;
	p->session.crypto.dev_id = p->device;
	p->session.crypto.ses = rte_cryptodev_sym_session_create(p->device, p->xform, p->sessions);
	ck_assert_ptr_nonnull(p->session.crypto.ses);
	ck_assert_int_eq(rte_ipsec_session_prepare(&p->session), 0);
}

static void peer_close(struct peer *p)
{
	rte_cryptodev_sym_session_free(p->device, p->session.crypto.ses);
	rte_ipsec_sa_fini(p->session.sa);
	rte_free(p->session.sa);
	rte_cryptodev_stop(p->device);
	rte_eal_hotplug_remove("vdev", DEVICE);
	rte_mempool_free(p->ops);
	rte_mempool_free(p->sessions);
	rte_mempool_free(p->packets);
}

/* Encrypts or decrypts the packet in place; its new length. */
static uint16_t peer_run(struct peer *p, uint8_t *at, uint16_t len)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(p->packets);
	struct rte_crypto_op *op = rte_crypto_op_alloc(p->ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);

	memcpy(rte_pktmbuf_append(m, len), at, len);
	m->l2_len = 0;
	m->l3_len = p->is_out ? 0 : p->outer_len;
	ck_assert_uint_eq(rte_ipsec_pkt_crypto_prepare(&p->session, &m, &op, 1), 1);
	ck_assert_uint_eq(rte_cryptodev_enqueue_burst(p->device, 0, &op, 1), 1);
	while (rte_cryptodev_dequeue_burst(p->device, 0, &op, 1) == 0)
		;
	ck_assert_int_eq(op->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	rte_crypto_op_free(op);
	ck_assert_uint_eq(rte_ipsec_pkt_process(&p->session, &m, 1), 1);
	len = m->pkt_len;
	memcpy(at, rte_pktmbuf_mtod(m, void *), len);
	rte_pktmbuf_free(m);
	return len;
}

static struct sa_spec *open_sites(const struct suite *s)
{
	struct crypto_spec crypto = crypto_named(s->name, s->auth);

	crypto.esn = s->esn;
	site_a(&site[0]);
	site_b(&site[1]);
	return site_tunnel(&site[0], &site[1], &crypto, CRYPTO_AESNI_MB, s->outer).in;
}

START_TEST(it_opens_what_we_sent)
{
	struct sa_spec *sa = open_sites(&suites[_i]);
	struct gateway *a = gateway_open(&site[0]);
	struct peer peer;

	peer_open(&peer, sa, false);
	for (unsigned i = 0; i < RTE_DIM(lengths); i++) {
		struct packet p = packet_ab(4);
		uint16_t len;

		p.len = lengths[i];
		gateway_put(a, LAN, sent, packet_write(&p, sent));
		gateway_run(a);
		len = gateway_take(a, WAN, got);
		ck_assert_uint_gt(len, 0);
		ck_assert_uint_eq(peer_run(&peer, got, len), p.len);
		packet_hops(sent, 1);
		ck_assert_mem_eq(got, sent, p.len);
	}
	peer_close(&peer);
	gateway_close(a);
}
END_TEST

START_TEST(we_open_what_it_sent)
{
	struct sa_spec *sa = open_sites(&suites[_i]);
	struct gateway *b = gateway_open(&site[1]);
	struct peer peer;

	peer_open(&peer, sa, true);
	for (unsigned i = 0; i < RTE_DIM(lengths); i++) {
		struct packet p = packet_ab(4);
		uint16_t len;

		p.len = lengths[i];
		packet_write(&p, sent);
		memcpy(ip, sent, p.len);
		len = peer_run(&peer, ip, p.len);
		if (suites[_i].outer == 4)
			packet_checksum4(ip); /* it leaves that to the device */
		gateway_put(b, WAN, ip, len);
		gateway_run(b);
		ck_assert_str_eq(gateway_exits(b), "");
		packet_hops(sent, 1);
		ck_assert_uint_eq(gateway_take(b, LAN, got), p.len);
		ck_assert_mem_eq(got, sent, p.len);
	}
	ck_assert_uint_eq(sa_sequence(b->sa[0]), RTE_DIM(lengths));
	peer_close(&peer);
	gateway_close(b);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, it_opens_what_we_sent, 0, RTE_DIM(suites));
	tcase_add_loop_test(t, we_open_what_it_sent, 0, RTE_DIM(suites));
	return pipeline_fixture_main("librte_ipsec", t);
}
