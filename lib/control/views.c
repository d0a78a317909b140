/* SPDX-License-Identifier: BSD-3-Clause */
/* views.c - what can be seen of a running gateway: the commands of the control socket, each in the
 * file of its name, and DPDK's telemetry. */
#include "views.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "telemetry.h"
#include "view.h"

static const struct {
	const char *name;
	control_handler *handler;
	const char *help;
} commands[] = {
	{"sa", view_sa, "Every security association: what it is, what it carried."},
	{"exits", view_exits,
		"Every exit and how many packets took it; \"per_worker\": true adds shares."},
	{"workers", view_workers,
		"What each worker did, whether the books close, what each stage cost."},
	{"ports", view_ports, "Every port: its device, its link, what it received and sent."},
	{"policy", view_policy,
		"Every policy in the order in which it is looked at, and what met it."},
	{"crypto", view_crypto,
		"Every crypto device in use: whether it works, what it did and what it lost."},
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void serve_telemetry(void *arg)
{
	telemetry_serve(arg);
}

int views_open(struct control *ctl, const struct views_of *of, struct why *why)
{
	struct views *v = malloc(sizeof(*v));
	int rc;

	if (v == NULL)
		return why_set(why, -ENOMEM, "views: out of memory");
	v->of = *of;
	rc = telemetry_open(of, &v->telemetry, why);
	if (rc < 0)
		goto free_views;
	rc = control_watch(ctl, telemetry_fd(v->telemetry), serve_telemetry, v->telemetry);
	if (rc < 0) {
		why_set(why, rc, "telemetry: %s", strerror(-rc));
		goto close_telemetry;
	}
	for (unsigned i = 0; i < N_COMMANDS && rc == 0; i++)
		rc = control_handle(
			ctl, commands[i].name, commands[i].handler, v, commands[i].help);
	if (rc == 0)
		return 0;
	why_set(why, rc, "views: out of memory");
	for (unsigned i = 0; i < N_COMMANDS; i++)
		control_forget(ctl, commands[i].name);
	control_unwatch(ctl);
close_telemetry:
	telemetry_close(v->telemetry);
free_views:
	free(v);
	return rc;
}

void views_close(struct control *ctl)
{
	struct views *v = NULL;

	for (unsigned i = 0; i < N_COMMANDS; i++)
		v = control_forget(ctl, commands[i].name);
	if (v == NULL)
		return;
	control_unwatch(ctl);
	telemetry_close(v->telemetry);
	free(v);
}
