/* SPDX-License-Identifier: BSD-3-Clause */
/* test_xfrm_sa.c - SAs: what the kernel told of them is what was asked of it, field by field. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "xfrm_case.h"

#define SET_2026 UINT64_C(1767225600) /* the guest's clock when it began */

/* The n-th word of the command that looks like a key. */
static struct key key_of(const struct xfrm_vector *v, unsigned n)
{
	struct key key = {0};
	const char *at = v->command;

	while ((at = strstr(at, " 0x")) != NULL) {
		size_t len = strcspn(++at, " ");

		if (len >= 34 && n-- == 0) {
			ck_assert_int_eq(key_parse(at, len, &key), 0);
			return key;
		}
	}
	return key;
}

static const struct {
	const char *name, *aead, *cipher, *auth, *refused;
} algorithms[] = {
	{"sa-gcm-128-128", "aes-128-gcm", NULL, NULL, NULL},
	{"sa-gcm-128-96", "aes-128-gcm-12", NULL, NULL, NULL},
	{"sa-gcm-128-64", "aes-128-gcm-8", NULL, NULL, NULL},
	{"sa-gcm-192-128", "aes-192-gcm", NULL, NULL, NULL},
	{"sa-gcm-192-96", "aes-192-gcm-12", NULL, NULL, NULL},
	{"sa-gcm-192-64", "aes-192-gcm-8", NULL, NULL, NULL},
	{"sa-gcm-256-128", "aes-256-gcm", NULL, NULL, NULL},
	{"sa-gcm-256-96", "aes-256-gcm-12", NULL, NULL, NULL},
	{"sa-gcm-256-64", "aes-256-gcm-8", NULL, NULL, NULL},
	{"sa-ccm-128-128", "aes-128-ccm", NULL, NULL, NULL},
	{"sa-ccm-256-128", "aes-256-ccm", NULL, NULL, NULL},
	{"sa-chacha20-poly1305", "chacha20-poly1305", NULL, NULL, NULL},
	{"sa-gmac-128", "aes-128-gmac", NULL, NULL, NULL},
	{"sa-gmac-192", "aes-192-gmac", NULL, NULL, NULL},
	{"sa-gmac-256", "aes-256-gmac", NULL, NULL, NULL},
	{"sa-cbc-128", NULL, "aes-128-cbc", "hmac-sha2-256-128", NULL},
	{"sa-cbc-192", NULL, "aes-192-cbc", "hmac-sha2-256-128", NULL},
	{"sa-cbc-256", NULL, "aes-256-cbc", "hmac-sha2-256-128", NULL},
	{"sa-ctr-128", NULL, "aes-128-ctr", "hmac-sha2-256-128", NULL},
	{"sa-ctr-192", NULL, "aes-192-ctr", "hmac-sha2-256-128", NULL},
	{"sa-ctr-256", NULL, "aes-256-ctr", "hmac-sha2-256-128", NULL},
	{"sa-null", NULL, "null", "hmac-sha2-256-128", NULL},
	{"sa-auth-hmac(sha1)-96", NULL, "aes-128-cbc", "hmac-sha1-96", NULL},
	{"sa-auth-hmac(sha384)-192", NULL, "aes-128-cbc", "hmac-sha2-384-192", NULL},
	{"sa-auth-hmac(sha512)-256", NULL, "aes-128-cbc", "hmac-sha2-512-256", NULL},
	{"sa-auth-xcbc(aes)-96", NULL, "aes-128-cbc", "aes-xcbc-96", NULL},
	{"sa-auth-cmac(aes)-96", NULL, "aes-128-cbc", "aes-cmac-96", NULL},
	{"sa-ccm-128-64", NULL, NULL, NULL,
		"rfc4309(ccm(aes)) with a key of 152 bits and an ICV of 64 is not offered; these "
		"are (key/ICV): 152/128, 280/128"},
	{"sa-ccm-192-128", NULL, NULL, NULL,
		"rfc4309(ccm(aes)) with a key of 216 bits and an ICV of 128 is not offered; these "
		"are (key/ICV): 152/128, 280/128"},
	{"sa-auth-hmac(sha256)-96", NULL, NULL, NULL,
		"hmac(sha256) with a key of 256 bits and an ICV of 96 is not offered; these are "
		"(key/ICV): 256/128"},
	{"sa-auth-hmac(sha1)-160", NULL, NULL, NULL,
		"hmac(sha1) with a key of 160 bits and an ICV of 160 is not offered; these are "
		"(key/ICV): 160/96"},
	{"sa-auth-hmac(md5)-96", NULL, NULL, NULL,
		"hmac(md5) is not offered; these are: hmac(sha1), hmac(sha256), hmac(sha384), "
		"hmac(sha512), xcbc(aes), cmac(aes)"},
	/* iproute2's auth leaves the length to the kernel, which takes 96 bits. */
	{"sa-auth-untruncated", NULL, NULL, NULL,
		"hmac(sha256) with a key of 256 bits and an ICV of 96 is not offered; these are "
		"(key/ICV): 256/128"},
	{"sa-3des", NULL, NULL, NULL,
		"cbc(des3_ede) is not offered; these are: cbc(aes), rfc3686(ctr(aes)), "
		"ecb(cipher_null), cipher_null"},
	{"sa-no-auth", NULL, NULL, NULL,
		"cbc(aes) encrypts and nothing authenticates, an auth-trunc beside it or an AEAD "
		"is wanted (RFC 8221 4)"},
	{"sa-ah", NULL, NULL, NULL, "it is AH (protocol 51), ESP is wanted"},
	{"sa-comp", NULL, NULL, NULL, "it is IPComp (protocol 108), ESP is wanted"},
	{"sa-beet", NULL, NULL, NULL,
		"its mode beet is not offered, tunnel or transport is wanted"},
	{"sa-encap-espinudp-nonike", NULL, NULL, NULL,
		"its encapsulation espinudp-nonike is not offered, espinudp (RFC 3948) is wanted"},
};

