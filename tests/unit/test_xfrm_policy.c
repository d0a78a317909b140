/* SPDX-License-Identifier: BSD-3-Clause */
/* test_xfrm_policy.c - policies: what the kernel told is what was asked of it, field by field. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "xfrm_case.h"

#define SET_2026 UINT64_C(1767225600) /* the guest's clock when it began */
#define V4       "10.1.0.0/16", "10.2.0.0/16"
#define V6       "2001:db8:1::/48", "2001:db8:2::/48"

struct asked {
	uint16_t first, last;
	bool is_there;
};

static const struct row {
	const char *name, *src, *dst;
	unsigned protocol;
	struct asked sport, dport, type, code, mh;
} selectors[] = {
	{"policy-out", V4, .protocol = 0},
	{"policy-any", "0.0.0.0/0", "0.0.0.0/0", .protocol = 0},
	{"policy-any-v6", "::/0", "::/0", .protocol = 0},
	{"policy-v6-in-v4", "2001:db8:1::/48", "2001:db8:2::/47", .protocol = 0},
	{"policy-odd-prefixes", "10.0.0.0/9", "10.255.255.254/31", .protocol = 0},
	{"policy-proto-udp-sport-1000-dport-53", V4, .protocol = 17, .sport = {1000, 1000, true},
		.dport = {53, 53, true}},
	{"policy-proto-tcp-dport-443", V4, .protocol = 6, .dport = {443, 443, true}},
	{"policy-proto-sctp-sport-9", V4, .protocol = 132, .sport = {9, 9, true}},
	{"policy-proto-dccp-dport-7", V4, .protocol = 33, .dport = {7, 7, true}},
	{"policy-proto-47", V4, .protocol = 47},
	{"policy-proto-ospf", V4, .protocol = 89},
	{"policy-proto-6", V4, .protocol = 6},
	{"policy-proto-icmp", V4, .protocol = 1},
	{"policy-proto-icmp-type-8", V4, .protocol = 1, .type = {8, 8, true}},
	{"policy-proto-icmp-type-3-code-4", V4, .protocol = 1, .type = {3, 3, true},
		.code = {4, 4, true}},
	{"policy-proto-ipv6-icmp-type-128-code-0", V6, .protocol = 58, .type = {128, 128, true},
		.code = {0, 0, true}},
	{"policy-proto-ipv6-icmp-type-0", V6, .protocol = 58, .type = {0, 0, true}},
	{"policy-proto-mobility-header-type-5", V6, .protocol = 135, .mh = {5, 5, true}},
	{"policy-proto-135", V6, .protocol = 135},
	{"policy-port-masks", V4, .protocol = 17, .sport = {0x1230, 0x123f, true},
		.dport = {0x8000, 0xffff, true}},
};

static struct policy_range range(struct asked asked, uint16_t most)
{
	if (!asked.is_there)
		return (struct policy_range){0, most};
	return (struct policy_range){asked.first, asked.last};
}

static struct xfrm_policy plain(const struct xfrm_policy *got, const char *src, const char *dst)
{
	struct xfrm_policy p = {
		.index = got->index,
		.direction = POLICY_OUT,
		.action = POLICY_PROTECT,
		.traffic = traffic(src, dst),
		.tmpl.reqid = 1,
		.usage.added = got->usage.added,
	};

	ck_assert_uint_ne(got->index, 0);
	ck_assert_uint_eq(got->index % 8, got->is_forward ? 2 : got->direction == POLICY_OUT);
	ck_assert_uint_ge(got->usage.added, SET_2026);
	ck_assert_uint_lt(got->usage.added, SET_2026 + 3600);
	ck_assert_int_eq(ipaddr_parse("192.0.2.1", &p.tmpl.src), 0);
	ck_assert_int_eq(ipaddr_parse("192.0.2.2", &p.tmpl.dst), 0);
	return p;
}

static void parse_good(const char *name, struct xfrm_message *m)
{
	struct why why;

	ck_assert_msg(parse(vector(name), 0, m, &why) == 0, "%s", why.text);
	ck_assert_int_eq(m->kind, XFRM_KIND_POLICY_NEW);
}

START_TEST(a_selector_means_what_it_means_by_its_protocol)
{
	const struct row *row = &selectors[_i];
	struct xfrm_policy wanted;
	struct xfrm_message m;

	parse_good(row->name, &m);
	wanted = plain(&m.policy, row->src, row->dst);
	wanted.priority = _i == 0 ? 371327 : 0;
	wanted.traffic.protocol = row->protocol;
	wanted.traffic.src_ports = range(row->sport, 65535);
	wanted.traffic.dst_ports = range(row->dport, 65535);
	wanted.traffic.icmp_type = range(row->type, 255);
	wanted.traffic.icmp_code = range(row->code, 255);
	wanted.traffic.mh_type = range(row->mh, 255);
	compare_policies(&m.policy, &wanted);
}
END_TEST

