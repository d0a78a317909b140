/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c - aditctl: looks inside a running adit. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "client.h"
#include "names.h"
#include "top.h"

static void print(const struct args *args, const json_t *data)
{
	if (args->json) {
		json_dumpf(data, stdout, isatty(STDOUT_FILENO) ? JSON_INDENT(2) : JSON_COMPACT);
		putchar('\n');
	} else if (args->only_names) {
		names_print(data);
	} else {
		/* Who names an exit wants to see it. */
		args->command->print(data, args->all || args->n_names > 0);
	}
}

/* A reader that has seen enough (aditctl sa | head) is no failure. */
static enum status finish(void)
{
	errno = 0;
	if ((fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE)
		return DONE;
	fprintf(stderr, "aditctl: standard output: %s\n", strerror(errno));
	return REFUSED;
}

static enum status show(const struct args *args)
{
	json_t *request, *data;
	enum client_verdict verdict;
	enum status status = DONE;
	struct why why;

	request =
		json_pack("{s:s, s:b}", "do", args->command->name, "per_worker", args->per_worker);
	verdict = client_ask(args->socket, request, &data, &why);
	json_decref(request);
	if (verdict == CLIENT_ANSWERED &&
		names_select(&data, args->names, args->n_names, &why) < 0) {
		verdict = CLIENT_REFUSED;
		json_decref(data);
	}
	if (verdict != CLIENT_ANSWERED) {
		fprintf(stderr, "aditctl: %s\n", why.text);
		return verdict == CLIENT_REFUSED ? REFUSED : NO_GATEWAY;
	}
	print(args, data);
	json_decref(data);
	return status;
}

int main(int argc, char **argv)
{
	struct args args;
	enum status status = args_parse(argc, argv, &args);

	if (status != ARGS_GO_ON)
		return status;
	signal(SIGPIPE, SIG_IGN);
	status = args.command->print == NULL ? top_show(&args) : show(&args);
	return status == DONE ? finish() : status;
}