static const char *name_of(const struct algorithm *a)
{
	return a == NULL ? "none" : a->name;
}

static void compare(const struct algorithm *got, const char *wanted)
{
	ck_assert_str_eq(name_of(got), wanted == NULL ? "none" : wanted);
}

START_TEST(an_algorithm_of_the_kernel_is_ours_or_refused)
{
	const struct xfrm_vector *v = vector(algorithms[_i].name);
	struct xfrm_message m;
	struct why why;
	int rc = parse(v, 0, &m, &why);
	const struct crypto_spec *c = &m.sa.spec.crypto;
	struct key key = key_of(v, 0), auth_key = key_of(v, 1);
	char said[600];

	if (algorithms[_i].refused != NULL) {
		ck_assert_int_eq(rc, -ENOTSUP);
		snprintf(said, sizeof(said), "SPI 0x%08x to 192.0.2.2: %s", m.sa.id.spi,
			algorithms[_i].refused);
		ck_assert_str_eq(why.text, said);
		return;
	}
	ck_assert_msg(rc == 0, "%s", why.text);
	compare(c->aead, algorithms[_i].aead);
	compare(c->cipher, algorithms[_i].cipher);
	compare(c->auth, algorithms[_i].auth);
	if (c->cipher != NULL && c->cipher->key_len == 0) {
		auth_key = key;
		key = (struct key){0};
	}
	ck_assert_mem_eq(&c->key, &key, sizeof(key));
	ck_assert_mem_eq(&c->auth_key, &auth_key, sizeof(auth_key));
	ck_assert_uint_eq(c->auth_key.len > 0, c->auth != NULL);
	xfrm_message_wipe(&m);
}
END_TEST

/* What ip says of an SA whose command says no more than what is needed. */
static struct xfrm_message plain(uint32_t spi, const char *src, const char *dst)
{
	struct xfrm_message m = {.kind = XFRM_KIND_SA_NEW};
	struct sa_spec *spec = &m.sa.spec;

