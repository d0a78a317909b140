/* SPDX-License-Identifier: BSD-3-Clause */
/* test_route.c - every address goes where the longest prefix and the neighbours on its link say. */
#include <check.h>
#include <errno.h>
#include <rte_eal.h>
#include <rte_malloc.h>
#include <stdlib.h>
#include <string.h>

#include "route_dp.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

static struct ipaddr addr(const char *text)
{
	struct ipaddr a = {0};

	if (text != NULL)
		ck_assert_int_eq(ipaddr_parse(text, &a), 0);
	return a;
}

static struct ipaddr_prefix prefix(const char *text)
{
	struct ipaddr_prefix p;

	ck_assert_int_eq(ipaddr_prefix_parse(text, &p), 0);
	return p;
}

static const struct nexthop *look(const struct route_db *db, const struct ipaddr *a)
{
	const struct nexthop *nh;
	uint8_t dst6[1][16];
	uint32_t dst4;

	if (a->family == 4) {
		dst4 = (uint32_t)a->bytes[0] << 24 | a->bytes[1] << 16 | a->bytes[2] << 8 |
		       a->bytes[3];
		route_lookup4(db, &dst4, &nh, 1);
	} else {
		memcpy(dst6[0], a->bytes, 16);
		route_lookup6(db, dst6, &nh, 1);
	}
	return nh;
}

/*  lan (0)  10.1.0.1/24 2001:db8:1::1/64        wan (1)   192.0.2.1/24 fe80::1/64
 *  dmz (2)  10.3.0.1/32, VLAN 7                 core (3)  10.4.0.1/24, QinQ 100, 200
 */
static const struct {
	const char *to, *via;
	uint16_t port;
	uint32_t metric, table;
	bool blackhole;
} route_rows[] = {
	{"0.0.0.0/0", "192.0.2.2", 1, 10, 0, false},
	{"10.2.0.0/16", "192.0.2.2", 1, 20, 0, false},
	{"10.2.0.0/16", "192.0.2.3", 1, 10, 0, false}, /* the lower metric */
	{"10.2.0.0/16", "192.0.2.9", 1, 10, 0, false}, /* equal: the first in the file */
	{"10.2.5.0/24", "192.0.2.9", 1, 0, 0, false}, /* nobody knows .9 */
	{"10.2.6.0/24", NULL, 0, 0, 0, true},
	{"10.2.7.0/24", "192.0.2.3", 1, 0, 1, false}, /* another table */
	{"10.1.0.16/28", "192.0.2.2", 1, 0, 0, false}, /* a part of lan that went elsewhere */
	{"10.1.0.40/32", "192.0.2.2", 1, 0, 0, false}, /* and one host of it */
	{"10.1.0.1/32", "192.0.2.2", 1, 0, 0, false}, /* our own address: in vain */
	{"192.0.2.0/24", NULL, 2, 0, 0, false}, /* a configured route beats the subnet of wan */
	{"172.16.0.0/12", NULL, 1, 0, 0, false}, /* on link */
	{"172.16.9.9/32", NULL, 1, 0, 0, false}, /* on link, one host */
	{"10.9.0.0/16", "fe80::2", 1, 0, 0, false}, /* RFC 5549 */
	{"2001:db8:2::/48", "fe80::2", 1, 0, 0, false},
	{"2001:db8:2:5::/64", "fe80::9", 1, 0, 0, false},
	{"::/0", "fe80::2", 1, 0, 0, false},
	{"2001:db8:66::/48", NULL, 0, 0, 0, true},
};

static const struct {
	const char *address;
	uint16_t port;
	uint8_t mac; /* its last byte */
} neighbour_rows[] = {
	{"192.0.2.2", 1, 0x22}, {"192.0.2.3", 1, 0x23}, {"10.1.0.5", 0, 0x05},
	{"10.1.0.17", 0, 0x17}, /* in the part that went elsewhere */
	{"10.1.0.40", 0, 0x40}, {"10.3.0.9", 2, 0x39}, /* no subnet on dmz */
	{"10.4.0.9", 3, 0x49}, {"172.16.1.1", 1, 0x71}, {"172.16.9.9", 1, 0x79},
	{"172.16.1.2", 0, 0x72}, /* not that port */
	{"fe80::2", 1, 0xf2}, {"fe80::2", 0, 0xf0}, {"2001:db8:1::7", 0, 0x67},
	{"10.1.0.1", 0, 0x01}, /* ourselves */
};

