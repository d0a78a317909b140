/* SPDX-License-Identifier: BSD-3-Clause */
/* sections.h - the sections of the file: their tables, and the readers of their lists. */
#pragma once

#include "schema.h"

#define PORTS_MAX      32 /* RTE_MAX_ETHPORTS of the distributions */
#define SAS_MAX        65535
#define ROUTES_MAX     1000000
#define NEIGHBOURS_MAX ROUTE_NEXTHOPS_MAX

#define MTU_MIN_V4 576 /* RFC 791 3.1: every host takes that much; less makes fragmenters crawl */
#define MTU_MIN_V6 1280 /* RFC 8200 5: every link carries that much */
#define MTU_MAX    9216 /* what ports with jumbo frames have in common */

extern const struct schema root_schema; /* into a struct config */
extern const struct schema workers_schema, crypto_schema, spd_schema, ike_schema, icmp_schema,
	reassembly_schema, log_schema, control_schema;
extern const struct schema port_schema, sa_schema, policy_schema, route_schema, neighbour_schema;

void read_ports(struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field);
void read_sas(struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field);
void read_policies(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field);
void read_routes(struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field);
void read_neighbours(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field);

/* What stands in several sections or files: names, devices, addresses, ports. Settles the ports of
 * routes and neighbours, and the providers of SAs that name none. */
void check_config(struct reader *r);

/* SAs beside each other and beside the policies: SPIs, shared keys, reqids. */
void check_sas(struct reader *r);
