/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c - aditctl: looks inside a running adit. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "print.h"
#include "protocol.h"

/* Exit codes, as aditctl(8) has them. */
enum { DONE = 0, REFUSED = 1, USAGE = 2, NO_GATEWAY = 3 };

struct command {
	const char *name;
	void (*print)(const json_t *data, bool all);
	bool takes_all;
	const char *help;
};

static const struct command commands[] = {
	{"sa", print_sa, false, "security associations, their sequence numbers and counters"},
	{"exits", print_exits, true,
		"where packets left other than by being sent; --all: and where none did"},
	{"workers", print_workers, true,
		"what each worker did, and what each stage cost; --all: also idle stages"},
	{"crypto", print_crypto, false,
		"crypto devices, whether they work, what they did and lost"},
	{"ports", print_ports, false, "devices, links, queues, and what each received and sent"},
	{"policy", print_policy, false, "policies in the order in which they are looked at"},
	{0},
};

struct options {
	const struct command *command;
	const char *socket;
	bool json, all, per_worker;
};

static void print_help(FILE *to)
{
	fprintf(to, "usage: aditctl [options] command\n\nLooks inside a running adit.\n\n");
	for (const struct command *c = commands; c->name != NULL; c++)
		fprintf(to, "  %-10s %s\n", c->name, c->help);
	fprintf(to, "\n"
		    "  --socket PATH  the gateway's control socket; default: $ADIT_SOCKET, else\n"
		    "                 " CONTROL_SOCKET "\n"
		    "  --json         print the data whole, as JSON\n"
		    "  --per-worker   exits: each worker's share, with --json\n"
		    "  --help         print this\n"
		    "  --version      print the version\n"
		    "\n"
		    "Exit status: 0 done, 1 the gateway refused, 2 usage, 3 no gateway answers.\n");
}

static int wrong(const char *what, const char *which)
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

/* -1: go on; otherwise exit with this. */
static int parse(int argc, char **argv, struct options *o)
{
	enum { JSON = 1, SOCKET, ALL, PER_WORKER, HELP, VERSION };
	static const struct option longs[] = {
		{"json", no_argument, NULL, JSON},
		{"socket", required_argument, NULL, SOCKET},
		{"all", no_argument, NULL, ALL},
		{"per-worker", no_argument, NULL, PER_WORKER},
		{"help", no_argument, NULL, HELP},
		{"version", no_argument, NULL, VERSION},
		{0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
		switch (option) {
		case JSON: o->json = true; break;
		case SOCKET: o->socket = optarg; break;
		case ALL: o->all = true; break;
		case PER_WORKER: o->per_worker = true; break;
		case 'h':
		case HELP: print_help(stdout); return DONE;
		case VERSION: puts("aditctl " ADIT_VERSION); return DONE;
		default: return USAGE; /* getopt has said it */
		}
	}
	if (optind == argc)
		return wrong("a command is missing", "");
	o->command = find(argv[optind]);
	if (o->command == NULL)
		return wrong("there is no command ", argv[optind]);
	if (optind + 1 < argc)
		return wrong("one command at a time; this is too much: ", argv[optind + 1]);
	if (o->all && !o->command->takes_all)
		return wrong("--all says nothing to ", o->command->name);
	if (o->per_worker && (strcmp(o->command->name, "exits") != 0 || !o->json))
		return wrong("--per-worker belongs to exits --json", "");
	return -1;
}

static void print(const struct options *o, const json_t *data)
{
	if (!o->json) {
		o->command->print(data, o->all);
		return;
	}
	json_dumpf(data, stdout, isatty(STDOUT_FILENO) ? JSON_INDENT(2) : JSON_COMPACT);
	putchar('\n');
}

/* A reader that has seen enough (aditctl sa | head) is no failure. */
static int finish(void)
{
	errno = 0;
	if ((fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE)
		return DONE;
	fprintf(stderr, "aditctl: standard output: %s\n", strerror(errno));
	return REFUSED;
}

int main(int argc, char **argv)
{
	const char *place = getenv("ADIT_SOCKET");
	struct options o = {.socket = place != NULL && place[0] != '\0' ? place : CONTROL_SOCKET};
	enum client_verdict verdict;
	json_t *request, *data;
	struct why why;
	int rc = parse(argc, argv, &o);

	if (rc >= 0)
		return rc;
	signal(SIGPIPE, SIG_IGN);
	request = json_pack("{s:s, s:b}", "do", o.command->name, "per_worker", o.per_worker);
	verdict = client_ask(o.socket, request, &data, &why);
	json_decref(request);
	if (verdict != CLIENT_ANSWERED) {
		fprintf(stderr, "aditctl: %s\n", why.text);
		return verdict == CLIENT_REFUSED ? REFUSED : NO_GATEWAY;
	}
	print(&o, data);
	json_decref(data);
	return finish();
}
