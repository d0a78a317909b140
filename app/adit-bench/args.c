/* SPDX-License-Identifier: BSD-3-Clause */
/* args.c - the command line: EAL arguments, --, a command and its options. */
#include "args.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BURST_MAX   256
#define SECONDS_MAX 3600
#define MPPS_MAX    1000
#define LCORE_MAX   1023

enum {
	OPT_HELP = 'h',
	OPT_VERSION = 'V',
	OPT_OUTPUT = 'o',
	OPT_QUIET = 'q',
	OPT_SIZES = 256,
	OPT_PROVIDERS,
	OPT_DIRECTION,
	OPT_SUITE,
	OPT_SECONDS,
	OPT_REPEAT,
	OPT_SAS,
	OPT_POLICIES,
	OPT_WORKERS,
	OPT_BURST,
	OPT_MODE,
	OPT_HOT,
	OPT_SAMPLE,
	OPT_REFERENCES,
	OPT_NO_LEDGER,
	OPT_OFFLOAD_LCORES,
	OPT_RATE
};

static const struct option options[] = {
	{"sizes", required_argument, NULL, OPT_SIZES},
	{"providers", required_argument, NULL, OPT_PROVIDERS},
	{"direction", required_argument, NULL, OPT_DIRECTION},
	{"suite", required_argument, NULL, OPT_SUITE},
	{"seconds", required_argument, NULL, OPT_SECONDS},
	{"repeat", required_argument, NULL, OPT_REPEAT},
	{"sas", required_argument, NULL, OPT_SAS},
	{"policies", required_argument, NULL, OPT_POLICIES},
	{"workers", required_argument, NULL, OPT_WORKERS},
	{"burst", required_argument, NULL, OPT_BURST},
	{"mode", required_argument, NULL, OPT_MODE},
	{"hot", no_argument, NULL, OPT_HOT},
	{"sample", required_argument, NULL, OPT_SAMPLE},
	{"references", required_argument, NULL, OPT_REFERENCES},
	{"no-ledger", no_argument, NULL, OPT_NO_LEDGER},
	{"offload-lcores", required_argument, NULL, OPT_OFFLOAD_LCORES},
	{"rate", required_argument, NULL, OPT_RATE},
	{"output", required_argument, NULL, OPT_OUTPUT},
	{"quiet", no_argument, NULL, OPT_QUIET},
	{"version", no_argument, NULL, OPT_VERSION},
	{"help", no_argument, NULL, OPT_HELP},
	{0},
};

