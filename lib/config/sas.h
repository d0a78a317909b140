/* SPDX-License-Identifier: BSD-3-Clause */
/* sas.h - an SA while it is read: its spec, and what only the file's rules look at. */
#pragma once

#include "sections.h"

#define KEY_PATH_MAX 1024

struct sa_draft {
	struct sa_spec spec;
	unsigned mode, fragment;
	bool mss_clamp;
	uint16_t tfc_pad_to;
	struct {
		uint64_t soft_bytes, hard_bytes, soft_packets, hard_packets, soft_seconds,
			hard_seconds;
	} lifetime;
	struct {
		uint16_t sport, dport;
		bool strict;
	} encap;
};

/* Readers of algorithms, keys and key files: esp_keys.c. */
void read_algorithm(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field);
void read_key(struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field);
void read_key_file(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field);

/* Which algorithms go together, and how long their keys must be. */
void sa_check_keys(struct reader *r, struct yaml_node *at, struct sa_draft *draft);

/* What its direction, addresses and numbers must be like beside each other; settles lookup. */
void sa_check_rules(struct reader *r, struct yaml_node *at, struct sa_draft *draft);
