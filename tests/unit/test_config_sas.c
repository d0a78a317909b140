/* SPDX-License-Identifier: BSD-3-Clause */
/* test_config_sas.c - what is said about wrong SAs, their algorithms and keys. */
#include <stdlib.h>
#include <string.h>

#include "config_fixture.h"

/* Lines 5 to 11, and two more. */
#define SA_IS(direction)                                                                           \
	"sas:\n"                                                                                   \
	"  - name: a\n"                                                                            \
	"    direction: " direction "\n"                                                           \
	"    spi: 0x2001\n"                                                                        \
	"    src: 192.0.2.1\n"                                                                     \
	"    dst: 192.0.2.2\n"                                                                     \
	"    reqid: 1\n"
#define OUTBOUND SA_IS("out")
#define INBOUND  SA_IS("in")
#define AEAD                                                                                       \
	"    aead: aes-128-gcm\n"                                                                  \
	"    key: " KEY_20 "\n"

static const struct config_case cases[] = {
	{"without name",
		PORTS "sas:\n"
		      "  -\n"
		      "    direction: out\n"
		      "    spi: 0x2001\n"
		      "    src: 192.0.2.1\n"
		      "    dst: 192.0.2.2\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n",
		{"7:5: sas[0]: the key 'name' is missing, it takes a name of up to 63 letters, "
		 "digits and . _ - : @ /"}},
	{"without direction",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    spi: 0x2001\n"
		      "    src: 192.0.2.1\n"
		      "    dst: 192.0.2.2\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n",
		{"6:5: sas[0] (a): the key 'direction' is missing, it takes out or in"}},
	{"without spi",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: out\n"
		      "    src: 192.0.2.1\n"
		      "    dst: 192.0.2.2\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n",
		{"6:5: sas[0] (a): the key 'spi' is missing, it takes a number from 256 to "
		 "4294967295 (RFC 4303 2.1"}},
	{"without reqid",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: out\n"
		      "    spi: 0x2001\n"
		      "    src: 192.0.2.1\n"
		      "    dst: 192.0.2.2\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n",
		{"6:5: sas[0] (a): the key 'reqid' is missing, it takes a number from 1 to "
		 "4294967295"}},
	{"spi 0",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: out\n"
		      "    spi: 0\n"
		      "    src: 192.0.2.1\n"
		      "    dst: 192.0.2.2\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n",
		{"8:10: sas[0] (a).spi: '0' is not taken, a number from 256 to 4294967295 (RFC "
		 "4303 2.1 reserves 0 to"}},
	{"spi 255",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: out\n"
		      "    spi: 255\n"
		      "    src: 192.0.2.1\n"
		      "    dst: 192.0.2.2\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n",
		{"8:10: sas[0] (a).spi: '255' is not taken, a number from 256 to 4294967295 (RFC "
		 "4303 2.1 reserves 0"}},
	{"spi large",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: out\n"
		      "    spi: 0x100000000\n"
		      "    src: 192.0.2.1\n"
		      "    dst: 192.0.2.2\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n",
		{"8:10: sas[0] (a).spi: '0x100000000' is not taken, a number from 256 to "
		 "4294967295 (RFC 4303 2.1"}},
	{"spi negative",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: out\n"
		      "    spi: -1\n"
		      "    src: 192.0.2.1\n"
		      "    dst: 192.0.2.2\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n",
		{"8:10: sas[0] (a).spi: '-1' is not taken, a number from 256 to 4294967295 (RFC "
		 "4303 2.1 reserves 0"}},
	{"direction",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: outbound\n"
		      "    spi: 0x2001\n"
		      "    src: 192.0.2.1\n"
		      "    dst: 192.0.2.2\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n",
		{"7:16: sas[0] (a).direction: 'outbound' is not taken, out or in is wanted"}},
	{"reqid 0",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: out\n"
		      "    spi: 0x2001\n"
		      "    src: 192.0.2.1\n"
		      "    dst: 192.0.2.2\n"
		      "    reqid: 0\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n",
		{"11:12: sas[0] (a).reqid: '0' is not taken, a number from 1 to 4294967295 is "
		 "wanted"}},
	{"out src any",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: out\n"
		      "    spi: 0x2001\n"
		      "    src: any\n"
		      "    dst: 192.0.2.2\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n",
		{"9:10: sas[0] (a).src: an outbound SA needs its outer source, write an address as "
		 "src"}},
	{"out without dst",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: out\n"
		      "    spi: 0x2001\n"
		      "    src: 192.0.2.1\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n",
		{"6:5: sas[0] (a): an outbound SA needs its outer destination, write an address as "
		 "dst"}},
	{"mixed families",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: out\n"
		      "    spi: 0x2001\n"
		      "    src: 192.0.2.1\n"
		      "    dst: \"2001:db8::1\"\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n",
		{"10:10: sas[0] (a).dst: src is IPv4 and dst IPv6, an outer header has one "
		 "family"}},
	{"dst multicast",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: out\n"
		      "    spi: 0x2001\n"
		      "    src: 192.0.2.1\n"
		      "    dst: 239.0.0.1\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n",
		{"10:10: sas[0] (a).dst: '239.0.0.1' is no host's address, a unicast address is "
		 "wanted"}},
	{"src zero",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: out\n"
		      "    spi: 0x2001\n"
		      "    src: 0.0.0.0\n"
		      "    dst: 192.0.2.2\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n",
		{"9:10: sas[0] (a).src: '0.0.0.0' is no host's address, a unicast address is "
		 "wanted"}},
	{"src prefix",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: out\n"
		      "    spi: 0x2001\n"
		      "    src: 192.0.2.0/24\n"
		      "    dst: 192.0.2.2\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n",
		{"9:10: sas[0] (a).src: '192.0.2.0/24' is no address, 192.0.2.1 or 2001:db8::1 "
		 "would be"}},
	{"lookup on out", PORTS OUTBOUND AEAD "    lookup: spi\n",
		{"14:5: sas[0] (a).lookup: it is for inbound SAs only, leave it out of an outbound "
		 "one"}},
	{"window on out", PORTS OUTBOUND AEAD "    replay_window: 64\n",
		{"14:5: sas[0] (a).replay_window: it is for inbound SAs only, leave it out of an "
		 "outbound one"}},
	{"window large", PORTS INBOUND AEAD "    replay_window: 65537\n",
		{"14:20: sas[0] (a).replay_window: '65537' is not taken, a number from 0 to 65536 "
		 "is wanted"}},
	{"lookup word", PORTS INBOUND AEAD "    lookup: spi-src\n",
		{"14:13: sas[0] (a).lookup: 'spi-src' is not taken, spi, spi-dst or spi-dst-src is "
		 "wanted"}},
	{"lookup dst any",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: in\n"
		      "    spi: 0x2001\n"
		      "    src: 192.0.2.1\n"
		      "    dst: any\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n"
		      "    lookup: spi-dst\n",
		{"14:13: sas[0] (a).lookup: it looks at dst, which is any; give dst, or look up by "
		 "spi"}},
	{"lookup src any",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: in\n"
		      "    spi: 0x2001\n"
		      "    src: any\n"
		      "    dst: 192.0.2.2\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n"
		      "    lookup: spi-dst-src\n",
		{"14:13: sas[0] (a).lookup: it looks at src, which is any; give src, or look up by "
		 "spi-dst"}},
	{"top on out", PORTS OUTBOUND AEAD "    sequence: {top: 5}\n",
		{"14:21: sas[0] (a).sequence.top: an outbound SA has no top, write next"}},
	{"next on in", PORTS INBOUND AEAD "    sequence: {next: 5}\n",
		{"14:22: sas[0] (a).sequence.next: an inbound SA sends nothing, write top"}},
	{"next 0", PORTS OUTBOUND AEAD "    sequence: {next: 0}\n",
		{"14:22: sas[0] (a).sequence.next: '0' is not taken, a number from 1 to "
		 "18446744073709551614 is wanted"}},
	{"next without esn",
		PORTS OUTBOUND AEAD "    esn: false\n"
				    "    sequence: {next: 0x100000000}\n",
		{"15:22: sas[0] (a).sequence.next: without ESN numbers end at 4294967295, write "
		 "'esn: true' or a"}},
	{"top without esn",
		PORTS INBOUND AEAD "    esn: false\n"
				   "    sequence: {top: 0x100000000}\n",
		{"15:21: sas[0] (a).sequence.top: without ESN numbers end at 4294967295, write "
		 "'esn: true' or a"}},
	{"next end", PORTS OUTBOUND AEAD "    sequence: {next: 0xffffffffffffffff}\n",
		{"14:22: sas[0] (a).sequence.next: this value is not taken, a number from 1 to "
		 "18446744073709551614"}},
	{"sequence scalar", PORTS OUTBOUND AEAD "    sequence: 5\n",
		{"14:15: sas[0] (a).sequence: '5' stands here, a mapping of keys is wanted"}},
	{"esn word", PORTS OUTBOUND AEAD "    esn: yes\n",
		{"14:10: sas[0] (a).esn: 'yes' is not taken, true or false is wanted"}},
	{"transport", PORTS OUTBOUND AEAD "    mode: transport\n",
		{"14:11: sas[0] (a).mode: not supported yet, for now only tunnel is"}},
	{"mode word", PORTS OUTBOUND AEAD "    mode: tunel\n",
		{"14:11: sas[0] (a).mode: 'tunel' is not taken, tunnel or transport is wanted"}},
	{"encap", PORTS OUTBOUND AEAD "    encap: {sport: 4500}\n",
		{"14:12: sas[0] (a).encap: not supported yet, leave it out for now"}},
	{"encap bad", PORTS OUTBOUND AEAD "    encap: {sport: 0}\n",
		{"14:20: sas[0] (a).encap.sport: '0' is not taken, a number from 1 to 65535 is "
		 "wanted"}},
	{"tfc", PORTS OUTBOUND AEAD "    tfc_pad_to: 100\n",
		{"14:17: sas[0] (a).tfc_pad_to: not supported yet, for now only 0 is"}},
	{"tfc bad", PORTS OUTBOUND AEAD "    tfc_pad_to: 10000\n",
		{"14:17: sas[0] (a).tfc_pad_to: '10000' is not taken, a number from 0 to 9216 is "
		 "wanted"}},
	{"lifetime", PORTS OUTBOUND AEAD "    lifetime: {hard_bytes: 5, soft_packets: 0}\n",
		{"14:28: sas[0] (a).lifetime.hard_bytes: not supported yet, for now only 0 is"}},
	{"lifetime order", PORTS OUTBOUND AEAD "    lifetime: {hard_bytes: 5, soft_bytes: 6}\n",
		{"14:28: sas[0] (a).lifetime.hard_bytes: not supported yet, for now only 0 is",
			"14:43: sas[0] (a).lifetime.soft_bytes: not supported yet, for now only 0 "
			"is",
			"14:43: sas[0] (a).lifetime.soft_bytes: it is beyond hard_bytes, a soft "
			"limit comes first"}},
	{"lifetime bad", PORTS OUTBOUND AEAD "    lifetime: {hard_bytes: x}\n",
		{"14:28: sas[0] (a).lifetime.hard_bytes: 'x' is not taken, a number from 0 to "
		 "18446744073709551615 is"}},
	{"mss_clamp", PORTS OUTBOUND AEAD "    mss_clamp: true\n",
		{"14:16: sas[0] (a).mss_clamp: not supported yet, for now only false is"}},
	{"mss_clamp word", PORTS OUTBOUND AEAD "    mss_clamp: 1\n",
		{"14:16: sas[0] (a).mss_clamp: '1' is not taken, true or false is wanted"}},
	{"fragment after", PORTS OUTBOUND AEAD "    fragment: after\n",
		{"14:15: sas[0] (a).fragment: not supported yet, for now only no is"}},
	{"fragment word", PORTS OUTBOUND AEAD "    fragment: yes\n",
		{"14:15: sas[0] (a).fragment: 'yes' is not taken, after, before or no is wanted"}},
	{"df", PORTS OUTBOUND AEAD "    df: 1\n",
		{"14:9: sas[0] (a).df: '1' is not taken, copy, set or clear is wanted"}},
	{"dscp", PORTS OUTBOUND AEAD "    dscp: 64\n",
		{"14:11: sas[0] (a).dscp: '64' is not taken, copy or a number from 0 to 63 is "
		 "wanted"}},
	{"ecn", PORTS OUTBOUND AEAD "    ecn: on\n",
		{"14:10: sas[0] (a).ecn: 'on' is not taken, normal, compat or off is wanted"}},
	{"flow_label", PORTS OUTBOUND AEAD "    flow_label: 0x100000\n",
		{"14:17: sas[0] (a).flow_label: '0x100000' is not taken, copy or a number from 0 "
		 "to 1048575 is wanted"}},
	{"outer_ttl", PORTS OUTBOUND AEAD "    outer_ttl: 0\n",
		{"14:16: sas[0] (a).outer_ttl: '0' is not taken, a number from 1 to 255 is "
		 "wanted"}},
	{"outer_ttl 256", PORTS OUTBOUND AEAD "    outer_ttl: 256\n",
		{"14:16: sas[0] (a).outer_ttl: '256' is not taken, a number from 1 to 255 is "
		 "wanted"}},
	{"mtu", PORTS OUTBOUND AEAD "    mtu: 68\n",
		{"14:10: sas[0] (a).mtu: '68' is not taken, auto or a number from 576 to 9216 is "
		 "wanted"}},
	{"mtu large", PORTS OUTBOUND AEAD "    mtu: 65536\n",
		{"14:10: sas[0] (a).mtu: '65536' is not taken, auto or a number from 576 to 9216 "
		 "is wanted"}},
	{"mark", PORTS OUTBOUND AEAD "    mark: 1\n",
		{"14:11: sas[0] (a).mark: warning: it is carried only, no packet is told by it for "
		 "now"}},
	{"mark mask", PORTS OUTBOUND AEAD "    mark: 0x1/0x100000000\n",
		{"14:11: sas[0] (a).mark: '0x1/0x100000000' is no mark, a 32-bit number, or "
		 "number/mask is wanted"}},
	{"mark word", PORTS OUTBOUND AEAD "    mark: x\n",
		{"14:11: sas[0] (a).mark: 'x' is no mark, a 32-bit number, or number/mask is "
		 "wanted"}},
	{"if_id", PORTS OUTBOUND AEAD "    if_id: 3\n",
		{"14:12: sas[0] (a).if_id: warning: it is carried only, no packet is told by it "
		 "for now"}},
	{"provider map", PORTS OUTBOUND AEAD "    provider: {cpu: openssl}\n",
		{"14:15: sas[0] (a).provider: a map of providers is for a later version, for now "
		 "the name of one is"}},
	{"fallback same",
		PORTS OUTBOUND AEAD "    provider: qat\n"
				    "    fallback: qat\n",
		{"15:15: sas[0] (a).fallback: warning: it is the provider itself, name another or "
		 "none"}},
	{"unknown key", PORTS OUTBOUND AEAD "    replay_windw: 3\n",
		{"14:5: sas[0] (a).replay_windw: there is no key 'replay_windw' in sas[], "
		 "'replay_window' may be meant"}},
	{"key twice", PORTS OUTBOUND AEAD "    reqid: 2\n",
		{"14:5: sas[0] (a).reqid: it is set a second time, the first is at a.yaml:11:5; "
		 "keep one"}},
	{"mtu with outer IPv6",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: out\n"
		      "    spi: 0x2001\n"
		      "    src: \"2001:db8::1\"\n"
		      "    dst: \"2001:db8::2\"\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n"
		      "    mtu: 1279\n",
		{"14:10: sas[0] (a).mtu: 1279 is less than every IPv6 link carries, 1280 to 9216 "
		 "or auto is wanted"}},
	{"df on in", PORTS INBOUND AEAD "    df: set\n",
		{"14:9: sas[0] (a).df: warning: it has no effect on an inbound SA, leave it out"}},
	{"no algorithm", PORTS OUTBOUND,
		{"6:5: sas[0] (a): no algorithm is given, write aead, or cipher and auth"}},
	{"aead and cipher", PORTS OUTBOUND AEAD "    cipher: aes-128-cbc\n",
		{"14:5: sas[0] (a).cipher: an AEAD encrypts and authenticates, leave out this or "
		 "aead"}},
	{"aead and auth", PORTS OUTBOUND AEAD "    auth: hmac-sha1-96\n",
		{"14:5: sas[0] (a).auth: an AEAD encrypts and authenticates, leave out this or "
		 "aead"}},
	{"cipher alone",
		PORTS OUTBOUND "    cipher: aes-128-cbc\n"
			       "    key: 0x000102030405060708090a0b0c0d0e0f\n",
		{"12:5: sas[0] (a).cipher: nothing authenticates, write an auth beside it (RFC "
		 "8221 4)"}},
	{"auth alone",
		PORTS OUTBOUND "    auth: hmac-sha1-96\n"
			       "    auth_key: 0x0001\n",
		{"12:5: sas[0] (a).auth: there is no cipher, write 'cipher: null' to authenticate "
		 "only"}},
	{"null alone", PORTS OUTBOUND "    cipher: null\n",
		{"12:5: sas[0] (a).cipher: nothing authenticates, write an auth beside it (RFC "
		 "8221 4)"}},
	{"aead unknown", PORTS OUTBOUND "    aead: aes-128-gcn\n",
		{"12:11: sas[0] (a).aead: 'aes-128-gcn' is no aead, 'aes-128-gcm' may be meant; "
		 "these are:"}},
	{"cipher as aead", PORTS OUTBOUND "    aead: aes-128-cbc\n",
		{"12:11: sas[0] (a).aead: 'aes-128-cbc' is no aead, write it as cipher: "
		 "aes-128-cbc with an auth"}},
	{"aead as cipher", PORTS OUTBOUND "    cipher: aes-128-gcm\n",
		{"12:13: sas[0] (a).cipher: 'aes-128-gcm' is no cipher, write it as aead: "
		 "aes-128-gcm"}},
	{"3des",
		PORTS OUTBOUND "    cipher: 3des-cbc\n"
			       "    auth: hmac-md5-96\n",
		{"12:13: sas[0] (a).cipher: '3des-cbc' is not offered, it protects no more (RFC "
		 "8221); these are:",
			"13:11: sas[0] (a).auth: 'hmac-md5-96' is not offered, it protects no more "
			"(RFC 8221); these are:"}},
	{"short key",
		PORTS OUTBOUND "    aead: aes-128-gcm\n"
			       "    key: 0x000102030405060708090a0b0c0d0e0f\n",
		{"13:10: sas[0] (a).key: the key has 16 bytes, aes-128-gcm wants 20: a key of 16 "
		 "and a salt of 4"}},
	{"cipher key length",
		PORTS OUTBOUND "    cipher: aes-256-cbc\n"
			       "    key: 0x000102030405060708090a0b0c0d0e0f\n"
			       "    auth: hmac-sha1-96\n"
			       "    auth_key: " KEY_20 "\n",
		{"13:10: sas[0] (a).key: the key has 16 bytes, aes-256-cbc wants 32"}},
	{"auth key length",
		PORTS OUTBOUND "    cipher: null\n"
			       "    auth: hmac-sha1-96\n"
			       "    auth_key: 0x0001\n",
		{"14:15: sas[0] (a).auth_key: the key has 2 bytes, hmac-sha1-96 wants 20"}},
	{"no auth_key",
		PORTS OUTBOUND "    cipher: null\n"
			       "    auth: hmac-sha1-96\n",
		{"6:5: sas[0] (a): the key 'auth_key' is missing, hmac-sha1-96 wants 20 bytes"}},
	{"no key", PORTS OUTBOUND "    aead: aes-128-gcm\n",
		{"6:5: sas[0] (a): the key 'key' is missing, aes-128-gcm wants 20 bytes"}},
	{"odd key",
		PORTS OUTBOUND "    aead: aes-128-gcm\n"
			       "    key: 0x000\n",
		{"13:10: sas[0] (a).key: the key is malformed, 0x and an even number of hex digits "
		 "are wanted"}},
	{"bare key",
		PORTS OUTBOUND "    aead: aes-128-gcm\n"
			       "    key: 000102030405060708090a0b0c0d0e0f10111213\n",
		{"13:10: sas[0] (a).key: the key is malformed, 0x and an even number of hex digits "
		 "are wanted"}},
	{"list key",
		PORTS OUTBOUND "    aead: aes-128-gcm\n"
			       "    key: [0x00010203]\n",
		{"13:10: sas[0] (a).key: a list stands here, text of 0x and hex digits is wanted"}},
	{"empty key",
		PORTS OUTBOUND "    aead: aes-128-gcm\n"
			       "    key:\n",
		{"13:5: sas[0] (a).key: nothing stands here, text of 0x and hex digits is wanted"}},
	{"long key",
		PORTS OUTBOUND
		"    aead: aes-128-gcm\n"
		"    key: "
		"0x00000000000000000000000000000000000000000000000000000000000000000000000000000000"
		"00000000000000000000000000000000000000000000000000\n",
		{"13:10: sas[0] (a).key: the key is longer than any, up to 64 bytes are taken"}},
	{"key of null",
		PORTS OUTBOUND "    cipher: null\n"
			       "    key: 0x00\n"
			       "    auth: hmac-sha1-96\n"
			       "    auth_key: " KEY_20 "\n",
		{"13:5: sas[0] (a).key: there is nothing that has this key, leave it out"}},
	{"auth_key with aead", PORTS OUTBOUND AEAD "    auth_key: 0x00\n",
		{"14:5: sas[0] (a).auth_key: there is nothing that has this key, leave it out"}},
	{"key and key_file", PORTS OUTBOUND AEAD "    key_file: x\n",
		{"14:5: sas[0] (a).key_file: there is a key too, one of the two is wanted",
			"14:15: sas[0] (a).key_file: 'x' cannot be read, No such file or "
			"directory"}},
	{"key_file missing",
		PORTS OUTBOUND "    aead: aes-128-gcm\n"
			       "    key_file: no/such\n",
		{"13:15: sas[0] (a).key_file: 'no/such' cannot be read, No such file or "
		 "directory"}},
	{"key under another name",
		PORTS OUTBOUND "    aead: aes-128-gcm\n"
			       "    kye: " KEY_20 "\n",
		{"6:5: sas[0] (a): the key 'key' is missing, aes-128-gcm wants 20 bytes",
			"13:5: sas[0] (a).kye: there is no key 'kye' in sas[], 'key' may be "
			"meant"}},
	{"key as spi", PORTS OUTBOUND AEAD "    if_id: " KEY_20 "\n",
		{"14:12: sas[0] (a).if_id: this value is not taken, a number from 0 to 4294967295 "
		 "is wanted"}},
	{"key as pairs",
		PORTS OUTBOUND AEAD "    mark: 00:01:02:03:04:05:06:07:08:09:0a:0b:0c:0d:0e:0f\n",
		{"14:11: sas[0] (a).mark: this value is no mark, a 32-bit number, or number/mask "
		 "is wanted"}},
	{"key in the key", PORTS OUTBOUND AEAD "    " KEY_20 ": x\n",
		{"14:5: sas[0] (a).…: there is no key '…' in sas[], docs/config.md lists those "
		 "there are"}},
	{"key in key_file",
		PORTS OUTBOUND "    aead: aes-128-gcm\n"
			       "    key_file: " KEY_20 "\n",
		{"13:15: sas[0] (a).key_file: this value cannot be read, No such file or "
		 "directory"}},
	{"key without colon", PORTS OUTBOUND AEAD "    key " KEY_20 "\n",
		{"14:5: file: this is not YAML, invalid value after mapping; indentation, quotes "
		 "and brackets up to"}},
	{"key with an escape",
		PORTS OUTBOUND "    aead: aes-128-gcm\n"
			       "    key: \"0x0001020304\\q\"\n",
		{"13:23: file: this is not YAML, invalid escape 'q' in double-quoted string; "
		 "indentation, quotes and"}},
	{"name twice",
		PORTS
		"sas:\n"
		"  - {name: a, direction: out, spi: 256, src: 192.0.2.1, dst: 192.0.2.2, reqid: 1, "
		"aead: aes-128-gcm, key: 0x0101010101010101010101010101010101010101}\n"
		"  - {name: a, direction: in, spi: 256, src: 192.0.2.1, dst: 192.0.2.2, reqid: 1, "
		"aead: aes-128-gcm, key: 0x0202020202020202020202020202020202020202}\n",
		{"7:12: sas[1] (a).name: 'a' is taken at a.yaml:6:6, give another"}},
	{"in spi twice",
		PORTS
		"sas:\n"
		"  - {name: a, direction: in, spi: 256, src: 192.0.2.1, dst: 192.0.2.2, reqid: 1, "
		"aead: aes-128-gcm, key: 0x0101010101010101010101010101010101010101}\n"
		"  - {name: b, direction: in, spi: 256, src: 192.0.2.9, dst: 192.0.2.2, reqid: 1, "
		"aead: aes-128-gcm, key: 0x0202020202020202020202020202020202020202}\n",
		{"7:35: sas[1] (b).spi: SPI 0x100 finds the SA at a.yaml:6:30 by the same lookup, "
		 "give another"}},
	{"in spi twice any",
		PORTS "sas:\n"
		      "  - {name: a, direction: in, spi: 256, src: 192.0.2.1, dst: any, reqid: 1, "
		      "aead: aes-128-gcm, key: 0x0101010101010101010101010101010101010101}\n"
		      "  - {name: b, direction: in, spi: 256, src: 192.0.2.9, dst: 192.0.2.2, "
		      "reqid: 1, aead: aes-128-gcm, key: "
		      "0x0202020202020202020202020202020202020202, lookup: spi}\n",
		{"7:35: sas[1] (b).spi: SPI 0x100 finds the SA at a.yaml:6:30 by the same lookup, "
		 "give another"}},
	{"in spi not twice",
		PORTS
		"sas:\n"
		"  - {name: a, direction: in, spi: 256, src: 192.0.2.1, dst: any, reqid: 1, aead: "
		"aes-128-gcm, key: 0x0101010101010101010101010101010101010101}\n"
		"  - {name: b, direction: in, spi: 256, src: 192.0.2.9, dst: 192.0.2.2, reqid: 1, "
		"aead: aes-128-gcm, key: 0x0202020202020202020202020202020202020202}\n",
		{NULL}},
	{"out spi twice",
		PORTS
		"sas:\n"
		"  - {name: a, direction: out, spi: 256, src: 192.0.2.1, dst: 192.0.2.2, reqid: 1, "
		"aead: aes-128-gcm, key: 0x0101010101010101010101010101010101010101}\n"
		"  - {name: b, direction: out, spi: 256, src: 192.0.2.1, dst: 192.0.2.2, reqid: 1, "
		"aead: aes-128-gcm, key: 0x0202020202020202020202020202020202020202}\n",
		{"7:36: sas[1] (b).spi: SPI 0x100 is sent between these addresses by the SA at "
		 "a.yaml:6:31 too, the"}},
	{"out key twice",
		PORTS
		"sas:\n"
		"  - {name: a, direction: out, spi: 256, src: 192.0.2.1, dst: 192.0.2.2, reqid: 1, "
		"aead: aes-128-gcm, key: 0x0101010101010101010101010101010101010101}\n"
		"  - {name: b, direction: out, spi: 257, src: 192.0.2.1, dst: 192.0.2.2, reqid: 1, "
		"aead: aes-128-gcm, key: 0x0101010101010101010101010101010101010101}\n",
		{"7:107: sas[1] (b).key: the outbound SA at a.yaml:6:102 has this key too and they "
		 "would repeat"}},
	{"in and out key",
		PORTS
		"sas:\n"
		"  - {name: a, direction: out, spi: 256, src: 192.0.2.1, dst: 192.0.2.2, reqid: 1, "
		"aead: aes-128-gcm, key: 0x0101010101010101010101010101010101010101}\n"
		"  - {name: b, direction: in, spi: 257, src: 192.0.2.2, dst: 192.0.2.1, reqid: 1, "
		"aead: aes-128-gcm, key: 0x0101010101010101010101010101010101010101}\n",
		{"7:106: sas[1] (b).key: warning: the outbound SA at a.yaml:6:102 has this key "
		 "too, so both ends send"}},
	{"ctr key twice",
		PORTS "sas:\n"
		      "  - {name: a, direction: out, spi: 256, src: 192.0.2.1, dst: 192.0.2.2, "
		      "reqid: 1, cipher: aes-128-ctr, auth: aes-cmac-96,\n"
		      "     key: " KEY_20 ", auth_key: 0x00000000000000000000000000000000}\n"
		      "  - {name: b, direction: out, spi: 257, src: 192.0.2.1, dst: 192.0.2.2, "
		      "reqid: 1, cipher: aes-128-ctr, auth: aes-cmac-96,\n"
		      "     key: " KEY_20 ", auth_key: 0x00000000000000000000000000000000}\n",
		{"9:11: sas[1] (b).key: the outbound SA at a.yaml:7:6 has this key too and they "
		 "would repeat nonces,"}},
	{"cbc key twice is no harm",
		PORTS "sas:\n"
		      "  - {name: a, direction: out, spi: 256, src: 192.0.2.1, dst: 192.0.2.2, "
		      "reqid: 1, cipher: aes-128-cbc, auth: aes-cmac-96,\n"
		      "     key: 0x01010101010101010101010101010101, auth_key: "
		      "0x00000000000000000000000000000000}\n"
		      "  - {name: b, direction: out, spi: 257, src: 192.0.2.1, dst: 192.0.2.2, "
		      "reqid: 1, cipher: aes-128-cbc, auth: aes-cmac-96,\n"
		      "     key: 0x01010101010101010101010101010101, auth_key: "
		      "0x00000000000000000000000000000000}\n",
		{NULL}},
	{"gcm and gcm-8 share a key",
		PORTS
		"sas:\n"
		"  - {name: a, direction: out, spi: 256, src: 192.0.2.1, dst: 192.0.2.2, reqid: 1, "
		"aead: aes-128-gcm, key: 0x0101010101010101010101010101010101010101}\n"
		"  - {name: b, direction: out, spi: 257, src: 192.0.2.1, dst: 192.0.2.2, reqid: 1, "
		"aead: aes-128-gcm-8, key: 0x0101010101010101010101010101010101010101}\n",
		{"7:109: sas[1] (b).key: the outbound SA at a.yaml:6:102 has this key too and they "
		 "would repeat"}},
	{"same key, other salt",
		PORTS
		"sas:\n"
		"  - {name: a, direction: out, spi: 256, src: 192.0.2.1, dst: 192.0.2.2, reqid: 1, "
		"aead: aes-128-gcm, key: 0x0101010101010101010101010101010101010101}\n"
		"  - {name: b, direction: out, spi: 257, src: 192.0.2.1, dst: 192.0.2.2, reqid: 1, "
		"aead: aes-128-gcm, key: 0x0101010101010101010101010101010101010102}\n",
		{NULL}},
	{"in spi in both families",
		PORTS
		"sas:\n"
		"  - {name: a, direction: in, spi: 256, src: any, dst: 192.0.2.2, reqid: 1, aead: "
		"aes-128-gcm, key: 0x0101010101010101010101010101010101010101, lookup: spi}\n"
		"  - {name: b, direction: in, spi: 256, src: any, dst: \"2001:db8::1\", reqid: 1, "
		"aead: aes-128-gcm, key: 0x0202020202020202020202020202020202020202, lookup: "
		"spi}\n",
		{NULL}},
	{"in spi by longer lookup",
		PORTS
		"sas:\n"
		"  - {name: a, direction: in, spi: 256, src: any, dst: 192.0.2.2, reqid: 1, aead: "
		"aes-128-gcm, key: 0x0101010101010101010101010101010101010101, lookup: spi}\n"
		"  - {name: b, direction: in, spi: 256, src: 192.0.2.1, dst: 192.0.2.2, reqid: 1, "
		"aead: aes-128-gcm, key: 0x0202020202020202020202020202020202020202, lookup: "
		"spi-dst}\n"
		"  - {name: c, direction: in, spi: 256, src: 192.0.2.1, dst: 192.0.2.2, reqid: 1, "
		"aead: aes-128-gcm, key: 0x0303030303030303030303030303030303030303, lookup: "
		"spi-dst-src}\n"
		"  - {name: d, direction: in, spi: 256, src: 192.0.2.3, dst: 192.0.2.2, reqid: 1, "
		"aead: aes-128-gcm, key: 0x0404040404040404040404040404040404040404, lookup: "
		"spi-dst-src}\n",
		{NULL}},
	{"two errors",
		PORTS "sas:\n"
		      "  - name: a\n"
		      "    direction: out\n"
		      "    spi: 0\n"
		      "    src: 192.0.2.1\n"
		      "    dst: 192.0.2.2\n"
		      "    reqid: 1\n"
		      "    aead: aes-128-gcm\n"
		      "    key: " KEY_20 "\n"
		      "    ecn: on\n"
		      "    foo: 1\n",
		{"8:10: sas[0] (a).spi: '0' is not taken, a number from 256 to 4294967295 (RFC "
		 "4303 2.1 reserves 0 to",
			"14:10: sas[0] (a).ecn: 'on' is not taken, normal, compat or off is wanted",
			"15:5: sas[0] (a).foo: there is no key 'foo' in sas[], docs/config.md "
			"lists those there are"}},
};

