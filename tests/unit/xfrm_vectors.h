/* SPDX-License-Identifier: BSD-3-Clause */
/* xfrm_vectors.h - recorded messages of XFRM netlink, and what must hold for whatever is parsed. */
#pragma once

#include "xfrm.h"

#define XFRM_VECTORS_MAX  256
#define XFRM_MESSAGES_MAX 8

struct xfrm_vector {
	char name[64];
	char command[512]; /* that was run in the guest */
	struct {
		uint8_t *bytes;
		size_t len;
	} message[XFRM_MESSAGES_MAX];
	unsigned n;
};

extern struct xfrm_vector xfrm_vectors[XFRM_VECTORS_MAX];
extern unsigned xfrm_vectors_n;

/* Appends what is in the file. Ends the program where it is not of the form that is wanted. */
void xfrm_vectors_load(const char *path);
void xfrm_vectors_free(void);

/* Parses a copy that ends where its memory does, and calls xfrm_hold(). */
int xfrm_parse_copy(const uint8_t *bytes, size_t len, struct xfrm_message *out, struct why *why);

/* Ends the program where an answer of xfrm_parse() is not as xfrm.h says. */
void xfrm_hold(int rc, const struct xfrm_message *message, const struct why *why);
