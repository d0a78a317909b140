/* SPDX-License-Identifier: BSD-3-Clause */
/* test_config.c - whole files: every key arrives, files are joined, the samples fit together. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config_fixture.h"

static const char every_key[] =
	"version: 1\n"
	"workers: {lcores: [3], burst: 32, ledger: false}\n"
	"ports:\n"
	"  - name: lan\n"
	"    device: net_af_packet0\n"
	"    side: protected\n"
	"    mtu: 9000\n"
	"    addresses: [10.1.0.1/24, \"2001:db8:1::1/64\"]\n"
	"    mac: \"02:00:00:00:01:0a\"\n"
	"    vlan: [100, 4094]\n"
	"    queues: 2\n"
	"    descriptors: 512\n"
	"    offloads: off\n"
	"  - {name: wan, device: '0000:3b:00.1', side: unprotected, vlan: 7}\n"
	"crypto:\n"
	"  provider: openssl\n"
	"  fallback: aesni_mb\n"
	"  devices: {qat: [crypto_scheduler0, crypto_scheduler1]}\n"
	"  in_flight: 512\n"
	"  proof_every: 7\n"
	"spd: {builtin: [nd]}\n"
	"sas:\n"
	"  - name: to-b\n"
	"    direction: out\n"
	"    spi: 0x2001\n"
	"    src: 192.0.2.1\n"
	"    dst: 192.0.2.2\n"
	"    reqid: 4294967295\n"
	"    mode: tunnel\n"
	"    cipher: aes-128-cbc\n"
	"    auth: hmac-sha1-96\n"
	"    key: \"0x000102030405060708090a0b0c0d0e0f\"\n"
	"    auth_key: 0xFF0102030405060708090a0b0c0d0e0f10111213\n"
	"    esn: false\n"
	"    sequence: {next: 4294967295}\n"
	"    provider: qat\n"
	"    fallback: none\n"
	"    df: set\n"
	"    dscp: 46\n"
	"    ecn: compat\n"
	"    flow_label: 0xfffff\n"
	"    outer_ttl: 255\n"
	"    mtu: 1400\n"
	"    fragment: no\n"
	"    mss_clamp: false\n"
	"    tfc_pad_to: 0\n"
	"    lifetime: {soft_bytes: 0, hard_bytes: 0, soft_packets: 0, hard_packets: 0,\n"
	"      soft_seconds: 0, hard_seconds: 0}\n"
	"    mark: 0x10/0xff\n"
	"    if_id: 9\n"
	"  - name: from-b\n"
	"    direction: in\n"
	"    spi: 4294967295\n"
	"    src: \"2001:db8::2\"\n"
	"    dst: \"2001:db8::1\"\n"
	"    lookup: spi-dst-src\n"
	"    reqid: 1\n"
	"    aead: aes-256-gcm\n"
	"    key_file: keys/from-b\n"
	"    replay_window: 65536\n"
	"    sequence: {top: 0xfffffffffffffffe}\n"
	"policies:\n"
	"  - name: p0\n"
	"    direction: out\n"
	"    action: protect\n"
	"    reqid: 4294967295\n"
	"    priority: 7\n"
	"    src: 10.1.0.0/24\n"
	"    dst: [10.2.0.0/24, 10.3.0.5-10.3.0.9, \"2001:db8::/32\"]\n"
	"    protocol: udp\n"
	"    src_ports: 0-65535\n"
	"    dst_ports: [600-700, 53, 54, 650-800]\n"
	"    no_sa: discard\n"
	"  - {name: p1, direction: in, action: bypass, protocol: icmpv6, icmp_type: 128-129,\n"
	"     icmp_code: 0, src_ports: opaque}\n"
	"  - {name: p2, direction: in, action: discard, protocol: 135, mh_type: 5}\n"
	"  - {name: p3, direction: in, action: discard, protocol: opaque}\n"
	"routes:\n"
	"  - {to: 10.2.0.0/24, via: 192.0.2.2, port: wan, metric: 5, table: 0}\n"
	"  - {to: \"2001:db8:2::/64\", via: none, port: lan}\n"
	"  - {to: 0.0.0.0/0, via: [192.0.2.3], port: wan}\n"
	"  - {to: 10.9.0.0/16, blackhole: true}\n"
	"neighbours:\n"
	"  - {address: 192.0.2.2, port: wan, mac: \"02:00:00:00:00:02\"}\n"
	"ike: {xfrm: false}\n"
	"icmp: {rate: 0, from_unprotected: []}\n"
	"reassembly: {contexts: 5, timeout_ms: 60000}\n"
	"log: {level: debug, to: journal}\n"
	"control: {socket: run/control, mode: 0600, group: adit}\n"
	"state_dir: /var/lib/other\n";

static void check_sas(const struct config *c)
{
	const struct sa_spec *a = &c->sas[0], *b = &c->sas[1];
	char buf[IPADDR_STRLEN];

	ck_assert_uint_eq(c->n_sas, 2);
	ck_assert_str_eq(a->name, "to-b");
	ck_assert_str_eq(a->source.file, "a.yaml");
	ck_assert_uint_eq(a->source.line, 23);
	ck_assert_int_eq(a->direction, SA_OUT);
	ck_assert_uint_eq(a->spi, 0x2001);
	ck_assert_str_eq(ipaddr_format(&a->src, buf), "192.0.2.1");
	ck_assert_str_eq(ipaddr_format(&a->dst, buf), "192.0.2.2");
	ck_assert_uint_eq(a->reqid, UINT32_MAX);
	ck_assert_ptr_null(a->crypto.aead);
	ck_assert_str_eq(a->crypto.cipher->name, "aes-128-cbc");
	ck_assert_str_eq(a->crypto.auth->name, "hmac-sha1-96");
	ck_assert_uint_eq(a->crypto.key.len, 16);
	ck_assert_uint_eq(a->crypto.key.bytes[15], 0x0f);
	ck_assert_uint_eq(a->crypto.auth_key.len, 20);
	ck_assert_uint_eq(a->crypto.auth_key.bytes[0], 0xff);
	ck_assert(!a->esn && !a->crypto.esn);
	ck_assert_uint_eq(a->seq_next, UINT32_MAX);
	ck_assert_int_eq(a->provider, CRYPTO_QAT);
	ck_assert_int_eq(a->fallback, SA_NO_PROVIDER);
	ck_assert_int_eq(a->df, SA_DF_SET);
	ck_assert_uint_eq(a->dscp, 46);
	ck_assert_int_eq(a->ecn, SA_ECN_COMPAT);
	ck_assert_uint_eq(a->flow_label, 0xfffff);
	ck_assert_uint_eq(a->outer_ttl, 255);
	ck_assert_uint_eq(a->mtu, 1400);
	ck_assert(a->mark == 0xff00000010);
	ck_assert_uint_eq(a->if_id, 9);

	ck_assert_int_eq(b->direction, SA_IN);
	ck_assert_uint_eq(b->spi, UINT32_MAX);
	ck_assert_str_eq(ipaddr_format(&b->src, buf), "2001:db8::2");
	ck_assert_int_eq(b->lookup, SA_LOOKUP_SPI_DST_SRC);
	ck_assert_str_eq(b->crypto.aead->name, "aes-256-gcm");
	ck_assert_uint_eq(b->crypto.key.len, 36);
	ck_assert_uint_eq(b->crypto.key.bytes[35], 0x23);
	ck_assert_uint_eq(b->window, 65536);
	ck_assert(b->seq_top == UINT64_MAX - 1);
	/* what was left out */
	ck_assert(b->esn && b->crypto.esn);
	ck_assert_int_eq(b->provider, CRYPTO_OPENSSL);
	ck_assert_int_eq(b->fallback, CRYPTO_AESNI_MB);
	ck_assert_int_eq(b->df, SA_DF_COPY);
	ck_assert_uint_eq(b->dscp, SA_DSCP_COPY);
	ck_assert_int_eq(b->ecn, SA_ECN_NORMAL);
	ck_assert_uint_eq(b->flow_label, SA_FLOW_LABEL_COPY);
	ck_assert_uint_eq(b->outer_ttl, 64);
	ck_assert_uint_eq(b->mtu, 0);
	ck_assert(b->mark == 0);
}