static const struct {
	const char *dst;
	enum nexthop_kind kind;
	uint16_t port;
	uint8_t mac;
} places[] = {
	{"8.8.8.8", NEXTHOP_SEND, 1, 0x22},
	{"255.255.255.255", NEXTHOP_SEND, 1, 0x22},
	{"0.0.0.0", NEXTHOP_SEND, 1, 0x22},
	{"10.2.0.1", NEXTHOP_SEND, 1, 0x23},
	{"10.2.5.1", NEXTHOP_UNRESOLVED, 1, 0},
	{"10.2.6.1", NEXTHOP_BLACKHOLE, 0, 0},
	{"10.2.7.1", NEXTHOP_SEND, 1, 0x23},
	{"10.1.0.1", NEXTHOP_LOCAL, 0, 0},
	{"10.1.0.5", NEXTHOP_SEND, 0, 0x05},
	{"10.1.0.6", NEXTHOP_UNRESOLVED, 0, 0}, /* not by the default route */
	{"10.1.0.17", NEXTHOP_SEND, 1, 0x22},
	{"10.1.0.40", NEXTHOP_SEND, 1, 0x22},
	{"10.1.1.0", NEXTHOP_SEND, 1, 0x22},
	{"192.0.2.1", NEXTHOP_LOCAL, 0, 0},
	{"192.0.2.2", NEXTHOP_UNRESOLVED, 2, 0},
	{"10.3.0.1", NEXTHOP_LOCAL, 0, 0},
	{"10.3.0.9", NEXTHOP_SEND, 1, 0x22},
	{"10.4.0.9", NEXTHOP_SEND, 3, 0x49},
	{"172.16.1.1", NEXTHOP_SEND, 1, 0x71},
	{"172.16.1.2", NEXTHOP_UNRESOLVED, 1, 0},
	{"172.16.9.9", NEXTHOP_SEND, 1, 0x79},
	{"10.9.1.1", NEXTHOP_SEND, 1, 0xf2},
	{"198.51.100.7", NEXTHOP_LOCAL, 0, 0},
	{"2001:db8:1::1", NEXTHOP_LOCAL, 0, 0},
	{"2001:db8:1::7", NEXTHOP_SEND, 0, 0x67},
	{"2001:db8:1::8", NEXTHOP_UNRESOLVED, 0, 0},
	{"2001:db8:2::1", NEXTHOP_SEND, 1, 0xf2},
	{"2001:db8:2:5::1", NEXTHOP_UNRESOLVED, 1, 0},
	{"2001:db8:66::1", NEXTHOP_BLACKHOLE, 0, 0},
	{"2001:db8:99::1", NEXTHOP_LOCAL, 0, 0},
	{"fe80::2", NEXTHOP_SEND, 1, 0xf2},
	{"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", NEXTHOP_SEND, 1, 0xf2},
	{"::", NEXTHOP_SEND, 1, 0xf2},
};

/* The site of the tables above. */
struct site {
	struct route_port port[4];
	struct route_spec route[N(route_rows)];
	struct neighbour_spec neighbour[N(neighbour_rows)];
	struct ipaddr local[2];
	struct route_setup setup;
};

