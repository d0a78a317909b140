/* SPDX-License-Identifier: BSD-3-Clause */
/* test_config_ports.c - what is said about wrong ports, routes and neighbours. */
#include <stdlib.h>

#include "config_fixture.h"

static const struct config_case cases[] = {
	{"port mtu 0",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, mtu: 0}\n",
		{"3:51: ports[0] (lan).mtu: '0' is not taken, a number from 576 to 9216 is "
		 "wanted"}},
	{"port mtu 575",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, mtu: 575}\n",
		{"3:51: ports[0] (lan).mtu: '575' is not taken, a number from 576 to 9216 is "
		 "wanted"}},
	{"port mtu 9217",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, mtu: 9217}\n",
		{"3:51: ports[0] (lan).mtu: '9217' is not taken, a number from 576 to 9216 is "
		 "wanted"}},
	{"port mtu 65536",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, mtu: 65536}\n",
		{"3:51: ports[0] (lan).mtu: '65536' is not taken, a number from 576 to 9216 is "
		 "wanted"}},
	{"port mtu 1279 with IPv6",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, mtu: 1279, addresses: "
		"[\"2001:db8::1/64\"]}\n",
		{"3:51: ports[0] (lan).mtu: 1279 is less than every IPv6 link carries, 1280 to "
		 "9216 is wanted where"}},
	{"port address not one",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, addresses: [10.1.0.300/24]}\n",
		{"3:58: ports[0] (lan).addresses[0]: '10.1.0.300/24' is no prefix, 10.1.0.0/24 or "
		 "2001:db8:1::/64"}},
	{"port address of the subnet",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, addresses: [10.1.0.0/24]}\n",
		{"3:58: ports[0] (lan).addresses[0]: '10.1.0.0/24' is no host's address, the "
		 "port's own address with"}},
	{"port address multicast",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, addresses: [224.0.0.1/24]}\n",
		{"3:58: ports[0] (lan).addresses[0]: '224.0.0.1/24' is no host's address, the "
		 "port's own address with"}},
	{"port addresses scalar",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, addresses: 10.1.0.1/24}\n",
		{"3:57: ports[0] (lan).addresses: '10.1.0.1/24' stands here, a list in [ ] is "
		 "wanted"}},
	{"port address twice",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, addresses: [10.1.0.1/24, "
		"10.1.0.1/25]}\n",
		{"3:71: ports[0] (lan).addresses[1]: '10.1.0.1/25' is taken at a.yaml:3:58, give "
		 "another"}},
	{"port mac multicast",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, mac: \"01:00:00:00:00:01\"}\n",
		{"3:51: ports[0] (lan).mac: '01:00:00:00:00:01' is no station's address, the "
		 "lowest bit of its first"}},
	{"port mac zero",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, mac: \"00:00:00:00:00:00\"}\n",
		{"3:51: ports[0] (lan).mac: '00:00:00:00:00:00' is no station's address, the "
		 "lowest bit of its first"}},
	{"port mac short",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, mac: \"02:00:00:00:00\"}\n",
		{"3:51: ports[0] (lan).mac: '02:00:00:00:00' is no MAC address, "
		 "\"02:00:00:00:00:01\" would be"}},
	{"port mac long",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, mac: \"02:00:00:00:00:01:02\"}\n",
		{"3:51: ports[0] (lan).mac: '02:00:00:00:00:01:02' is no MAC address, "
		 "\"02:00:00:00:00:01\" would be"}},
	{"port mac bad",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, mac: \"02:00:00:00:00:0g\"}\n",
		{"3:51: ports[0] (lan).mac: '02:00:00:00:00:0g' is no MAC address, "
		 "\"02:00:00:00:00:01\" would be"}},
	{"port mac hex prefix",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, mac: \"02:0x00:00:00:00:01\"}\n",
		{"3:51: ports[0] (lan).mac: '02:0x00:00:00:00:01' is no MAC address, "
		 "\"02:00:00:00:00:01\" would be"}},
	{"port vlan 4095",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, vlan: 4095}\n",
		{"3:52: ports[0] (lan).vlan: '4095' is no VLAN, a number from 0 to 4094 is "
		 "wanted"}},
	{"port vlan three",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, vlan: [1, 2, 3]}\n",
		{"3:52: ports[0] (lan).vlan: 3 tags are listed, a number or [outer, inner] is "
		 "wanted"}},
	{"port vlan inner 0",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, vlan: [1, 0]}\n",
		{"3:56: ports[0] (lan).vlan[1]: '0' is no VLAN, a number from 1 to 4094 is "
		 "wanted"}},
	{"port vlan word",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, vlan: x}\n",
		{"3:52: ports[0] (lan).vlan: 'x' is no VLAN, a number from 0 to 4094 is wanted"}},
	{"port queues 0",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, queues: 0}\n",
		{"3:54: ports[0] (lan).queues: '0' is not taken, auto or a number from 1 to 128 is "
		 "wanted"}},
	{"port queues many",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, queues: 129}\n",
		{"3:54: ports[0] (lan).queues: '129' is not taken, auto or a number from 1 to 128 "
		 "is wanted"}},
	{"port descriptors few",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, descriptors: 31}\n",
		{"3:59: ports[0] (lan).descriptors: '31' is not taken, a number from 32 to 32768 "
		 "is wanted"}},
	{"port offloads word",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, offloads: on}\n",
		{"3:56: ports[0] (lan).offloads: 'on' is not taken, auto or off is wanted"}},
	{"port kernel twice",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, kernel: adit-lan}\n"
		"  - {name: wan, device: d1, side: unprotected, kernel: adit-lan}\n",
		{"4:56: ports[1] (wan).kernel: 'adit-lan' is taken at "}},
	{"port kernel long",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, kernel: sixteen-letters-}\n",
		{"3:54: ports[0] (lan).kernel: 'sixteen-letters-' is no name of an interface, 1 to "
		 "15 characters"}},
	{"port kernel slash",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, kernel: a/b}\n",
		{"3:54: ports[0] (lan).kernel: 'a/b' is no name of an interface, 1 to 15 "
		 "characters without blanks,"}},
	{"port name empty",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, vlna: 3}\n",
		{"3:46: ports[0] (lan).vlna: there is no key 'vlna' in ports[], 'vlan' may be "
		 "meant"}},
	{"port name missing",
		"version: 1\n"
		"ports:\n"
		"  - {device: d0, side: protected}\n",
		{"3:5: ports[0]: the key 'name' is missing, it takes a name of up to 63 letters, "
		 "digits and . _ - : @"}},
	{"port device missing",
		"version: 1\n"
		"ports:\n"
		"  - {name: d0, side: protected}\n",
		{"3:5: ports[0] (d0): the key 'device' is missing, it takes a name of up to 63 "
		 "letters, digits and ."}},
	{"port side missing",
		"version: 1\n"
		"ports:\n"
		"  - {name: d0, device: protected}\n",
		{"3:5: ports[0] (d0): the key 'side' is missing, it takes protected or "
		 "unprotected"}},
	{"port side other",
		"version: 1\n"
		"ports:\n"
		"  - {name: d0, device: d, side: inside}\n",
		{"3:33: ports[0] (d0).side: 'inside' is not taken, protected or unprotected is "
		 "wanted"}},
	{"port name with blank",
		"version: 1\n"
		"ports:\n"
		"  - {name: a b, device: d0, side: protected}\n",
		{"3:12: ports[0] (a b).name: 'a b' is not taken, a name of up to 63 letters, "
		 "digits and . _ - : @ / +"}},
	{"port name long",
		"version: 1\n"
		"ports:\n"
		"  - {name: a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-, "
		"device: d0, side: protected}\n",
		{"3:12: ports[0] "
		 "(a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-…).name:"}},
	{"port name twice",
		"version: 1\n"
		"ports:\n"
		"  - {name: a, device: d0, side: protected}\n"
		"  - {name: a, device: d1, side: protected}\n",
		{"4:12: ports[1] (a).name: 'a' is taken at a.yaml:3:6, give another"}},
	{"port device twice",
		"version: 1\n"
		"ports:\n"
		"  - {name: a, device: d0, side: protected}\n"
		"  - {name: b, device: d0, side: protected}\n",
		{"4:23: ports[1] (b).device: 'd0' is taken at a.yaml:3:15, give another"}},
	{"address on two ports",
		"version: 1\n"
		"ports:\n"
		"  - {name: a, device: d0, side: protected, addresses: [10.0.0.1/8]}\n"
		"  - {name: b, device: d1, side: protected, addresses: [10.0.0.1/24]}\n",
		{"4:56: ports[1] (b).addresses[0]: '10.0.0.1/24' is taken at a.yaml:3:56, give "
		 "another"}},
	{"too many ports",
		"version: 1\n"
		"ports: [{name: x, device: d},{name: x, device: d},{name: x, device: d},{name: x, "
		"device: d},{name: x, device: d},{name: x, device: d},{name: x, device: d},{name: "
		"x, device: d},{name: x, device: d},{name: x, device: d},{name: x, device: "
		"d},{name: x, device: d},{name: x, device: d},{name: x, device: d},{name: x, "
		"device: d},{name: x, device: d},{name: x, device: d},{name: x, device: d},{name: "
		"x, device: d},{name: x, device: d},{name: x, device: d},{name: x, device: "
		"d},{name: x, device: d},{name: x, device: d},{name: x, device: d},{name: x, "
		"device: d},{name: x, device: d},{name: x, device: d},{name: x, device: d},{name: "
		"x, device: d},{name: x, device: d},{name: x, device: d},{name: x, device: d},]\n",
		{"2:8: ports: with these there are 33 items, up to 32 are taken"}},
	{"mtu with v6 route",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, mtu: 1000}\n"
		"routes:\n"
		"  - {to: \"2001:db8::/32\", port: lan}\n",
		{"3:51: ports[0] (lan).mtu: 1000 is less than every IPv6 link carries, 1280 to "
		 "9216 is wanted where"}},
	{"mtu with v6 neighbour",
		"version: 1\n"
		"ports:\n"
		"  - {name: lan, device: d0, side: protected, mtu: 1000}\n"
		"neighbours:\n"
		"  - {address: \"fe80::1\", port: lan, mac: \"02:00:00:00:00:01\"}\n",
		{"3:51: ports[0] (lan).mtu: 1000 is less than every IPv6 link carries, 1280 to "
		 "9216 is wanted where"}},
	{"route host bits",
		PORTS "routes:\n"
		      "  - {to: 10.2.0.1/24, via: 192.0.2.2, port: wan}\n",
		{"6:10: routes[0].to: '10.2.0.1/24' has bits set behind the prefix, 10.2.0.0/24 "
		 "would be right"}},
	{"route no prefix",
		PORTS "routes:\n"
		      "  - {to: x, via: 192.0.2.2, port: wan}\n",
		{"6:10: routes[0].to: 'x' is no prefix, 10.1.0.0/24 or 2001:db8:1::/64 would be"}},
	{"route without to",
		PORTS "routes:\n"
		      "  - {via: 192.0.2.2, port: wan}\n",
		{"6:5: routes[0]: the key 'to' is missing, it takes a prefix, no bit set behind "
		 "it"}},
	{"route without port",
		PORTS "routes:\n"
		      "  - {to: 10.2.0.0/24, via: 192.0.2.2}\n",
		{"6:5: routes[0]: the key 'port' is missing, it takes the name of the port where "
		 "packets leave"}},
	{"route port unknown",
		PORTS "routes:\n"
		      "  - {to: 10.2.0.0/24, port: dmz}\n",
		{"6:29: routes[0].port: there is no port 'dmz', one of the section ports is "
		 "wanted"}},
	{"route via prefix",
		PORTS "routes:\n"
		      "  - {to: 10.2.0.0/24, via: 192.0.2.0/24, port: wan}\n",
		{"6:28: routes[0].via: '192.0.2.0/24' is no address, 192.0.2.1 or 2001:db8::1 "
		 "would be"}},
	{"route via list",
		PORTS "routes:\n"
		      "  - {to: 10.2.0.0/24, via: [192.0.2.2, 192.0.2.3], port: wan}\n",
		{"6:28: routes[0].via: several next hops are not supported yet, for now one "
		 "address is"}},
	{"route via empty",
		PORTS "routes:\n"
		      "  - {to: 10.2.0.0/24, via: [], port: wan}\n",
		{"6:28: routes[0].via: 0 items are listed, 1 to 64 are wanted"}},
	{"route blackhole with via",
		PORTS "routes:\n"
		      "  - {to: 10.2.0.0/24, via: 192.0.2.2, blackhole: true}\n",
		{"6:28: routes[0].via: a blackhole has no next hop, leave out one of the two"}},
	{"route blackhole with port",
		PORTS "routes:\n"
		      "  - {to: 10.2.0.0/24, port: wan, blackhole: true}\n",
		{"6:29: routes[0].port: a blackhole has no port, leave out one of the two"}},
	{"route table",
		PORTS "routes:\n"
		      "  - {to: 10.2.0.0/24, port: wan, table: 5}\n",
		{"6:41: routes[0].table: warning: only table 0 is looked up in, this route has no "
		 "effect for now"}},
	{"route metric",
		PORTS "routes:\n"
		      "  - {to: 10.2.0.0/24, port: wan, metric: x}\n",
		{"6:42: routes[0].metric: 'x' is not taken, a number from 0 to 4294967295 is "
		 "wanted"}},
	{"route multicast",
		PORTS "routes:\n"
		      "  - {to: 224.0.0.0/4, port: wan}\n",
		{"6:10: routes[0].to: '224.0.0.0/4' is multicast, which is not forwarded; a "
		 "unicast prefix is wanted"}},
	{"neighbour port unknown",
		PORTS "neighbours:\n"
		      "  - {address: 192.0.2.2, port: dmz, mac: \"02:00:00:00:00:02\"}\n",
		{"6:32: neighbours[0].port: there is no port 'dmz', one of the section ports is "
		 "wanted"}},
	{"neighbour without mac",
		PORTS "neighbours:\n"
		      "  - {address: 192.0.2.2, port: wan}\n",
		{"6:5: neighbours[0]: the key 'mac' is missing, it takes a unicast MAC address"}},
	{"neighbour without all",
		PORTS "neighbours:\n"
		      "  - {}\n",
		{"6:5: neighbours[0]: the key 'address' is missing, it takes an address",
			"6:5: neighbours[0]: the key 'port' is missing, it takes the name of a "
			"port",
			"6:5: neighbours[0]: the key 'mac' is missing, it takes a unicast MAC "
			"address"}},
	{"neighbour multicast",
		PORTS "neighbours:\n"
		      "  - {address: 224.0.0.1, port: wan, mac: \"02:00:00:00:00:02\"}\n",
		{"6:15: neighbours[0].address: '224.0.0.1' is no host's address, a unicast address "
		 "is wanted"}},
	{"neighbour twice",
		PORTS "neighbours:\n"
		      "  - {address: 192.0.2.2, port: wan, mac: \"02:00:00:00:00:02\"}\n"
		      "  - {address: 192.0.2.2, port: wan, mac: \"02:00:00:00:00:03\"}\n",
		{"7:15: neighbours[1].address: '192.0.2.2' has its MAC address at a.yaml:6:6, keep "
		 "one"}},
	{"route host bits v6",
		PORTS "routes:\n"
		      "  - {to: \"2001:db8::1/32\", port: wan}\n",
		{"6:10: routes[0].to: '2001:db8::1/32' has bits set behind the prefix, "
		 "2001:db8::/32 would be right"}},
};

START_TEST(a_wrong_port_or_route_is_named)
{
	config_fixture_hold(&cases[_i]);
}
END_TEST

int main(void)
{
	const struct config_test tests[] = {
		{a_wrong_port_or_route_is_named, COUNT(cases)},
	};

	return config_fixture_run("config_ports", tests, COUNT(tests));
}
