/* SPDX-License-Identifier: BSD-3-Clause */
/* out_esp.c - gives each packet its sequence number, puts padding and trailer behind it, outer and
 * ESP header before it, and fills its crypto job (RFC 4303 3.3). */
#include <rte_ip.h>

#include "esp_job.h"
#include "ip_measure.h"
#include "lookaside.h"

#define IPV4_DF 0x4000

/* The outer IPv4 header, and its checksum by the template's sum. */
static inline void outer4(uint8_t *at, const struct sa *sa, const uint8_t *inner,
	const struct facts *f, uint16_t total, uint64_t seq)
{
	uint8_t tos = f->family == 4 ? inner[1] : (inner[0] << 4 | inner[1] >> 4);
	uint16_t df;
	uint64_t head;
	uint32_t mid, sum;

	switch (sa->out.df) {
	case SA_DF_SET: df = IPV4_DF; break;
	case SA_DF_CLEAR: df = 0; break;
	default: /* IPv6 says it of every packet */
		df = f->family == 6 || (inner[6] & 0x40) ? IPV4_DF : 0;
		break;
	}
	tos = (tos & sa->out.tos_keep) | sa->out.tos_set;
	sum = sa->out.outer_sum + tos + total + (uint16_t)seq + df;
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	/* The identification is unique for 2^16 packets of the SA; of no meaning where DF is set (RFC
	 * 6864). In whole words: what is written in parts is slow to read back. */
	head = rte_cpu_to_be_64((uint64_t)RTE_IPV4_VHL_DEF << 56 | (uint64_t)tos << 48 |
				(uint64_t)total << 32 | (seq & 0xffff) << 16 | df);
	mid = rte_cpu_to_be_32(
		(uint32_t)sa->out.outer[8] << 24 | IPPROTO_ESP << 16 | (~sum & 0xffff));
	memcpy(at, &head, sizeof(head));
	memcpy(at + 8, &mid, sizeof(mid));
	memcpy(at + 12, sa->out.outer + 12, 8 + 4); /* addresses and SPI */
}

static void outer6(uint8_t *at, const struct sa *sa, const uint8_t *inner, const struct facts *f,
	uint16_t total)
{
	struct rte_ipv6_hdr *h = (struct rte_ipv6_hdr *)at;
	uint8_t tc = f->family == 4 ? inner[1] : (inner[0] << 4 | inner[1] >> 4);
	uint32_t label = sa->out.flow_label;

	if (label == SA_FLOW_LABEL_COPY)
		label = f->family == 6 ? (inner[1] & 0x0fu) << 16 | inner[2] << 8 | inner[3] : 0;
	tc = (tc & sa->out.tos_keep) | sa->out.tos_set;
	h->vtc_flow = rte_cpu_to_be_32(6u << 28 | (uint32_t)tc << 20 | label);
	h->payload_len = rte_cpu_to_be_16(total - sizeof(*h));
}

/* What the wire's IV field holds before the crypto. */
static void put_iv(uint8_t *iv, const struct esp_shape *shape, uint64_t seq)
{
	uint64_t seq_be = rte_cpu_to_be_64(seq);

	switch (shape->kind) {
	case ESP_AEAD:
	case ESP_GMAC:
	case ESP_CTR: memcpy(iv, &seq_be, 8); break; /* unique per key is all they ask for */
	case ESP_CBC:
		memcpy(iv, shape->iv_salt, 8);
		memcpy(iv + 8, &seq_be, 8);
		break;
	case ESP_NULL: break;
	}
}

/* RFC 4303 2.4: 1, 2, 3 … then the pad length; 2.6: the next header. Of up to three bytes of padding all
 * is one word, which the ICV then overwrites where it is too long. */
static inline void put_trailer(uint8_t *tail, uint8_t pad, uint8_t family)
{
	uint64_t next = family == 4 ? IPPROTO_IPIP : IPPROTO_IPV6;

	if (likely(pad < 4)) {
		uint64_t word = 0x030201 & ((1u << 8 * pad) - 1);

		word = rte_cpu_to_le_64(word | (pad | next << 8) << 8 * pad);
		memcpy(tail, &word, sizeof(word));
		return;
	}
	for (uint8_t k = 0; k < pad; k++)
		tail[k] = k + 1;
	tail[pad] = pad;
	tail[pad + 1] = next;
}
static_assert(
	ESP_TRAILER_LEN + CRYPTO_ICV_MIN >= sizeof(uint64_t), "a trailer's word is in its packet");

static inline uint8_t pad_len(const struct esp_shape *shape, uint16_t inner_len)
{
	return -(inner_len + ESP_TRAILER_LEN) & shape->block_mask;
}

