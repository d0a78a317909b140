/* SPDX-License-Identifier: BSD-3-Clause */
/* sizes.c - the packet sizes of a row: one, or a mix. */
#include "sizes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The old 7:4:1, with 1400 for 1500: what a tunnel over 1500 takes whole. */
static const struct sizes imix = {
	"imix", 12, {64, 576, 64, 64, 576, 64, 1400, 64, 576, 64, 64, 576}};

int sizes_parse(const char *text, struct sizes *out)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (strcmp(text, imix.name) == 0) {
		*out = imix;
		return 0;
	}
	if (end == text || *end != '\0' || n < SIZES_MIN || n > SIZES_MAX)
		return -EINVAL;
	*out = (struct sizes){.n = 1, .size = {n}};
	snprintf(out->name, sizeof(out->name), "%ld", n);
	return 0;
}

double sizes_mean(const struct sizes *sizes)
{
	double sum = 0;

	for (uint16_t i = 0; i < sizes->n; i++)
		sum += sizes->size[i];
	return sum / sizes->n;
}