void args_print_help(FILE *to)
{
	fputs("Usage: adit-bench [EAL arguments --] [size] [options]\n"
	      "       adit-bench [EAL arguments --] offload [options]\n"
	      "       adit-bench compare A.json B.json\n"
	      "\n"
	      "Drives adit's pipeline between two ports of rings and prints what each crypto "
	      "provider\n"
	      "does for each packet size, beside what bounds it. Needs no NIC.\n"
	      "\n"
	      "      --sizes LIST       bytes of the inner IP packet, 64 to 1400, and imix (seven "
	      "of "
	      "64,\n"
	      "                         four of 576, one of 1400); default "
	      "100,300,500,700,900,1100,\n"
	      "                         1300,1400,imix\n"
	      "      --providers LIST   of openssl, aesni_mb, qat; default all. With =DEVICE one "
	      "runs "
	      "on\n"
	      "                         this cryptodev of the EAL, as openssl=crypto_openssl0\n"
	      "      --direction LIST   of out, in, both; default all\n"
	      "      --suite LIST       an AEAD or CIPHER+AUTH each, may be given again; default\n"
	      "                         aes-128-gcm,aes-128-cbc+hmac-sha1-96\n"
	      "      --seconds S        of one lap; default 0.2\n"
	      "      --repeat N         laps of a figure, 1 to 99; default 3\n"
	      "      --sas N            in each direction, 1 to 65535; default one a worker\n"
	      "      --policies N       a multiple of the SAs; default one each\n"
	      "      --workers N        lcores that forward, 1 to 16; default 1\n"
	      "      --burst N          1 to 256; default 64\n"
	      "      --mode MODE        cold: packets are written by another lcore; one-core: one "
	      "lcore\n"
	      "                         fills, forwards and drains; hot: the same with packets "
	      "used\n"
	      "                         again. Default: cold if there is an lcore for it, else "
	      "one-core\n"
	      "      --hot              --mode hot\n"
	      "      --sample N         one of N packets is opened by another path and compared; "
	      "0:\n"
	      "                         none; default 64\n"
	      "      --references LIST  on, off, or of those that a table names, blanks as -: "
	      "ring-echo,\n"
	      "                         ipsec-mb-jobs, openssl-speed and so on; default on\n"
	      "      --no-ledger        books no cycles to stages\n"
	      "      --offload-lcores LIST  adds the column lookaside (lcore): crypto_scheduler "
	      "does "
	      "the\n"
	      "                         crypto on these, up to 8 of the EAL's and not main\n"
	      "  -o, --output PATH      writes PATH.csv, PATH.json and a chart for each suite as "
	      "PATH-SUITE.svg\n"
	      "                         and .png; into a folder if it is one or ends with /\n"
	      "  -q, --quiet            prints no tables and no progress\n"
	      "  -V, --version          prints the versions of adit and DPDK\n"
	      "  -h, --help             prints this\n"
	      "\n"
	      "offload measures at one rate what a worker's CPU gets back when something else does "
	      "the\n"
	      "crypto: cores used, latency, and what a victim on that CPU gets done. Of the "
	      "options "
	      "above it\n"
	      "takes --sizes and --suite (one each; 1400, aes-128-gcm), --seconds (of half a run; "
	      "0.5),\n"
	      "--repeat (runs; 8), --burst, --sample, --offload-lcores, --output (PATH.json), "
	      "--quiet,\n"
	      "and its own:\n"
	      "\n"
	      "      --rate MPPS        offered; default half of what software carries\n"
	      "\n"
	      "compare prints, row by row, what B does as a ratio to A.\n"
	      "Without EAL arguments it makes its own: lcores that this process may run on, "
	      "hugepages if\n"
	      "there are any, QAT devices that are bound to vfio-pci.\n"
	      "\n"
	      "Exit status: 0 all was measured and right; 1 packets were lost or wrong, or nothing "
	      "could\n"
	      "be measured; 2 the command line is wrong.\n",
		to);
}

static int usage(const char *what, const char *name)
{
	fprintf(stderr, "adit-bench: %s%s; adit-bench --help lists what there is\n", what, name);
	return -EINVAL;
}

static int refuse(const char *option, const char *value, const char *wanted)
{
	fprintf(stderr, "adit-bench: --%s %s: %s\n", option, value, wanted);
	return -EINVAL;
}

static int number(const char *option, const char *text, unsigned long min, unsigned long max,
	unsigned long *out)
{
	char wanted[64], *end;

	errno = 0;
	*out = strtoul(text, &end, 10);
	if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && *out >= min &&
		*out <= max)
		return 0;
	snprintf(wanted, sizeof(wanted), "a number from %lu to %lu is wanted", min, max);
	return refuse(option, text, wanted);
}

static int real(const char *option, const char *text, double max, const char *wanted, double *out)
{
	char *end;

	*out = strtod(text, &end);
	if (end == text || *end != '\0' || !(*out >= 0.001 && *out <= max))
		return refuse(option, text, wanted);
	return 0;
}

/* Calls take() with each name of "a,b,c". */
static int each(const char *list, struct plan *plan, int (*take)(struct plan *plan, const char *))
{
	char *copy = strdup(list), *rest = copy, *name;
	int rc = copy != NULL ? 0 : -ENOMEM;

	while (rc == 0 && (name = strsep(&rest, ",")) != NULL)
		rc = take(plan, name);
	free(copy);
	return rc;
}

