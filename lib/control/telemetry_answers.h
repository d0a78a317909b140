/* SPDX-License-Identifier: BSD-3-Clause */
/* telemetry_answers.h - totals for those who scrape DPDK, a dictionary each. Private to lib/control. */
#pragma once

#include <rte_telemetry.h>

#include "views.h"

/* params: what was asked behind the comma, or NULL. -EINVAL: there is no such thing. */
typedef int telemetry_answer(
	const struct views_of *of, const char *params, struct rte_tel_data *data);

telemetry_answer telemetry_exits, telemetry_workers, telemetry_ports, telemetry_sa_totals;
