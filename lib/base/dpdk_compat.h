/* SPDX-License-Identifier: BSD-3-Clause */
/* dpdk_compat.h - the only place with an #if on a DPDK version; 22.11 is the oldest that serves. */
#pragma once

#include <rte_version.h>

#if RTE_VERSION < RTE_VERSION_NUM(22, 11, 3, 0)
#error "adit needs DPDK 22.11.3 or newer"
#endif
