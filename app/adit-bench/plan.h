/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.h - what is to be measured, and how: the command line with its defaults filled in. */
#pragma once

#include <rte_cryptodev.h>

#include "crypto.h"
#include "entrant.h"
#include "lap.h"
#include "sizes.h"
#include "suite.h"

#define PLAN_SIZES_MAX  32
#define PLAN_SUITES_MAX 8
#define PLAN_REPEAT_MAX 99
#define PLAN_LCORES_MAX 8

enum direction { DIRECTION_OUT, DIRECTION_IN, DIRECTION_BOTH, DIRECTIONS };

static inline const char *direction_name(enum direction d)
{
	return (const char *const[]){"out", "in", "both"}[d];
}

struct plan {
	struct sizes size[PLAN_SIZES_MAX];
	unsigned n_sizes;
	struct suite suite[PLAN_SUITES_MAX];
	unsigned n_suites;
	bool is_asked[ENTRANTS]; /* providers, and what they are held against */
	/* What the EAL calls the cryptodev that plays a provider; "": its own devices. */
	char device[CRYPTO_PROVIDERS][RTE_CRYPTODEV_NAME_MAX_LEN];
	bool has_openssl_speed;
	bool has_direction[DIRECTIONS];
	enum lap_mode mode;
	bool has_mode; /* else: cold if there are lcores for it */
	double seconds; /* of a lap */
	unsigned repeat;
	uint32_t n_sas, n_policies;
	uint16_t n_workers, burst;
	uint32_t sample;
	bool no_ledger;
	uint16_t offload_lcore[PLAN_LCORES_MAX]; /* that do crypto, in the place of a card */
	unsigned n_offload_lcores;
	double mpps; /* offload: offered; 0: half of what software carries */
	bool is_quiet;
};
