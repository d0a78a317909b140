/* SPDX-License-Identifier: BSD-3-Clause */
/* config.h - the config file, read and checked whole: from YAML to the specs of the other rooms.
 *
 * Nothing here touches a device. Control thread only. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "crypto.h"
#include "ipaddr.h"
#include "log.h"
#include "route.h"
#include "sa.h"
#include "spd.h"

#define CONFIG_NAME_MAX  64
#define CONFIG_LCORE_MAX 128

struct config_port {
	struct source source;
	char name[CONFIG_NAME_MAX];
	char device[CONFIG_NAME_MAX];
	enum port_side side;
	uint16_t mtu;
	struct ipaddr_prefix address[ROUTE_ADDRESSES_MAX];
	uint16_t n_addresses;
	bool has_mac;
	uint8_t mac[6];
	uint16_t vlan[ROUTE_VLANS_MAX];
	uint8_t n_vlans;
	uint16_t queues; /* 0: auto */
	uint16_t descriptors;
	bool offloads; /* auto; false: off */
	char kernel[16]; /* name of the TAP interface; "": none */
};

/* Built-in SPD entries that are in force. */
struct config_builtin {
	bool arp, nd, ike;
};

struct config {
	uint16_t lcore[CONFIG_LCORE_MAX];
	uint16_t n_lcores; /* 0: all but main and those that a device has taken */
	uint16_t burst; /* 1..256 */
	bool ledger;

	struct config_port *ports;
	uint16_t n_ports;

	enum crypto_provider provider;
	enum crypto_provider fallback; /* SA_NO_PROVIDER: none */
	struct {
		char (*name)[CONFIG_NAME_MAX];
		unsigned n;
	} devices[CRYPTO_PROVIDERS];
	uint32_t in_flight;
	uint32_t proof_every; /* 0: never */

	struct sa_spec *sas;
	uint32_t n_sas;
	struct policy_spec *policies;
	uint32_t n_policies;
	struct config_builtin builtin;
	struct route_spec *routes;
	uint32_t n_routes;
	struct neighbour_spec *neighbours;
	uint32_t n_neighbours;

	uint32_t icmp_rate; /* replies a second, 0: none */
	bool icmp_too_big_from_unprotected;
	uint32_t reassembly_contexts, reassembly_timeout_ms;

	enum log_level log_level;
	enum log_target log_to;
	char control_socket[108];
	mode_t control_mode;
	char control_group[CONFIG_NAME_MAX]; /* "": leave it */
	char state_dir[256];

	void *arena; /* what the pointers above point into */
};

/* What was found wrong, in the order of the files. */
struct config_report {
	/* All of it goes here when everything is read, in the order of the files, a line each:
	 * file:line:column: where: what is wrong, and what would be right */
	FILE *to;
	unsigned errors, warnings;
};

/* Reads the files, joins their lists, checks everything that can be checked without devices, never
 * stops at the first error. On 0 *out is whole and config_close() is due. -EINVAL: report->errors
 * were printed and *out is empty, every key wiped. */
int config_load(
	const char *const files[], unsigned n, struct config *out, struct config_report *report);

/* Wipes keys, frees everything. */
void config_close(struct config *config);

/* An error or warning about something at this source, in the form of the others; for what app/ finds
 * out only with the devices at hand. */
void config_say(struct config_report *report, bool is_error, const struct source *source,
	const char *where, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* Every section and key with type, bounds, default and help, as a reference in Markdown. */
void config_print_reference(FILE *to);