START_TEST(a_wrong_sa_is_named)
{
	config_fixture_hold(&cases[_i]);
}
END_TEST

static const struct {
	const char *text;
	unsigned mode;
	const char *says; /* NULL: it is taken */
} key_files[] = {
	{KEY_20 "\n", 0600, NULL},
	{KEY_20, 0400, NULL},
	{KEY_20 "\n", 0640, "a.yaml:13:15: sas[0] (a).key_file: 'k' is not kept secret, mode 0600"},
	{KEY_20 "\n", 0604, "a.yaml:13:15: sas[0] (a).key_file: 'k' is not kept secret, mode 0600"},
	{KEY_20 "\n\n", 0600, "a.yaml:13:15: sas[0] (a).key_file: 'k' holds no key, one line of"},
	{KEY_20 "00", 0600,
		"a.yaml:13:15: sas[0] (a).key_file: the key has 21 bytes, aes-128-gcm wants"},
	{"", 0600, "a.yaml:13:15: sas[0] (a).key_file: 'k' holds no key, one line of"},
};

START_TEST(a_key_file_is_private_and_holds_a_key)
{
	struct config_loaded *l;

	config_fixture_write("k", key_files[_i].text, key_files[_i].mode);
	l = config_fixture_load(1, PORTS OUTBOUND "    aead: aes-128-gcm\n    key_file: k\n");
	if (key_files[_i].says == NULL) {
		ck_assert_int_eq(l->rc, 0);
		ck_assert_uint_eq(l->config.sas[0].crypto.key.bytes[19], 0x13);
		config_close(&l->config);
		return;
	}
	ck_assert_uint_eq(l->errors, 1);
	ck_assert_msg(strncmp(l->said, key_files[_i].says, strlen(key_files[_i].says)) == 0, "%s",
		l->said);
}
END_TEST

int main(void)
{
	const struct config_test tests[] = {
		{a_wrong_sa_is_named, COUNT(cases)},
		{a_key_file_is_private_and_holds_a_key, COUNT(key_files)},
	};

	return config_fixture_run("config_sas", tests, COUNT(tests));
}