static void check_policies(const struct config *c)
{
	const struct policy_spec *p = c->policies;
	char buf[IPADDR_STRLEN];

	ck_assert_uint_eq(c->n_policies, 4);
	ck_assert_str_eq(p[0].name, "p0");
	ck_assert_int_eq(p[0].direction, POLICY_OUT);
	ck_assert_int_eq(p[0].action, POLICY_PROTECT);
	ck_assert_uint_eq(p[0].priority, 7);
	ck_assert_uint_eq(p[0].n_src, 1);
	ck_assert_uint_eq(p[0].n_dst, 3);
	ck_assert_str_eq(ipaddr_format(&p[0].dst[1].last, buf), "10.3.0.9");
	ck_assert_uint_eq(p[0].dst[2].first.family, 6);
	ck_assert_int_eq(p[0].protocol.match, POLICY_RANGES);
	ck_assert_uint_eq(p[0].protocol.range[0].first, 17);
	ck_assert_int_eq(p[0].src_ports.match, POLICY_ANY);
	/* joined and in order */
	ck_assert_uint_eq(p[0].dst_ports.n, 2);
	ck_assert_uint_eq(p[0].dst_ports.range[0].first, 53);
	ck_assert_uint_eq(p[0].dst_ports.range[0].last, 54);
	ck_assert_uint_eq(p[0].dst_ports.range[1].first, 600);
	ck_assert_uint_eq(p[0].dst_ports.range[1].last, 800);
	ck_assert_int_eq(p[1].action, POLICY_BYPASS);
	ck_assert_uint_eq(p[1].protocol.range[0].last, 58);
	ck_assert_uint_eq(p[1].icmp_type.range[0].last, 129);
	ck_assert_uint_eq(p[1].icmp_code.range[0].last, 0);
	ck_assert_int_eq(p[1].src_ports.match, POLICY_OPAQUE);
	ck_assert_uint_eq(p[1].priority, 100);
	ck_assert_uint_eq(p[1].n_src, 0);
	ck_assert_int_eq(p[1].dst_ports.match, POLICY_ANY);
	ck_assert_uint_eq(p[2].mh_type.range[0].first, 5);
	ck_assert_int_eq(p[3].protocol.match, POLICY_OPAQUE);
}