static void site_make(struct site *s)
{
	static const char *const addresses[4][2] = {{"10.1.0.1/24", "2001:db8:1::1/64"},
		{"192.0.2.1/24", "fe80::1/64"}, {"10.3.0.1/32", NULL}, {"10.4.0.1/24", NULL}};

	memset(s, 0, sizeof(*s));
	for (uint16_t i = 0; i < N(s->port); i++) {
		s->port[i].side = i == 1 ? PORT_UNPROTECTED : PORT_PROTECTED;
		memcpy(s->port[i].mac, (uint8_t[]){2, 0, 0, 0, 0xaa, i}, 6);
		s->port[i].mtu = 1500 + i;
		for (uint16_t k = 0; k < 2 && addresses[i][k] != NULL; k++)
			s->port[i].address[s->port[i].n_addresses++] = prefix(addresses[i][k]);
	}
	s->port[2].vlan[s->port[2].n_vlans++] = 7;
	s->port[3].vlan[s->port[3].n_vlans++] = 100;
	s->port[3].vlan[s->port[3].n_vlans++] = 200;
	for (uint32_t i = 0; i < N(route_rows); i++)
		s->route[i] = (struct route_spec){{"site.yaml", i + 1}, prefix(route_rows[i].to),
			addr(route_rows[i].via), route_rows[i].port, route_rows[i].blackhole,
			route_rows[i].metric, route_rows[i].table, false};
	for (uint32_t i = 0; i < N(neighbour_rows); i++)
		s->neighbour[i] = (struct neighbour_spec){{"site.yaml", 101 + i},
			addr(neighbour_rows[i].address), neighbour_rows[i].port,
			{2, 0, 0, 0, 0, neighbour_rows[i].mac}, false};
	s->local[0] = addr("198.51.100.7");
	s->local[1] = addr("2001:db8:99::1");
	s->setup = (struct route_setup){.ports = s->port,
		.n_ports = N(s->port),
		.routes = s->route,
		.n_routes = N(route_rows),
		.neighbours = s->neighbour,
		.n_neighbours = N(neighbour_rows),
		.local = s->local,
		.n_local = N(s->local)};
}

START_TEST(every_address_goes_where_the_rules_say)
{
	struct route_db *db;
	struct site s;

	site_make(&s);
	ck_assert_int_eq(route_open(&s.setup, &db, NULL), 0);
	memset(&s, 0xee, sizeof(s)); /* what is needed was copied */
	for (unsigned i = 0; i < N(places); i++) {
		struct ipaddr dst = addr(places[i].dst);
		const struct nexthop *nh = look(db, &dst);

		ck_assert_msg(nh->kind == places[i].kind, "%s: kind %u", places[i].dst, nh->kind);
		if (nh->kind != NEXTHOP_SEND && nh->kind != NEXTHOP_UNRESOLVED)
			continue;
		ck_assert_msg(nh->port == places[i].port, "%s: port %u", places[i].dst, nh->port);
		ck_assert_uint_eq(nh->mtu, 1500 + nh->port);
		ck_assert_int_eq(nh->side, nh->port == 1 ? PORT_UNPROTECTED : PORT_PROTECTED);
		if (nh->kind == NEXTHOP_SEND)
			ck_assert_msg(
				nh->l2[5] == places[i].mac, "%s: %x", places[i].dst, nh->l2[5]);
	}
	route_close(db);
}
END_TEST

START_TEST(the_header_has_the_ports_tags_and_the_packets_ethertype)
{
	static const uint8_t plain4[] = {2, 0, 0, 0, 0, 0xf2, 2, 0, 0, 0, 0xaa, 1, 0x08, 0x00};
	static const uint8_t plain6[] = {2, 0, 0, 0, 0, 0xf2, 2, 0, 0, 0, 0xaa, 1, 0x86, 0xdd};
	static const uint8_t tagged[] = {
		2, 0, 0, 0, 0, 0x39, 2, 0, 0, 0, 0xaa, 2, 0x81, 0x00, 0, 7, 0x08, 0x00};
	static const uint8_t qinq[] = {2, 0, 0, 0, 0, 0x49, 2, 0, 0, 0, 0xaa, 3, 0x88, 0xa8, 0, 100,
		0x81, 0x00, 0, 200, 0x08, 0x00};
	const struct {
		const char *dst;
		const uint8_t *l2;
		uint8_t len;
	} rows[] = {{"10.9.0.1", plain4, sizeof(plain4)}, {"2001:db8:2::1", plain6, sizeof(plain6)},
		{"10.3.0.9", tagged, sizeof(tagged)}, {"10.4.0.9", qinq, sizeof(qinq)}};
	struct route_db *db;
	struct site s;

	site_make(&s);
	s.port[2].address[0].len = 24;
	ck_assert_int_eq(route_open(&s.setup, &db, NULL), 0);
	for (unsigned i = 0; i < N(rows); i++) {
		struct ipaddr dst = addr(rows[i].dst);
		const struct nexthop *nh = look(db, &dst);

		ck_assert_int_eq(nh->kind, NEXTHOP_SEND);
		ck_assert_uint_eq(nh->l2_len, rows[i].len);
		ck_assert_mem_eq(nh->l2, rows[i].l2, rows[i].len);
	}
	route_close(db);
}
END_TEST

