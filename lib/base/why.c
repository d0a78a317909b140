/* SPDX-License-Identifier: BSD-3-Clause */
/* why.c - the reason of a failure, in words. */
#include "why.h"

#include <stdarg.h>
#include <stdio.h>

int why_set(struct why *why, int rc, const char *fmt, ...)
{
	va_list ap;

	if (why != NULL) {
		va_start(ap, fmt);
		vsnprintf(why->text, sizeof(why->text), fmt, ap);
		va_end(ap);
	}
	return rc;
}
