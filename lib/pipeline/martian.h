/* SPDX-License-Identifier: BSD-3-Clause */
/* martian.h - addresses that no router forwards: source or destination of one link or one host, sources
 * that are no single station (RFC 1812 5.3.7, RFC 3927 7, RFC 4291 2.5). */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ip: a header of this family that was measured. */
static inline bool is_martian(const uint8_t *ip, uint8_t family)
{
	if (family == 4) {
		const uint8_t *src = ip + 12, *dst = ip + 16;

		return src[0] == 0 || src[0] == 127 || src[0] >= 0xe0 || dst[0] == 0 ||
		       dst[0] == 127 || (src[0] == 169 && src[1] == 254) ||
		       (dst[0] == 169 && dst[1] == 254);
	} else {
		static const uint8_t zeroes[15];
		const uint8_t *src = ip + 8, *dst = ip + 24;

		return src[0] == 0xff || (src[0] == 0xfe && (src[1] & 0xc0) == 0x80) ||
		       (dst[0] == 0xfe && (dst[1] & 0xc0) == 0x80) ||
		       (memcmp(src, zeroes, 15) == 0 && src[15] <= 1) ||
		       (memcmp(dst, zeroes, 15) == 0 && dst[15] <= 1);
	}
}
