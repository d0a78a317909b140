/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h - the forms in which a result is shown. */
#pragma once

#include <stdio.h>

#include "environment.h"
#include "result.h"

/* Tables for a terminal, up to 100 columns wide. */
void report_table(const struct result *r, FILE *to);

/* A line for each row and column. */
void report_csv(const struct result *r, FILE *to);

/* All that is known, lap by lap. -ENOMEM. */
int report_json(const struct result *r, const struct environment *e, FILE *to);
