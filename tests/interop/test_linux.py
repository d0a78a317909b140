# SPDX-License-Identifier: BSD-3-Clause
"""adit and the Linux kernel's ESP, at the two ends of a tunnel for each case:

    namespace "host"          namespace "gw"                     User Mode Linux
    lan1 10.0.0.2 ---- lan0 [adit] wan0 192.0.2.1 ---- wan1 = vec0 192.0.2.2
    10.1.N.1 on lo                                             10.2.N.1 on lo

N counts the SA pairs: one for each algorithm, ESN and who computes it, and for the everyday algorithms
each outer family. Both inner families go through one pair. All that the run's cases need are installed
at once, so that a case is only its packets."""
import hashlib
import itertools
import os
import socket
import struct
import subprocess
from dataclasses import dataclass

import pytest

from harness.algorithms import ALL, EVERYDAY, OTHERS
from harness.capabilities import can
from harness.esp import Sa
from harness.gateway import Gateway
from harness.matrix import pairwise
from harness.netns import inside, sh
from harness.site import MAC, PEER, WAN, Site

from guest.sink import read, stream
from uml import Guest

PORT = 7000
STREAM = 1 << 20
LAN_HOST = {4: "10.0.0.2", 6: "2001:db8:1::2"}
LAN_GATEWAY = {4: "10.0.0.1", 6: "2001:db8:1::1"}
BITS = {4: 32, 6: 128}
KERNEL = {  # by the end of adit's name
    "gcm": "rfc4106(gcm(aes))", "gmac": "rfc4543(gcm(aes))", "ccm": "rfc4309(ccm(aes))",
    "poly1305": "rfc7539esp(chacha20,poly1305)", "null": "ecb(cipher_null)", "cbc": "cbc(aes)",
    "ctr": "rfc3686(ctr(aes))", "hmac-sha1-96": "hmac(sha1)", "hmac-sha2-256-128": "hmac(sha256)",
    "hmac-sha2-384-192": "hmac(sha384)", "hmac-sha2-512-256": "hmac(sha512)",
    "aes-xcbc-96": "xcbc(aes)", "aes-cmac-96": "cmac(aes)"}
# Who computes, and the provider that the SA names: QAT is played by a cryptodev.
WHO = {"aesni_mb": "aesni_mb", "openssl": "openssl", "crypto_aesni_mb": "qat"}


@dataclass(frozen=True, order=True)
class Pair:
    """One pair of SAs."""
    n: int
    algorithm: tuple
    outer: int
    esn: bool
    who: str

    def near(self, family):
        return self._address(1, family)

    def far(self, family):
        return self._address(2, family)

    def _address(self, side, family):
        high, low = divmod(self.n, 256)
        return f"10.{side}.{low}.{high + 1}" if family == 4 else f"2001:db8:a{side}::{self.n:x}"

    def sas(self):
        """The one that adit sends on, the one that the kernel sends on."""
        return (Sa(0x10000 + self.n, WAN[self.outer], PEER[self.outer], self.algorithm, self.esn),
                Sa(0x20000 + self.n, PEER[self.outer], WAN[self.outer], self.algorithm, self.esn))


EVERYDAY_ROWS = list(itertools.product(EVERYDAY, (4, 6), (False, True), ("aesni_mb", "openssl")))
ROWS = EVERYDAY_ROWS + [  # of the rest, the families alternate
    (algorithm, 4 if (n + k + esn) % 2 else 6, esn, who)
    for n, algorithm in enumerate(ALL) for esn in (False, True) for k, who in enumerate(WHO)
    if can(who, algorithm) and (algorithm, 4, esn, who) not in EVERYDAY_ROWS]