static int take_size(struct plan *plan, const char *name)
{
	if (plan->n_sizes == PLAN_SIZES_MAX)
		return usage("too many --sizes", "");
	if (sizes_parse(name, &plan->size[plan->n_sizes]) < 0)
		return refuse("sizes", name, "bytes from 64 to 1400 or imix are wanted");
	plan->n_sizes++;
	return 0;
}

static int take_provider(struct plan *plan, const char *name)
{
	const char *device = strchrnul(name, '=');
	char provider[16];
	enum crypto_provider p;

	snprintf(provider, sizeof(provider), "%.*s", (int)(device - name), name);
	if (crypto_provider_find(provider, &p) < 0)
		return refuse("providers", name, "there are openssl, aesni_mb and qat");
	if (strcmp(device, "=") == 0)
		return refuse("providers", name, "the name of a cryptodev is wanted behind the =");
	plan->is_asked[ENTRANT_OPENSSL + p] = true;
	if (*device != '\0')
		snprintf(plan->device[p], sizeof(plan->device[p]), "%s", device + 1);
	return 0;
}

static int take_direction(struct plan *plan, const char *name)
{
	for (enum direction d = 0; d < DIRECTIONS; d++) {
		if (strcmp(name, direction_name(d)) == 0) {
			plan->has_direction[d] = true;
			return 0;
		}
	}
	return refuse("direction", name, "there are out, in and both");
}

static int take_suite(struct plan *plan, const char *name)
{
	struct why why = {0};

	if (plan->n_suites == PLAN_SUITES_MAX)
		return usage("too many --suite", "");
	if (suite_find(name, &plan->suite[plan->n_suites], &why) < 0)
		return refuse("suite", name, why.text);
	plan->n_suites++;
	return 0;
}

static int take_lcore(struct plan *plan, const char *name)
{
	unsigned long n;
	int rc = number("offload-lcores", name, 0, LCORE_MAX, &n);

	if (rc == 0 && plan->n_offload_lcores == PLAN_LCORES_MAX)
		return usage("too many --offload-lcores", "");
	if (rc == 0)
		plan->offload_lcore[plan->n_offload_lcores++] = n;
	return rc;
}

static int take_mode(struct plan *plan, const char *name)
{
	static const char *const names[] = {"cold", "one-core", "hot"};

	for (enum lap_mode mode = LAP_COLD; mode <= LAP_HOT; mode++) {
		if (strcmp(name, names[mode]) == 0) {
			plan->mode = mode;
			plan->has_mode = true;
			return 0;
		}
	}
	return refuse("mode", name, "there are cold, one-core and hot");
}

static void set_references(struct plan *plan, bool on)
{
	for (unsigned i = ENTRANT_BOUNDS; i < ENTRANTS; i++)
		plan->is_asked[i] = on;
	plan->has_openssl_speed = on;
}

/* The name of a column with - for each blank. */
static bool is_called(const char *column, const char *name)
{
	for (; *column != '\0' && *name != '\0'; column++, name++) {
		if (*column != *name && !(*column == ' ' && *name == '-'))
			return false;
	}
	return *column == *name;
}

static int take_reference(struct plan *plan, const char *name)
{
	bool found = true;

	if (strcmp(name, "on") == 0 || strcmp(name, "off") == 0) {
		set_references(plan, name[1] == 'n');
	} else if (strcmp(name, "openssl-speed") == 0) {
		plan->has_openssl_speed = true;
	} else {
		found = false;
		for (unsigned i = ENTRANT_BOUNDS; i < ENTRANTS; i++) {
			if (is_called(entrant_name(i), name))
				plan->is_asked[i] = found = true;
		}
	}
	return found ? 0
		     : refuse("references", name,
			       "on, off or names are wanted, as \"ring-echo,ipsec-mb-jobs\"");
}

