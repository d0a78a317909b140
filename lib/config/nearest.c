/* SPDX-License-Identifier: BSD-3-Clause */
/* nearest.c - counts the letters to insert, leave out, change or swap (Damerau and Levenshtein). */
#include "nearest.h"

#include <stddef.h>
#include <string.h>

#define LEN_MAX 32

static unsigned min2(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static unsigned edits(const char *a, unsigned n, const char *b, unsigned m)
{
	unsigned d[LEN_MAX + 1][LEN_MAX + 1];

	for (unsigned i = 0; i <= n; i++) {
		for (unsigned j = 0; j <= m; j++) {
			if (i == 0 || j == 0) {
				d[i][j] = i + j;
				continue;
			}
			d[i][j] = min2(d[i - 1][j], d[i][j - 1]) + 1;
			d[i][j] = min2(d[i][j], d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = min2(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[n][m];
}

void nearest_start(struct nearest *n, const char *wrong)
{
	size_t len = strlen(wrong);

	/* a third of the word may be wrong; in a short one, a letter */
	*n = (struct nearest){.wrong = wrong, .edits = len < 3 ? 0 : min2(len / 3, 4) + 1};
}

void nearest_offer(struct nearest *n, const char *name)
{
	size_t wrong_len = strlen(n->wrong), len = strlen(name);
	unsigned e;

	if (wrong_len > LEN_MAX || len > LEN_MAX)
		return;
	e = edits(n->wrong, wrong_len, name, len);
	if (e < n->edits) {
		n->edits = e;
		n->name = name;
	}
}
