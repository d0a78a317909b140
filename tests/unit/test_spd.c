/* SPDX-License-Identifier: BSD-3-Clause */
/* test_spd.c - the SPD answers as a walk through the ordered list of policies would. */
#include <check.h>
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "spd_dp.h"

#define LIST_MAX 8

typedef unsigned __int128 u128;

/* The slots that the SPD asks for; sa.c's are not linked. */
static char slots[4];

struct sa_reqid *sa_reqid_slot(struct sa_db *db, uint32_t reqid)
{
	ck_assert_ptr_eq(db, slots);
	return reqid < 4 ? (struct sa_reqid *)&slots[reqid] : NULL;
}

static uint64_t rnd_state;

static uint64_t rnd64(void)
{
	uint64_t z = rnd_state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static uint32_t rnd(uint32_t below)
{
	return (rnd64() >> 32) * below >> 32;
}

static u128 address_max(int family)
{
	return family == 4 ? UINT32_MAX : ~(u128)0;
}

static u128 rnd_address(int family)
{
	return ((u128)rnd64() << 64 | rnd64()) & address_max(family);
}

static void put(uint8_t bytes[16], int family, u128 v)
{
	for (int i = family == 4 ? 3 : 15; i >= 0; i--, v >>= 8)
		bytes[i] = v;
}

static u128 get(const uint8_t bytes[16], int family)
{
	uint64_t be[2];

	memcpy(be, bytes, sizeof(be));
	return family == 4 ? be64toh(be[0]) >> 32 : (u128)be64toh(be[0]) << 64 | be64toh(be[1]);
}

static struct ipaddr_range make_range(int family, u128 first, u128 last)
{
	struct ipaddr_range r = {.first.family = family, .last.family = family};

	put(r.first.bytes, family, first);
	put(r.last.bytes, family, last);
	return r;
}

/* The reference: RFC 4301 4.4.1.1 word for word. */

static bool address_matches(const struct ipaddr_range *r, uint32_t n, int family, u128 v)
{
	for (uint32_t i = 0; i < n; i++) {
		if (r[i].first.family == family && get(r[i].first.bytes, family) <= v &&
			v <= get(r[i].last.bytes, family))
			return true;
	}
	return n == 0;
}

static bool field_matches(const struct policy_field *f, bool is_available, uint16_t v)
{
	if (f->match == POLICY_ANY)
		return true;
	if (f->match == POLICY_OPAQUE || !is_available)
		return f->match == POLICY_OPAQUE && !is_available;
	for (uint32_t i = 0; i < f->n; i++) {
		if (f->range[i].first <= v && v <= f->range[i].last)
			return true;
	}
	return false;
}

static bool policy_matches(const struct policy_spec *p, const struct spd_key *k, u128 src, u128 dst)
{
	bool has_protocol = !(k->opaque & SPD_OPAQUE_PROTOCOL);
	bool shows = has_protocol && !(k->opaque & SPD_OPAQUE_PORTS);
	bool has_ports = shows && (k->protocol == 6 || k->protocol == 17 || k->protocol == 33 ||
					  k->protocol == 132 || k->protocol == 136);
	bool has_icmp = shows && (k->protocol == 1 || k->protocol == 58);
	bool has_mh = shows && k->protocol == 135;

	return address_matches(p->src, p->n_src, k->family, src) &&
	       address_matches(p->dst, p->n_dst, k->family, dst) &&
	       field_matches(&p->protocol, has_protocol, k->protocol) &&
	       field_matches(&p->src_ports, has_ports, k->sport) &&
	       field_matches(&p->dst_ports, has_ports, k->dport) &&
	       field_matches(&p->icmp_type, has_icmp, k->sport) &&
	       field_matches(&p->icmp_code, has_icmp, k->dport) &&
	       field_matches(&p->mh_type, has_mh, k->sport);
}

static uint32_t reference(const struct policy_spec *policies, uint32_t n,
	enum policy_direction direction, const struct spd_key *k)
{
	u128 src = get(k->src, k->family), dst = get(k->dst, k->family);
	uint32_t best = SPD_NO_MATCH;

	for (uint32_t i = 0; i < n; i++) {
		const struct policy_spec *p = &policies[i];

		if (p->direction == direction &&
			(best == SPD_NO_MATCH || p->priority < policies[best].priority) &&
			policy_matches(p, k, src, dst))
			best = i;
	}
	return best;
}

/* Random policies of several shapes. */

struct shape {
	const char *name;
	uint32_t policies, keys;
	int family; /* 0: both */
	int min_len; /* of prefixes; -1: any range */
	int max_len;
	uint32_t lists; /* ranges in an address list, at most */
	bool fields; /* protocols, ports, types: any, opaque or ranges */
	bool mixed; /* priorities and directions differ */
};

static struct ipaddr_range rnd_range(const struct shape *s, int family)
{
	u128 a = rnd_address(family), b = rnd_address(family), host;
	int len;

	if (s->min_len < 0)
		return a < b ? make_range(family, a, b) : make_range(family, b, a);
	len = s->min_len + rnd(s->max_len - s->min_len + 1);
	host = len < 128 ? address_max(family) >> len : 0;
	return make_range(family, a & ~host, a | host);
}

static uint32_t rnd_addresses(const struct shape *s, const struct ipaddr_range **out)
{
	struct ipaddr_range *list = malloc(LIST_MAX * sizeof(*list));
	uint32_t n = s->lists == 1 ? 1 : rnd(s->lists + 1);

	for (uint32_t i = 0; i < n; i++)
		list[i] = rnd_range(s, s->family != 0 ? s->family : rnd(2) ? 4 : 6);
	*out = list;
	return n;
}

static void rnd_field(struct policy_field *f, uint32_t last)
{
	struct policy_range *list = malloc(LIST_MAX * sizeof(*list));

	f->range = list;
	f->match = rnd(3) ? POLICY_ANY : rnd(4) ? POLICY_RANGES : POLICY_OPAQUE;
	f->n = f->match == POLICY_RANGES ? 1 + rnd(3) : 0;
	for (uint32_t i = 0; i < f->n; i++) {
		uint32_t a = rnd(last + 1), b = rnd(2) ? rnd(last + 1) : a;

		list[i].first = a < b ? a : b;
		list[i].last = a < b ? b : a;
	}
}

/* Protocols that show something are rare among 256. */
static uint8_t rnd_protocol(void)
{
	static const uint8_t known[] = {1, 6, 17, 33, 58, 132, 135, 136, 50};

	return rnd(4) ? known[rnd(sizeof(known))] : rnd(256);
}

static struct policy_spec *rnd_policies(const struct shape *s)
{
	struct policy_spec *p = calloc(s->policies + 1, sizeof(*p));

	for (uint32_t i = 0; i < s->policies; i++) {
		p[i].n_src = rnd_addresses(s, &p[i].src);
		p[i].n_dst = rnd_addresses(s, &p[i].dst);
		if (s->mixed) {
			p[i].direction = rnd(2) ? POLICY_OUT : POLICY_IN;
			p[i].priority = rnd(2) ? rnd(10) : rnd64();
		}
		if (!s->fields)
			continue;
		rnd_field(&p[i].protocol, 255);
		if (p[i].protocol.n == 1 && rnd(4)) {
			struct policy_range *r = (struct policy_range *)p[i].protocol.range;

			r->first = r->last = rnd_protocol();
		}
		rnd_field(&p[i].src_ports, 65535);
		rnd_field(&p[i].dst_ports, 65535);
		if (rnd(3) == 0)
			rnd_field(&p[i].icmp_type, 255);
		if (rnd(3) == 0)
			rnd_field(&p[i].icmp_code, 255);
		if (rnd(3) == 0)
			rnd_field(&p[i].mh_type, 255);
	}
	return p;
}

static void free_policies(struct policy_spec *p, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		free((void *)p[i].src);
		free((void *)p[i].dst);
		free((void *)p[i].protocol.range);
		free((void *)p[i].src_ports.range);
		free((void *)p[i].dst_ports.range);
		free((void *)p[i].icmp_type.range);
		free((void *)p[i].icmp_code.range);
		free((void *)p[i].mh_type.range);
	}
	free(p);
}

