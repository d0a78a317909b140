/* SPDX-License-Identifier: BSD-3-Clause */
/* args.h - the command line: EAL arguments, --, a command and its options. */
#pragma once

#include <stdio.h>

#include "plan.h"

enum args_command { ARGS_SIZE, ARGS_OFFLOAD, ARGS_COMPARE, ARGS_VERSION, ARGS_HELP };

struct args {
	enum args_command command;
	int eal_argc; /* program name and what stands before --; 1: nothing does */
	char **eal_argv;
	struct plan plan;
	const char *output; /* folder or prefix of the files; NULL: none */
	const char *file[2]; /* to compare */
};

/* Splits argv at the first "--"; without one everything is the bench's. On a usage error says so on
 * stderr and returns -EINVAL. Points into argv. */
int args_parse(int argc, char **argv, struct args *out);

void args_print_help(FILE *to);
