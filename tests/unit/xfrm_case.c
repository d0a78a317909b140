/* SPDX-License-Identifier: BSD-3-Clause */
/* xfrm_case.c - what the tests of XFRM messages share. */
#include "xfrm_case.h"

#include <stdlib.h>
#include <string.h>

const struct xfrm_vector *vector(const char *name)
{
	for (unsigned i = 0; i < xfrm_vectors_n; i++)
		if (strcmp(xfrm_vectors[i].name, name) == 0)
			return &xfrm_vectors[i];
	ck_abort_msg("no vector '%s'", name);
	return NULL;
}

int parse(const struct xfrm_vector *v, unsigned n, struct xfrm_message *out, struct why *why)
{
	ck_assert_uint_lt(n, v->n);
	return xfrm_parse_copy(v->message[n].bytes, v->message[n].len, out, why);
}

struct xfrm_traffic traffic(const char *src, const char *dst)
{
	struct xfrm_traffic t = {
		.src_ports = {0, 65535},
		.dst_ports = {0, 65535},
		.icmp_type = {0, 255},
		.icmp_code = {0, 255},
		.mh_type = {0, 255},
	};

	ck_assert_int_eq(ipaddr_range_parse(src, &t.src), 0);
	ck_assert_int_eq(ipaddr_range_parse(dst, &t.dst), 0);
	return t;
}

static void compare_addresses(const struct ipaddr *got, const struct ipaddr *wanted)
{
	ck_assert_mem_eq(got, wanted, sizeof(*got));
}

static void compare_ranges(struct policy_range got, struct policy_range wanted)
{
	ck_assert_uint_eq(got.first, wanted.first);
	ck_assert_uint_eq(got.last, wanted.last);
}

void compare_traffic(const struct xfrm_traffic *got, const struct xfrm_traffic *wanted)
{
	char a[IPADDR_RANGE_STRLEN], b[IPADDR_RANGE_STRLEN];

	ck_assert_str_eq(ipaddr_range_format(&got->src, a), ipaddr_range_format(&wanted->src, b));
	ck_assert_str_eq(ipaddr_range_format(&got->dst, a), ipaddr_range_format(&wanted->dst, b));
	ck_assert_uint_eq(got->protocol, wanted->protocol);
	compare_ranges(got->src_ports, wanted->src_ports);
	compare_ranges(got->dst_ports, wanted->dst_ports);
	compare_ranges(got->icmp_type, wanted->icmp_type);
	compare_ranges(got->icmp_code, wanted->icmp_code);
	compare_ranges(got->mh_type, wanted->mh_type);
	ck_assert_uint_eq(got->ifindex, wanted->ifindex);
}

void compare_lifetimes(const struct xfrm_lifetime *got, const struct xfrm_lifetime *wanted)
{
	ck_assert_uint_eq(got->soft_bytes, wanted->soft_bytes);
	ck_assert_uint_eq(got->hard_bytes, wanted->hard_bytes);
	ck_assert_uint_eq(got->soft_packets, wanted->soft_packets);
	ck_assert_uint_eq(got->hard_packets, wanted->hard_packets);
	ck_assert_uint_eq(got->soft_add_s, wanted->soft_add_s);
	ck_assert_uint_eq(got->hard_add_s, wanted->hard_add_s);
	ck_assert_uint_eq(got->soft_use_s, wanted->soft_use_s);
	ck_assert_uint_eq(got->hard_use_s, wanted->hard_use_s);
}

static void compare_usage(const struct xfrm_usage *got, const struct xfrm_usage *wanted)
{
	ck_assert_uint_eq(got->bytes, wanted->bytes);
	ck_assert_uint_eq(got->packets, wanted->packets);
	ck_assert_uint_eq(got->added, wanted->added);
	ck_assert_uint_eq(got->first_used, wanted->first_used);
	ck_assert_uint_eq(got->last_used, wanted->last_used);
}

