/* SPDX-License-Identifier: BSD-3-Clause */
/* sa.h - security associations (RFC 4301 4.4.2), for the control plane. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "crypto.h"
#include "ipaddr.h"
#include "rcu.h"
#include "why.h"

#define SA_NAME_MAX    64
#define SA_WINDOW_MAX  65536
#define SA_SPI_MIN     256 /* RFC 4303 2.1: 0 is never sent, 1 to 255 are reserved */
#define SA_WORKERS_MAX 128

enum sa_direction { SA_OUT, SA_IN };
enum sa_lookup { SA_LOOKUP_SPI, SA_LOOKUP_SPI_DST, SA_LOOKUP_SPI_DST_SRC };
enum sa_df { SA_DF_COPY, SA_DF_SET, SA_DF_CLEAR };
enum sa_ecn { SA_ECN_NORMAL, SA_ECN_COMPAT, SA_ECN_OFF };

#define SA_DSCP_COPY       0xff
#define SA_FLOW_LABEL_COPY 0xffffffff
#define SA_NO_PROVIDER     CRYPTO_PROVIDERS

/* Where a spec was written, for messages and displays. */
struct source {
	const char *file; /* outlives the spec; "" where none */
	uint32_t line;
};

/* An SA as the config file (or IKE) gives it. Numbers in host order. */
struct sa_spec {
	char name[SA_NAME_MAX];
	struct source source;
	enum sa_direction direction;
	uint32_t spi;
	struct ipaddr src, dst; /* outer, as on the wire; in: may be any */
	enum sa_lookup lookup;
	uint32_t reqid;
	struct crypto_spec crypto;
	enum crypto_provider provider;
	enum crypto_provider fallback; /* SA_NO_PROVIDER: none */
	bool esn;
	uint32_t window; /* packets; 0: replay protection is off */
	uint64_t seq_next; /* out: at least this number is next, where the journal is not further */
	uint64_t seq_top; /* in: the highest number taken to be seen */
	enum sa_df df;
	uint8_t dscp; /* SA_DSCP_COPY or 0..63 */
	enum sa_ecn ecn;
	uint32_t flow_label; /* SA_FLOW_LABEL_COPY or 0..0xfffff */
	uint8_t outer_ttl;
	uint16_t mtu; /* of the path; 0: as the port */
	uint64_t mark; /* carried for the kernel mirror: value in the low, mask in the high half */
	uint32_t if_id;
};

/* Counters, as summed over workers. */
struct sa_count {
	uint64_t packets, bytes; /* of inner packets that went through */
};

struct sa; /* laid out in sa_dp.h */
struct sequence;
struct sa_db; /* all SAs: the tables by SPI and by reqid, and whom to ask for sessions */

struct sa_setup {
	struct crypto *crypto;
	struct rcu *rcu;
	uint16_t n_workers;
	uint32_t max_sas;
};

int sa_db_open(const struct sa_setup *setup, struct sa_db **out, struct why *why);

/* Closes every SA that is left. After the workers have stopped. */
void sa_db_close(struct sa_db *db);

/* Copies what it needs of spec. On 0 it is in the tables at the next sa_db_publish() and *out lives
 * until sa_retire(). An outbound SA has no sequence numbers yet: see lease.h. Opens it on the
 * provider, and on the fallback too, so that that one can take over; or on the fallback alone where
 * the provider cannot. sa_provider() tells what it runs on; on 0 why, if not empty, is a warning.
 * -EEXIST: the SPI is taken for this destination. -ENOTSUP, -ENODEV: crypto_can(). -ENOMEM. */
int sa_open(struct sa_db *db, const struct sa_spec *spec, struct sa **out, struct why *why);

/* The same in two steps, so that many are opened or none: prepared, it stands in no table and its numbers
 * cannot be taken; entering it can fail by -EEXIST and -ENOMEM only. An outbound SA that was entered is not
 * the newest of its reqid before sa_db_order() says so. */
int sa_prepare(struct sa_db *db, const struct sa_spec *spec, struct sa **out, struct why *why);
int sa_enter(struct sa *sa, struct why *why);
void sa_discard(struct sa *sa); /* one that was prepared and not entered */

/* All open SAs in the order that displays have, and in which the last outbound one of a reqid is the one
 * that policies send by: from a worker's next burst on. n: as many as are open. */
void sa_db_order(struct sa_db *db, struct sa *const sa[], uint32_t n);

/* Whether it is the SA that the spec describes, key included, wherever both were written. */
bool sa_is_as(const struct sa *sa, const struct sa_spec *spec);

/* Whether two have the same key: they must not send both. */
bool sa_shares_key(const struct sa *a, const struct sa *b);

/* An outbound SA's lease of sequence numbers. -EEXIST, -ENOSPC: lease_open(). It ends with the SA, or
 * before, by sa_end_lease(): the SA then sends no more. */
struct lease_journal;
int sa_open_lease(struct sa *sa, struct lease_journal *journal, struct why *why);
void sa_end_lease(struct sa *sa);

/* The spec is somebody's who goes: where it was written is there from now on. */
void sa_set_source(struct sa *sa, const struct source *source);

/* What was opened and retired since the last call is now what workers find; one grace period for
 * the whole batch. Frees the retired ones that no packet waits for; the others stay, at most what
 * devices and rings hold of packets. */
int sa_db_publish(struct sa_db *db, struct why *why);

/* No packet finds it after the next publish; its memory goes then, or at a later publish or reap, when
 * nothing that is parked holds it. */
void sa_retire(struct sa_db *db, struct sa *sa);

/* Frees what was published as retired and waited for packets that are through now. Returns how many
 * still wait. From time to time. */
uint32_t sa_db_reap(struct sa_db *db);

/* SAs whose crypto device stands still go on with their fallback, numbers and window as they are; those
 * without one stay, and their packets leave by crypt_stalled. */
struct sa_fall_back {
	uint32_t moved, stopped;
};
struct sa_fall_back sa_db_fall_back(struct sa_db *db);

/* For displays; the pointers live as long as the SA. */
const struct sa_spec *sa_spec_of(const struct sa *sa); /* its keys are wiped */
const char *sa_provider(const struct sa *sa);
struct sa_count sa_count_of(const struct sa *sa);

/* out: the next number to be sent; in: the highest number seen. */
uint64_t sa_sequence(const struct sa *sa);

/* An outbound SA's numbers, for lease.h. */
struct sequence *sa_sequence_numbers(struct sa *sa);

/* How far an outbound SA's numbers have come, when that is news: LOW and SPENT are told once each. */
enum sa_news { SA_NO_NEWS, SA_NUMBERS_LOW, SA_NUMBERS_SPENT };
enum sa_news sa_news(struct sa *sa);

/* Visits every SA in the order it was opened, until visit returns non-zero; returns that. */
int sa_db_walk(struct sa_db *db, int (*visit)(struct sa *sa, void *arg), void *arg);

/* The largest inner packet that leaves unfragmented through an outbound SA over a path of this MTU. */
uint16_t sa_room(const struct sa *sa, uint16_t path_mtu);

/* Tells an SA the MTU of its path: sets what out_mtu compares with. Any time. */
void sa_set_path_mtu(struct sa *sa, uint16_t path_mtu);

/* The reqid's slot: its newest outbound SA, which policies point to. Never freed while the db is
 * open; made where it is new. NULL: no memory. */
struct sa_reqid *sa_reqid_slot(struct sa_db *db, uint32_t reqid);
