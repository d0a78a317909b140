/* SPDX-License-Identifier: BSD-3-Clause */
/* out_finish.c - acts on the crypto's verdict: the ICV is in its place, the SA has counted. */
#include "esp_job.h"
#include "worker_dp.h"

/* Puts things where they belong that stood elsewhere while the ICV was made. */
static void tidy(struct rte_mbuf *m, const struct sa *sa, struct crypto_job *job)
{
	if (sa->shape.high == ESP_HIGH_BEHIND)
		memcpy(esp_icv(m, sa), job->icv_aside, sa->shape.icv_len);
	else
		esp_put_back(m, job);
}

uint16_t out_finish(struct worker *w, struct burst *b)
{
	uint16_t kept = 0;

	for (uint16_t i = 0, end; i < b->n; i = end) {
		struct sa *sa = b->sa[i];
		bool is_tidy = sa->shape.high == ESP_HIGH_APART;
		uint64_t packets = 0, bytes = 0;

		for (end = i; end < b->n && b->sa[end] == sa; end++) {
			struct rte_mbuf *m = b->pkt[end];
			struct crypto_job *job = crypto_job_of(m);

			if (unlikely(!is_tidy))
				tidy(m, sa, job);
			if (unlikely(job->status != CRYPTO_OK)) {
				burst_leave(w, b, end, EXIT_CRYPT_FAILED);
				continue;
			}
			packets++;
			bytes += b->fact[end].len;
			b->fact[end].len = rte_pktmbuf_data_len(m);
			b->reach[end] = REACH_ANY;
			burst_keep(b, kept++, end);
		}
		sa_count_packet(sa, w->id, packets, bytes);
	}
	return b->n = kept;
}
