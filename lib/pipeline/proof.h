/* SPDX-License-Identifier: BSD-3-Clause */
/* proof.h - every so often a packet that a lookaside device works at is done again by its SA's
 * fallback, on a copy, and the results are compared: a device that computes wrongly is found out,
 * which nothing else here would notice. */
#pragma once

#include "park.h"

/* Has the fallback do what the packet's job asks, if it is this packet's turn and the SA has a
 * synchronous fallback. Returns the copy with its result; NULL: there is none. Before the device gets
 * the job. */
struct rte_mbuf *proof_make(struct worker *w, struct rte_mbuf *m, const struct sa *sa);

/* Whether device and fallback came to the same, verdict and bytes. */
bool proof_holds(struct rte_mbuf *m, struct rte_mbuf *proof);