/* At an edge of one of the ranges, or beside it, or anywhere. */
static u128 near_addresses(const struct ipaddr_range *r, uint32_t n, int family)
{
	uint32_t i = n > 0 ? rnd(n) : 0;

	if (n == 0 || r[i].first.family != family || rnd(8) == 0)
		return rnd_address(family);
	switch (rnd(4)) {
	case 0: return (get(r[i].first.bytes, family) - 1) & address_max(family);
	case 1: return get(r[i].first.bytes, family);
	case 2: return get(r[i].last.bytes, family);
	default: return (get(r[i].last.bytes, family) + 1) & address_max(family);
	}
}

static uint16_t near_field(const struct policy_field *f)
{
	uint32_t i = f->n > 0 ? rnd(f->n) : 0;

	if (f->n == 0 || rnd(8) == 0)
		return rnd(2) ? rnd(256) : rnd(65536);
	switch (rnd(4)) {
	case 0: return f->range[i].first - 1;
	case 1: return f->range[i].first;
	case 2: return f->range[i].last;
	default: return f->range[i].last + 1;
	}
}

static struct spd_key rnd_key(const struct policy_spec *p, int family)
{
	struct spd_key k = {.family = family};

	put(k.src, family,
		p != NULL ? near_addresses(p->src, p->n_src, family) : rnd_address(family));
	put(k.dst, family,
		p != NULL ? near_addresses(p->dst, p->n_dst, family) : rnd_address(family));
	k.protocol = p != NULL && p->protocol.n > 0 && rnd(2) ? near_field(&p->protocol)
							      : rnd_protocol();
	if (p != NULL && k.protocol == 135) {
		k.sport = near_field(&p->mh_type);
	} else if (p != NULL && (k.protocol == 1 || k.protocol == 58)) {
		k.sport = near_field(&p->icmp_type);
		k.dport = near_field(&p->icmp_code);
	} else if (p != NULL) {
		k.sport = near_field(&p->src_ports);
		k.dport = near_field(&p->dst_ports);
	} else {
		k.sport = rnd(65536);
		k.dport = rnd(65536);
	}
	if (rnd(5) == 0)
		k.opaque = rnd(4);
	return k;
}