START_TEST(directions_are_ours_and_forward_is_in)
{
	static const char *const names[] = {"policy-out", "policy-in", "policy-fwd"};
	struct xfrm_policy wanted;
	struct xfrm_message m;

	parse_good(names[_i], &m);
	wanted = plain(&m.policy, V4);
	wanted.direction = _i == 0 ? POLICY_OUT : POLICY_IN;
	wanted.is_forward = _i == 2;
	wanted.priority = 371327;
	compare_policies(&m.policy, &wanted);
}
END_TEST

START_TEST(actions_need_no_template)
{
	struct xfrm_policy wanted;
	struct xfrm_message m;

	parse_good(_i == 0 ? "policy-block" : "policy-allow", &m);
	wanted = plain(&m.policy, V4);
	wanted.action = _i == 0 ? POLICY_DISCARD : POLICY_BYPASS;
	memset(&wanted.tmpl, 0, sizeof(wanted.tmpl));
	compare_policies(&m.policy, &wanted);
}
END_TEST

START_TEST(templates_tell_mode_addresses_and_spi)
{
	struct xfrm_policy wanted;
	struct xfrm_message m;

	parse_good("policy-v6-in-v6", &m);
	wanted = plain(&m.policy, "2001:db8:1::/48", "2001:db8:2::5");
	wanted.tmpl.reqid = 77;
	ck_assert_int_eq(ipaddr_parse("2001:db8:f::1", &wanted.tmpl.src), 0);
	ck_assert_int_eq(ipaddr_parse("2001:db8:f::2", &wanted.tmpl.dst), 0);
	compare_policies(&m.policy, &wanted);

	parse_good("policy-transport", &m);
	wanted = plain(&m.policy, "192.0.2.1", "192.0.2.2");
	wanted.tmpl = (struct xfrm_template){.reqid = 5, .is_transport = true};
	compare_policies(&m.policy, &wanted);

	parse_good("policy-spi", &m);
	wanted = plain(&m.policy, V4);
	wanted.tmpl.spi = 0x1234;
	compare_policies(&m.policy, &wanted);
}
END_TEST

START_TEST(marks_flags_limits_and_interfaces_are_carried)
{
	struct xfrm_policy wanted;
	struct xfrm_message m;

	parse_good("policy-mark", &m);
	wanted = plain(&m.policy, V4);
	wanted.mark = UINT64_C(0xff) << 32 | 0x12;
	wanted.if_id = 0x56;
	compare_policies(&m.policy, &wanted);

	parse_good("policy-flags", &m);
	wanted = plain(&m.policy, V4);
	wanted.takes_icmp = true;
	compare_policies(&m.policy, &wanted);

	parse_good("policy-limits", &m);
	wanted = plain(&m.policy, V4);
	wanted.life = (struct xfrm_lifetime){
		.soft_bytes = 1001, .hard_packets = 1004, .soft_add_s = 1005, .hard_add_s = 1006};
	compare_policies(&m.policy, &wanted);

	parse_good("policy-index", &m);
	wanted = plain(&m.policy, V4);
	wanted.index = 0x1001;
	compare_policies(&m.policy, &wanted);

	parse_good("policy-dev", &m);
	wanted = plain(&m.policy, V4);
	ck_assert_uint_ne(m.policy.traffic.ifindex, 0);
	wanted.traffic.ifindex = m.policy.traffic.ifindex;
	compare_policies(&m.policy, &wanted);
}
END_TEST

static const struct {
	const char *name, *way, *why;
	unsigned protocol;
} refused[] = {
	{"policy-use", "in",
		"its template is optional (level use), so that packets without ESP would pass; "
		"level required is wanted",
		0},
	{"policy-ah", "out", "it wants AH (protocol 51), ESP is wanted", 0},
	{"policy-comp-and-esp", "in",
		"it wants packets to go through 2 SAs one in the other, one is wanted", 0},
	{"policy-beet", "out",
		"mode 4 of its template is not offered, tunnel or transport is wanted", 0},
	{"policy-sub", "out", "its type is sub, main is wanted", 0},
	{"policy-proto-gre-key-0x10002", "out",
		"it asks for a key of GRE, which is not looked at here; one without 'key' is "
		"wanted",
		47},
	{"policy-port-mask-with-holes", "out",
		"the mask 0xf0f0 of its ports has holes, one with all its ones in front is "
		"wanted",
		17},
};

