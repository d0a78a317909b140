/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c - the bench: from the command line to the reports. */
#include <errno.h>
#include <rte_eal.h>
#include <rte_version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "chart.h"
#include "compare.h"
#include "eal.h"
#include "offload_command.h"
#include "output.h"
#include "report.h"
#include "size.h"

enum { EXIT_STATUS_OK, EXIT_STATUS_FAILED, EXIT_STATUS_USAGE };

static int write_files(
	const struct result *r, const char *command, const struct output *output, struct why *why)
{
	struct environment environment;
	FILE *f = output_file(output, "csv", why);
	int rc;

	environment_read(command, &environment);
	if (f == NULL)
		return -EIO;
	report_csv(r, f);
	rc = output_done(f, "the CSV", why);
	if (rc < 0)
		return rc;
	f = output_file(output, "json", why);
	if (f == NULL)
		return -EIO;
	rc = report_json(r, &environment, f);
	if (rc < 0)
		why_set(why, rc, "no memory for the JSON");
	if (output_done(f, "the JSON", why) < 0 || rc < 0)
		return rc < 0 ? rc : -EIO;
	rc = chart_draw(r, output, why);
	if (rc != -ENOENT)
		return rc;
	fprintf(stderr, "adit-bench: %s\n", why->text);
	return 0;
}

static int measure(struct args *args, const char *command, struct why *why)
{
	struct result result = {0};
	struct output output;
	int rc = eal_check_clock(why);

	if (rc == 0)
		rc = size_choose_mode(&args->plan, why);
	if (rc == 0 && args->output != NULL)
		rc = output_open(args->output, &output, why);
	if (rc < 0)
		return rc;
	rc = size_run(&args->plan, &result, why);
	if (rc == 0 && !args->plan.is_quiet)
		report_table(&result, stdout);
	if (rc == 0 && args->output != NULL)
		rc = write_files(&result, command, &output, why);
	result_close(&result);
	return rc;
}

static int size(struct args *args, const char *command, struct why *why)
{
	struct eal_wish wish = {args->eal_argc, args->eal_argv, size_lcores(&args->plan),
		size_megabytes(&args->plan)};
	int rc = eal_start(&wish, why);

	if (rc < 0)
		return rc;
	rc = measure(args, command, why);
	rte_eal_cleanup();
	return rc;
}

/* As it was typed; getopt changes the order. */
static char *join(int argc, char **argv)
{
	char *line = NULL;
	size_t size;
	FILE *f = open_memstream(&line, &size);

	for (int i = 0; f != NULL && i < argc; i++)
		fprintf(f, "%s%s", i > 0 ? " " : "", argv[i]);
	if (f != NULL)
		fclose(f);
	return line;
}

static int run(struct args *args, const char *command, struct why *why)
{
	if (args->command == ARGS_COMPARE)
		return compare_run(args->file[0], args->file[1], stdout, why);
	if (args->command == ARGS_OFFLOAD)
		return offload_command(args, command, why);
	return size(args, command, why);
}

int main(int argc, char **argv)
{
	struct why why = {0};
	char *command = join(argc, argv);
	struct args args;
	int rc;

	if (command == NULL || args_parse(argc, argv, &args) < 0) {
		free(command);
		return EXIT_STATUS_USAGE;
	}
	switch (args.command) {
	case ARGS_HELP:
		args_print_help(stdout);
		rc = 0;
		break;
	case ARGS_VERSION:
		printf("adit-bench %s, %s\n", ADIT_VERSION, rte_version());
		rc = 0;
		break;
	default: rc = run(&args, command, &why);
	}
	free(command);
	if (rc < 0)
		fprintf(stderr, "adit-bench: %s\n", why.text);
	return rc < 0 ? EXIT_STATUS_FAILED : EXIT_STATUS_OK;
}
