/* SPDX-License-Identifier: BSD-3-Clause */
/* sizes.h - the packet sizes of a row: one, or a mix. In bytes of the inner IP packet. */
#pragma once

#include <stdint.h>

#define SIZES_MIN     64 /* a packet has a serial number in it */
#define SIZES_MAX     1400
#define SIZES_MIX_MAX 12

struct sizes {
	char name[8]; /* "1400", "imix" */
	uint16_t n;
	uint16_t size[SIZES_MIX_MAX]; /* in the order they come, again and again */
};

/* "64" to "1400", or "imix": seven of 64, four of 576, one of 1400, in mixed order. -EINVAL. */
int sizes_parse(const char *text, struct sizes *out);

/* On average. */
double sizes_mean(const struct sizes *sizes);
