/* SPDX-License-Identifier: BSD-3-Clause */
/* args.c - the command line: one command, the names that it is about, and options. */
#include "args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "print.h"
#include "protocol.h"

static const struct command commands[] = {
	{"sa", "sa [NAME...]", print_sa, false, true,
		"Security associations, their sequence numbers and counters."},
	{"exits", "exits [NAME...]", print_exits, true, true,
		"Where packets left other than by being sent, and how many."},
	{"workers", "workers", print_workers, true, false,
		"What each worker did, and what each stage cost."},
	{"crypto", "crypto", print_crypto, false, false,
		"Crypto devices, whether they work, what they did and lost."},
	{"ports", "ports [NAME...]", print_ports, false, true,
		"Devices, links, queues, and what each received and sent."},
	{"policy", "policy [NAME...]", print_policy, false, true,
		"Policies in the order in which they are looked at."},
	{"top", "top", NULL, false, false,
		"Rates of ports, SAs and exits, each second anew. On a terminal until q or Ctrl-C; "
		"otherwise once."},
	{0},
};

enum { OPT_SOCKET = 1, OPT_JSON, OPT_NAMES, OPT_ALL, OPT_PER_WORKER, OPT_ONCE, OPT_VERSION };

static const struct cli_option options[] = {
	{"socket", OPT_SOCKET, "PATH",
		"The gateway's control socket. Default: $ADIT_SOCKET, else " CONTROL_SOCKET "."},
	{"json", OPT_JSON, NULL, "Print the data whole, as JSON."},
	{"names", OPT_NAMES, NULL,
		"Print names only, one a line. For sa, exits, ports and policy."},
	{"all", OPT_ALL, NULL,
		"Exits that no packet took, too, with exits; idle stages, too, with workers."},
	{"per-worker", OPT_PER_WORKER, NULL, "Each worker's share, with exits --json."},
	{"once", OPT_ONCE, NULL, "Print one second's rates and end, with top."},
	{"version", OPT_VERSION, NULL, "Print the version."},
	{"help", 'h', NULL, "Print this."},
	{0},
};

static const struct cli_row statuses[] = {
	{"0", "The answer was printed."},
	{"1", "The gateway refused, has nothing of that name, or the answer could not be written."},
	{"2", "The command line is wrong."},
	{"3", "No gateway answers within 5 seconds: none is running there, or the socket may not "
	      "be "
	      "used."},
	{0},
};

static void print_help(void)
{
	struct cli_row rows[sizeof(commands) / sizeof(commands[0])] = {0};

	for (unsigned i = 0; commands[i].name != NULL; i++)
		rows[i] = (struct cli_row){commands[i].usage, commands[i].text};
	puts("usage: aditctl [options] command [NAME...]\n"
	     "\n"
	     "Looks inside a running adit.");
	cli_print_rows(stdout, "commands", rows);
	cli_print_options(stdout, "options", options);
	cli_print_rows(stdout, "exit status", statuses);
}

static enum status wrong(const char *what, const char *which)
{
	fprintf(stderr, "aditctl: %s%s; see aditctl --help\n", what, which);
	return USAGE;
}

static const struct command *find(const char *name)
{
	for (const struct command *c = commands; c->name != NULL; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

/* Options that say nothing to this command are no options of it. */
static enum status check(const struct args *a)
{
	const struct command *c = a->command;

	if (a->n_names > 0 && !c->takes_names)
		return wrong(find(a->names[0]) != NULL ? "one command at a time; this is too much: "
						       : "this command takes no names: ",
			a->names[0]);
	if (a->all && !c->takes_all)
		return wrong("--all says nothing to ", c->name);
	if (a->per_worker && (strcmp(c->name, "exits") != 0 || !a->json))
		return wrong("--per-worker belongs to exits --json", "");
	if (a->only_names && (!c->takes_names || a->json))
		return wrong(a->json ? "--names or --json, not both" : "--names says nothing to ",
			a->json ? "" : c->name);
	if (a->once && c->print != NULL)
		return wrong("--once says nothing to ", c->name);
	return ARGS_GO_ON;
}

enum status args_parse(int argc, char **argv, struct args *out)
{
	const char *place = getenv("ADIT_SOCKET");
	struct cli_getopt read;
	int option;

	*out = (struct args){.socket = place != NULL && place[0] != '\0' ? place : CONTROL_SOCKET};
	cli_getopt(options, &read);
	/* Behind the colon: getopt says itself what is wrong. */
	while ((option = getopt_long(argc, argv, read.shorts + 1, read.longs, NULL)) != -1) {
		switch (option) {
		case OPT_SOCKET: out->socket = optarg; break;
		case OPT_JSON: out->json = true; break;
		case OPT_NAMES: out->only_names = true; break;
		case OPT_ALL: out->all = true; break;
		case OPT_PER_WORKER: out->per_worker = true; break;
		case OPT_ONCE: out->once = true; break;
		case 'h': print_help(); return DONE;
		case OPT_VERSION: puts("aditctl " ADIT_VERSION); return DONE;
		default: return USAGE;
		}
	}
	if (optind == argc)
		return wrong("a command is missing", "");
	out->command = find(argv[optind]);
	if (out->command == NULL)
		return wrong("there is no command ", argv[optind]);
	out->names = argv + optind + 1;
	out->n_names = (size_t)(argc - optind - 1);
	return check(out);
}
