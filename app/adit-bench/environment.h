/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.h - on what and with what a run was made. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

struct environment {
	char cpu[128];
	char flags[256]; /* of the CPU, those that crypto libraries look for */
	char kernel[128];
	char dpdk[64], ipsec_mb[64], openssl[64];
	unsigned cpus;
	double tsc_hz;
	bool has_hugepages;
	char commit[64];
	char date[32]; /* UTC */
	const char *command; /* line */
};

/* After the EAL has started. */
void environment_read(const char *command, struct environment *out);

json_t *environment_json(const struct environment *e);
