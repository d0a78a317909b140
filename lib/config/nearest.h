/* SPDX-License-Identifier: BSD-3-Clause */
/* nearest.h - which of several names a misspelt one may mean. */
#pragma once

struct nearest {
	const char *wrong;
	const char *name; /* the nearest so far, NULL: none is near */
	unsigned edits;
};

void nearest_start(struct nearest *n, const char *wrong);
void nearest_offer(struct nearest *n, const char *name);
