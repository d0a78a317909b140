/* SPDX-License-Identifier: BSD-3-Clause */
/* top.h - rates of ports, SAs and exits, each second anew. */
#pragma once

#include "args.h"

/* On a terminal until somebody has seen enough; otherwise, with --once and with --json, once. */
enum status top_show(const struct args *args);
