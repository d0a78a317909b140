/* SPDX-License-Identifier: BSD-3-Clause */
/* published.h - the figures of 2019 that adit's are put beside: measured by others, on another machine. */
#pragma once

#include "entrant.h"
#include "sizes.h"

#define PUBLISHED_NAME "published 2019"
#define PUBLISHED_SOURCE                                                                           \
	"Dell Technologies, \"QAT Whitepaper\" (2019), table 3: VPP on a Xeon Gold 5117"

/* Gbps of a provider at this packet size; 0: nothing was published. */
double published_gbps(enum entrant_id provider, const struct sizes *sizes);
