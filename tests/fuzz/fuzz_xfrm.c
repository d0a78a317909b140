/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_xfrm.c - parses messages of XFRM netlink that were damaged at random, the same way in every run.
 *
 *   fuzz_xfrm ROUNDS SEED FILE...
 *
 * It must read no byte too far, and every answer must keep the rules of xfrm.h. Meant for a build with
 * sanitizers. */
#include <errno.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xfrm_vectors.h"

#define SIZE_MAX_FUZZ 16384

static uint64_t state;

/* splitmix64 */
static uint32_t below(uint32_t n)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (z ^ z >> 31) % n;
}

static size_t pick(uint8_t *to)
{
	const struct xfrm_vector *v;
	unsigned k;

	do
		v = &xfrm_vectors[below(xfrm_vectors_n)];
	while (v->n == 0);
	k = below(v->n);
	memcpy(to, v->message[k].bytes, v->message[k].len);
	return v->message[k].len;
}

static void put_number(uint8_t *at, size_t left)
{
	static const uint32_t numbers[] = {0, 1, 2, 3, 4, 7, 8, 16, 31, 32, 33, 63, 64, 65, 127,
		128, 255, 256, 4096, 65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff};
	uint32_t number = numbers[below(sizeof(numbers) / sizeof(numbers[0]))];
	size_t size = 1u << below(3);

	memcpy(at, &number, size < left ? size : left);
}

/* Puts a piece of another message in, at a place where attributes begin. */
static size_t splice(uint8_t *bytes, size_t n)
{
	static uint8_t other[SIZE_MAX_FUZZ];
	size_t len = pick(other), from = below(len / 4) * 4, at = below(n / 4 + 1) * 4;

	len = (len - from) & ~(size_t)3;
	if (n + len > SIZE_MAX_FUZZ)
		return n;
	memmove(bytes + at + len, bytes + at, n - at);
	memcpy(bytes + at, other + from, len);
	return n + len;
}

static size_t mutate(uint8_t *bytes, size_t n)
{
	size_t at = below(n);

	switch (below(6)) {
	case 0: bytes[at] ^= 1 << below(8); return n;
	case 1: put_number(bytes + at, n - at); return n;
	case 2:
		at &= ~(size_t)3;
		put_number(bytes + at, n - at);
		return n;
	case 3: return splice(bytes, n);
	case 4: return n < 20 || below(4) > 0 ? n : 1 + below(n);
	default: /* another type of message */
		if (n > 4)
			bytes[4] = 0x10 + below(26);
		return n;
	}
}

int main(int argc, char *argv[])
{
	static uint8_t bytes[SIZE_MAX_FUZZ];
	unsigned long long answered[3] = {0};

	if (argc < 4) {
		fprintf(stderr, "usage: fuzz_xfrm ROUNDS SEED FILE...\n");
		return EXIT_FAILURE;
	}
	state = strtoull(argv[2], NULL, 0);
	for (int i = 3; i < argc; i++)
		xfrm_vectors_load(argv[i]);
	for (uint64_t round = strtoull(argv[1], NULL, 0); round > 0; round--) {
		struct xfrm_message message;
		struct why why;
		size_t n = pick(bytes);
		int rc;

		for (unsigned m = below(6) + 1; m > 0; m--)
			n = mutate(bytes, n);
		/* Most are as long as they say, or none would be looked into. */
		if (n >= sizeof(uint32_t) && below(8) > 0)
			memcpy(bytes, &(uint32_t){n}, sizeof(uint32_t));
		rc = xfrm_parse_copy(bytes, n, &message, &why);
		answered[rc == 0 ? 0 : rc == -ENOTSUP ? 1 : 2]++;
		xfrm_message_wipe(&message);
	}
	printf("%llu read, %llu refused, %llu broken\n", answered[0], answered[1], answered[2]);
	xfrm_vectors_free();
	return answered[0] > 0 && answered[1] > 0 && answered[2] > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
