/* SPDX-License-Identifier: BSD-3-Clause */
/* lease.h - sequence numbers that survive a crash: a journal of leases in state_dir.
 *
 * An SA keyed by a file may send only numbers below the end of a lease that is on disk. A crash
 * loses the rest of the lease, never repeats a number, and so never a nonce (RFC 8221 3, RFC 4303 5).
 *
 * The journal, sequence.journal, is preallocated: a header and fixed records, in pages that are kept
 * in two copies, each with a generation and a checksum: a torn write leaves the older one. A record
 * names a key by its fingerprint, holds the end of its lease, and is never used for another key. The
 * folder is locked by whoever has it open. Control thread only.
 *
 * What no journal can notice: that it was restored from a backup, or stems from another machine with
 * the same keys. Keys that went on elsewhere meanwhile are to be replaced. */
#pragma once

#include <stdint.h>

#include "key.h"
#include "sequence.h"
#include "why.h"

#define LEASE_RECORDS 65536 /* keys that a journal has room for */

struct lease_journal;
struct lease; /* one SA's */

/* Makes an empty journal in dir (created 0700 where it is missing), whole or not at all. -EEXIST:
 * there is one already; to start afresh with the old keys would repeat nonces, so the text says to
 * remove it only together with the keys. -EPERM: others may write to dir. -errno of the file
 * system. */
int lease_journal_init(const char *dir, struct why *why);

/* -ENOENT: no journal here (the text names --init-state). -EBUSY: another process has it. -EPERM: dir
 * or journal may be written to by others. -EBADMSG: not a journal, of another version, cut short, or
 * its header is damaged: refused. A page whose both copies are damaged refuses the journal too: what
 * it guarded cannot be known. Where one copy is, its keys skip a longest lease. */
int lease_journal_open(const char *dir, struct lease_journal **out, struct why *why);

/* Ends all leases and gives back what was not used of them: the next start goes on exactly where
 * this one ended. Workers that have not stopped take no number any more. */
void lease_journal_close(struct lease_journal *j);

/* The lease of this key: an old one goes on where it ended, a new one starts at 1; at_least lifts
 * the start. Sets seq->next; seq->limit stays where nothing can be taken until
 * lease_journal_commit(). seq outlives the lease; seq->end is set before. -ENOSPC: the journal is
 * full. -EEXIST: this key is leased already in this process. */
int lease_open(struct lease_journal *j, const uint8_t fingerprint[KEY_FINGERPRINT],
	uint64_t at_least, struct sequence *seq, struct lease **out, struct why *why);

/* Ends it: nobody takes a number of seq any more. The record stays, and remembers at the next commit
 * how far the key really got. */
void lease_close(struct lease *l);

/* Writes all new and refilled leases, one fdatasync (two where a key is new to this process), then
 * moves the limits. Called after a batch of lease_open(), and by the timer. On an error limits stay
 * (SAs run to their end and stop by out_lease_wait), and the next call tries again. Returns how many
 * were moved, or -errno. */
int lease_journal_commit(struct lease_journal *j, struct why *why);

/* Looks at every lease: those half used get a new one, of about ten seconds at the rate measured
 * since the last call (at least 2^16, at most 2^20, or 2^30 with ESN), then commits. Called every
 * LEASE_TICK_MS. Cheap when nothing is due. now_ns: a monotonic clock. */
int lease_journal_tick(struct lease_journal *j, uint64_t now_ns, struct why *why);
#define LEASE_TICK_MS 10
