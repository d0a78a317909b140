/* SPDX-License-Identifier: BSD-3-Clause */
/* values.h - readers of values that several sections have: addresses, MACs, paths, providers. */
#pragma once

#include "schema.h"

/* False: what is wrong was reported. */
bool value_address(struct reader *r, struct yaml_node *at, struct ipaddr *out);
bool value_prefix(struct reader *r, struct yaml_node *at, struct ipaddr_prefix *out);

/* A path; one that is relative begins in the folder of the file that names it. size: with the end. */
bool value_path(struct reader *r, struct yaml_node *at, char *out, size_t size);

/* Readers for tables. */
void read_path(struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field);
void read_mac(struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field);

/* Into an enum crypto_provider. */
void read_provider(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field);
void read_fallback(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field);
