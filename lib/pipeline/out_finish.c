/* SPDX-License-Identifier: BSD-3-Clause */
/* out_finish.c - acts on the crypto's verdict: the ICV is in its place, the SA has counted. */
#include "esp_job.h"
#include "worker_dp.h"

uint16_t out_finish(struct worker *w, struct burst *b)
{
	uint16_t kept = 0;

	for (uint16_t i = 0; i < b->n; i++) {
		struct rte_mbuf *m = b->pkt[i];
		struct crypto_job *job = crypto_job_of(m);
		struct sa *sa = b->sa[i];

		switch (sa->shape.high) {
		case ESP_HIGH_APART: break;
		case ESP_HIGH_BEHIND:
			memcpy(esp_icv(m, sa), job->icv_aside, sa->shape.icv_len);
			break;
		case ESP_HIGH_WITHIN: esp_put_back(m, job); break;
		}
		if (unlikely(job->status != CRYPTO_OK)) {
			burst_leave(w, b, i, EXIT_CRYPT_FAILED);
			continue;
		}
		sa_count_packet(sa, w->id, 1, b->fact[i].len);
		b->fact[i].len = rte_pktmbuf_data_len(m);
		b->reach[i] = REACH_ANY;
		burst_keep(b, kept++, i);
	}
	return b->n = kept;
}