/* The place of "--", or 0: everything is the bench's. */
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
	if (strcmp(arg, "size") == 0 || strcmp(arg, "compare") == 0 || strcmp(arg, "offload") == 0)
		return usage("a command stands behind the --: ", arg);
	for (const struct option *o = options; o->name != NULL; o++) {
		size_t len = strlen(o->name);

		if (o->val != OPT_HELP && strncmp(arg, "--", 2) == 0 &&
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
		optopt > 0 && optopt < OPT_SIZES ? letter : last);
}

static int take_option(int opt, struct args *out)
{
	struct plan *plan = &out->plan;
	unsigned long n = 0;
	int rc;

	switch (opt) {
	case OPT_SIZES: return each(optarg, plan, take_size);
	case OPT_PROVIDERS: return each(optarg, plan, take_provider);
	case OPT_DIRECTION: return each(optarg, plan, take_direction);
	case OPT_SUITE: return each(optarg, plan, take_suite);
	case OPT_SECONDS:
		return real("seconds", optarg, SECONDS_MAX, "seconds from 0.001 to 3600 are wanted",
			&plan->seconds);
	case OPT_RATE:
		return real("rate", optarg, MPPS_MAX, "Mpps from 0.001 to 1000 are wanted",
			&plan->mpps);
	case OPT_OFFLOAD_LCORES: return each(optarg, plan, take_lcore);
	case OPT_REPEAT:
		rc = number("repeat", optarg, 1, PLAN_REPEAT_MAX, &n);
		plan->repeat = n;
		return rc;
	case OPT_SAS:
		rc = number("sas", optarg, 1, TRAFFIC_FLOWS_MAX, &n);
		plan->n_sas = n;
		return rc;
	case OPT_POLICIES:
		rc = number("policies", optarg, 1, TRAFFIC_FLOWS_MAX, &n);
		plan->n_policies = n;
		return rc;
	case OPT_WORKERS:
		rc = number("workers", optarg, 1, WIRE_QUEUES_MAX, &n);
		plan->n_workers = n;
		return rc;
	case OPT_BURST:
		rc = number("burst", optarg, 1, BURST_MAX, &n);
		plan->burst = n;
		return rc;
	case OPT_SAMPLE:
		rc = number("sample", optarg, 0, UINT32_MAX, &n);
		plan->sample = n;
		return rc;
	case OPT_MODE: return take_mode(plan, optarg);
	case OPT_HOT: return take_mode(plan, "hot");
	case OPT_REFERENCES: set_references(plan, false); return each(optarg, plan, take_reference);
	case OPT_NO_LEDGER: plan->no_ledger = true; return 0;
	case OPT_OUTPUT: out->output = optarg; return 0;
	case OPT_QUIET: plan->is_quiet = true; return 0;
	case OPT_VERSION: out->command = ARGS_VERSION; return 0;
	default: out->command = ARGS_HELP; return 0;
	}
}

static bool has_providers(const struct plan *plan)
{
	return plan->is_asked[ENTRANT_OPENSSL] || plan->is_asked[ENTRANT_AESNI_MB] ||
	       plan->is_asked[ENTRANT_QAT];
}

/* What was not said, and what cannot be together, for offload, which has one row. */
static int fill_in_offload(struct plan *plan)
{
	int rc = 0;

	if (plan->has_mode || plan->n_workers > 1 || plan->n_sas > 0 || plan->n_policies > 0 ||
		plan->no_ledger || plan->has_direction[DIRECTION_IN] ||
		plan->has_direction[DIRECTION_BOTH])
		return usage(
			"offload has one worker, one SA, a ledger, and packets that go out", "");
	if (plan->n_sizes > 1 || plan->n_suites > 1)
		return usage("offload takes one of --sizes and one --suite", "");
	if (plan->n_sizes == 0)
		rc = take_size(plan, "1400");
	if (rc == 0 && plan->n_suites == 0)
		rc = take_suite(plan, "aes-128-gcm");
	if (plan->repeat == 0)
		plan->repeat = 8;
	if (plan->seconds == 0)
		plan->seconds = 0.5;
	return rc;
}

