/* SPDX-License-Identifier: BSD-3-Clause */
/* offload_command.h - adit-bench offload, from the arguments to the reports. */
#pragma once

#include "args.h"
#include "why.h"

/* command: as it was typed. Errors of offload_run(), and those of the EAL and of files. */
int offload_command(struct args *args, const char *command, struct why *why);
