/* SPDX-License-Identifier: BSD-3-Clause */
/* selectors.h - readers of what a policy looks at (RFC 4301 4.4.1.1). */
#pragma once

#include "schema.h"

struct selector_addresses {
	const struct ipaddr_range *range;
	uint32_t n; /* 0: any */
};

/* Into a struct selector_addresses. */
void read_selector_addresses(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field);

/* Into a struct policy_field; key->max is the greatest value. */
void read_selector_ranges(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field);
void read_selector_protocol(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field);
