/* SPDX-License-Identifier: BSD-3-Clause */
/* size.h - adit-bench size: packet size against throughput, per provider and direction. */
#pragma once

#include "result.h"

/* Measures what the plan says. -EBADMSG: packets were lost or wrong, and why says whose; -EBUSY: too few
 * lcores. */
int size_run(const struct plan *plan, struct result *out, struct why *why);

/* Settles the mode and sees whether the lcores that the EAL has suffice for it. -EBUSY. */
int size_choose_mode(struct plan *plan, struct why *why);

/* That the EAL should have, if it may. */
unsigned size_lcores(const struct plan *plan);

/* Of memory that a run needs. */
unsigned size_megabytes(const struct plan *plan);