static const struct shape shapes[] = {
	{"10,000 prefixes, v4", 10000, 30000, 4, 8, 32, 1, false, false},
	{"10,000 prefixes, v6", 10000, 30000, 6, 8, 128, 1, false, false},
	{"10,000 short prefixes", 10000, 30000, 4, 0, 12, 1, false, true},
	{"10,000 prefixes with everything", 10000, 30000, 0, 0, 32, 3, true, true},
	{"1,000 wide ranges, v4", 1000, 60000, 4, -1, 0, 1, false, false},
	{"1,000 wide ranges, v6", 1000, 60000, 6, -1, 0, 1, false, false},
	{"1,000 wide ranges with everything", 1000, 60000, 0, -1, 0, 4, true, true},
	{"lists of ranges", 300, 60000, 0, -1, 0, LIST_MAX, false, true},
	{"fields alone", 2000, 60000, 4, 0, 0, 1, true, true},
	{"no policy", 0, 100, 0, 0, 32, 1, false, false},
	{"one policy", 1, 10000, 4, 0, 2, 1, false, false},
	{"a few policies", 7, 30000, 0, 0, 3, 2, true, true},
	{"64 policies of one direction", 64, 60000, 0, 0, 8, 2, true, false},
	{"65 policies of one direction", 65, 60000, 0, 0, 8, 2, true, false},
};

#define BURST 100 /* more than one burst of the engine, and not a multiple of it */

