/* SPDX-License-Identifier: BSD-3-Clause */
/* report_offload.h - the forms in which adit-bench offload shows what it has measured. */
#pragma once

#include <stdio.h>

#include "environment.h"
#include "offload.h"

/* A table for a terminal: medians over the runs. */
void report_offload_table(const struct offload_result *r, FILE *to);

/* All that is known, run by run. -ENOMEM. */
int report_offload_json(const struct offload_result *r, const struct environment *e, FILE *to);
