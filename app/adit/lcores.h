/* SPDX-License-Identifier: BSD-3-Clause */
/* lcores.h - which lcores carry packets. After rte_eal_init(). */
#pragma once

#include "config.h"

struct lcores {
	uint16_t worker[CONFIG_LCORE_MAX];
	uint16_t n;
	bool on_main; /* there is one lcore: the worker gets it, control runs in a thread */
};

/* -EINVAL: an lcore of the config is not among the EAL's, is the main one, or is taken by a device. */
int lcores_choose(const struct config *config, struct lcores *out, struct why *why);