START_TEST(every_lookup_equals_the_walk_through_the_list)
{
	const struct shape *s = &shapes[_i];
	struct policy_spec *policies;
	const struct spd_key *at[BURST];
	struct spd_key key[BURST];
	uint32_t found[BURST], hits = 0;
	struct spd *spd;

	rnd_state = _i;
	policies = rnd_policies(s);
	ck_assert_int_eq(spd_open(policies, s->policies, NULL, &spd, NULL), 0);
	for (uint32_t done = 0; done < s->keys; done += BURST) {
		enum policy_direction direction = s->mixed && rnd(2) ? POLICY_IN : POLICY_OUT;

		for (uint32_t i = 0; i < BURST; i++) {
			int family = s->family != 0 ? s->family : rnd(2) ? 4 : 6;

			key[i] = rnd_key(
				s->policies > 0 && rnd(3) ? &policies[rnd(s->policies)] : NULL,
				family);
			at[i] = &key[i];
		}
		spd_lookup(spd, direction, at, found, BURST);
		for (uint32_t i = 0; i < BURST; i++) {
			ck_assert_msg(
				found[i] == reference(policies, s->policies, direction, &key[i]),
				"%s: key %u", s->name, done + i);
			hits += found[i] != SPD_NO_MATCH;
		}
	}
	/* or it would prove nothing */
	ck_assert_msg(s->policies == 0 || hits > s->keys / 50, "%s: %u hits", s->name, hits);
	spd_close(spd);
	free_policies(policies, s->policies);
}
END_TEST

/* What a field may ask and what a packet may show. */

static const struct policy_range eight = {8, 8}, udp = {17, 17}, icmp = {1, 1};

#define RANGES(r)                                                                                  \
	{                                                                                          \
		POLICY_RANGES, &(r), 1                                                             \
	}
#define OPAQUE                                                                                     \
	{                                                                                          \
		POLICY_OPAQUE, NULL, 0                                                             \
	}

static const struct {
	const char *what;
	struct policy_spec policy;
	struct spd_key key;
	bool matches;
} clauses[] = {
	{"ports of UDP", {.src_ports = RANGES(eight)}, {.protocol = 17, .sport = 8}, true},
	{"ports of TCP", {.dst_ports = RANGES(eight)}, {.protocol = 6, .dport = 8}, true},
	{"ports of SCTP", {.dst_ports = RANGES(eight)}, {.protocol = 132, .dport = 8}, true},
	{"ports of DCCP", {.dst_ports = RANGES(eight)}, {.protocol = 33, .dport = 8}, true},
	{"ports of UDP-Lite", {.dst_ports = RANGES(eight)}, {.protocol = 136, .dport = 8}, true},
	{"ICMP has no ports", {.src_ports = RANGES(eight)}, {.protocol = 1, .sport = 8}, false},
	{"ICMP's ports are opaque", {.src_ports = OPAQUE}, {.protocol = 1, .sport = 8}, true},
	{"UDP's ports are not", {.src_ports = OPAQUE}, {.protocol = 17, .sport = 8}, false},
	{"a later fragment's are", {.src_ports = OPAQUE},
		{.protocol = 17, .opaque = SPD_OPAQUE_PORTS}, true},
	{"a later fragment's dst ports are", {.dst_ports = OPAQUE},
		{.protocol = 17, .opaque = SPD_OPAQUE_PORTS}, true},
	{"a later fragment has no port 0", {.src_ports = RANGES(eight)},
		{.protocol = 17, .sport = 8, .opaque = SPD_OPAQUE_PORTS}, false},
	{"any port takes a later fragment", {.protocol = RANGES(udp)},
		{.protocol = 17, .opaque = SPD_OPAQUE_PORTS}, true},
	{"ICMP type", {.icmp_type = RANGES(eight)}, {.protocol = 1, .sport = 8}, true},
	{"ICMPv6 code", {.icmp_code = RANGES(eight)}, {.protocol = 58, .dport = 8}, true},
	{"another ICMP type", {.icmp_type = RANGES(eight)}, {.protocol = 1, .sport = 0}, false},
	{"UDP has no ICMP type", {.icmp_type = RANGES(eight)}, {.protocol = 17, .sport = 8}, false},
	{"UDP's ICMP type is opaque", {.icmp_type = OPAQUE}, {.protocol = 17, .sport = 8}, true},
	{"MH type", {.mh_type = RANGES(eight)}, {.protocol = 135, .sport = 8}, true},
	{"MH type of UDP", {.mh_type = RANGES(eight)}, {.protocol = 17, .sport = 8}, false},
	{"MH has no ports", {.dst_ports = RANGES(eight)}, {.protocol = 135, .dport = 8}, false},
	{"ports and types at once", {.src_ports = RANGES(eight), .icmp_type = RANGES(eight)},
		{.protocol = 17, .sport = 8}, false},
	{"ports, where types are opaque", {.src_ports = RANGES(eight), .icmp_type = OPAQUE},
		{.protocol = 17, .sport = 8}, true},
	{"protocol", {.protocol = RANGES(icmp)}, {.protocol = 1}, true},
	{"another protocol", {.protocol = RANGES(icmp)}, {.protocol = 2}, false},
	{"a protocol that is not seen", {.protocol = RANGES(icmp)},
		{.protocol = 1, .opaque = SPD_OPAQUE_PROTOCOL}, false},
	{"an opaque protocol", {.protocol = OPAQUE}, {.protocol = 1, .opaque = SPD_OPAQUE_PROTOCOL},
		true},
	{"a protocol that is seen is not opaque", {.protocol = OPAQUE}, {.protocol = 1}, false},
	{"no ports without a protocol", {.src_ports = RANGES(eight)},
		{.protocol = 17, .sport = 8, .opaque = SPD_OPAQUE_PROTOCOL}, false},
	{"any protocol takes an opaque one", {.n_src = 0}, {.opaque = SPD_OPAQUE_PROTOCOL}, true},
};