	snprintf(spec->name, sizeof(spec->name), "xfrm-%08x-%s", spi, dst);
	spec->source.file = "";
	spec->spi = m.sa.id.spi = spi;
	ck_assert_int_eq(ipaddr_parse(src, &spec->src), 0);
	ck_assert_int_eq(ipaddr_parse(dst, &spec->dst), 0);
	m.sa.id.dst = spec->dst;
	m.sa.id.protocol = 50;
	spec->lookup = SA_LOOKUP_SPI_DST;
	spec->reqid = 1;
	spec->provider = spec->fallback = SA_NO_PROVIDER;
	spec->seq_next = 1;
	spec->df = SA_DF_COPY;
	spec->dscp = SA_DSCP_COPY;
	spec->ecn = SA_ECN_NORMAL;
	spec->flow_label = SA_FLOW_LABEL_COPY;
	spec->outer_ttl = 64;
	m.sa.inner_family = spec->dst.family;
	m.sa.traffic = traffic(spec->dst.family == 4 ? "0.0.0.0/0" : "::/0",
		spec->dst.family == 4 ? "0.0.0.0/0" : "::/0");
	return m;
}

#define V4 "192.0.2.1", "192.0.2.2"
#define V6 "2001:db8:f::1", "2001:db8:f::2"

enum change {
	PLAIN_4,
	PLAIN_6,
	IN_ANY,
	WINDOW,
	WINDOW_WIDE,
	ESN,
	ESN_4096,
	ENCAP,
	ENCAP_6,
	TRANSPORT,
	TRANSPORT_6,
	SELECTOR,
	LIMITS,
	NOTHING,
	TFC,
	MARK,
	NO_ECN,
	DECAP_DSCP,
	NO_PMTU,
	TAKES_ICMP,
	AF_ANY,
	EXTRA,
	SEVERAL,
};

static const struct {
	const char *name;
	enum change change;
} fields[] = {
	{"sa-gcm-128-128", PLAIN_4},
	{"sa-v6", PLAIN_6},
	{"sa-v6-in-any", IN_ANY},
	{"sa-window", WINDOW},
	{"sa-window-wide", WINDOW_WIDE},
	{"sa-esn", ESN},
	{"sa-esn-window-4096", ESN_4096},
	{"sa-encap-espinudp", ENCAP},
	{"sa-encap-v6", ENCAP_6},
	{"sa-transport", TRANSPORT},
	{"sa-transport-v6", TRANSPORT_6},
	{"sa-selector", SELECTOR},
	{"sa-limits", LIMITS},
	{"sa-limit-of-nothing", NOTHING},
	{"sa-tfcpad", TFC},
	{"sa-mark", MARK},
	{"sa-flag-noecn", NO_ECN},
	{"sa-flag-decap-dscp", DECAP_DSCP},
	{"sa-flag-nopmtudisc", NO_PMTU},
	{"sa-flag-wildrecv", PLAIN_4},
	{"sa-flag-align4", PLAIN_4},
	{"sa-flag-icmp", TAKES_ICMP},
	{"sa-flag-af-unspec", AF_ANY},
	{"sa-extra-flags", EXTRA},
	{"sa-several", SEVERAL},
};

static void set_esn(struct sa_spec *spec, uint32_t window)
{
	spec->esn = spec->crypto.esn = true;
	spec->window = window;
}

static void apply_numbers(enum change change, struct sa_spec *spec)
{
	switch (change) {
	case WINDOW:
		spec->window = 32;
		spec->seq_next = 0x2003;
		spec->seq_top = 0x1001;
		break;
	case WINDOW_WIDE:
		spec->window = 2048;
		spec->seq_next = 80001;
		spec->seq_top = 70000;
		break;
	case ESN:
		set_esn(spec, 128);
		spec->seq_next = 0x4fffffff1;
		spec->seq_top = 0x3fffffffb;
		break;
	case ESN_4096: set_esn(spec, 4096); break;
	case NO_ECN: spec->ecn = SA_ECN_OFF; break;
	case NO_PMTU: spec->df = SA_DF_CLEAR; break;
	case EXTRA: spec->dscp = 0; break;
	default: break;
	}
}

