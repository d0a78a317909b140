/* SPDX-License-Identifier: BSD-3-Clause */
/* pipeline_site.c - the two sites that gateways are opened from. */
#include <string.h>

#include "pipeline_fixture.h"

static struct ipaddr address(const char *text)
{
	struct ipaddr a;

	ck_assert_msg(ipaddr_parse(text, &a) == 0, "%s", text);
	return a;
}

/* Policies point to their ranges, which live as long as the program. */
static const struct ipaddr_range *range(const char *text)
{
	static struct ipaddr_range ranges[64];
	static char names[64][IPADDR_STRLEN];
	unsigned i = 0;

	for (; names[i][0] != '\0'; i++) {
		if (strcmp(names[i], text) == 0)
			return &ranges[i];
	}
	ck_assert_uint_lt(i, RTE_DIM(ranges) - 1);
	ck_assert_msg(ipaddr_range_parse(text, &ranges[i]) == 0, "%s", text);
	snprintf(names[i], sizeof(names[i]), "%s", text);
	return &ranges[i];
}

struct policy_spec *site_policy(struct site *s, enum policy_direction direction,
	enum policy_action action, uint32_t reqid, const char *src, const char *dst)
{
	struct policy_spec *p = &s->policy[s->n_policies++];

	ck_assert_uint_le(s->n_policies, RTE_DIM(s->policy));
	*p = (struct policy_spec){.direction = direction, .action = action, .reqid = reqid};
	if (src != NULL) {
		p->src = range(src);
		p->n_src = 1;
	}
	if (dst != NULL) {
		p->dst = range(dst);
		p->n_dst = 1;
	}
	return p;
}

void site_route(struct site *s, const char *to, const char *via, uint16_t port)
{
	struct route_spec *r = &s->route[s->n_routes++];

	ck_assert_uint_le(s->n_routes, RTE_DIM(s->route));
	*r = (struct route_spec){.port = port};
	ck_assert_int_eq(ipaddr_prefix_parse(to, &r->to), 0);
	if (via != NULL)
		r->via = address(via);
}

void site_neighbour(struct site *s, const char *text, uint16_t port)
{
	struct neighbour_spec *n = &s->neighbour[s->n_neighbours++];

	ck_assert_uint_le(s->n_neighbours, RTE_DIM(s->neighbour));
	*n = (struct neighbour_spec){.address = address(text), .port = port};
	memcpy(n->mac, (const uint8_t[]){0x02, 0xaa, 0, 0, 0, s->n_neighbours}, 6);
}

void site_address(struct site *s, uint16_t port, const char *prefix)
{
	struct route_port *r = &s->port[port];

	ck_assert_int_eq(ipaddr_prefix_parse(prefix, &r->address[r->n_addresses++]), 0);
}

static void site_init(struct site *s, bool is_b)
{
	memset(s, 0, sizeof(*s));
	s->is_b = is_b;
	s->burst = BURST_MAX;
	s->path_mtu = 1500;
	s->data_room = RTE_MBUF_DEFAULT_BUF_SIZE;
	s->icmp_rate = s->punt_rate = 1000000;
	s->builtins = true;
	s->n_ports = 2;
	for (unsigned i = 0; i < RTE_DIM(s->port); i++) {
		s->port[i].mtu = 1500;
		memcpy(s->port[i].mac, (const uint8_t[]){0x02, 0, 0, is_b, 0, i}, 6);
	}
	s->port[LAN].side = PORT_PROTECTED;
	s->port[WAN].side = PORT_UNPROTECTED;
}