/* The block in the IV field is enciphered too, under a zero IV: what goes out in its place is the cipher
 * of a number that never repeats, which nobody without the key can foretell (NIST SP 800-38A, appendix
 * C, first method), and it chains on as the IV. */
static void encipher_iv(struct crypto_job *job, const struct esp_shape *shape)
{
	memset(job->nonce, 0, 16);
	job->cipher_ofs -= shape->iv_len;
	job->cipher_len += shape->iv_len;
}

/* The packet has room for it: has_room() was asked before a number was spent on it. shape is sa's. */
static inline void encapsulate(struct burst *b, uint16_t i, const struct sa *sa,
	const struct esp_shape *shape, struct crypto_session *session, uint64_t seq)
{
	struct rte_mbuf *m = b->pkt[i];
	struct facts *f = &b->fact[i];
	uint8_t *inner = burst_ip(b, i), *at = inner - shape->payload_ofs,
		*esp = at + shape->esp_ofs;
	uint8_t pad = pad_len(shape, f->len);
	uint16_t text_len = f->len + pad + ESP_TRAILER_LEN;
	uint16_t total = shape->payload_ofs + text_len + shape->icv_len;
	uint32_t seq_be = rte_cpu_to_be_32(seq);
	struct crypto_job *job;

	put_trailer(inner + f->len, pad, f->family);
	if (likely(shape->outer_family == 4)) {
		outer4(at, sa, inner, f, total, seq);
	} else {
		memcpy(at, sa->out.outer, sizeof(struct rte_ipv6_hdr) + ESP_HEADER_LEN);
		outer6(at, sa, inner, f, total);
	}
	memcpy(esp + 4, &seq_be, 4);
	put_iv(esp + ESP_HEADER_LEN, shape, seq);
	m->data_off -= shape->payload_ofs;
	m->data_len = total;
	m->pkt_len = total;

	job = esp_job(m, session, shape, esp, shape->esp_ofs, text_len, seq);
	if (shape->kind == ESP_CBC)
		encipher_iv(job, shape);
	if (shape->high == ESP_HIGH_BEHIND)
		esp_put_high(m, job, seq);
	f->family = shape->outer_family;
	b->seq[i] = seq;
	b->nh[i] = NULL; /* it was the inner one's */
}

/* In front there is FRAME_HEADROOM. */
static bool has_room(const struct rte_mbuf *m, const struct sa *sa, uint16_t inner_len)
{
	return rte_pktmbuf_tailroom(m) >=
	       pad_len(&sa->shape, inner_len) + ESP_TRAILER_LEN + sa->shape.icv_len;
}

static uint16_t keep_with_room(struct worker *w, struct burst *b)
{
	uint16_t kept = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		if (unlikely(!has_room(b->pkt[i], b->sa[i], b->fact[i].len)))
			burst_leave(w, b, i, EXIT_OUT_ESP_NO_ROOM);
		else
			burst_keep(b, kept++, i);
	}
	return kept;
}

/* How many of n packets get a number, from *seq on, and why the others do not: none is spent on a
 * packet that the crypto has no room for. */
static uint32_t take_numbers(const struct worker *w, struct sa *sa,
	const struct crypto_session *session, uint32_t n, uint64_t *seq, enum exit *refusal)
{
	uint32_t got;

	*refusal = lookaside_room(w, session);
	if (unlikely(*refusal != EXIT_COUNT))
		return 0;
	got = sequence_take(&sa->seq, n, seq);
	if (unlikely(got < n))
		*refusal = sequence_is_spent(&sa->seq) ? EXIT_OUT_ESP_SEQUENCE_END
						       : EXIT_OUT_LEASE_WAIT;
	return got;
}

uint16_t out_esp(struct worker *w, struct burst *b)
{
	uint16_t kept = 0;

	b->n = keep_with_room(w, b);
	for (uint16_t i = 0, end; i < b->n; i = end) {
		struct sa *sa = b->sa[i];
		const struct esp_shape shape = sa->shape; /* what is written cannot be it */
		struct crypto_session *session = sa_session(sa);
		uint64_t seq = 0;
		enum exit refusal;
		uint32_t got;

		for (end = i + 1; end < b->n && b->sa[end] == sa;)
			end++;
		got = take_numbers(w, sa, session, end - i, &seq, &refusal);
		for (uint16_t k = i; k < end; k++, seq++) {
			if (unlikely((uint32_t)(k - i) >= got)) {
				burst_leave(w, b, k, refusal);
				continue;
			}
			encapsulate(b, k, sa, &shape, session, seq);
			burst_keep(b, kept++, k);
		}
	}
	return b->n = kept;
}
