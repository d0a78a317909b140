/* SPDX-License-Identifier: BSD-3-Clause */
/* esp_template.c - compiles a spec into what its packets have in common (RFC 4303 2, RFC 4301
 * 5.1.2). */
#include "esp_template.h"

#include <errno.h>
#include <netinet/in.h>
#include <rte_byteorder.h>
#include <rte_ip.h>
#include <string.h>
#include <sys/random.h>

#define DSCP_MASK 0xfc
#define ECN_MASK  0x03

static enum esp_kind kind_of(const struct crypto_spec *c)
{
	if (c->aead != NULL)
		return c->aead->family == ALGORITHM_GMAC ? ESP_GMAC : ESP_AEAD;
	switch (c->cipher->family) {
	case ALGORITHM_CBC: return ESP_CBC;
	case ALGORITHM_CTR: return ESP_CTR;
	default: return ESP_NULL;
	}
}

static int compile_shape(const struct sa_spec *spec, struct esp_shape *shape)
{
	const struct crypto_spec *c = &spec->crypto;
	const struct algorithm *cipher = c->aead != NULL ? c->aead : c->cipher;
	/* An SA whose outer addresses are both open is inbound; its packets tell the family. */
	const struct ipaddr *outer = ipaddr_is_any(&spec->dst) ? &spec->src : &spec->dst;

	*shape = (struct esp_shape){
		.kind = kind_of(c),
		.outer_family = outer->family,
		.esp_ofs = outer->family == 4 ? sizeof(struct rte_ipv4_hdr)
					      : sizeof(struct rte_ipv6_hdr),
		.iv_len = cipher->iv_len,
		.icv_len = c->aead != NULL ? c->aead->icv_len : c->auth->icv_len,
		.block_mask = RTE_MAX(cipher->block, 4) - 1,
		.esn = spec->esn,
		.salt_len = cipher->salt_len,
	};
	if (spec->esn && shape->kind != ESP_AEAD)
		shape->high = shape->kind == ESP_GMAC ? ESP_HIGH_WITHIN : ESP_HIGH_BEHIND;
	shape->payload_ofs = shape->esp_ofs + ESP_HEADER_LEN + shape->iv_len;
	memcpy(shape->salt, c->key.bytes + cipher->key_len, cipher->salt_len);
	if (shape->kind == ESP_CBC && spec->direction == SA_OUT &&
		getrandom(shape->iv_salt, sizeof(shape->iv_salt), 0) !=
			(ssize_t)sizeof(shape->iv_salt))
		return -EIO;
	return 0;
}

/* One's complement sum of the template's 16-bit words, in host order. */
static uint32_t sum_words(const uint8_t *at, unsigned n)
{
	uint32_t sum = 0;

	for (unsigned k = 0; k < n; k += 2)
		sum += at[k] << 8 | at[k + 1];
	return sum;
}

static void compile_outer(const struct sa_spec *spec, struct sa *sa)
{
	uint32_t spi_be = rte_cpu_to_be_32(spec->spi);

	memset(sa->out.outer, 0, sizeof(sa->out.outer));
	if (spec->dst.family == 4) {
		struct rte_ipv4_hdr *h = (struct rte_ipv4_hdr *)sa->out.outer;

		h->version_ihl = RTE_IPV4_VHL_DEF;
		h->time_to_live = spec->outer_ttl;
		h->next_proto_id = IPPROTO_ESP;
		memcpy(&h->src_addr, spec->src.bytes, 4);
		memcpy(&h->dst_addr, spec->dst.bytes, 4);
		sa->out.outer_sum = sum_words(sa->out.outer, sizeof(*h));
	} else {
		struct rte_ipv6_hdr *h = (struct rte_ipv6_hdr *)sa->out.outer;

		h->proto = IPPROTO_ESP;
		h->hop_limits = spec->outer_ttl;
		memcpy(&h->src_addr, spec->src.bytes, 16);
		memcpy(&h->dst_addr, spec->dst.bytes, 16);
	}
	memcpy(sa->out.outer + sa->shape.esp_ofs, &spi_be, 4);
}

int esp_template_compile(const struct sa_spec *spec, struct sa *sa)
{
	int rc = compile_shape(spec, &sa->shape);

	if (rc < 0)
		return rc;
	sa->ecn = spec->ecn;
	if (spec->direction == SA_IN)
		return 0;
	sa->out.df = spec->df;
	sa->out.flow_label = spec->flow_label;
	sa->out.tos_keep = sa->out.tos_set = 0;
	if (spec->dscp == SA_DSCP_COPY)
		sa->out.tos_keep |= DSCP_MASK;
	else
		sa->out.tos_set |= spec->dscp << 2;
	if (spec->ecn == SA_ECN_NORMAL) /* RFC 6040 4.1; otherwise the outer one is Not-ECT */
		sa->out.tos_keep |= ECN_MASK;
	compile_outer(spec, sa);
	return 0;
}

uint16_t sa_room(const struct sa *sa, uint16_t path_mtu)
{
	const struct esp_shape *shape = &sa->shape;
	int text = path_mtu - shape->payload_ofs - shape->icv_len;

	if (text <= shape->block_mask)
		return 0;
	return (text & ~shape->block_mask) - ESP_TRAILER_LEN;
}

void sa_set_path_mtu(struct sa *sa, uint16_t path_mtu)
{
	sa->out.room = sa_room(sa, path_mtu);
}
