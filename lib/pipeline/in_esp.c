/* SPDX-License-Identifier: BSD-3-Clause */
/* in_esp.c - checks lengths and looks at the window before the crypto is asked, and fills the job
 * (RFC 4303 3.4.2-3). Changes nothing in the SA: nobody has proved anything yet. */
#include "esp_job.h"
#include "lookaside.h"

/* EXIT_COUNT: it may go on, and *text_len is the ciphertext. */
static enum exit measure(const struct sa *sa, const struct facts *f, uint16_t *text_len)
{
	const struct esp_shape *shape = &sa->shape;
	int text = f->len - f->l4_ofs - ESP_HEADER_LEN - shape->iv_len - shape->icv_len;

	if (text < ESP_TRAILER_LEN)
		return EXIT_IN_ESP_SHORT;
	if (text & shape->block_mask)
		return EXIT_IN_ESP_MISALIGNED;
	*text_len = text;
	return EXIT_COUNT;
}

/* The window's words and the sessions. */
static void prefetch(const struct burst *b)
{
	const struct sa *last = NULL;

	for (uint16_t i = 0; i < b->n; i++) {
		const struct sa *sa = b->sa[i];

		if (sa == last)
			continue;
		if (sa->in.replay.size > 0)
			rte_prefetch0(replay_word(&sa->in.replay, sa->in.replay.top));
		rte_prefetch0(sa_session(sa));
		last = sa;
	}
}

uint16_t in_esp(struct worker *w, struct burst *b)
{
	uint16_t kept = 0;

	prefetch(b);
	for (uint16_t i = 0; i < b->n; i++) {
		struct rte_mbuf *m = b->pkt[i];
		struct sa *sa = b->sa[i];
		uint16_t esp_ofs = b->fact[i].l4_ofs, text_len;
		enum exit e = measure(sa, &b->fact[i], &text_len);
		struct crypto_session *session = sa_session(sa);
		uint8_t *esp = burst_ip(b, i) + esp_ofs;
		struct crypto_job *job;
		uint32_t low_be;

		if (unlikely(e != EXIT_COUNT)) {
			burst_leave(w, b, i, e);
			continue;
		}
		memcpy(&low_be, esp + 4, 4);
		b->seq[i] = replay_infer(&sa->in.replay, rte_be_to_cpu_32(low_be));
		e = replay_check(&sa->in.replay, b->seq[i]) ? lookaside_room(w, session)
							    : EXIT_IN_ESP_REPLAY;
		if (unlikely(e != EXIT_COUNT)) {
			burst_leave(w, b, i, e);
			continue;
		}
		job = esp_job(m, session, &sa->shape, esp, esp_ofs, text_len, b->seq[i]);
		if (sa->shape.high == ESP_HIGH_BEHIND) {
			memcpy(job->icv_aside, esp_icv(m, sa), sa->shape.icv_len);
			esp_put_high(m, job, b->seq[i]);
		}
		burst_keep(b, kept++, i);
	}
	return b->n = kept;
}