/* The same for size. */
static int fill_in(struct plan *plan)
{
	int rc = 0;

	if (plan->mpps > 0)
		return usage("--rate is for offload", "");
	plan->is_asked[ENTRANT_LOOKASIDE] = plan->n_offload_lcores > 0;
	if (plan->repeat == 0)
		plan->repeat = 3;
	if (plan->seconds == 0)
		plan->seconds = 0.2;
	if (plan->n_sizes == 0)
		rc = each("100,300,500,700,900,1100,1300,1400,imix", plan, take_size);
	if (rc == 0 && plan->n_suites == 0)
		rc = each("aes-128-gcm,aes-128-cbc+hmac-sha1-96", plan, take_suite);
	if (!has_providers(plan))
		rc = rc < 0 ? rc : each("openssl,aesni_mb,qat", plan, take_provider);
	if (!plan->has_direction[DIRECTION_OUT] && !plan->has_direction[DIRECTION_IN] &&
		!plan->has_direction[DIRECTION_BOTH])
		rc = rc < 0 ? rc : each("out,in,both", plan, take_direction);
	if (plan->n_sas == 0)
		plan->n_sas = plan->n_workers;
	if (plan->n_policies == 0)
		plan->n_policies = plan->n_sas;
	if (plan->n_policies % plan->n_sas != 0)
		return usage("--policies is to be a multiple of --sas", "");
	if (plan->n_sas < plan->n_workers)
		return usage("an SA belongs to one worker: --sas is to be --workers or more", "");
	if (plan->n_workers > 1 && plan->has_mode && plan->mode != LAP_COLD)
		return usage("several --workers need --mode cold", "");
	return rc;
}

static int take_words(struct args *out, char **word, int n)
{
	if (n > 0 && strcmp(word[0], "compare") == 0) {
		if (n != 3)
			return usage("compare takes two JSON files", "");
		out->command = ARGS_COMPARE;
		out->file[0] = word[1];
		out->file[1] = word[2];
		return 0;
	}
	if (n > 0 && strcmp(word[0], "help") == 0)
		out->command = ARGS_HELP;
	else if (n > 0 && strcmp(word[0], "offload") == 0)
		out->command = ARGS_OFFLOAD;
	else if (n > 0 && strcmp(word[0], "size") != 0)
		return usage("what is this: ", word[0]);
	return n > 1 ? usage("what is this: ", word[1]) : 0;
}

int args_parse(int argc, char **argv, struct args *out)
{
	int at = find_separator(argc, argv), opt, rc = 0;
	char **own = argv + at;

	*out = (struct args){.eal_argc = at > 0 ? at : 1, .eal_argv = argv};
	out->plan = (struct plan){

		.n_workers = 1, .burst = 64, .sample = 64};
	set_references(&out->plan, true);
	for (int i = 1; i < at && rc == 0; i++)
		rc = check_eal_argument(argv[i]);
	if (at > 0)
		own[0] = argv[0];
	opterr = 0;
	optind = 1;
	while (rc == 0 && (opt = getopt_long(argc - at, own, ":o:qhV", options, NULL)) != -1) {
		if (opt == ':')
			return usage("a value is missing behind ", own[optind - 1]);
		if (opt == '?')
			return unknown(own[optind - 1], at > 0);
		rc = take_option(opt, out);
		if (out->command != ARGS_SIZE)
			return rc;
	}
	if (rc == 0)
		rc = take_words(out, own + optind, argc - at - optind);
	if (rc < 0 || (out->command != ARGS_SIZE && out->command != ARGS_OFFLOAD))
		return rc;
	return out->command == ARGS_SIZE ? fill_in(&out->plan) : fill_in_offload(&out->plan);
}
