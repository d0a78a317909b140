# SPDX-License-Identifier: BSD-3-Clause
"""Two sites of plain Linux hosts, each behind a gateway that learns what it needs of its kernel:

    host-a 10.1.0.9 -- lan 10.1.0.1 [gw-a] wan 192.0.2.1 -- wan 192.0.2.2 [gw-b] lan 10.2.0.1 -- 10.2.0.9 host-b

and the same with 2001:db8:1::/64, 2001:db8:f::/64, 2001:db8:2::/64. Every box is a network namespace;
nothing has a static neighbour."""
import json
import os
import secrets
import subprocess

from .gateway import Gateway
from .netns import sh

SIDES = ("a", "b")


class Net:
    """The four namespaces and the wires between them."""

    def __init__(self):
        self.prefix = f"adit{os.getpid()}"
        self.names = []
        try:
            self.make()
        except BaseException:
            self.close()
            raise

    def name(self, box):
        return f"{self.prefix}-{box}"

    def make(self):
        for box in ("host-a", "gw-a", "gw-b", "host-b"):
            sh(f"ip netns add {self.name(box)}")
            self.names.append(self.name(box))
            self.run(box, "ip link set lo up")
            self.run(box, "sysctl -qw net.ipv6.conf.default.accept_dad=0")
        for side in SIDES:
            self.wire(f"host-{side}", "eth0", f"gw-{side}", "lan0")
        self.wire("gw-a", "wan0", "gw-b", "wan0")
        for n, side in enumerate(SIDES, 1):
            # A wire's own end is deaf and mute: the TAP beside it speaks.
            for port in ("lan0", "wan0"):
                self.run(f"gw-{side}", f"sysctl -qw net.ipv6.conf.{port}.disable_ipv6=1"
                         f" net.ipv4.conf.{port}.arp_ignore=8 net.ipv4.conf.{port}.rp_filter=1")
            self.run(f"host-{side}", f"ip addr add 10.{n}.0.9/24 dev eth0")
            self.run(f"host-{side}", f"ip -6 addr add 2001:db8:{n}::9/64 dev eth0 nodad")
            self.run(f"host-{side}", f"ip route add default via 10.{n}.0.1")
            self.run(f"host-{side}", f"ip -6 route add default via 2001:db8:{n}::1")

    def wire(self, box, end, other, other_end):
        a, b = self.name(box), self.name(other)
        sh(f"ip link add {end} netns {a} type veth peer name {other_end} netns {b}")
        for where, what in ((a, end), (b, other_end)):
            sh(f"ip netns exec {where} ethtool -K {what} tx off gso off tso off gro off sg off")
            sh(f"ip -n {where} link set {what} up")

    def run(self, box, command):
        return sh(f"ip netns exec {self.name(box)} {command}")

    def tries(self, box, command, timeout=30):
        """Whether a command in a box succeeds, and what it printed."""
        done = subprocess.run(f"ip netns exec {self.name(box)} {command}", shell=True, capture_output=True,
                              text=True, timeout=timeout)
        return done.returncode == 0, done.stdout + done.stderr

    def ping(self, box, to, count=3, more=""):
        """How many of so many came back."""
        _, text = self.tries(box, f"ping -n -c {count} -i 0.2 -W 2 {more} {to}", timeout=60)
        return int(text.split(" received")[0].rsplit(" ", 1)[1])

    def close(self):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Site:
    """The config of a gateway of these; what Gateway wants of a site."""

    def __init__(self, side, keys, provider="aesni_mb"):
        self.side = side
        ours, theirs = (1, 2) if side == "a" else (2, 1)
        self.config = {
            "version": 1,
            "ports": [
                {"name": "lan", "device": "net_af_packet0", "side": "protected", "kernel": "adit-lan",
                 "mac": f"02:00:00:00:0{ours}:01", "addresses": [f"10.{ours}.0.1/24", f"2001:db8:{ours}::1/64"]},
                {"name": "wan", "device": "net_af_packet1", "side": "unprotected", "kernel": "adit-wan",
                 "mac": f"02:00:00:00:0{ours}:0f", "addresses": [f"192.0.2.{ours}/24", f"2001:db8:f::{ours}/64"]},
            ],
            "crypto": {"provider": provider},
            "sas": [{"name": f"to-{n}", "direction": "out" if n == theirs else "in", "spi": f"0x{n}001",
                     "src": f"192.0.2.{3 - n}", "dst": f"192.0.2.{n}", "reqid": 1, "aead": "aes-128-gcm",
                     "key": "0x" + keys[n - 1].hex(), "esn": True} for n in (1, 2)],
            "policies": [
                {"name": f"{direction}-{family}", "direction": direction, "action": "protect", "reqid": 1,
                 "src": (prefix % (ours if direction == "out" else theirs)),
                 "dst": (prefix % (theirs if direction == "out" else ours))}
                for direction in ("out", "in")
                for family, prefix in ((4, "10.%d.0.0/24"), (6, "2001:db8:%d::/64"))] + [
                {"name": "wan-icmp-in", "direction": "in", "action": "bypass", "protocol": "icmp",
                 "dst": f"192.0.2.{ours}"},
                {"name": "wan-icmp-out", "direction": "out", "action": "bypass", "protocol": "icmp",
                 "src": f"192.0.2.{ours}"}],
            "routes": [{"to": f"10.{theirs}.0.0/24", "via": f"192.0.2.{theirs}", "port": "wan"},
                       {"to": f"2001:db8:{theirs}::/64", "via": f"2001:db8:f::{theirs}", "port": "wan"}],
            "log": {"level": "info"},
        }

    def port(self, name):
        return next(p for p in self.config["ports"] if p["name"] == name)

    def text(self, folder):
        return json.dumps({**self.config, "control": {"socket": str(folder / "control")},
                           "state_dir": str(folder / "state")}, indent=1)


def vdevs():
    return [f"net_af_packet{n},iface={port}0,qdisc_bypass=1" for n, port in enumerate(("lan", "wan"))]


def open_gateway(net, side, site, folder, **more):
    return Gateway(site, folder, vdevs(), netns=net.name(f"gw-{side}"), **more)


def fresh_keys():
    return [secrets.token_bytes(20) for _ in SIDES]
