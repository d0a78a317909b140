/* SPDX-License-Identifier: BSD-3-Clause */
/* routes.h - the routes, neighbours and local addresses in force: the config's, and the kernel's where it
 * does not contradict. Control thread. */
#pragma once

#include "kernel_side.h"

struct routes {
	const struct config *config;
	const struct ports *ports;
	const struct kernel_side *kernel;
	struct route_port port[WORKER_PORTS_MAX];
	struct route_setup setup; /* what db was made of; its lists are ours */
	struct route_db *db;
	bool is_failing; /* there was no memory, and it was said */
	uint64_t looked_ns, took_ns; /* when the last look was over, and how long it took */
};

/* Makes db, and says what an operator should know about it. config, ports and kernel outlive it. */
int routes_open(struct routes *r, const struct config *config, const struct ports *ports,
	const struct kernel_side *kernel, struct why *why);
void routes_close(struct routes *r);

/* The same from what config and kernel say now; workers then go by it. On an error, said once, everything
 * is as before. */
int routes_renew(struct routes *r, struct pipeline *p);

/* Whether it is time to look for changes, for those in quick succession are taken together; and that a
 * look is over, which began at that time. By CLOCK_MONOTONIC. */
bool routes_may_look(const struct routes *r, uint64_t now_ns);
void routes_looked(struct routes *r, uint64_t began_ns);