START_TEST(equal_next_hops_are_one)
{
	struct ipaddr a = addr("10.9.0.1"), b = addr("8.8.8.8"), c = addr("10.1.0.17"),
		      d = addr("10.1.0.40");
	struct route_db *db;
	struct site s;

	site_make(&s);
	ck_assert_int_eq(route_open(&s.setup, &db, NULL), 0);
	ck_assert_ptr_eq(look(db, &b), look(db, &c));
	ck_assert_ptr_eq(look(db, &b), look(db, &d));
	ck_assert_ptr_ne(look(db, &a), look(db, &b));
	route_close(db);
}
END_TEST

START_TEST(warnings_name_what_leads_nowhere)
{
	static const char *const expected[] = {
		"site.yaml:4: route 10.2.0.0/16: its packets are dropped: no neighbour on its port "
		"has "
		"the address 192.0.2.9",
		"site.yaml:5: route 10.2.5.0/24: its packets are dropped: no neighbour on its port "
		"has "
		"the address 192.0.2.9",
		"site.yaml:16: route 2001:db8:2:5::/64: its packets are dropped: no neighbour on "
		"its "
		"port has the address fe80::9",
		"site.yaml:114: neighbour 10.1.0.1 is of no use: no route goes via it, and its "
		"address "
		"is our own",
		"site.yaml:104: neighbour 10.1.0.17 is of no use: no route goes via it, and its "
		"address "
		"is not on the link of its port",
		"site.yaml:105: neighbour 10.1.0.40 is of no use: no route goes via it, and its "
		"address "
		"is not on the link of its port",
		"site.yaml:106: neighbour 10.3.0.9 is of no use: no route goes via it, and its "
		"address "
		"is not on the link of its port",
		"site.yaml:110: neighbour 172.16.1.2 is of no use: no route goes via it, and its "
		"address is not on the link of its port",
		"site.yaml:112: neighbour fe80::2 is of no use: no route goes via it, and its "
		"address "
		"is not on the link of its port",
	};
	struct route_db *db;
	struct site s;

	site_make(&s);
	ck_assert_int_eq(route_open(&s.setup, &db, NULL), 0);
	for (unsigned i = 0; i < N(expected); i++)
		ck_assert_pstr_eq(route_warning(db, i), expected[i]);
	ck_assert_ptr_null(route_warning(db, N(expected)));
	route_close(db);
}
END_TEST

/* Each spoils one thing of the site. */

static void no_such_port(struct site *s)
{
	s->route[1].port = 4;
}

static void group_as_via(struct site *s)
{
	s->route[1].via = addr("224.0.0.5");
}

static void six_via_four(struct site *s)
{
	s->route[14].via = addr("192.0.2.2");
}

static void no_prefix(struct site *s)
{
	s->route[1].to = (struct ipaddr_prefix){0};
}

static void neighbour_without_port(struct site *s)
{
	s->neighbour[2].port = 4;
}

static void neighbour_is_a_group(struct site *s)
{
	s->neighbour[2].address = addr("ff02::1");
}

static void neighbour_is_nobody(struct site *s)
{
	s->neighbour[2].address = addr("0.0.0.0");
}

static void mac_is_a_group(struct site *s)
{
	s->neighbour[2].mac[0] = 1;
}

static void mac_is_zero(struct site *s)
{
	memset(s->neighbour[2].mac, 0, 6);
}

static void neighbour_twice(struct site *s)
{
	s->neighbour[2] = s->neighbour[0];
	s->neighbour[2].source.line = 200;
}

static void three_tags(struct site *s)
{
	s->port[2].n_vlans = 3;
}

static void address_is_none(struct site *s)
{
	s->port[0].address[1] = (struct ipaddr_prefix){0};
}

