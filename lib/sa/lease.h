/* SPDX-License-Identifier: BSD-3-Clause */
/* lease.h - sequence numbers that survive a crash: a journal of leases in state_dir.
 *
 * An SA keyed by a file may send only numbers below the end of a lease that is on disk. A crash
 * loses the rest of the lease, never repeats a number, and so never a nonce (RFC 8221 3, RFC 4303 5).
 *
 * The journal is preallocated: a header and a fixed number of fixed records. A record names a key by
 * its fingerprint and holds the end of its lease in two generations, each with a checksum: a torn
 * write leaves the older one. The folder is locked by whoever has it open. Control thread only. */
#pragma once

#include <stdint.h>

#include "key.h"
#include "sequence.h"
#include "why.h"

#define LEASE_RECORDS 65536 /* keys that a journal has room for */

struct lease_journal;
struct lease; /* one SA's */

/* Makes an empty journal in dir (created 0700 where it is missing). -EEXIST: there is one already;
 * to start afresh with the old keys would repeat nonces, so the text says to remove it only
 * together with the keys. -errno of the file system. */
int lease_journal_init(const char *dir, struct why *why);

/* -ENOENT: no journal here (the text names --init-state). -EBUSY: another process has it. -EBADMSG:
 * not a journal, of another version, or its header is damaged: refused. A record whose both
 * generations are damaged refuses the journal too: what it guarded cannot be known. */
int lease_journal_open(const char *dir, struct lease_journal **out, struct why *why);

/* Gives back what was not used of each lease where every worker has stopped: the next start goes on
 * exactly where this one ended. */
void lease_journal_close(struct lease_journal *j);

/* The lease of this key: an old one goes on where it ended, a new one starts at 1; at_least lifts
 * the start. Sets seq->next; seq->limit stays where nothing can be taken until
 * lease_journal_commit(). seq outlives the lease. -ENOSPC: the journal is full. -EEXIST: this key is
 * leased already in this process. */
int lease_open(struct lease_journal *j, const uint8_t fingerprint[KEY_FINGERPRINT],
	uint64_t at_least, struct sequence *seq, struct lease **out, struct why *why);

/* Ends it; the record stays, and remembers seq->next if exact. Workers no longer use seq. */
void lease_close(struct lease *l);

/* Writes all new and refilled leases, one fdatasync, then moves the limits. Called after a batch of
 * lease_open(), and by the timer. On an error limits stay (SAs run to their end and stop by
 * out_lease_wait), and the next call tries again. Returns how many were moved, or -errno. */
int lease_journal_commit(struct lease_journal *j, struct why *why);

/* Looks at every lease: those half used get a new one, of about ten seconds at the rate measured
 * since the last call (at least 2^16, at most 2^20 without ESN), then commits. Called every
 * LEASE_TICK_MS. Cheap when nothing is due. now_ns: a monotonic clock. */
int lease_journal_tick(struct lease_journal *j, uint64_t now_ns, struct why *why);
#define LEASE_TICK_MS 10