static void check_ports(const struct config *c)
{
	static const uint8_t mac[] = {2, 0, 0, 0, 1, 0x0a};
	const struct config_port *lan = &c->ports[0], *wan = &c->ports[1];

	ck_assert_uint_eq(c->n_ports, 2);
	ck_assert_str_eq(lan->name, "lan");
	ck_assert_str_eq(lan->device, "net_af_packet0");
	ck_assert_int_eq(lan->side, PORT_PROTECTED);
	ck_assert_uint_eq(lan->mtu, 9000);
	ck_assert_uint_eq(lan->n_addresses, 2);
	ck_assert_uint_eq(lan->address[1].len, 64);
	ck_assert(lan->has_mac && memcmp(lan->mac, mac, 6) == 0);
	ck_assert_uint_eq(lan->n_vlans, 2);
	ck_assert_uint_eq(lan->vlan[0], 100);
	ck_assert_uint_eq(lan->vlan[1], 4094);
	ck_assert_uint_eq(lan->queues, 2);
	ck_assert_uint_eq(lan->descriptors, 512);
	ck_assert(!lan->offloads);
	ck_assert_str_eq(wan->device, "0000:3b:00.1");
	ck_assert_int_eq(wan->side, PORT_UNPROTECTED);
	ck_assert_uint_eq(wan->n_vlans, 1);
	ck_assert_uint_eq(wan->vlan[0], 7);
	ck_assert_uint_eq(wan->mtu, 1500);
	ck_assert_uint_eq(wan->queues, 0);
	ck_assert_uint_eq(wan->descriptors, 1024);
	ck_assert(wan->offloads && !wan->has_mac);
}

static void check_rest(const struct config *c)
{
	ck_assert_uint_eq(c->n_lcores, 1);
	ck_assert_uint_eq(c->lcore[0], 3);
	ck_assert_uint_eq(c->burst, 32);
	ck_assert(!c->ledger);
	ck_assert_int_eq(c->provider, CRYPTO_OPENSSL);
	ck_assert_int_eq(c->fallback, CRYPTO_AESNI_MB);
	ck_assert_uint_eq(c->devices[CRYPTO_QAT].n, 2);
	ck_assert_str_eq(c->devices[CRYPTO_QAT].name[1], "crypto_scheduler1");
	ck_assert_uint_eq(c->devices[CRYPTO_OPENSSL].n, 0);
	ck_assert_uint_eq(c->in_flight, 512);
	ck_assert_uint_eq(c->proof_every, 7);
	ck_assert(!c->builtin.arp && c->builtin.nd && !c->builtin.ike);
	ck_assert_uint_eq(c->n_routes, 4);
	ck_assert_uint_eq(c->routes[0].port, 1);
	ck_assert_uint_eq(c->routes[0].metric, 5);
	ck_assert_uint_eq(c->routes[0].via.family, 4);
	ck_assert_uint_eq(c->routes[1].port, 0);
	ck_assert(ipaddr_is_any(&c->routes[1].via));
	ck_assert_uint_eq(c->routes[2].via.bytes[3], 3);
	ck_assert(c->routes[3].blackhole);
	ck_assert_uint_eq(c->n_neighbours, 1);
	ck_assert_uint_eq(c->neighbours[0].port, 1);
	ck_assert_uint_eq(c->neighbours[0].mac[5], 2);
	ck_assert_uint_eq(c->icmp_rate, 0);
	ck_assert(!c->icmp_too_big_from_unprotected);
	ck_assert_uint_eq(c->reassembly_contexts, 5);
	ck_assert_uint_eq(c->reassembly_timeout_ms, 60000);
	ck_assert_int_eq(c->log_level, LEVEL_DEBUG);
	ck_assert_int_eq(c->log_to, LOG_TO_JOURNAL);
	ck_assert_str_eq(c->control_socket, "run/control");
	ck_assert_uint_eq(c->control_mode, 0600);
	ck_assert_str_eq(c->control_group, "adit");
	ck_assert_str_eq(c->state_dir, "/var/lib/other");
}

