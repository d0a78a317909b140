/* SPDX-License-Identifier: BSD-3-Clause */
/* listener.h - the place in the file system where clients knock. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>
#include <sys/un.h>

#include "why.h"

struct listener {
	int fd; /* listens, does not block */
	struct sockaddr_un addr;
	dev_t dev; /* of the socket file: only what is ours is removed */
	ino_t ino;
	bool made_folder;
};

/* Contract and errors: control_open(). */
int listener_open(
	struct listener *l, const char *path, mode_t mode, const char *group, struct why *why);
void listener_close(struct listener *l);
