/* SPDX-License-Identifier: BSD-3-Clause */
/* test_config_policies.c - what is said about wrong policies. */
#include <stdlib.h>

#include "config_fixture.h"

static const struct config_case cases[] = {
	{"host bits",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, src: 10.1.0.5/24}\n",
		{"6:53: policies[0] (p).src: '10.1.0.5/24' has bits set behind the prefix, "
		 "10.1.0.0/24 would be right"}},
	{"range back",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, src: 10.1.0.9-10.1.0.5}\n",
		{"6:53: policies[0] (p).src: '10.1.0.9-10.1.0.5' is no range, the first address "
		 "must not be beyond"}},
	{"mixed range",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, src: \"10.1.0.9-::1\"}\n",
		{"6:53: policies[0] (p).src: '10.1.0.9-::1' is no range, the first address must "
		 "not be beyond the"}},
	{"no address",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, src: example.com}\n",
		{"6:53: policies[0] (p).src: 'example.com' is no address selector, a prefix, an "
		 "address, first-last"}},
	{"any in list",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, src: [any]}\n",
		{"6:54: policies[0] (p).src[0]: 'any' is no address selector, a prefix, an "
		 "address, first-last is"}},
	{"empty list",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, src: []}\n",
		{"6:53: policies[0] (p).src: 0 items are listed, 1 to 65535 or any are wanted"}},
	{"families",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, src: 10.0.0.0/8, dst: "
		      "\"2001:db8::/32\"}\n",
		{"6:70: policies[0] (p).dst: src has one family and dst the other, no packet is "
		 "like that; give both"}},
	{"protocol name",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, protocol: tpc}\n",
		{"6:58: policies[0] (p).protocol: 'tpc' is no protocol, a name as tcp, udp, sctp, "
		 "icmp, icmpv6 or mh,"}},
	{"protocol 256",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, protocol: 256}\n",
		{"6:58: policies[0] (p).protocol: '256' is no protocol, a name as tcp, udp, sctp, "
		 "icmp, icmpv6 or mh,"}},
	{"ports 65536",
		PORTS
		"policies:\n"
		"  - {name: p, direction: out, action: discard, protocol: udp, dst_ports: 65536}\n",
		{"6:74: policies[0] (p).dst_ports: '65536' is not taken, a number or range from 0 "
		 "to 65535, a list of"}},
	{"ports back",
		PORTS
		"policies:\n"
		"  - {name: p, direction: out, action: discard, protocol: udp, dst_ports: 9-5}\n",
		{"6:74: policies[0] (p).dst_ports: '9-5' is no range, 5-9 would be"}},
	{"ports word",
		PORTS
		"policies:\n"
		"  - {name: p, direction: out, action: discard, protocol: udp, src_ports: dns}\n",
		{"6:74: policies[0] (p).src_ports: 'dns' is not taken, a number or range from 0 to "
		 "65535, a list of"}},
	{"ports with icmp",
		PORTS
		"policies:\n"
		"  - {name: p, direction: out, action: discard, protocol: icmp, src_ports: 5}\n",
		{"6:64: policies[0] (p).src_ports: this protocol has no such field, write "
		 "'protocol: udp', 'tcp' or"}},
	{"icmp_type with udp",
		PORTS
		"policies:\n"
		"  - {name: p, direction: out, action: discard, protocol: udp, icmp_type: 8}\n",
		{"6:63: policies[0] (p).icmp_type: this protocol has no such field, write "
		 "'protocol: icmp' or 'icmpv6'"}},
	{"icmp_type with any",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, icmp_code: 8}\n",
		{"6:48: policies[0] (p).icmp_code: this protocol has no such field, write "
		 "'protocol: icmp' or 'icmpv6'"}},
	{"icmp_type 256",
		PORTS
		"policies:\n"
		"  - {name: p, direction: out, action: discard, protocol: icmp, icmp_type: 256}\n",
		{"6:75: policies[0] (p).icmp_type: '256' is not taken, a number or range from 0 to "
		 "255, a list of"}},
	{"mh_type",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, protocol: tcp, mh_type: 1}\n",
		{"6:63: policies[0] (p).mh_type: this protocol has no such field, write 'protocol: "
		 "mh'"}},
	{"reqid",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, reqid: 5}\n",
		{"6:48: policies[0] (p).reqid: only 'action: protect' has a reqid, leave it out or "
		 "protect"}},
	{"acquire",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, no_sa: acquire}\n",
		{"6:55: policies[0] (p).no_sa: not supported yet, for now only discard is"}},
	{"no_sa word",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, no_sa: drop}\n",
		{"6:55: policies[0] (p).no_sa: 'drop' is not taken, discard or acquire is wanted"}},
	{"priority",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, priority: -1}\n",
		{"6:58: policies[0] (p).priority: '-1' is not taken, a number from 0 to 4294967295 "
		 "is wanted"}},
	{"action",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: drop}\n",
		{"6:39: policies[0] (p).action: 'drop' is not taken, protect, bypass or discard is "
		 "wanted"}},
	{"direction",
		PORTS "policies:\n"
		      "  - {name: p, action: discard, direction: fwd}\n",
		{"6:43: policies[0] (p).direction: 'fwd' is not taken, out or in is wanted"}},
	{"without all",
		PORTS "policies:\n"
		      "  - {}\n",
		{"6:5: policies[0]: the key 'name' is missing, it takes a name of up to 63 "
		 "letters, digits and . _ -",
			"6:5: policies[0]: the key 'direction' is missing, it takes out or in",
			"6:5: policies[0]: the key 'action' is missing, it takes protect, bypass "
			"or discard"}},
	{"without reqid",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: protect}\n",
		{"6:5: policies[0] (p): the key 'reqid' is missing, protect needs that of the SAs "
		 "to be used"}},
	{"without SA",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: protect, reqid: 7}\n",
		{"6:55: policies[0] (p).reqid: warning: no outbound SA has reqid 7, packets of "
		 "this policy are"}},
	{"name twice",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard}\n"
		      "  - {name: p, direction: in, action: discard}\n",
		{"7:12: policies[1] (p).name: 'p' is taken at a.yaml:6:6, give another"}},
	{"host bits v6",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, src: \"2001:db8::1/32\"}\n",
		{"6:53: policies[0] (p).src: '2001:db8::1/32' has bits set behind the prefix, "
		 "2001:db8::/32 would be"}},
	{"ports join",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, protocol: tcp, src_ports: "
		      "[0-5, x]}\n",
		{"6:80: policies[0] (p).src_ports[1]: 'x' is not taken, a number or range from 0 "
		 "to 65535, a list of"}},
	{"opaque ports",
		PORTS
		"policies:\n"
		"  - {name: p, direction: out, action: discard, protocol: opaque, dst_ports: 5}\n",
		{"6:66: policies[0] (p).dst_ports: this protocol has no such field, write "
		 "'protocol: udp', 'tcp' or"}},
	{"ports of any",
		PORTS "policies:\n"
		      "  - {name: p, direction: out, action: discard, dst_ports: 5}\n",
		{NULL}},
};

START_TEST(a_wrong_policy_is_named)
{
	config_fixture_hold(&cases[_i]);
}
END_TEST

int main(void)
{
	const struct config_test tests[] = {
		{a_wrong_policy_is_named, COUNT(cases)},
	};

	return config_fixture_run("config_policies", tests, COUNT(tests));
}
