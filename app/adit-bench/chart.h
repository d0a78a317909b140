/* SPDX-License-Identifier: BSD-3-Clause */
/* chart.h - a result as a picture of each suite: packet size across, Gbps up, a line per provider. */
#pragma once

#include "output.h"
#include "result.h"

/* Writes PREFIX-SUITE.svg and .png of the first direction measured. -ENOENT: gnuplot is not here; -EIO:
 * it failed. */
int chart_draw(const struct result *r, const struct output *output, struct why *why);
