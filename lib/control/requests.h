/* SPDX-License-Identifier: BSD-3-Clause */
/* requests.h - from a line of text to the line that answers it. */
#pragma once

#include <stddef.h>

#include "socket.h"

struct requests {
	struct request_command *command;
	size_t n;
};

int requests_add(struct requests *r, const char *command, control_handler *handler, void *arg,
	const char *help);
void *requests_forget(struct requests *r, const char *command);
void requests_close(struct requests *r);

/* The answer to a line (without its newline), newline included, for free(). NULL: no memory. */
char *requests_answer(const struct requests *r, const char *line, size_t len, size_t *answer_len);

/* {"ok": false, "error": text}, in the same form. */
char *requests_refuse(const char *text, size_t *answer_len);
