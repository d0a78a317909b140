/* SPDX-License-Identifier: BSD-3-Clause */
/* test_config_settings.c - what is said about files and the sections that stand once. */
#include <stdlib.h>

#include "config_fixture.h"

static const struct config_case cases[] = {
	{"version missing", "ports: [{name: a, device: b, side: protected}]\n",
		{"1:1: file: the key 'version' is missing, write 'version: 1' at the top"}},
	{"version other",
		"version: 2\n"
		"ports: [{name: a, device: b, side: protected}]\n",
		{"1:10: version: version '2' of the config file is not known here, 1 is"}},
	{"empty file", "", {"1:1: file: there is nothing in it; it begins with 'version: 1'"}},
	{"only a comment", "# nothing\n",
		{"2:1: file: there is nothing in it; it begins with 'version: 1'"}},
	{"only a document start", "---\n",
		{"1:1: file: nothing stands here, a mapping of keys is wanted"}},
	{"a scalar", "hello\n", {"1:1: file: 'hello' stands here, a mapping of keys is wanted"}},
	{"a list at the top", "- a\n",
		{"1:1: file: a list stands here, a mapping of keys is wanted"}},
	{"unknown section", PORTS "portz: []\n",
		{"5:1: portz: there is no key 'portz' in the file, 'ports' may be meant"}},
	{"unknown, not near", PORTS "zebra: 1\n",
		{"5:1: zebra: there is no key 'zebra' in the file, docs/config.md lists those "
		 "there are"}},
	{"section twice",
		PORTS "sas: []\n"
		      "sas: []\n",
		{"6:1: sas: it is set a second time, the first is at a.yaml:5:1; keep one"}},
	{"no port", "version: 1\n",
		{"1:1: file: there is no port, the section 'ports' lists at least one"}},
	{"second document",
		PORTS "---\n"
		      "version: 1\n",
		{"5:1: file: a second YAML document begins, one file holds one; give it a file and "
		 "a --config of its"}},
	{"anchor", PORTS "log: &a {level: debug}\n",
		{"5:9: file: there is an anchor, aliases are not taken; write the value out where "
		 "it is needed"}},
	{"alias",
		PORTS "log: &a {level: debug}\n"
		      "ike: *a\n",
		{"5:9: file: there is an anchor, aliases are not taken; write the value out where "
		 "it is needed",
			"6:7: file: there is an alias, they are not taken; write the value out"}},
	{"merge key",
		PORTS "log: &a {level: debug}\n"
		      "control: {<<: *a}\n",
		{"5:9: file: there is an anchor, aliases are not taken; write the value out where "
		 "it is needed",
			"6:11: control.<<: there is no key '<<' in control, docs/config.md lists "
			"those there are",
			"6:16: file: there is an alias, they are not taken; write the value out"}},
	{"tag", PORTS "state_dir: !!str /var\n",
		{"5:18: file: there is a tag, every value is read as text; leave the tag out"}},
	{"complex key",
		PORTS "? [a]\n"
		      ": b\n",
		{"5:3: file: a key is not a word, a plain word is wanted before the ':'"}},
	{"empty section", PORTS "sas:\n",
		{"5:1: sas: nothing stands here, a list in [ ] is wanted"}},
	{"section is a scalar", PORTS "workers: 3\n",
		{"5:10: workers: '3' stands here, a mapping of keys is wanted"}},
	{"section is a list", PORTS "workers: [1]\n",
		{"5:10: workers: a list stands here, a mapping of keys is wanted"}},
	{"list is a mapping", PORTS "sas: {}\n",
		{"5:6: sas: a mapping stands here, a list in [ ] is wanted"}},
	{"item is a scalar", PORTS "sas: [a]\n",
		{"5:7: sas[0]: 'a' stands here, a mapping of keys is wanted"}},
	{"item is empty",
		PORTS "sas:\n"
		      "  -\n",
		{"6:3: sas[0]: nothing stands here, a mapping of keys is wanted"}},
	{"deep nesting", PORTS "log: [[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]\n",
		{"5:6: log: a list stands here, a mapping of keys is wanted",
			"5:21: file: this is nested deeper than anything a config file has"}},
	{"unclosed", PORTS "log: {level: debug\n",
		{"6:1: file: this is not YAML, missing comma in flow mapping; indentation, quotes "
		 "and brackets up to"}},
	{"tab",
		PORTS "log:\n"
		      "	level: debug\n",
		{"6:1: file: this is not YAML, tab character may not be used as indentation; "
		 "indentation, quotes and"}},
	{"bad indent",
		PORTS "log:\n"
		      "  level: debug\n"
		      " to: syslog\n",
		{"7:2: file: this is not YAML, invalid indentation in mapping; indentation, quotes "
		 "and brackets up to"}},
	{"no colon",
		PORTS "log\n"
		      "state_dir: x\n",
		{"5:1: file: this is not YAML, could not find expected ':'; indentation, quotes "
		 "and brackets up to"}},
	{"NUL in a string", PORTS "state_dir: \"a\\0b\"\n",
		{"5:12: file: there is a NUL character, only text is wanted"}},
	{"unclosed quote", PORTS "state_dir: \"a\n",
		{"5:13: file: this is not YAML, double-quoted scalar without closing quote; "
		 "indentation, quotes and"}},
	{"lcores scalar", PORTS "workers: {lcores: 1}\n",
		{"5:19: workers.lcores: '1' stands here, a list in [ ] is wanted"}},
	{"lcore too high", PORTS "workers: {lcores: [128]}\n",
		{"5:20: workers.lcores[0]: '128' is no lcore, a number from 0 to 127 is wanted"}},
	{"lcore twice", PORTS "workers: {lcores: [1, 1]}\n",
		{"5:23: workers.lcores[1]: lcore 1 is listed twice, once is enough"}},
	{"no lcores", PORTS "workers: {lcores: []}\n",
		{"5:19: workers.lcores: 0 items are listed, 1 to 128 are wanted"}},
	{"lcore no number", PORTS "workers: {lcores: [x]}\n",
		{"5:20: workers.lcores[0]: 'x' is no lcore, a number from 0 to 127 is wanted"}},
	{"lcore is a list", PORTS "workers: {lcores: [[1]]}\n",
		{"5:20: workers.lcores[0]: a list stands here, the number of an lcore is wanted"}},
	{"burst 0", PORTS "workers: {burst: 0}\n",
		{"5:18: workers.burst: '0' is not taken, a number from 1 to 256 is wanted"}},
	{"burst 257", PORTS "workers: {burst: 257}\n",
		{"5:18: workers.burst: '257' is not taken, a number from 1 to 256 is wanted"}},
	{"burst octal", PORTS "workers: {burst: 064}\n",
		{"5:18: workers.burst: '064' is not taken, a number from 1 to 256 is wanted"}},
	{"burst twice", PORTS "workers: {burst: 1, burst: 2}\n",
		{"5:21: workers.burst: it is set a second time, the first is at a.yaml:5:11; keep "
		 "one"}},
	{"burst empty", PORTS "workers: {burst: }\n",
		{"5:11: workers.burst: nothing stands here, a number from 1 to 256 is wanted"}},
	{"burst overflow", PORTS "workers: {burst: 18446744073709551617}\n",
		{"5:18: workers.burst: this value is not taken, a number from 1 to 256 is wanted"}},
	{"burst negative", PORTS "workers: {burst: -1}\n",
		{"5:18: workers.burst: '-1' is not taken, a number from 1 to 256 is wanted"}},
	{"crypto provider unknown", PORTS "crypto: {provider: null}\n",
		{"5:20: crypto.provider: there is no provider 'null', it is openssl, aesni_mb or "
		 "qat"}},
	{"crypto provider map", PORTS "crypto: {provider: {a: b}}\n",
		{"5:20: crypto.provider: a map of providers is for a later version, for now the "
		 "name of one is wanted"}},
	{"crypto fallback unknown", PORTS "crypto: {fallback: nss}\n",
		{"5:20: crypto.fallback: there is no provider 'nss', it is openssl, aesni_mb or "
		 "qat"}},
	{"crypto fallback same", PORTS "crypto: {provider: qat, fallback: qat}\n",
		{"5:35: crypto.fallback: warning: it is the provider itself, name another or "
		 "none"}},
	{"crypto in_flight no power", PORTS "crypto: {in_flight: 1000}\n",
		{"5:21: crypto.in_flight: '1000' is not taken, a power of 2 from 16 to 4096 is "
		 "wanted"}},
	{"crypto in_flight small", PORTS "crypto: {in_flight: 8}\n",
		{"5:21: crypto.in_flight: '8' is not taken, a power of 2 from 16 to 4096 is "
		 "wanted"}},
	{"crypto in_flight large", PORTS "crypto: {in_flight: 8192}\n",
		{"5:21: crypto.in_flight: '8192' is not taken, a power of 2 from 16 to 4096 is "
		 "wanted"}},
	{"crypto devices provider", PORTS "crypto: {devices: {nss: [a]}}\n",
		{"5:20: crypto.devices.nss: there is no key 'nss' in crypto.devices, "
		 "docs/config.md lists those there"}},
	{"crypto devices scalar", PORTS "crypto: {devices: {qat: a}}\n",
		{"5:25: crypto.devices.qat: 'a' stands here, a list in [ ] is wanted"}},
	{"crypto devices twice", PORTS "crypto: {devices: {qat: [a], openssl: [a]}}\n",
		{"5:40: crypto.devices.openssl[0]: 'a' is listed twice, once is enough"}},
	{"crypto devices none", PORTS "crypto: {devices: {qat: []}}\n",
		{"5:25: crypto.devices.qat: 0 items are listed, 1 to 16 are wanted"}},
	{"spd builtin", PORTS "spd: {builtin: [arp, dhcp]}\n",
		{"5:22: spd.builtin[1]: 'dhcp' is no built-in entry, arp, nd and ike are; [] turns "
		 "all off"}},
	{"spd scalar", PORTS "spd: {builtin: arp}\n",
		{"5:16: spd.builtin: 'arp' stands here, a list in [ ] is wanted"}},
	{"xfrm", PORTS "ike: {xfrm: true}\n",
		{"5:13: ike.xfrm: not supported yet, for now only false is"}},
	{"xfrm word", PORTS "ike: {xfrm: on}\n",
		{"5:13: ike.xfrm: 'on' is not taken, true or false is wanted"}},
	{"icmp rate", PORTS "icmp: {rate: -5}\n",
		{"5:14: icmp.rate: '-5' is not taken, a number from 0 to 1000000 is wanted"}},
	{"icmp from", PORTS "icmp: {from_unprotected: [too-big]}\n",
		{"5:26: icmp.from_unprotected: warning: ICMP errors from the unprotected side are "
		 "not read yet, this"}},
	{"icmp from word", PORTS "icmp: {from_unprotected: [echo]}\n",
		{"5:26: icmp.from_unprotected: warning: ICMP errors from the unprotected side are "
		 "not read yet, this",
			"5:27: icmp.from_unprotected[0]: 'echo' is no type that is believed, "
			"too-big is; [] believes none"}},
	{"reassembly", PORTS "reassembly: {contexts: 1024}\n",
		{"5:13: reassembly: warning: fragmented ESP is not put together yet, this has no "
		 "effect for now"}},
	{"reassembly time", PORTS "reassembly: {timeout_ms: 0}\n",
		{"5:13: reassembly: warning: fragmented ESP is not put together yet, this has no "
		 "effect for now",
			"5:26: reassembly.timeout_ms: '0' is not taken, a number from 1 to 60000 "
			"is wanted"}},
	{"log level", PORTS "log: {level: warn}\n",
		{"5:14: log.level: 'warn' is not taken, error, warning, notice, info or debug is "
		 "wanted"}},
	{"log to", PORTS "log: {to: file}\n",
		{"5:11: log.to: 'file' is not taken, stderr, syslog or journal is wanted"}},
	{"socket long",
		PORTS "control: {socket: "
		      "/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/"
		      "a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/}\n",
		{"5:19: control.socket: the path has 121 bytes, up to 107 are taken"}},
	{"mode", PORTS "control: {mode: 0888}\n",
		{"5:17: control.mode: '0888' is no mode, an octal mode from 0000 to 0777 is "
		 "wanted"}},
	{"mode long", PORTS "control: {mode: 10660}\n",
		{"5:17: control.mode: '10660' is no mode, an octal mode from 0000 to 0777 is "
		 "wanted"}},
	{"mode word", PORTS "control: {mode: rw}\n",
		{"5:17: control.mode: 'rw' is no mode, an octal mode from 0000 to 0777 is wanted"}},
	{"group", PORTS "control: {group: a b}\n",
		{"5:18: control.group: 'a b' is not taken, a name of up to 63 letters, digits and "
		 ". _ - : @ / + is"}},
	{"state_dir empty", PORTS "state_dir: \"\"\n",
		{"5:12: state_dir: nothing stands here, a path is wanted"}},
	{"state_dir list", PORTS "state_dir: [a]\n",
		{"5:12: state_dir: a list stands here, a path is wanted"}},
};

START_TEST(a_wrong_setting_is_named)
{
	config_fixture_hold(&cases[_i]);
}
END_TEST

int main(void)
{
	const struct config_test tests[] = {
		{a_wrong_setting_is_named, COUNT(cases)},
	};

	return config_fixture_run("config_settings", tests, COUNT(tests));
}
