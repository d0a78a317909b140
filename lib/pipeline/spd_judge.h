/* SPDX-License-Identifier: BSD-3-Clause */
/* spd_judge.h - finds the policy that each packet of a burst meets, into its column, and counts it. */
#pragma once

#include "worker_dp.h"

/* Sets b->policy[] to the index of the first match, or SPD_NO_MATCH. */
void spd_judge(struct worker *w, struct burst *b, enum policy_direction direction);
