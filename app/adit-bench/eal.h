/* SPDX-License-Identifier: BSD-3-Clause */
/* eal.h - starts the EAL: with the arguments given, or with some that suit this machine. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "why.h"

struct eal_wish {
	int argc; /* of arguments given; 1: none are */
	char **argv;
	unsigned n_lcores; /* so many, if this process may run on so many CPUs */
	unsigned megabytes;
};

/* -EIO: it does not start; it has said why on stderr. */
int eal_start(const struct eal_wish *wish, struct why *why);

/* Whether the TSC ticks evenly and as fast as the EAL believes: all that is printed comes from it.
 * -ERANGE, -ENOTSUP. Takes a twentieth of a second. */
int eal_check_clock(struct why *why);
