/* SPDX-License-Identifier: BSD-3-Clause */
/* lineup.h - everybody who runs in the rows of one suite: opened together, measured in turn. */
#pragma once

#include "result.h"

struct lineup;

struct lineup_setup {
	const struct plan *plan;
	const struct suite *suite;
	const uint16_t *lcores; /* of the workers */
	struct wire *lan, *wan;
	struct rte_mempool *pool;
};

/* Opens whom the plan asks for. Who is not to be had on this machine is left out, and facts say why. */
int lineup_open(const struct lineup_setup *setup, struct suite_facts *facts, struct lineup **out,
	struct why *why);
void lineup_close(struct lineup *l);

/* The subjects that this entrant runs in this direction: two for both, none if it has no part. */
unsigned lineup_subjects(
	struct lineup *l, enum entrant_id id, enum direction direction, struct subject *out[2]);

/* The gateway that an entrant is; NULL for others. */
const struct rig *lineup_rig(const struct lineup *l, enum entrant_id id);