START_TEST(every_key_arrives)
{
	struct config_loaded *l;

	ck_assert_int_eq(system("mkdir -p keys"), 0);
	config_fixture_write("keys/from-b",
		"0x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223\n",
		0400);
	l = config_fixture_load(1, every_key);
	ck_assert_msg(l->rc == 0, "%s", l->said);
	/* mark, if_id, from_unprotected, reassembly */
	ck_assert_uint_eq(l->warnings, 4);
	check_ports(&l->config);
	check_sas(&l->config);
	check_policies(&l->config);
	check_rest(&l->config);
	config_close(&l->config);
}
END_TEST

START_TEST(what_is_left_out_has_its_default)
{
	struct config_loaded *l = config_fixture_load(1, PORTS);
	const struct config *c = &l->config;

	ck_assert_msg(l->rc == 0, "%s", l->said);
	ck_assert_str_eq(l->said, "");
	ck_assert_uint_eq(c->n_lcores, 0);
	ck_assert_uint_eq(c->burst, 64);
	ck_assert(c->ledger);
	ck_assert_int_eq(c->provider, CRYPTO_AESNI_MB);
	ck_assert_int_eq(c->fallback, SA_NO_PROVIDER);
	ck_assert_uint_eq(c->in_flight, 2048);
	ck_assert_uint_eq(c->proof_every, 1024);
	ck_assert(c->builtin.arp && c->builtin.nd && c->builtin.ike);
	ck_assert_uint_eq(c->icmp_rate, 100);
	ck_assert(c->icmp_too_big_from_unprotected);
	ck_assert_uint_eq(c->reassembly_contexts, 1024);
	ck_assert_uint_eq(c->reassembly_timeout_ms, 1000);
	ck_assert_int_eq(c->log_level, LEVEL_NOTICE);
	ck_assert_int_eq(c->log_to, LOG_TO_STDERR);
	ck_assert_str_eq(c->control_socket, "/run/adit/control");
	ck_assert_uint_eq(c->control_mode, 0660);
	ck_assert_str_eq(c->control_group, "");
	ck_assert_str_eq(c->state_dir, "/var/lib/adit");
	config_close(&l->config);
}
END_TEST

#define SA(name, spi, byte)                                                                        \
	"  - {name: " name ", direction: in, spi: " spi ", reqid: 1, aead: aes-128-gcm,\n"         \
	"     key: 0x" KEY_HEAD "060708090a0b0c0d0e0f101112" byte "}\n"

START_TEST(lists_of_several_files_are_joined)
{
	struct config_loaded *l =
		config_fixture_load(3, PORTS "sas:\n" SA("a", "256", "00") "log: {level: info}\n",
			"sas:\n" SA("b", "257", "01") SA("c", "258", "02") "log: {to: syslog}\n",
			"version: 1\nsas:\n" SA("d", "259", "03"));

	ck_assert_msg(l->rc == 0, "%s", l->said);
	ck_assert_uint_eq(l->config.n_sas, 4);
	ck_assert_str_eq(l->config.sas[0].name, "a");
	ck_assert_str_eq(l->config.sas[2].name, "c");
	ck_assert_str_eq(l->config.sas[3].source.file, "c.yaml");
	ck_assert_int_eq(l->config.log_level, LEVEL_INFO);
	ck_assert_int_eq(l->config.log_to, LOG_TO_SYSLOG);
	/* without dst, by SPI alone */
	ck_assert_int_eq(l->config.sas[0].lookup, SA_LOOKUP_SPI);
	config_close(&l->config);
}
END_TEST

