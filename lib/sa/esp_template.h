/* SPDX-License-Identifier: BSD-3-Clause */
/* esp_template.h - compiles a spec into what its packets have in common. Inside this room. */
#pragma once

#include "sa_dp.h"

/* Fills shape, and for outbound SAs the header template and the rules for DF, DSCP, ECN and flow
 * label. Everything else of *sa is left alone. -errno of getrandom(2). */
int esp_template_compile(const struct sa_spec *spec, struct sa *sa);