static const struct {
	void (*spoil)(struct site *s);
	const char *why;
} refusals[] = {
	{no_such_port, "site.yaml:2: route 10.2.0.0/16: no port 4"},
	{group_as_via, "site.yaml:2: route 10.2.0.0/16: 224.0.0.5 is a group; via must be a host"},
	{six_via_four, "site.yaml:15: route 2001:db8:2::/48: via 192.0.2.2 is IPv4; an IPv6 route "
		       "needs an "
		       "IPv6 next hop"},
	{no_prefix, "site.yaml:2: a route needs a prefix to go to"},
	{neighbour_without_port, "site.yaml:103: neighbour 10.1.0.5: no port 4"},
	{neighbour_is_a_group, "site.yaml:103: neighbour ff02::1 is a group, not a host"},
	{neighbour_is_nobody, "site.yaml:103: a neighbour needs an address of its own"},
	{mac_is_a_group, "site.yaml:103: neighbour 10.1.0.5: its MAC is zero or a group; it must "
			 "be a host's"},
	{mac_is_zero, "site.yaml:103: neighbour 10.1.0.5: its MAC is zero or a group; it must be a "
		      "host's"},
	{address_is_none, "port 0: address 1 is none: it needs a family and a length within it"},
	{three_tags, "port 2 has more than 2 VLAN tags or 32 addresses"},
};

START_TEST(what_makes_no_sense_is_refused_with_the_reason)
{
	struct route_db *db = NULL;
	struct why why;
	struct site s;

	site_make(&s);
	refusals[_i].spoil(&s);
	ck_assert_int_eq(route_open(&s.setup, &db, &why), -EINVAL);
	ck_assert_str_eq(why.text, refusals[_i].why);
	ck_assert_ptr_null(db);
}
END_TEST

START_TEST(a_neighbour_stands_once_on_a_port)
{
	struct route_db *db = NULL;
	struct why why;
	struct site s;

	site_make(&s);
	neighbour_twice(&s);
	ck_assert_int_eq(route_open(&s.setup, &db, &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "site.yaml:200"));
	ck_assert_ptr_nonnull(strstr(why.text, "site.yaml:101"));
}
END_TEST

static size_t heap_bytes(void)
{
	struct rte_malloc_socket_stats stats;

	ck_assert_int_eq(rte_malloc_get_socket_stats(0, &stats), 0);
	return stats.heap_allocsz_bytes;
}

/* A small machine has 256 MiB for everything. */
START_TEST(a_family_without_routes_takes_no_memory_and_finds_none)
{
	struct ipaddr four = addr("10.1.0.5"), six = addr("2001:db8::1");
	struct route_setup nothing = {0}, only4;
	size_t before = heap_bytes(), one;
	struct route_db *db;
	struct site s;

	ck_assert_int_eq(route_open(&nothing, &db, NULL), 0);
	ck_assert_uint_eq(heap_bytes(), before);
	ck_assert_int_eq(look(db, &four)->kind, NEXTHOP_NONE);
	ck_assert_int_eq(look(db, &six)->kind, NEXTHOP_NONE);
	route_close(db);

	site_make(&s);
	only4 = (struct route_setup){
		.ports = s.port, .n_ports = 1, .neighbours = &s.neighbour[2], .n_neighbours = 1};
	s.port[0].n_addresses = 1;
	ck_assert_int_eq(route_open(&only4, &db, NULL), 0);
	one = heap_bytes() - before;
	ck_assert_uint_lt(one, 33 << 20);
	ck_assert_int_eq(look(db, &four)->kind, NEXTHOP_SEND);
	ck_assert_int_eq(look(db, &six)->kind, NEXTHOP_NONE);
	route_close(db);

	site_make(&s);
	ck_assert_int_eq(route_open(&s.setup, &db, NULL), 0);
	ck_assert_uint_lt(heap_bytes() - before, 66 << 20);
	route_close(db);
	ck_assert_uint_eq(heap_bytes(), before);
}
END_TEST

