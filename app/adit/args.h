/* SPDX-License-Identifier: BSD-3-Clause */
/* args.h - the command line: EAL arguments, --, and what is adit's own. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#define ARGS_CONFIGS_MAX 64

enum args_mode { ARGS_RUN, ARGS_CHECK, ARGS_DESCRIBE, ARGS_VERSION, ARGS_HELP, ARGS_INIT_STATE };

struct args {
	enum args_mode mode;
	int eal_argc; /* program name and what stands before -- */
	char **eal_argv; /* ends with NULL */
	const char *config[ARGS_CONFIGS_MAX];
	unsigned n_configs;
};

/* Splits argv at the first "--"; without one everything is adit's. On a usage error says so on
 * stderr and returns -EINVAL. eal_argv points into argv. */
int args_parse(int argc, char **argv, struct args *out);

void args_print_help(FILE *to);
