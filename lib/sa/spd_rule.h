/* SPDX-License-Identifier: BSD-3-Clause */
/* spd_rule.h - policies and packets in the numbers of spd_match.h. Private to the SPD. */
#pragma once

#include "spd_dp.h"
#include "spd_match.h"

enum spd_family { SPD_V4, SPD_V6, SPD_FAMILIES };

extern const unsigned __int128 spd_rule_last[SPD_FAMILIES][SPD_MATCH_FIELDS];

/* How many ranges a policy can have in a field of its rule, and the rule in the table of a family;
 * the caller has set range[] to places for so many, and n[] to 0. */
uint32_t spd_rule_ranges(const struct policy_spec *p, enum spd_match_field field);
void spd_rule_make(
	struct spd_match_rule *rule, const struct policy_spec *p, enum spd_family family);

/* A packet's numbers, as the i-th of a burst. */
void spd_rule_load_v4(const struct spd_key *key, struct spd_match_keys *out, uint32_t i);
void spd_rule_load_v6(const struct spd_key *key, struct spd_match_keys *out, uint32_t i);