START_TEST(what_cannot_be_done_is_discarded_with_a_reason)
{
	struct xfrm_policy wanted;
	struct xfrm_message m;
	struct why why;
	char said[600];

	ck_assert_int_eq(parse(vector(refused[_i].name), 0, &m, &why), -ENOTSUP);
	snprintf(said, sizeof(said), "kernel policy %u, %s from 10.1.0.0/16 to 10.2.0.0/16: %s",
		m.policy.index, refused[_i].way, refused[_i].why);
	ck_assert_str_eq(why.text, said);
	ck_assert_int_eq(m.kind, XFRM_KIND_POLICY_NEW);
	wanted = plain(&m.policy, V4);
	wanted.direction = strcmp(refused[_i].way, "in") == 0 ? POLICY_IN : POLICY_OUT;
	wanted.action = POLICY_DISCARD;
	wanted.traffic.protocol = refused[_i].protocol;
	memset(&wanted.tmpl, 0, sizeof(wanted.tmpl));
	compare_policies(&m.policy, &wanted);
}
END_TEST

static void compare_field(
	const struct policy_field *got, enum policy_match match, unsigned first, unsigned last)
{
	ck_assert_int_eq(got->match, match);
	if (match != POLICY_RANGES)
		return;
	ck_assert_uint_eq(got->n, 1);
	ck_assert_uint_eq(got->range->first, first);
	ck_assert_uint_eq(got->range->last, last);
}

START_TEST(a_spec_has_ranges_where_the_selector_asks)
{
	struct xfrm_lists lists;
	struct policy_spec spec;
	struct xfrm_message m;
	char buf[IPADDR_RANGE_STRLEN];

	parse_good("policy-port-masks", &m);
	m.policy.index = 17;
	m.policy.priority = 9;
	xfrm_policy_spec(&m.policy, &lists, &spec);
	ck_assert_str_eq(spec.name, "xfrm-out-17");
	ck_assert_str_eq(spec.source.file, "");
	ck_assert_int_eq(spec.direction, POLICY_OUT);
	ck_assert_int_eq(spec.action, POLICY_PROTECT);
	ck_assert_uint_eq(spec.reqid, 1);
	ck_assert_uint_eq(spec.priority, 9);
	ck_assert_uint_eq(spec.n_src, 1);
	ck_assert_uint_eq(spec.n_dst, 1);
	ck_assert_str_eq(ipaddr_range_format(spec.src, buf), "10.1.0.0/16");
	ck_assert_str_eq(ipaddr_range_format(spec.dst, buf), "10.2.0.0/16");
	compare_field(&spec.protocol, POLICY_RANGES, 17, 17);
	compare_field(&spec.src_ports, POLICY_RANGES, 0x1230, 0x123f);
	compare_field(&spec.dst_ports, POLICY_RANGES, 0x8000, 0xffff);
	compare_field(&spec.icmp_type, POLICY_ANY, 0, 0);
	compare_field(&spec.icmp_code, POLICY_ANY, 0, 0);
	compare_field(&spec.mh_type, POLICY_ANY, 0, 0);

	parse_good("policy-proto-icmp-type-3-code-4", &m);
	xfrm_policy_spec(&m.policy, &lists, &spec);
	compare_field(&spec.icmp_type, POLICY_RANGES, 3, 3);
	compare_field(&spec.icmp_code, POLICY_RANGES, 4, 4);
	compare_field(&spec.src_ports, POLICY_ANY, 0, 0);

	parse_good("policy-proto-mobility-header-type-5", &m);
	xfrm_policy_spec(&m.policy, &lists, &spec);
	compare_field(&spec.mh_type, POLICY_RANGES, 5, 5);

	parse_good("policy-block", &m);
	xfrm_policy_spec(&m.policy, &lists, &spec);
	ck_assert_int_eq(spec.action, POLICY_DISCARD);
	ck_assert_uint_eq(spec.reqid, 0);
	compare_field(&spec.protocol, POLICY_ANY, 0, 0);

	parse_good("policy-fwd", &m);
	m.policy.index = 18;
	xfrm_policy_spec(&m.policy, &lists, &spec);
	ck_assert_str_eq(spec.name, "xfrm-fwd-18");
	ck_assert_int_eq(spec.direction, POLICY_IN);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, a_selector_means_what_it_means_by_its_protocol, 0, COUNT(selectors));
	tcase_add_loop_test(t, directions_are_ours_and_forward_is_in, 0, 3);
	tcase_add_loop_test(t, actions_need_no_template, 0, 2);
	tcase_add_test(t, templates_tell_mode_addresses_and_spi);
	tcase_add_test(t, marks_flags_limits_and_interfaces_are_carried);
	tcase_add_loop_test(t, what_cannot_be_done_is_discarded_with_a_reason, 0, COUNT(refused));
	tcase_add_test(t, a_spec_has_ranges_where_the_selector_asks);
	return xfrm_case_main("xfrm_policy", t);
}