static void apply_traffic(enum change change, struct xfrm_sa *sa)
{
	switch (change) {
	case TRANSPORT:
		sa->is_transport = sa->is_narrow = true;
		sa->traffic = traffic("192.0.2.1", "192.0.2.2");
		sa->traffic.protocol = 17;
		sa->traffic.src_ports = (struct policy_range){1701, 1701};
		break;
	case TRANSPORT_6: sa->is_transport = true; break;
	case SELECTOR:
		sa->is_narrow = true;
		sa->traffic = traffic("10.1.0.0/16", "10.2.3.0/24");
		sa->traffic.protocol = 6;
		sa->traffic.dst_ports = (struct policy_range){443, 443};
		break;
	case AF_ANY: sa->inner_family = 0; break;
	default: break;
	}
}

static void apply(enum change change, struct xfrm_sa *sa)
{
	apply_numbers(change, &sa->spec);
	apply_traffic(change, sa);
	switch (change) {
	case IN_ANY: memset(&sa->spec.src, 0, sizeof(sa->spec.src)); break;
	case ENCAP:
		sa->encap = (struct xfrm_encap){.sport = 4500, .dport = 4501};
		ck_assert_int_eq(ipaddr_parse("203.0.113.9", &sa->encap.original), 0);
		break;
	case ENCAP_6: sa->encap = (struct xfrm_encap){.sport = 4500, .dport = 4500}; break;
	case LIMITS:
		sa->life = (struct xfrm_lifetime){1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008};
		break;
	case NOTHING: sa->life.hard_packets = 1; break;
	case TFC: sa->tfc_pad = 1300; break;
	case MARK:
		sa->id.mark = sa->spec.mark = UINT64_C(0xff) << 32 | 0x12;
		sa->set_mark = UINT64_C(0xffff) << 32 | 0x34;
		sa->spec.if_id = 0x56;
		break;
	case DECAP_DSCP: sa->decap_dscp = true; break;
	case TAKES_ICMP: sa->takes_icmp = true; break;
	case SEVERAL:
		set_esn(&sa->spec, 1024);
		sa->spec.ecn = SA_ECN_OFF;
		sa->inner_family = 0;
		sa->id.mark = sa->spec.mark = UINT64_C(0xffffffff) << 32 | 7;
		sa->life.hard_add_s = 3600;
		sa->encap = (struct xfrm_encap){.sport = 4500, .dport = 4500};
		break;
	default: break;
	}
}

START_TEST(every_field_of_an_sa_is_read)
{
	enum change change = fields[_i].change;
	struct xfrm_message m, wanted;
	struct why why;
	bool is6 =
		change == PLAIN_6 || change == IN_ANY || change == ENCAP_6 || change == TRANSPORT_6;

	ck_assert_msg(parse(vector(fields[_i].name), 0, &m, &why) == 0, "%s", why.text);
	if (change == SEVERAL)
		wanted = plain(m.sa.id.spi, "192.0.2.2", "192.0.2.1");
	else if (change == IN_ANY)
		wanted = plain(m.sa.id.spi, "::1", "2001:db8:f::1");
	else if (is6)
		wanted = plain(m.sa.id.spi, V6);
	else
		wanted = plain(m.sa.id.spi, V4);
	apply(change, &wanted.sa);
	ck_assert_uint_ge(m.sa.usage.added, SET_2026);
	ck_assert_uint_lt(m.sa.usage.added, SET_2026 + 3600);
	wanted.sa.usage.added = m.sa.usage.added;
	/* The other test compares these. */
	wanted.sa.spec.crypto.aead = m.sa.spec.crypto.aead;
	wanted.sa.spec.crypto.key = m.sa.spec.crypto.key;
	ck_assert_uint_ge(m.sa.id.spi, 0xc0000100);
	compare_sas(&m.sa, &wanted.sa);
	ck_assert_int_eq(m.kind, XFRM_KIND_SA_NEW);
	xfrm_message_wipe(&m);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_loop_test(t, an_algorithm_of_the_kernel_is_ours_or_refused, 0, COUNT(algorithms));
	tcase_add_loop_test(t, every_field_of_an_sa_is_read, 0, COUNT(fields));
	return xfrm_case_main("xfrm_sa", t);
}