START_TEST(a_field_matches_where_the_packet_shows_it)
{
	struct spd_key key = clauses[_i].key;
	const struct spd_key *at = &key;
	uint32_t found;
	struct spd *spd;

	ck_assert_int_eq(spd_open(&clauses[_i].policy, 1, NULL, &spd, NULL), 0);
	for (key.family = 4; key.family <= 6; key.family += 2) {
		spd_lookup(spd, POLICY_OUT, &at, &found, 1);
		ck_assert_msg(
			found == (clauses[_i].matches ? 0 : SPD_NO_MATCH), "%s", clauses[_i].what);
		spd_lookup(spd, POLICY_IN, &at, &found, 1);
		ck_assert_uint_eq(found, SPD_NO_MATCH);
	}
	spd_close(spd);
}
END_TEST

/* Rules come and go by compiling the list anew; the winner is by priority, then by place. */
START_TEST(the_highest_precedence_wins_whatever_was_deleted)
{
	struct policy_spec list[5] = {{.priority = 40}, {.priority = 10}, {.priority = 30},
		{.priority = 20}, {.priority = 10}};
	struct spd_key key = {.family = 4};
	const struct spd_key *at = &key;
	static const uint32_t winner[] = {1, 4, 3, 2, 0};
	uint32_t found;
	struct spd *spd;

	for (uint32_t i = 0; i < 5; i++) {
		ck_assert_int_eq(spd_open(list, 5, NULL, &spd, NULL), 0);
		spd_lookup(spd, POLICY_OUT, &at, &found, 1);
		ck_assert_uint_eq(found, winner[i]);
		spd_close(spd);
		list[winner[i]].direction = POLICY_IN;
	}
}
END_TEST

START_TEST(turns_are_told_in_the_order_of_precedence)
{
	static const struct policy_spec list[] = {{.priority = 40}, {.priority = 10},
		{.priority = 30, .direction = POLICY_IN}, {.priority = 10}, {.priority = 0}};
	static const uint32_t turns[] = {4, 1, 3, 2, 0};
	struct spd *spd;

	ck_assert_int_eq(spd_open(list, 5, NULL, &spd, NULL), 0);
	for (uint32_t i = 0; i < 5; i++)
		ck_assert_uint_eq(spd_turn(spd, i), turns[i]);
	spd_close(spd);
}
END_TEST