START_TEST(when_memory_ends_the_reason_says_so_and_nothing_stays)
{
	struct route_db *db[16] = {NULL};
	size_t before = heap_bytes();
	struct why why;
	unsigned n = 0;
	struct site s;
	int rc;

	site_make(&s);
	do
		rc = route_open(&s.setup, &db[n], &why);
	while (rc == 0 && ++n < N(db));
	ck_assert_int_eq(rc, -ENOMEM);
	ck_assert_ptr_nonnull(strstr(why.text, "memory (-m, or hugepages)"));
	while (n > 0)
		route_close(db[--n]);
	ck_assert_uint_eq(heap_bytes(), before);
}
END_TEST

START_TEST(too_many_next_hops_are_refused)
{
	uint32_t n = ROUTE_NEXTHOPS_MAX;
	struct neighbour_spec *neighbour = calloc(n, sizeof(*neighbour));
	struct route_setup setup;
	struct route_db *db;
	struct why why;
	struct site s;

	site_make(&s);
	s.port[0].address[0] = prefix("10.1.0.1/8");
	for (uint32_t i = 0; i < n; i++) {
		neighbour[i].source = (struct source){"site.yaml", i};
		neighbour[i].address = addr("10.2.0.0");
		neighbour[i].address.bytes[2] = i >> 8;
		neighbour[i].address.bytes[3] = i;
		memcpy(neighbour[i].mac, (uint8_t[]){2, 0, 0, 0, i >> 8, i}, 6);
	}
	setup = (struct route_setup){
		.ports = s.port, .n_ports = 1, .neighbours = neighbour, .n_neighbours = n};
	ck_assert_int_eq(route_open(&setup, &db, &why), -ENOSPC);
	ck_assert_str_eq(why.text, "more than 32767 different next hops");
	setup.n_neighbours -= 5; /* three of every table, and a subnet of each family */
	ck_assert_int_eq(route_open(&setup, &db, &why), 0);
	for (uint32_t i = 0; i < setup.n_neighbours; i += 97)
		ck_assert_mem_eq(look(db, &neighbour[i].address)->l2, neighbour[i].mac, 6);
	route_close(db);
	free(neighbour);
}
END_TEST

/* Random routes and the reference: what RFC 1812 5.2.4.3 calls pruning, one after the other. */

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

/* Few values of the leading bytes, so that prefixes nest. */
static struct ipaddr rnd_address(uint8_t family)
{
	struct ipaddr a = {.family = family};
	unsigned size = ipaddr_size(&a), wild = rnd(size + 1);

	for (unsigned i = 0; i < size; i++)
		a.bytes[i] = i >= wild ? rnd(256) : rnd(8) ? 0xff * rnd(2) : rnd(256);
	return a;
}

static struct ipaddr_prefix rnd_prefix(uint8_t family)
{
	struct ipaddr_prefix p = {.addr = rnd_address(family)};

	p.len = rnd(3) ? rnd(8 * ipaddr_size(&p.addr) + 1) : 8 * rnd(ipaddr_size(&p.addr) + 1);
	p.addr = ipaddr_mask(&p);
	return p;
}

struct expected {
	enum nexthop_kind kind;
	uint16_t port;
	const uint8_t *mac;
};

static const uint8_t *mac_of(const struct route_setup *s, const struct ipaddr *a, uint16_t port)
{
	for (uint32_t i = 0; i < s->n_neighbours; i++) {
		if (s->neighbours[i].port == port && ipaddr_equal(&s->neighbours[i].address, a))
			return s->neighbours[i].mac;
	}
	return NULL;
}

static struct expected walk(const struct route_setup *s, const struct ipaddr *dst)
{
	struct expected e = {NEXTHOP_NONE, 0, NULL};
	const struct route_spec *best = NULL;
	int len = -1;

