/* SPDX-License-Identifier: BSD-3-Clause */
/* compare.h - adit-bench compare: one run as ratios to another, row by row. */
#pragma once

#include <stdio.h>

#include "why.h"

/* -EINVAL: a file is not a run's JSON; why says which. -ENOENT: the two have nothing in common. */
int compare_run(const char *a, const char *b, FILE *to, struct why *why);
