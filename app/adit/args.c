/* SPDX-License-Identifier: BSD-3-Clause */
/* args.c - the command line: EAL arguments, --, and what is adit's own. */
#include "args.h"

#include <errno.h>
#include <string.h>

#include "cli.h"

enum {
	OPT_CONFIG = 'c',
	OPT_HELP = 'h',
	OPT_VERSION = 'V',
	OPT_CHECK = 256,
	OPT_DESCRIBE,
	OPT_INIT
};

static const struct cli_option options[] = {
	{"config", OPT_CONFIG, "FILE", "What to run. Lists of several files are joined."},
	{"check", OPT_CHECK, NULL,
		"Judge the files and start nothing. Needs neither root nor hugepages."},
	{"init-state", OPT_INIT, NULL,
		"Make the journal of sequence numbers in state_dir, once per gateway."},
	{"describe", OPT_DESCRIBE, NULL,
		"Print the stages that a packet goes through, and every exit that it can take."},
	{"version", OPT_VERSION, NULL, "Print the versions of adit and DPDK."},
	{"help", OPT_HELP, NULL, "Print this."},
	{0},
};

static const struct cli_row eal_arguments[] = {
	{"-l 0-1", "CPU cores: the first is for control, the others carry packets unless a file "
		   "says which. With a single core that one carries packets."},
	{"-a 0000:3b:00.0", "A PCI device to use: a port, or a QAT virtual function."},
	{"--vdev net_af_packet0,iface=eth1", "A virtual device."},
	{"--no-huge -m 512", "Run without hugepages, in so many megabytes."},
	{"--file-prefix NAME", "Tell several gateways on one host apart."},
	{0},
};

static const struct cli_row statuses[] = {
	{"0", "It was stopped by a signal; or the files have no error."},
	{"1", "It could not start, or a file has an error: standard error, or the log, says "
	      "which."},
	{"2", "The command line is wrong."},
	{0},
};

void args_print_help(FILE *to)
{
	fputs("usage: adit [EAL arguments --] --config FILE [--config FILE ...]\n"
	      "       adit --check | --init-state --config FILE [--config FILE ...]\n"
	      "       adit --describe | --version | --help\n"
	      "\n"
	      "An IPsec tunnel endpoint whose data plane runs on DPDK.\n",
		to);
	cli_print_options(to, "options", options);
	cli_print_rows(to, "EAL arguments, of which DPDK has more", eal_arguments);
	cli_print_rows(to, "exit status", statuses);
}

static int usage(const char *what, const char *name)
{
	fprintf(stderr, "adit: %s%s; adit --help lists what there is\n", what, name);
	return -EINVAL;
}

/* The place of "--", or 0: everything is adit's. */
static int find_separator(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") == 0)
			return i;
	}
	return 0;
}

/* The EAL would answer one of ours with its whole help. */
static int check_eal_argument(const char *arg)
{
	for (const struct cli_option *o = options; o->name != NULL; o++) {
		size_t len = strlen(o->name);

		if (o->value != OPT_HELP && strncmp(arg, "--", 2) == 0 &&
			strncmp(arg + 2, o->name, len) == 0 &&
			(arg[2 + len] == '\0' || arg[2 + len] == '='))
			return usage("this stands behind the --, EAL arguments before it: ", arg);
	}
	return 0;
}

static int unknown(const char *last, bool has_separator)
{
	const char letter[] = {'-', (char)optopt, '\0'}; /* one of several in an argument */

	return usage(has_separator ? "unknown option "
				   : "unknown option (EAL arguments stand before a --) ",
		optopt > 0 && optopt < OPT_CHECK ? letter : last);
}

/* One thing a run: a --check must not make a journal. */
static int choose(struct args *out, enum args_mode mode, const char *last)
{
	if (out->mode != ARGS_RUN && out->mode != mode)
		return usage("one thing at a time, this is another: ", last);
	out->mode = mode;
	return 0;
}

int args_parse(int argc, char **argv, struct args *out)
{
	int at = find_separator(argc, argv), opt, rc = 0;
	struct cli_getopt read;
	char **own = argv + at;

	*out = (struct args){.eal_argc = at > 0 ? at : 1, .eal_argv = argv};
	for (int i = 1; i < at; i++) {
		rc = check_eal_argument(argv[i]);
		if (rc < 0)
			return rc;
	}
	if (at > 0)
		own[0] = argv[0];
	cli_getopt(options, &read);
	opterr = 0;
	optind = 1;
	while (rc == 0 &&
		(opt = getopt_long(argc - at, own, read.shorts, read.longs, NULL)) != -1) {
		switch (opt) {
		case OPT_CONFIG:
			if (out->n_configs == ARGS_CONFIGS_MAX)
				return usage("too many --config", "");
			out->config[out->n_configs++] = optarg;
			break;
		case OPT_CHECK: rc = choose(out, ARGS_CHECK, own[optind - 1]); break;
		case OPT_DESCRIBE: rc = choose(out, ARGS_DESCRIBE, own[optind - 1]); break;
		case OPT_INIT: rc = choose(out, ARGS_INIT_STATE, own[optind - 1]); break;
		case OPT_VERSION: rc = choose(out, ARGS_VERSION, own[optind - 1]); break;
		case OPT_HELP: out->mode = ARGS_HELP; return 0;
		case ':': return usage("a value is missing behind ", own[optind - 1]);
		default: return unknown(own[optind - 1], at > 0);
		}
	}
	if (rc < 0)
		return rc;
	if (optind < argc - at)
		return usage("what is this: ", own[optind]);
	if (out->n_configs == 0 &&
		(out->mode == ARGS_RUN || out->mode == ARGS_CHECK || out->mode == ARGS_INIT_STATE))
		return usage("--config FILE is missing", "");
	return 0;
}
