/* SPDX-License-Identifier: BSD-3-Clause */
/* in_finish.c - acts on what the ICV proved: move the window, strip ESP, name each refusal (RFC 4303
 * 3.4.3-4), and carry the outer header's congestion mark inward (RFC 6040). */
#include "esp_job.h"
#include "ip_measure.h"
#include "park.h"

#define ECN_MASK    3
#define ECN_NOT_ECT 0
#define ECN_ECT1    1
#define ECN_ECT0    2
#define ECN_CE      3

static uint8_t ecn_of(const uint8_t *ip, uint8_t family)
{
	return family == 4 ? ip[1] & ECN_MASK : ip[1] >> 4 & ECN_MASK;
}

static void ecn_set(uint8_t *ip, uint8_t family, uint8_t ecn)
{
	struct rte_ipv4_hdr *h = (struct rte_ipv4_hdr *)ip;
	uint32_t sum;

	if (family == 6) {
		ip[1] = (ip[1] & ~(ECN_MASK << 4)) | ecn << 4;
		return;
	}
	/* RFC 1624 eq. 3: m is the old TOS, m' the new; the version byte does not change. */
	sum = (uint16_t)~rte_be_to_cpu_16(h->hdr_checksum) + (uint16_t)~ip[1];
	ip[1] = (ip[1] & ~ECN_MASK) | ecn;
	sum += ip[1];
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	h->hdr_checksum = rte_cpu_to_be_16(~sum);
}

/* False: CE on a packet whose ends do not speak ECN is a drop (RFC 6040 4.2). */
static bool ecn_merge(uint8_t *inner, uint8_t family, uint8_t outer_ecn)
{
	uint8_t inner_ecn = ecn_of(inner, family);

	if (outer_ecn == ECN_CE) {
		if (inner_ecn == ECN_NOT_ECT)
			return false;
		if (inner_ecn != ECN_CE)
			ecn_set(inner, family, ECN_CE);
	} else if (outer_ecn == ECN_ECT1 && inner_ecn == ECN_ECT0) {
		ecn_set(inner, family, ECN_ECT1);
	}
	return true;
}

/* RFC 4303 2.4: 1, 2, 3 …; a separate ICV proves it already, so this finds a sender's bug. */
static bool is_padding_right(const uint8_t *pad, uint8_t len)
{
	for (uint8_t k = 0; k < len; k++) {
		if (pad[k] != k + 1)
			return false;
	}
	return true;
}

static inline enum exit merge(
	struct rte_mbuf *m, const struct sa *sa, uint8_t family, uint8_t outer_ecn)
{
	if (sa->ecn != SA_ECN_OFF &&
		unlikely(!ecn_merge(rte_pktmbuf_mtod(m, uint8_t *), family, outer_ecn)))
		return EXIT_IN_FINISH_ECN;
	return EXIT_COUNT;
}

/* Takes ESP off an authentic packet. EXIT_COUNT: the data starts with the inner packet now, and f
 * is of it. */
static inline enum exit strip(struct rte_mbuf *m, const struct sa *sa, struct facts *f)
{
	const struct esp_shape *shape = &sa->shape;
	uint8_t *ip = rte_pktmbuf_mtod(m, uint8_t *);
	uint16_t text_ofs = f->l4_ofs + ESP_HEADER_LEN + shape->iv_len;
	uint16_t trailer_ofs = f->len - shape->icv_len - ESP_TRAILER_LEN;
	uint8_t pad = ip[trailer_ofs], next = ip[trailer_ofs + 1];
	uint8_t outer_ecn = ecn_of(ip, f->family), family;

	if (unlikely(pad > trailer_ofs - text_ofs))
		return EXIT_IN_FINISH_PAD_LENGTH;
	if (unlikely(shape->kind != ESP_AEAD && !is_padding_right(ip + trailer_ofs - pad, pad)))
		return EXIT_IN_FINISH_PADDING;
	if (unlikely(next == IPPROTO_NONE))
		return EXIT_IN_FINISH_DUMMY;
	if (unlikely(next != IPPROTO_IPIP && next != IPPROTO_IPV6))
		return EXIT_IN_FINISH_NEXT_HEADER;
	family = next == IPPROTO_IPIP ? 4 : 6;

	m->data_off += text_ofs;
	m->data_len = trailer_ofs - pad - text_ofs;
	m->pkt_len = m->data_len;
	if (likely(family == 4) && likely(ip_measure_plain4(ip + text_ofs, m->data_len, f))) {
		m->data_len = f->len; /* what TFC padding put behind it goes */
		m->pkt_len = f->len;
		return merge(m, sa, 4, outer_ecn);
	}
	switch (ip_measure(m, family, f)) { /* trims what TFC padding put behind it */
	case MEASURE_OK: break;
	case MEASURE_VERSION: return EXIT_IN_FINISH_NEXT_HEADER;
	default: return EXIT_IN_FINISH_INNER;
	}
	return merge(m, sa, family, outer_ecn);
}

static enum exit verdict(struct rte_mbuf *m)
{
	switch (crypto_job_of(m)->status) {
	case CRYPTO_OK: return EXIT_COUNT;
	case CRYPTO_BAD_ICV: return EXIT_IN_FINISH_ICV;
	default: return EXIT_CRYPT_FAILED;
	}
}

static enum exit finish(struct rte_mbuf *m, struct sa *sa, struct facts *f, uint64_t seq)
{
	if (unlikely(!replay_accept(&sa->in.replay, seq)))
		return EXIT_IN_FINISH_REPLAY;
	return strip(m, sa, f);
}

uint16_t in_finish(struct worker *w, struct burst *b)
{
	bool is_alone = w->p->n_workers == 1;
	struct rte_mbuf *away[BURST_MAX];
	uint16_t to[BURST_MAX], kept = 0, n_away = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		struct sa *sa = b->sa[i];
		enum exit e = verdict(b->pkt[i]);

		if (likely(e == EXIT_COUNT)) {
			uint16_t owner = is_alone ? w->id : sa_claim(sa, w->id);

			if (unlikely(owner != w->id)) { /* it goes on here, on the owner's worker */
				park(w, b, i, b->stage);
				away[n_away] = b->pkt[i];
				to[n_away++] = owner;
				continue;
			}
		}
		if (unlikely(sa->shape.high == ESP_HIGH_WITHIN))
			esp_put_back(b->pkt[i], crypto_job_of(b->pkt[i]));
		if (likely(e == EXIT_COUNT))
			e = finish(b->pkt[i], sa, &b->fact[i], b->seq[i]);
		if (unlikely(e != EXIT_COUNT)) {
			burst_leave(w, b, i, e);
			continue;
		}
		sa_count_packet(sa, w->id, 1, b->fact[i].len);
		b->policy[i] = SPD_NOT_JUDGED;
		b->nh[i] = NULL;
		burst_keep(b, kept++, i);
	}
	if (unlikely(n_away > 0))
		handoff_send(w, away, to, n_away);
	return b->n = kept;
}
