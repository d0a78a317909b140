# SPDX-License-Identifier: BSD-3-Clause
"""One site's config, built up by a test:

    host 10.1.0.2 -- lan 10.1.0.1 [adit] wan 192.0.2.1 -- peer 192.0.2.2 -- 10.2.N.0/24 behind tunnel N

and the same with 2001:db8:1::/64, 2001:db8:f::/64, 2001:db8:2:N::/64."""
import json
import struct

from . import esp

MAC = {"lan": "02:00:00:00:01:01", "host": "02:00:00:00:01:02",
       "wan": "02:00:00:00:0f:01", "peer": "02:00:00:00:0f:02"}
HOST = {4: "10.1.0.2", 6: "2001:db8:1::2"}
LAN = {4: "10.1.0.1", 6: "2001:db8:1::1"}
WAN = {4: "192.0.2.1", 6: "2001:db8:f::1"}
PEER = {4: "192.0.2.2", 6: "2001:db8:f::2"}
ETHERTYPE = {4: 0x0800, 6: 0x86dd}


def far(n=1, family=4, host=9):
    """A host behind the peer, on tunnel n."""
    return f"10.2.{n}.{host}" if family == 4 else f"2001:db8:2:{n:x}::{host:x}"


def family_of(packet):
    return 6 if packet[:1] and packet[0] >> 4 == 6 else 4


def mac_bytes(mac):
    return bytes.fromhex(mac.replace(":", ""))


def frame(packet, port, ethertype=None, dst=None, vlan=(), pad=0):
    """An Ethernet frame that reaches the gateway at this port. vlan: tags, outer first."""
    sender = {"lan": "host", "wan": "peer"}[port]
    tags = b"".join(struct.pack("!HH", 0x88a8 if n + 1 < len(vlan) else 0x8100, tag)
                    for n, tag in enumerate(vlan))
    whole = (mac_bytes(dst or MAC[port]) + mac_bytes(MAC[sender]) + tags
             + struct.pack("!H", ethertype or ETHERTYPE[family_of(packet)]) + packet)
    return whole + bytes(max(0, pad - len(whole)))


def payload(whole, port, vlan=()):
    """The IP packet in a frame that the gateway sent on this port, its Ethernet header checked."""
    receiver = {"lan": "host", "wan": "peer"}[port]
    assert whole[:6] == mac_bytes(MAC[receiver]), f"sent to {whole[:6].hex(':')}"
    assert whole[6:12] == mac_bytes(MAC[port]), f"sent from {whole[6:12].hex(':')}"
    at = 12
    for n, tag in enumerate(vlan):
        tpid = 0x88a8 if n + 1 < len(vlan) else 0x8100
        assert struct.unpack_from("!HH", whole, at) == (tpid, tag)
        at += 4
    packet = whole[at + 2:]
    assert struct.unpack_from("!H", whole, at)[0] == ETHERTYPE[family_of(packet)]
    return packet


class Site:
    def __init__(self, provider="aesni_mb", **sections):
        self.config = {
            "version": 1,
            "workers": {"lcores": [1]},
            "ports": [
                {"name": "lan", "device": "net_pcap0", "side": "protected", "mac": MAC["lan"],
                 "addresses": [f"{LAN[4]}/24", f"{LAN[6]}/64"]},
                {"name": "wan", "device": "net_pcap1", "side": "unprotected", "mac": MAC["wan"],
                 "addresses": [f"{WAN[4]}/24", f"{WAN[6]}/64"]},
            ],
            "crypto": {"provider": provider},
            "sas": [],
            "policies": [],
            "routes": [
                {"to": "10.2.0.0/16", "via": PEER[4], "port": "wan"},
                {"to": "2001:db8:2::/48", "via": PEER[6], "port": "wan"},
            ],
            "neighbours": [
                {"address": address[family], "port": port, "mac": MAC[who]}
                for port, who, address in (("lan", "host", HOST), ("wan", "peer", PEER))
                for family in (4, 6)],
            "log": {"level": "info"},
        }
        self.config.update(sections)
        self.tunnels = {}

    def port(self, name):
        return next(p for p in self.config["ports"] if p["name"] == name)

    def sa(self, sa, direction, name, reqid, **keys):
        """Adds an SA that the tests' peer holds the other end of."""
        entry = {"name": name, "direction": direction, "spi": hex(sa.spi), "src": sa.src,
                 "dst": sa.dst, "reqid": reqid, "key": "0x" + sa.key.hex(), "esn": sa.esn}
        if sa.is_aead:
            entry["aead"] = sa.algorithm[0]
        else:
            entry.update(cipher=sa.algorithm[0], auth=sa.auth, auth_key="0x" + sa.auth_key.hex())
            if not sa.key:
                del entry["key"]
        entry.update(keys)
        self.config["sas"].append(entry)
        return sa

    def policy(self, name, direction, action="protect", **keys):
        self.config["policies"].append(
            {"name": name, "direction": direction, "action": action, **keys})

    def tunnel(self, n=1, algorithm=("aes-128-gcm",), outer=4, esn=False, out=None, into=None,
               policies=True, **both):
        """A pair of SAs and the policies that lead to them. out, into, both: further keys of the
        SAs. Returns (the SA that adit sends on, the SA that the peer sends on)."""
        pair = (esp.Sa(0x1000 + n, WAN[outer], PEER[outer], algorithm, esn),
                esp.Sa(0x2000 + n, PEER[outer], WAN[outer], algorithm, esn))
        self.sa(pair[0], "out", f"out-{n}", n, **both, **(out or {}))
        self.sa(pair[1], "in", f"in-{n}", n, **both, **(into or {}))
        if policies:
            ours = ["10.1.0.0/24", "2001:db8:1::/64"]
            theirs = [f"10.2.{n}.0/24", f"2001:db8:2:{n:x}::/64"]
            self.policy(f"out-{n}", "out", reqid=n, src=ours, dst=theirs)
            self.policy(f"in-{n}", "in", reqid=n, src=theirs, dst=ours)
        self.tunnels[n] = pair
        return pair

    def text(self, folder):
        """The file. JSON is YAML too."""
        self.config.setdefault("control", {})["socket"] = f"{folder}/control"
        self.config["state_dir"] = f"{folder}/state"
        return json.dumps(self.config, indent=1) + "\n"


def outward(n=1, family=4, size=0, host=9, **how):
    """An inner packet from the host into tunnel n, of so many bytes in all (0: the smallest)."""
    head = 28 if family == 4 else 48
    return esp.udp(HOST[family], far(n, family, host), bytes(max(0, size - head)), **how)


def inward(n=1, family=4, size=0, host=9, **how):
    """An inner packet from behind tunnel n to the host."""
    head = 28 if family == 4 else 48
    return esp.udp(far(n, family, host), HOST[family], bytes(max(0, size - head)), **how)


def hop(packet):
    """The packet as a forwarder sends it on: one hop less to live."""
    if family_of(packet) == 6:
        return packet[:7] + bytes([packet[7] - 1]) + packet[8:]
    head = packet[:8] + bytes([packet[8] - 1, packet[9], 0, 0]) + packet[12:20]
    return head[:10] + struct.pack("!H", esp.checksum(head)) + packet[12:]
