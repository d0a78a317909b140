/* SPDX-License-Identifier: BSD-3-Clause */
/* policy.c - whether two policies say the same. */
#include <string.h>

#include "spd.h"

static bool fields_equal(const struct policy_field *a, const struct policy_field *b)
{
	if (a->match != b->match || a->n != b->n)
		return false;
	return a->n == 0 || memcmp(a->range, b->range, a->n * sizeof(*a->range)) == 0;
}

static bool addresses_equal(
	const struct ipaddr_range *a, uint32_t n_a, const struct ipaddr_range *b, uint32_t n_b)
{
	if (n_a != n_b)
		return false;
	for (uint32_t i = 0; i < n_a; i++) {
		if (!ipaddr_equal(&a[i].first, &b[i].first) ||
			!ipaddr_equal(&a[i].last, &b[i].last))
			return false;
	}
	return true;
}

bool policy_equal(const struct policy_spec *a, const struct policy_spec *b)
{
	return strcmp(a->name, b->name) == 0 && a->direction == b->direction &&
	       a->action == b->action && a->reqid == b->reqid && a->priority == b->priority &&
	       addresses_equal(a->src, a->n_src, b->src, b->n_src) &&
	       addresses_equal(a->dst, a->n_dst, b->dst, b->n_dst) &&
	       fields_equal(&a->protocol, &b->protocol) &&
	       fields_equal(&a->src_ports, &b->src_ports) &&
	       fields_equal(&a->dst_ports, &b->dst_ports) &&
	       fields_equal(&a->icmp_type, &b->icmp_type) &&
	       fields_equal(&a->icmp_code, &b->icmp_code) && fields_equal(&a->mh_type, &b->mh_type);
}
