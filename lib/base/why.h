/* SPDX-License-Identifier: BSD-3-Clause */
/* why.h - the reason of a failure, in words. Libraries return it and stay silent; app/ prints it.
 *
 * A function that can fail for more than one reason takes a struct why last, which may be NULL.
 * The text says what is wrong and what would be right, starts in lower case, has no full stop. */
#pragma once

struct why {
	char text[512];
};

/* Writes the reason where why is not NULL, and returns rc: `return why_set(why, -ENOTSUP, …)`. */
int why_set(struct why *why, int rc, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
