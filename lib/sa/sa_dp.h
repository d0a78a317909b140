/* SPDX-License-Identifier: BSD-3-Clause */
/* sa_dp.h - an SA as workers see it: compiled when it is opened, so that a packet only fills in what
 * is its own.
 *
 *   outer header | ESP header | IV | inner packet | padding, length, next header | ICV
 *   0            esp_ofs           payload_ofs                                    */
#pragma once

#include <assert.h>
#include <rte_branch_prediction.h>
#include <rte_common.h>
#include <rte_prefetch.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/queue.h>

#include "crypto_dp.h"
#include "replay.h"
#include "sa.h"
#include "sequence.h"

#define ESP_HEADER_LEN  8
#define ESP_TRAILER_LEN 2 /* pad length and next header */
#define ESP_OUTER_MAX   72 /* IPv6, UDP, ESP header, IV */

/* How a packet's crypto is laid out. */
enum esp_kind {
	ESP_AEAD, /* one key; nonce is salt and IV; SPI and sequence number are the AAD */
	ESP_GMAC, /* the same, but everything is authenticated and nothing enciphered */
	ESP_CBC, /* + separate ICV */
	ESP_CTR, /* + separate ICV */
	ESP_NULL, /* + separate ICV */
};

/* Where the high half of an ESN stands while the ICV is computed. It is never sent. */
enum esp_high {
	ESP_HIGH_APART, /* in the AAD beside the packet; or there is no ESN */
	ESP_HIGH_BEHIND, /* where the ICV goes, which is made aside meanwhile (RFC 4303 2.2.1) */
	ESP_HIGH_WITHIN, /* between SPI and number, as GMAC's AAD is the packet (RFC 4543 3.3); the
			  * SPI stands on the end of the header before ESP meanwhile */
};

/* What all packets of an SA have in common. */
struct esp_shape {
	uint8_t kind; /* enum esp_kind */
	uint8_t outer_family; /* 4 or 6 */
	uint8_t esp_ofs; /* out: of the ESP header */
	uint8_t payload_ofs; /* out: of the inner packet */
	uint8_t iv_len, icv_len;
	uint8_t block_mask; /* 3 or 15: plaintext is padded to a multiple of this + 1 */
	bool esn;
	uint8_t high; /* enum esp_high */
	uint8_t salt_len;
	uint8_t salt[4]; /* head of the nonce, as RFC 4106 4 and RFC 3686 4 have it */
	uint8_t iv_salt
		[8]; /* CBC out: random since open, first half of the block that becomes the IV */
};

struct nexthop;

struct sa_line { /* one worker writes, displays read */
	alignas(RTE_CACHE_LINE_SIZE) uint64_t packets;
	uint64_t bytes;
	_Atomic uint64_t parked_in; /* packets that this worker let wait, holding the SA */
	_Atomic uint64_t parked_out; /* and that it went on with, or saw the end of */
	const struct nexthop *nh; /* out: where this worker's outer packets went last … */
	uint32_t nh_generation; /* … by the tables of this generation of the pipeline; 0: nowhere */
};

struct sa {
	/* fixed at open, any worker reads; but the session becomes the spare one when its device
	 * stands still */
	_Atomic(struct crypto_session *) session;
	struct esp_shape shape;
	uint32_t reqid;
	struct sa_reqid *slot; /* of its reqid */
	uint32_t spi_be;
	uint8_t ecn; /* enum sa_ecn */
	uint8_t direction;

	union {
		struct { /* outbound */
			uint16_t room; /* largest inner packet that fits the path; control writes */
			uint8_t tos_keep; /* bits of the inner traffic class that are copied */
			uint8_t tos_set; /* bits that are fixed */
			uint8_t df; /* enum sa_df */
			uint32_t flow_label; /* SA_FLOW_LABEL_COPY or host order */
			uint32_t
				outer_sum; /* IPv4: sum of the template's words, for the checksum */
			uint8_t outer[48]; /* outer IP and ESP header; what varies is zero */
		} out;
		struct { /* inbound */
			alignas(RTE_CACHE_LINE_SIZE) struct replay replay; /* owner writes */
			_Atomic uint16_t owner; /* the worker that has the window, or SA_NO_OWNER */
		} in;
	};

	alignas(RTE_CACHE_LINE_SIZE) struct sequence seq; /* out: workers and control */

	/* control plane only */
	alignas(RTE_CACHE_LINE_SIZE) struct sa_spec spec; /* keys wiped */
	struct sa_db *db;
	struct crypto_session *first, *spare; /* of the provider and the fallback; NULL: none */
	TAILQ_ENTRY(sa) link; /* among the open ones */
	struct sa *next_retired;
	uint8_t key_print[2][KEY_FINGERPRINT]; /* of the keys, which are wiped */
	struct lease *lease; /* NULL: it has none */
	uint8_t told; /* enum sa_news */
	uint16_t n_lines;
	uint64_t *ring;
	struct sa_line line[]; /* a line per worker */
};

/* Where policies of a reqid find the SA to send by: control writes, workers read. */
struct sa_reqid {
	_Atomic(struct sa *) newest; /* NULL: none */
	uint32_t reqid;
	bool is_ordered; /* control plane only, see sa_db_order() */
};

static inline struct sa *sa_newest(const struct sa_reqid *slot)
{
	return atomic_load_explicit(&slot->newest, memory_order_acquire);
}

#define SA_NO_OWNER UINT16_MAX

static inline uint16_t sa_owner(const struct sa *sa)
{
	return atomic_load_explicit(&sa->in.owner, memory_order_relaxed);
}

/* An authentic packet came to this worker: the first to say so owns the window from now on. Returns
 * the owner. */
static inline uint16_t sa_claim(struct sa *sa, uint16_t worker)
{
	uint16_t owner = sa_owner(sa);

	if (unlikely(owner == SA_NO_OWNER) &&
		atomic_compare_exchange_strong(&sa->in.owner, &owner, worker))
		return worker;
	return owner;
}

/* A packet begins to wait with a pointer to the SA, or its wait is over and nobody holds that pointer
 * any more: the SA is not freed between (see sa_db_publish()). */
static inline void sa_park(struct sa *sa, uint16_t worker)
{
	_Atomic uint64_t *n = &sa->line[worker].parked_in;

	atomic_store_explicit(
		n, atomic_load_explicit(n, memory_order_relaxed) + 1, memory_order_release);
}

static inline void sa_unpark(struct sa *sa, uint16_t worker)
{
	_Atomic uint64_t *n = &sa->line[worker].parked_out;

	atomic_store_explicit(
		n, atomic_load_explicit(n, memory_order_relaxed) + 1, memory_order_release);
}

static inline struct crypto_session *sa_session(const struct sa *sa)
{
	return atomic_load_explicit(&sa->session, memory_order_relaxed);
}

/* What the next stages touch of an SA, all of which may be far away when there are thousands: it is asked
 * for as soon as the SA is known. */
static inline void sa_prefetch(const struct sa *sa, uint16_t worker)
{
	rte_prefetch0(sa);
	rte_prefetch0(RTE_PTR_ADD(sa, RTE_CACHE_LINE_SIZE)); /* template, or window */
	rte_prefetch0(&sa->seq);
	rte_prefetch0(&sa->line[worker]);
}

static inline void sa_count_packet(struct sa *sa, uint16_t worker, uint32_t packets, uint64_t bytes)
{
	sa->line[worker].packets += packets;
	sa->line[worker].bytes += bytes;
}

/* The SAD that the db keeps. */
const struct sad *sa_db_sad(const struct sa_db *db);
