/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h - a file's bytes, held to be UTF-8 text, wiped when done. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct report;

struct text {
	const char *file; /* its path, as it was given */
	const char *bytes; /* without byte order mark */
	size_t len;
	char *buf;
	size_t size;
};

/* True: text_close() is due. False: what is wrong was reported. */
bool text_read(struct text *t, struct report *report, const char *path);
void text_close(struct text *t);
