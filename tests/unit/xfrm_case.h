/* SPDX-License-Identifier: BSD-3-Clause */
/* xfrm_case.h - for the tests of XFRM messages: recorded ones by name, comparison by field. */
#pragma once

#include <check.h>

#include "xfrm_vectors.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const struct xfrm_vector *vector(const char *name);

/* The n-th message of it. */
int parse(const struct xfrm_vector *v, unsigned n, struct xfrm_message *out, struct why *why);

/* Of any protocol, between two prefixes or addresses. */
struct xfrm_traffic traffic(const char *src, const char *dst);

void compare_traffic(const struct xfrm_traffic *got, const struct xfrm_traffic *wanted);
void compare_lifetimes(const struct xfrm_lifetime *got, const struct xfrm_lifetime *wanted);
void compare_sas(const struct xfrm_sa *got, const struct xfrm_sa *wanted);
void compare_policies(const struct xfrm_policy *got, const struct xfrm_policy *wanted);

int xfrm_case_main(const char *name, TCase *tests);
