/* SPDX-License-Identifier: BSD-3-Clause */
/* offload_command.c - adit-bench offload, from the arguments to the reports. */
#include "offload_command.h"

#include <errno.h>
#include <rte_eal.h>
#include <stdlib.h>

#include "eal.h"
#include "output.h"
#include "report_offload.h"

static int write_json(const struct offload_result *r, const char *command,
	const struct output *output, struct why *why)
{
	struct environment environment;
	FILE *f = output_file(output, "json", why);
	int rc;

	if (f == NULL)
		return -EIO;
	environment_read(command, &environment);
	rc = report_offload_json(r, &environment, f);
	if (rc < 0)
		why_set(why, rc, "no memory for the JSON");
	if (output_done(f, "the JSON", why) < 0)
		return rc < 0 ? rc : -EIO;
	return rc;
}

static int measure(
	const struct offload_setup *setup, const char *where, const char *command, struct why *why)
{
	struct offload_result *result = calloc(1, sizeof(*result));
	struct output output;
	int rc = result != NULL ? eal_check_clock(why) : why_set(why, -ENOMEM, "no memory");

	if (rc == 0 && where != NULL)
		rc = output_open(where, &output, why);
	if (rc == 0)
		rc = offload_run(setup, result, why);
	if (rc == 0 && !setup->is_quiet)
		report_offload_table(result, stdout);
	if (rc == 0 && where != NULL)
		rc = write_json(result, command, &output, why);
	free(result);
	return rc;
}

int offload_command(struct args *args, const char *command, struct why *why)
{
	const struct plan *plan = &args->plan;
	struct offload_setup setup = {
		.suite = &plan->suite[0],
		.sizes = plan->size[0],
		.seconds = plan->seconds,
		.runs = plan->repeat,
		.mpps = plan->mpps,
		.burst = plan->burst,
		.sample = plan->sample,
		.lcore = plan->offload_lcore,
		.n_lcores = plan->n_offload_lcores,
		.is_quiet = plan->is_quiet,
	};
	struct eal_wish wish = {
		args->eal_argc, args->eal_argv, offload_lcores(&setup), offload_megabytes()};
	int rc = eal_start(&wish, why);

	if (rc < 0)
		return rc;
	rc = measure(&setup, args->output, command, why);
	rte_eal_cleanup();
	return rc;
}