	for (uint32_t i = 0; i < s->n_local; i++) {
		if (ipaddr_equal(&s->local[i], dst))
			return (struct expected){NEXTHOP_LOCAL, 0, NULL};
	}
	for (uint16_t p = 0; p < s->n_ports; p++) {
		for (uint16_t i = 0; i < s->ports[p].n_addresses; i++) {
			const struct ipaddr_prefix *a = &s->ports[p].address[i];

			if (ipaddr_equal(&a->addr, dst))
				return (struct expected){NEXTHOP_LOCAL, 0, NULL};
			if (a->len > len && ipaddr_in_prefix(dst, a)) {
				len = a->len;
				e.port = p;
			}
		}
	}
	for (uint32_t i = 0; i < s->n_routes; i++) {
		const struct route_spec *r = &s->routes[i];

		if (r->table != 0 || r->to.len < len || !ipaddr_in_prefix(dst, &r->to))
			continue;
		if (best == NULL || r->to.len > len || r->metric < best->metric) {
			best = r;
			len = r->to.len;
		}
	}
	if (len < 0)
		return e;
	if (best != NULL && best->blackhole)
		return (struct expected){NEXTHOP_BLACKHOLE, 0, NULL};
	if (best != NULL)
		e.port = best->port;
	e.mac = mac_of(s, best != NULL && best->via.family != 0 ? &best->via : dst, e.port);
	e.kind = e.mac != NULL ? NEXTHOP_SEND : NEXTHOP_UNRESOLVED;
	return e;
}

#define PORTS      4
#define NEIGHBOURS 400

struct world {
	struct route_port port[PORTS];
	struct neighbour_spec neighbour[NEIGHBOURS];
	struct route_spec *route;
	struct ipaddr local[20];
	struct route_setup setup;
};

static void world_make(struct world *w, uint32_t n_routes, uint8_t family)
{
	memset(w, 0, sizeof(*w));
	for (uint16_t p = 0; p < PORTS; p++) {
		w->port[p].mac[5] = p;
		w->port[p].n_addresses = 5;
		for (uint16_t i = 0; i < 5; i++) {
			w->port[p].address[i].addr = rnd_address(family);
			w->port[p].address[i].len =
				8 * (1 + rnd(ipaddr_size(&w->port[p].address[i].addr)));
		}
	}
	for (uint32_t i = 0; i < NEIGHBOURS; i++) {
		struct neighbour_spec *n = &w->neighbour[i];

		n->source.file = "";
		do {
			n->port = rnd(PORTS);
			n->address = rnd_address(family);
			if (rnd(4) != 0) { /* on the link of its port */
				const struct ipaddr_prefix *on = &w->port[n->port].address[rnd(5)];

				memcpy(n->address.bytes, on->addr.bytes, on->len / 8);
			}
		} while (
			ipaddr_is_multicast(&n->address) || n->address.bytes[3] == 0 ||
			mac_of(&(struct route_setup){.neighbours = w->neighbour, .n_neighbours = i},
				&n->address, n->port) != NULL);
		memcpy(n->mac, (uint8_t[]){2, 0, 0, 0, i >> 8, i}, 6);
	}
	w->route = calloc(n_routes, sizeof(*w->route));
	for (uint32_t i = 0; i < n_routes; i++) {
		const struct neighbour_spec *n = &w->neighbour[rnd(NEIGHBOURS)];
		struct route_spec *r = &w->route[i];

		*r = (struct route_spec){.source = {"", i},
			.to = rnd_prefix(family),
			.port = n->port,
			.metric = rnd(3),
			.table = rnd(20) == 0,
			.blackhole = rnd(20) == 0};
		if (i > 0 && rnd(10) == 0)
			r->to = w->route[rnd(i)].to;
		if (rnd(4) != 0)
			r->via = n->address;
		if (rnd(10) == 0)
			r->port = rnd(PORTS);
	}
	for (unsigned i = 0; i < N(w->local); i++)
		w->local[i] = rnd_address(family);
	w->setup = (struct route_setup){.ports = w->port,
		.n_ports = PORTS,
		.routes = w->route,
		.n_routes = n_routes,
		.neighbours = w->neighbour,
		.n_neighbours = NEIGHBOURS,
		.local = w->local,
		.n_local = N(w->local)};
}

static struct ipaddr step(struct ipaddr a, int by)
{
	int i = ipaddr_size(&a) - 1;

	while (i >= 0 && (a.bytes[i] += by) == (by > 0 ? 0 : 255))
		i--;
	return a;
}

static struct ipaddr rnd_dst(const struct world *w, uint8_t family)
{
	struct ipaddr_range r;