START_TEST(errors_of_all_files_are_said_in_their_order)
{
	struct config_loaded *l = config_fixture_load(3,
		PORTS "log: {level: info}\nsas:\n" SA("a", "256", "00"),
		"log: {level: debug}\nsas:\n" SA("a", "256", "01") "burts: 3\n", "state_dir: [\n");

	ck_assert_int_lt(l->rc, 0);
	ck_assert_ptr_null(l->config.sas);
	ck_assert_uint_eq(l->config.n_sas, 0);
	ck_assert_str_eq(l->said,
		"b.yaml:1:7: log.level: it is set a second time, the first is at a.yaml:5:7; keep "
		"one\n"
		"b.yaml:3:12: sas[0] (a).name: 'a' is taken at a.yaml:7:6, give another\n"
		"b.yaml:3:35: sas[0] (a).spi: SPI 0x100 finds the SA at a.yaml:7:30 by the same "
		"lookup, give another\n"
		"b.yaml:5:1: burts: there is no key 'burts' in the file, docs/config.md lists "
		"those "
		"there are\n"
		"c.yaml:2:1: file: this is not YAML, flow sequence without a closing bracket; "
		"indentation, quotes and brackets up to here must match\n");
}
END_TEST

START_TEST(the_sample_sites_talk_to_each_other)
{
	const char *const files[] = {
		SOURCE_ROOT "/config/site-a.yaml", SOURCE_ROOT "/config/site-b.yaml"};
	struct config_report report = {.to = stderr};
	struct config c[2];

	for (unsigned i = 0; i < 2; i++)
		ck_assert_int_eq(config_load(&files[i], 1, &c[i], &report), 0);
	ck_assert_uint_eq(report.warnings, 0);
	for (unsigned i = 0; i < 2; i++) {
		const struct sa_spec *out = &c[i].sas[0], *in = &c[1 - i].sas[1];

		ck_assert_int_eq(out->direction, SA_OUT);
		ck_assert_int_eq(in->direction, SA_IN);
		ck_assert_uint_eq(out->spi, in->spi);
		ck_assert(ipaddr_equal(&out->src, &in->src) && ipaddr_equal(&out->dst, &in->dst));
		ck_assert_ptr_eq(out->crypto.aead, in->crypto.aead);
		ck_assert_mem_eq(&out->crypto.key, &in->crypto.key, sizeof(struct key));
		ck_assert_int_eq(out->esn, in->esn);
		/* the neighbours are the other's ports */
		ck_assert_mem_eq(c[i].neighbours[0].mac, c[1 - i].ports[1].mac, 6);
		ck_assert(ipaddr_equal(
			&c[i].neighbours[0].address, &c[1 - i].ports[1].address[0].addr));
		for (unsigned j = 0; j < 2; j++) {
			const struct policy_spec *p = &c[i].policies[0], *q = &c[1 - i].policies[1];

			ck_assert_mem_eq(&p->src[j], &q->src[j], sizeof(p->src[j]));
			ck_assert_mem_eq(&p->dst[j], &q->dst[j], sizeof(p->dst[j]));
		}
	}
	config_close(&c[0]);
	config_close(&c[1]);
}
END_TEST

START_TEST(the_manual_has_the_reference_as_it_is)
{
	static char printed[65536], page[65536];
	FILE *to = fmemopen(printed, sizeof(printed), "w"), *from;

	config_print_reference(to);
	fclose(to);
	from = fopen(SOURCE_ROOT "/docs/config.md", "r");
	ck_assert_ptr_nonnull(from);
	ck_assert_uint_gt(fread(page, 1, sizeof(page) - 1, from), 0);
	fclose(from);
	ck_assert_str_eq(page, printed);
}
END_TEST

START_TEST(what_app_says_later_looks_the_same)
{
	char said[200] = "";
	struct config_report report = {.to = fmemopen(said, sizeof(said), "w")};
	struct source source = {"a.yaml", 7};

	config_say(&report, true, &source, "sas[0] (a)", "the provider %s cannot", "qat");
	config_say(&report, false, &source, "sas[0] (a)", "the fallback is used");
	fclose(report.to);
	ck_assert_str_eq(said, "a.yaml:7:1: sas[0] (a): the provider qat cannot\n"
			       "a.yaml:7:1: sas[0] (a): warning: the fallback is used\n");
	ck_assert_uint_eq(report.errors, 1);
	ck_assert_uint_eq(report.warnings, 1);
}
END_TEST

int main(void)
{
	const struct config_test tests[] = {
		{every_key_arrives, 0},
		{what_is_left_out_has_its_default, 0},
		{lists_of_several_files_are_joined, 0},
		{errors_of_all_files_are_said_in_their_order, 0},
		{the_sample_sites_talk_to_each_other, 0},
		{the_manual_has_the_reference_as_it_is, 0},
		{what_app_says_later_looks_the_same, 0},
	};

	return config_fixture_run("config", tests, COUNT(tests));
}
