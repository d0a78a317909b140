/* SPDX-License-Identifier: BSD-3-Clause */
/* args.h - the command line: one command, the names that it is about, and options. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Exit codes, as aditctl(8) has them. ARGS_GO_ON is none of them. */
enum status { ARGS_GO_ON = -1, DONE = 0, REFUSED = 1, USAGE = 2, NO_GATEWAY = 3 };

struct command {
	const char *name; /* of the request too */
	const char *usage; /* with what may stand behind it */
	void (*print)(const json_t *data, bool all); /* NULL: top */
	bool takes_all;
	bool takes_names; /* of what it shows: its data is an array of objects with a "name" */
	const char *text;
};

struct args {
	const struct command *command;
	const char *socket;
	char **names; /* behind the command */
	size_t n_names;
	bool json, all, per_worker, only_names, once;
};

/* ARGS_GO_ON, or what to exit with: it was said why. */
enum status args_parse(int argc, char **argv, struct args *out);