static void compare_specs(const struct sa_spec *got, const struct sa_spec *wanted)
{
	ck_assert_str_eq(got->name, wanted->name);
	ck_assert_str_eq(got->source.file, wanted->source.file);
	ck_assert_int_eq(got->direction, wanted->direction);
	ck_assert_uint_eq(got->spi, wanted->spi);
	compare_addresses(&got->src, &wanted->src);
	compare_addresses(&got->dst, &wanted->dst);
	ck_assert_int_eq(got->lookup, wanted->lookup);
	ck_assert_uint_eq(got->reqid, wanted->reqid);
	ck_assert_ptr_eq(got->crypto.aead, wanted->crypto.aead);
	ck_assert_ptr_eq(got->crypto.cipher, wanted->crypto.cipher);
	ck_assert_ptr_eq(got->crypto.auth, wanted->crypto.auth);
	ck_assert_mem_eq(&got->crypto.key, &wanted->crypto.key, sizeof(struct key));
	ck_assert_mem_eq(&got->crypto.auth_key, &wanted->crypto.auth_key, sizeof(struct key));
	ck_assert_int_eq(got->crypto.esn, wanted->crypto.esn);
	ck_assert_int_eq(got->provider, wanted->provider);
	ck_assert_int_eq(got->fallback, wanted->fallback);
	ck_assert_int_eq(got->esn, wanted->esn);
	ck_assert_uint_eq(got->window, wanted->window);
	ck_assert_uint_eq(got->seq_next, wanted->seq_next);
	ck_assert_uint_eq(got->seq_top, wanted->seq_top);
	ck_assert_int_eq(got->df, wanted->df);
	ck_assert_uint_eq(got->dscp, wanted->dscp);
	ck_assert_int_eq(got->ecn, wanted->ecn);
	ck_assert_uint_eq(got->flow_label, wanted->flow_label);
	ck_assert_uint_eq(got->outer_ttl, wanted->outer_ttl);
	ck_assert_uint_eq(got->mtu, wanted->mtu);
	ck_assert_uint_eq(got->mark, wanted->mark);
	ck_assert_uint_eq(got->if_id, wanted->if_id);
}

void compare_sas(const struct xfrm_sa *got, const struct xfrm_sa *wanted)
{
	ck_assert_mem_eq(&got->id, &wanted->id, sizeof(got->id));
	compare_specs(&got->spec, &wanted->spec);
	ck_assert_int_eq(got->has_direction, wanted->has_direction);
	ck_assert_int_eq(got->is_transport, wanted->is_transport);
	ck_assert_int_eq(got->is_narrow, wanted->is_narrow);
	ck_assert_uint_eq(got->inner_family, wanted->inner_family);
	compare_traffic(&got->traffic, &wanted->traffic);
	ck_assert_uint_eq(got->encap.sport, wanted->encap.sport);
	ck_assert_uint_eq(got->encap.dport, wanted->encap.dport);
	compare_addresses(&got->encap.original, &wanted->encap.original);
	compare_lifetimes(&got->life, &wanted->life);
	compare_usage(&got->usage, &wanted->usage);
	ck_assert_uint_eq(got->tfc_pad, wanted->tfc_pad);
	ck_assert_uint_eq(got->set_mark, wanted->set_mark);
	compare_addresses(&got->care_of, &wanted->care_of);
	ck_assert_int_eq(got->decap_dscp, wanted->decap_dscp);
	ck_assert_int_eq(got->takes_icmp, wanted->takes_icmp);
}

void compare_policies(const struct xfrm_policy *got, const struct xfrm_policy *wanted)
{
	ck_assert_uint_eq(got->index, wanted->index);
	ck_assert_int_eq(got->direction, wanted->direction);
	ck_assert_int_eq(got->is_forward, wanted->is_forward);
	ck_assert_int_eq(got->action, wanted->action);
	ck_assert_uint_eq(got->priority, wanted->priority);
	compare_traffic(&got->traffic, &wanted->traffic);
	ck_assert_uint_eq(got->tmpl.reqid, wanted->tmpl.reqid);
	ck_assert_uint_eq(got->tmpl.spi, wanted->tmpl.spi);
	compare_addresses(&got->tmpl.src, &wanted->tmpl.src);
	compare_addresses(&got->tmpl.dst, &wanted->tmpl.dst);
	ck_assert_int_eq(got->tmpl.is_transport, wanted->tmpl.is_transport);
	ck_assert_uint_eq(got->mark, wanted->mark);
	ck_assert_uint_eq(got->if_id, wanted->if_id);
	compare_lifetimes(&got->life, &wanted->life);
	compare_usage(&got->usage, &wanted->usage);
	ck_assert_int_eq(got->takes_icmp, wanted->takes_icmp);
}

int xfrm_case_main(const char *name, TCase *tests)
{
	static const char *const files[] = {"sa.txt", "policy.txt", "events.txt"};
	Suite *s = suite_create(name);
	SRunner *sr = srunner_create(s);
	char path[512];
	int failed;

	for (unsigned i = 0; i < COUNT(files); i++) {
		snprintf(path, sizeof(path), "%s/xfrm/%s", VECTORS, files[i]);
		xfrm_vectors_load(path);
	}
	tcase_set_timeout(tests, 120);
	suite_add_tcase(s, tests);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	xfrm_vectors_free();
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