START_TEST(a_policy_stands_in_the_tables_of_the_families_it_names)
{
	struct ipaddr_range v4 = make_range(4, 0, UINT32_MAX), v6 = make_range(6, 0, ~(u128)0);
	struct ipaddr_range both[] = {v4, v6};
	const struct {
		const struct ipaddr_range *src, *dst;
		uint32_t n_src, n_dst;
		bool in_v4, in_v6;
	} rows[] = {
		{NULL, NULL, 0, 0, true, true},
		{&v4, NULL, 1, 0, true, false},
		{NULL, &v6, 0, 1, false, true},
		{&v4, &v6, 1, 1, false, false},
		{both, both, 2, 2, true, true},
		{both, &v6, 2, 1, false, true},
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct policy_spec p = {.src = rows[i].src,
			.dst = rows[i].dst,
			.n_src = rows[i].n_src,
			.n_dst = rows[i].n_dst};
		struct spd_key k4 = {.family = 4}, k6 = {.family = 6};
		const struct spd_key *at[] = {&k4, &k6};
		uint32_t found[2];
		struct spd *spd;

		ck_assert_int_eq(spd_open(&p, 1, NULL, &spd, NULL), 0);
		spd_lookup(spd, POLICY_OUT, at, found, 2);
		ck_assert_int_eq(found[0] == 0, rows[i].in_v4);
		ck_assert_int_eq(found[1] == 0, rows[i].in_v6);
		spd_close(spd);
	}
}
END_TEST

START_TEST(what_was_given_is_kept_when_the_giver_forgets_it)
{
	struct ipaddr_range src = make_range(4, 1, 2), *giver = malloc(sizeof(*giver));
	struct policy_range *ports = malloc(sizeof(*ports));
	struct policy_spec p[] = {
		{.name = "out",
			.reqid = 3,
			.src = giver,
			.n_src = 1,
			.dst_ports = {POLICY_RANGES, ports, 1},
			.source = {"a.yaml", 7}},
		{.name = "in", .reqid = 3, .direction = POLICY_IN},
		{.name = "past", .action = POLICY_BYPASS},
	};
	const struct policy_spec *kept;
	struct spd *spd;

	*giver = src;
	*ports = (struct policy_range){53, 54};
	ck_assert_int_eq(spd_open(p, 3, (struct sa_db *)slots, &spd, NULL), 0);
	free(giver);
	free(ports);
	ck_assert_uint_eq(spd_policies(spd), 3);
	kept = spd_policy(spd, 0);
	ck_assert_str_eq(kept->name, "out");
	ck_assert_uint_eq(kept->source.line, 7);
	ck_assert_mem_eq(kept->src, &src, sizeof(src));
	ck_assert_uint_eq(kept->dst_ports.range->last, 54);
	ck_assert_ptr_eq(spd_entries(spd)[0].out, &slots[3]);
	ck_assert_uint_eq(spd_entries(spd)[0].reqid, 3);
	ck_assert_ptr_null(spd_entries(spd)[1].out);
	ck_assert_ptr_null(spd_entries(spd)[2].out);
	ck_assert_int_eq(spd_entries(spd)[2].action, POLICY_BYPASS);
	spd_close(spd);
}
END_TEST

START_TEST(a_failure_says_why)
{
	struct policy_spec no_slot = {.reqid = 4};
	struct spd *spd = NULL;
	struct why why;

	ck_assert_int_eq(spd_open(NULL, SPD_POLICIES_MAX + 1, NULL, &spd, &why), -E2BIG);
	ck_assert_str_eq(why.text, "65536 policies are too many: at most 65535");
	ck_assert_int_eq(spd_open(&no_slot, 1, (struct sa_db *)slots, &spd, &why), -ENOMEM);
	ck_assert_ptr_null(spd);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("spd");
	TCase *t = tcase_create("all");
	SRunner *r;

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, every_lookup_equals_the_walk_through_the_list, 0,
		sizeof(shapes) / sizeof(shapes[0]));
	tcase_add_loop_test(t, a_field_matches_where_the_packet_shows_it, 0,
		sizeof(clauses) / sizeof(clauses[0]));
	tcase_add_test(t, the_highest_precedence_wins_whatever_was_deleted);
	tcase_add_test(t, turns_are_told_in_the_order_of_precedence);
	tcase_add_test(t, a_policy_stands_in_the_tables_of_the_families_it_names);
	tcase_add_test(t, what_was_given_is_kept_when_the_giver_forgets_it);
	tcase_add_test(t, a_failure_says_why);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
