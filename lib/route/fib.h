/* SPDX-License-Identifier: BSD-3-Clause */
/* fib.h - the longest prefix of an address, by rte_fib and rte_fib6. Private to the room. */
#pragma once

#include <rte_fib.h>
#include <rte_fib6.h>

#include "plan.h"

struct fib {
	struct rte_fib *v4; /* NULL: no prefix of this family */
	struct rte_fib6 *v6;
};

/* A family without prefixes takes no memory; the first prefix takes 32 MiB. Names are system-wide:
 * that of a FIB is made of its address. -ENOMEM, -ENOSPC with the reason. */
int fib_open(
	struct fib *fib, const struct plan *v4, const struct plan *v6, int socket, struct why *why);
void fib_close(struct fib *fib);