	switch (rnd(8)) {
	case 0: return rnd_address(family);
	case 1: return w->neighbour[rnd(NEIGHBOURS)].address;
	case 2: return w->local[rnd(N(w->local))];
	case 3: return w->port[rnd(PORTS)].address[rnd(5)].addr;
	default: break;
	}
	r = ipaddr_prefix_range(&w->route[rnd(w->setup.n_routes)].to);
	switch (rnd(4)) {
	case 0: return r.first;
	case 1: return r.last;
	case 2: return step(r.first, -1);
	default: return step(r.last, 1);
	}
}

static const struct {
	uint8_t family;
	uint32_t routes, keys;
} worlds[] = {
	{4, 20, 8192}, {6, 20, 8192}, {4, 8000, 8192}, {6, 2000, 8192},
	{6, 8000, 8192}, /* more groups of 256 than two bytes can number */
};

#define BURST 256

START_TEST(random_routes_answer_as_a_walk_through_them_does)
{
	uint8_t family = worlds[_i].family;
	const struct nexthop *nh[BURST];
	struct ipaddr dst[BURST];
	uint8_t dst6[BURST][16];
	uint32_t dst4[BURST], seen[NEXTHOP_SEND + 1] = {0};
	struct route_db *db;
	struct world w;
	struct why why = {""};

	rnd_state = _i;
	world_make(&w, worlds[_i].routes, family);
	ck_assert_msg(route_open(&w.setup, &db, &why) == 0, "%s", why.text);
	for (uint32_t done = 0; done < worlds[_i].keys; done += BURST) {
		for (uint32_t i = 0; i < BURST; i++) {
			dst[i] = rnd_dst(&w, family);
			memcpy(dst6[i], dst[i].bytes, 16);
			dst4[i] = (uint32_t)dst6[i][0] << 24 | dst6[i][1] << 16 | dst6[i][2] << 8 |
				  dst6[i][3];
		}
		if (family == 4)
			route_lookup4(db, dst4, nh, BURST);
		else
			route_lookup6(db, (const uint8_t(*)[16])dst6, nh, BURST);
		for (uint32_t i = 0; i < BURST; i++) {
			struct expected e = walk(&w.setup, &dst[i]);
			char buf[IPADDR_STRLEN];

			ck_assert_msg(nh[i]->kind == e.kind, "%s: kind %u, expected %u",
				ipaddr_format(&dst[i], buf), nh[i]->kind, e.kind);
			seen[e.kind]++;
			if (e.kind == NEXTHOP_SEND || e.kind == NEXTHOP_UNRESOLVED)
				ck_assert_uint_eq(nh[i]->port, e.port);
			if (e.kind == NEXTHOP_SEND)
				ck_assert_mem_eq(nh[i]->l2, e.mac, 6);
		}
	}
	for (unsigned k = NEXTHOP_LOCAL; k <= NEXTHOP_SEND; k++)
		ck_assert_msg(seen[k] > 0 || w.setup.n_routes < 1000, "kind %u was never met", k);
	route_close(db);
	free(w.route);
}
END_TEST

int main(void)
{
	char *eal[] = {"test_route", "--no-huge", "-m", "512", "--no-pci", "--no-shconf",
		"--file-prefix", "test_route", "-l", "0", "--log-level", "lib.eal:error",
		"--no-telemetry"};
	Suite *s = suite_create("route");
	TCase *t = tcase_create("all");
	SRunner *r;

	if (rte_eal_init(N(eal), eal) < 0)
		return EXIT_FAILURE;
	tcase_add_test(t, every_address_goes_where_the_rules_say);
	tcase_add_test(t, the_header_has_the_ports_tags_and_the_packets_ethertype);
	tcase_add_test(t, equal_next_hops_are_one);
	tcase_add_test(t, warnings_name_what_leads_nowhere);
	tcase_add_loop_test(t, what_makes_no_sense_is_refused_with_the_reason, 0, N(refusals));
	tcase_add_test(t, a_neighbour_stands_once_on_a_port);
	tcase_add_test(t, a_family_without_routes_takes_no_memory_and_finds_none);
	tcase_add_test(t, when_memory_ends_the_reason_says_so_and_nothing_stays);
	tcase_add_test(t, too_many_next_hops_are_refused);
	tcase_add_loop_test(t, random_routes_answer_as_a_walk_through_them_does, 0, N(worlds));
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	rte_eal_cleanup();
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