PAIRS = [Pair(n, *row) for n, row in enumerate(ROWS, 1)]
CASES = [(pair, inner) for pair in PAIRS for inner in (4, 6)
         if pair.n <= len(EVERYDAY_ROWS) or pair.n // 2 % 2 == inner // 6]


def choose():
    """What CI runs: of the everyday algorithms each pair of values, and each other one once with ESN
    and once without, by another provider."""
    chosen = set(pairwise(EVERYDAY, (4, 6), (False, True), ("aesni_mb", "openssl"), (4, 6)))
    for n, algorithm in enumerate(OTHERS):
        able = [who for who in WHO if can(who, algorithm)]
        for esn in (False, True):
            who = able[(n + esn) % len(able)]
            chosen |= {(p.algorithm, p.outer, p.esn, p.who, inner) for p, inner in CASES
                       if (p.algorithm, p.esn, p.who) == (algorithm, esn, who)}
    return {(p, i) for p, i in CASES if (p.algorithm, p.outer, p.esn, p.who, i) in chosen}


IN_CI = choose()


def case_id(pair, inner):
    return f"{'+'.join(pair.algorithm)}-{pair.outer}{inner}-{'esn' if pair.esn else '32'}" \
        f"-{pair.who}"


def site(pairs):
    """adit's side of these pairs."""
    made = Site()
    lan, wan = made.port("lan"), made.port("wan")
    lan["device"], wan["device"] = "net_af_packet0", "net_af_packet1"
    lan["addresses"] = [f"{LAN_GATEWAY[4]}/24", f"{LAN_GATEWAY[6]}/64"]
    made.config["routes"] = [
        {"to": to, "via": via[family], "port": port}
        for port, via, nets in (("lan", LAN_HOST, {4: "10.1.0.0/16", 6: "2001:db8:a1::/48"}),
                                ("wan", PEER, {4: "10.2.0.0/16", 6: "2001:db8:a2::/48"}))
        for family, to in nets.items()]
    for entry in made.config["neighbours"]:
        if entry["port"] == "lan":
            entry["address"] = LAN_HOST[6 if ":" in entry["address"] else 4]
    made.config["icmp"] = {"rate": 1000}
    made.config["crypto"]["devices"] = {"qat": ["crypto_aesni_mb0"]}
    for pair in pairs:
        ours, theirs = pair.sas()
        made.sa(ours, "out", f"out-{pair.n}", pair.n, provider=WHO[pair.who])
        made.sa(theirs, "in", f"in-{pair.n}", pair.n, provider=WHO[pair.who])
        near, far = [pair.near(4), pair.near(6)], [pair.far(4), pair.far(6)]
        made.policy(f"out-{pair.n}", "out", reqid=pair.n, src=near, dst=far)
        made.policy(f"in-{pair.n}", "in", reqid=pair.n, src=far, dst=near)
    return made


def kernel_state(sa, reqid):
    name = next(KERNEL[part] for part in reversed(sa.algorithm[0].split("-")) if part in KERNEL)
    key = f"0x{sa.key.hex()}" if sa.key else '""'
    if sa.is_aead:
        keys = f'aead "{name}" {key} {8 * sa.icv_len}'
    else:
        keys = f'enc "{name}" {key} auth-trunc "{KERNEL[sa.auth]}" 0x{sa.auth_key.hex()} ' \
            f'{8 * sa.icv_len}'
    return f"state add src {sa.src} dst {sa.dst} proto esp spi {sa.spi:#x} reqid {reqid} " \
        f"mode tunnel replay-window 128 {keys} flag af-unspec{' flag esn' if sa.esn else ''}"


def kernel_side(pairs):
    """The guest's side of these pairs, for ip -batch."""
    lines = []
    for pair in pairs:
        ours, theirs = pair.sas()
        lines += [f"xfrm {kernel_state(sa, pair.n)}" for sa in (ours, theirs)]
        for family in (4, 6):
            near, far = (f"{a}/{BITS[family]}" for a in (pair.near(family), pair.far(family)))
            lines.append(f"addr add {far} dev lo" + " nodad" * (family == 6))
            lines.append(f"xfrm policy add src {far} dst {near} dir out tmpl src {theirs.src}"
                         f" dst {theirs.dst} proto esp reqid {pair.n} mode tunnel")
            lines.append(f"xfrm policy add src {near} dst {far} dir in tmpl src {ours.src}"
                         f" dst {ours.dst} proto esp reqid {pair.n} mode tunnel")
    return "\n".join(lines) + "\n"


class Bed:
    """The namespaces, adit, the guest, and a capture of the wire between them."""

    def __init__(self, folder, pairs):
        self.folder, self.pairs = folder, pairs
        self.host, self.gw = f"adit-host-{os.getpid()}", f"adit-gw-{os.getpid()}"
        self.adit = self.guest = self.capture = None

    def up(self):
        for ns in (self.host, self.gw):
            sh(f"ip netns add {ns}; ip -n {ns} link set lo up")
        sh(f"ip netns exec {self.gw} sysctl -qw net.ipv6.conf.all.disable_ipv6=1"
           " net.ipv6.conf.default.disable_ipv6=1")
        sh(f"ip -n {self.gw} link add lan0 type veth peer name lan1 netns {self.host}")
        sh(f"ip -n {self.gw} link add wan0 type veth peer name wan1")
        for ns, end in ((self.host, "lan1"), (self.gw, "lan0"), (self.gw, "wan0"), (self.gw, "wan1")):
            sh(f"ip netns exec {ns} ethtool -K {end} tx off gso off tso off gro off sg off")
            sh(f"ip -n {ns} link set {end} up")
        for end in ("lan0", "wan0", "wan1"):  # the kernel has no part in what goes by here
            sh(f"tc -n {self.gw} qdisc add dev {end} clsact && tc -n {self.gw} filter add dev {end}"
               " ingress bpf direct-action bytecode '1,6 0 0 2'")
        self.host_up()
        self.capture = subprocess.Popen(
            ["ip", "netns", "exec", self.gw, "tcpdump", "-i", "wan1", "-s", "100", "-B", "65536",
             "-U", "-Z", "root", "-w", self.folder / "wire"], stderr=subprocess.PIPE, text=True)
        while "listening" not in self.capture.stderr.readline():
            assert self.capture.poll() is None
        fast = "qdisc_bypass=1,framecnt=1024,blocksz=8192"
        self.adit = Gateway(site(self.pairs), self.folder, [f"net_af_packet0,iface=lan0,{fast}",
                                                  f"net_af_packet1,iface=wan0,{fast}",
                                                  "crypto_aesni_mb0"],
                            netns=self.gw)
        self.adit.__enter__()
        self.guest_up()

    def host_up(self):
        batch = []
        for family in (4, 6):
            far = {4: "10.2.0.0/16", 6: "2001:db8:a2::/48"}[family]
            batch += [f"addr add {LAN_HOST[family]}/{ {4: 24, 6: 64}[family]} dev lan1"
                      + " nodad" * (family == 6),
                      f"neigh add {LAN_GATEWAY[family]} lladdr {MAC['lan']} nud permanent dev lan1",
                      f"route add {far} via {LAN_GATEWAY[family]}"]
            batch += [f"addr add {p.near(family)}/{BITS[family]} dev lo" + " nodad" * (family == 6)
                      for p in self.pairs]
        sh(f"ip -n {self.host} link set lan1 address {MAC['host']}")
        (self.folder / "host").write_text("\n".join(batch) + "\n")
        sh(f"ip -n {self.host} -batch {self.folder}/host")

    def guest_up(self):
        (self.folder / "kernel").write_text(kernel_side(self.pairs))
        self.guest = Guest(self.gw, "wan1", self.folder)
        self.guest.sh(f"""
            set -e
            sysctl -qw net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0 \\
                net.ipv6.conf.vec0.router_solicitations=0 net.ipv6.conf.vec0.accept_dad=0
            ip link set vec0 address {MAC['peer']}
            ip addr add {PEER[4]}/24 dev vec0
            ip addr add {PEER[6]}/64 dev vec0 nodad
            ip link set vec0 up
            ip neigh add {WAN[4]} lladdr {MAC['wan']} nud permanent dev vec0
            ip neigh add {WAN[6]} lladdr {MAC['wan']} nud permanent dev vec0
            ip route add 10.1.0.0/16 via {WAN[4]}
            ip -6 route add 2001:db8:a1::/48 via {WAN[6]}
            ip -batch {self.folder}/kernel
            (exec /usr/bin/python3 -B {os.path.dirname(__file__)}/guest/sink.py {PORT} \\
                >/run/sink 2>&1) &
            for i in $(seq 100); do
                grep -q :{PORT:04X} /proc/net/tcp6 && exit 0
                sleep 0.1
            done
            cat /run/sink
            exit 1
            """, patience=300)

    def down(self):
        """Stops all of it and says what was on the wire."""
        try:
            stats = self.guest.sh("cat /proc/net/xfrm_stat")
        except TimeoutError:
            stats = None
        self.guest.stop()
        self.adit.check_books()
        exits = self.adit.exits()
        self.adit.stop()
        self.capture.terminate()
        self.capture.wait(30)
        return stats, exits

    def remove(self):
        for part in (self.guest, self.adit, self.capture):
            if part is not None:
                part.kill()
        for ns in (self.host, self.gw):
            subprocess.run(["ip", "netns", "del", ns], check=False)


@pytest.fixture(scope="module")
def bed(request, tmp_path_factory):
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    cases = (item.callspec.params for item in request.session.items
             if item.module is request.module and hasattr(item, "callspec"))
    made = Bed(tmp_path_factory.mktemp("linux"), sorted({case["pair"] for case in cases}))
    try:
        made.up()
        yield made
    finally:
        made.remove()


def ping(size, from_, to):
    return f"ping -n -q -c 3 -i 0.02 -W 5 -s {size} -I {from_} {to}"


def exchange(bed, pair, inner):
    """A stream each way over TCP, and whether it came whole."""
    family = socket.AF_INET if inner == 4 else socket.AF_INET6
    with inside(bed.host):
        s = socket.socket(family, socket.SOCK_STREAM)
    with s:
        s.settimeout(20)
        s.bind((pair.near(inner), 0))
        s.connect((pair.far(inner), PORT))
        out = os.urandom(STREAM)
        s.sendall(struct.pack("!Q", STREAM) + out)
        assert read(s, 32) == hashlib.sha256(out).digest(), "what the kernel got is not what was sent"
        assert read(s, STREAM) == stream(STREAM), "what came back is not what the kernel sent"


@pytest.mark.parametrize("pair, inner", [
    pytest.param(*case, id=case_id(*case), marks=[] if case in IN_CI else [pytest.mark.whole])
    for case in CASES])
def test_ping_and_tcp_cross_both_ways(bed, pair, inner):
    for size in (56, 1300):
        sh(f"ip netns exec {bed.host} {ping(size, pair.near(inner), pair.far(inner))}")
    bed.guest.sh(" && ".join(ping(s, pair.far(inner), pair.near(inner)) for s in (56, 1300)))
    exchange(bed, pair, inner)


def neither_esp_nor_nd(path):
    """Packets of a capture that are neither ESP nor the guest's neighbour discovery and MLD."""
    return sh(f"tcpdump -nr {path} 'not (ip proto 50 or ip6 proto 50) and not (ether src"
              f" {MAC['peer']} and ip6 and (ip6[40] >= 130 or ip6[6] = 0))' 2>/dev/null")


def test_at_the_end_the_books_close_and_only_esp_was_on_the_wire(bed):
    stats, exits = bed.down()
    # Segments that were too long until TCP knew better, and what IPv6 says to all routers.
    assert set(exits) <= {"out_mtu_too_big", "out_multicast", "in_nd", "in_policy_no_match"}, exits
    assert neither_esp_nor_nd(bed.folder / "wire") == ""
    assert sh(f"tcpdump -nr {bed.folder}/wire --count 'ip proto 50 or ip6 proto 50' 2>/dev/null")
    if stats is None:
        pytest.fail("all the rest held, but the guest hangs and its own counters cannot be read")
    assert [line for line in stats.splitlines() if line.strip() and line.split()[-1] != "0"] == []