void site_a(struct site *s)
{
	site_init(s, false);
	site_address(s, LAN, "10.1.0.1/24");
	site_address(s, LAN, "2001:db8:1::1/64");
	site_address(s, WAN, "192.0.2.1/24");
	site_address(s, WAN, "2001:db8:f::1/64");
	site_neighbour(s, "10.1.0.9", LAN);
	site_neighbour(s, "2001:db8:1::9", LAN);
	site_neighbour(s, "192.0.2.2", WAN);
	site_neighbour(s, "2001:db8:f::2", WAN);
	site_policy(s, POLICY_OUT, POLICY_PROTECT, 1, "10.1.0.0/24", "10.2.0.0/24");
	site_policy(s, POLICY_OUT, POLICY_PROTECT, 1, "2001:db8:1::/64", "2001:db8:2::/64");
	site_policy(s, POLICY_IN, POLICY_PROTECT, 1, "10.2.0.0/24", "10.1.0.0/24");
	site_policy(s, POLICY_IN, POLICY_PROTECT, 1, "2001:db8:2::/64", "2001:db8:1::/64");
}

void site_b(struct site *s)
{
	site_init(s, true);
	site_address(s, LAN, "10.2.0.1/24");
	site_address(s, LAN, "2001:db8:2::1/64");
	site_address(s, WAN, "192.0.2.2/24");
	site_address(s, WAN, "2001:db8:f::2/64");
	site_neighbour(s, "10.2.0.9", LAN);
	site_neighbour(s, "2001:db8:2::9", LAN);
	site_neighbour(s, "192.0.2.1", WAN);
	site_neighbour(s, "2001:db8:f::1", WAN);
	site_policy(s, POLICY_OUT, POLICY_PROTECT, 1, "10.2.0.0/24", "10.1.0.0/24");
	site_policy(s, POLICY_OUT, POLICY_PROTECT, 1, "2001:db8:2::/64", "2001:db8:1::/64");
	site_policy(s, POLICY_IN, POLICY_PROTECT, 1, "10.1.0.0/24", "10.2.0.0/24");
	site_policy(s, POLICY_IN, POLICY_PROTECT, 1, "2001:db8:1::/64", "2001:db8:2::/64");
}

struct crypto_spec crypto_named(const char *name, const char *auth)
{
	struct crypto_spec c = {0};

	if (auth == NULL) {
		c.aead = algorithm_find(ALGORITHM_AEAD, name);
	} else {
		c.cipher = algorithm_find(ALGORITHM_CIPHER, name);
		c.auth = algorithm_find(ALGORITHM_AUTH, auth);
	}
	ck_assert_ptr_nonnull(auth == NULL ? c.aead : c.cipher);
	fixture_keys(&c);
	return c;
}

struct tunnel site_tunnel(struct site *from, struct site *to, const struct crypto_spec *crypto,
	enum crypto_provider provider, unsigned outer_family)
{
	static const char *const outer[2][2] = {
		{"192.0.2.1", "192.0.2.2"}, {"2001:db8:f::1", "2001:db8:f::2"}};
	const char *const *ends = outer[outer_family == 6];
	struct sa_spec *sa = &from->sa[from->n_sas];

	*sa = (struct sa_spec){
		.direction = SA_OUT,
		.spi = 0x1001 + RTE_MAX(from->n_sas, to->n_sas),
		.src = address(ends[from->is_b]),
		.dst = address(ends[to->is_b]),
		.lookup = SA_LOOKUP_SPI_DST,
		.reqid = 1,
		.crypto = *crypto,
		.provider = provider,
		.fallback = SA_NO_PROVIDER,
		.window = 64,
		.seq_next = 1,
		.dscp = SA_DSCP_COPY,
		.flow_label = SA_FLOW_LABEL_COPY,
		.outer_ttl = 64,
	};
	sa->esn = crypto->esn;
	to->sa[to->n_sas] = *sa;
	to->sa[to->n_sas].direction = SA_IN;
	from->n_sas++;
	to->n_sas++;
	ck_assert_uint_le(from->n_sas, RTE_DIM(from->sa));
	ck_assert_uint_le(to->n_sas, RTE_DIM(to->sa));
	return (struct tunnel){sa, &to->sa[to->n_sas - 1]};
}
