# SPDX-License-Identifier: BSD-3-Clause
"""What profiles, gateways.py and ndr.py agree on: sizes, mixes, what ESP adds, and who has which address.

Standard library only, Python 3.6 and later: TRex runs profiles with the python3 that it finds."""
import argparse
import functools
import ipaddress
import json
import os
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
ETHERNET = 18  # header 14 and FCS 4
UDP = 8
IP_HEADER = {4: 20, 6: 40}
LATENCY_PAYLOAD = 16  # TRex writes it over the end of a packet whose latency it measures
SMALLEST_FRAME = 64
DISCARD = 9  # RFC 863: the UDP port that every packet goes to
FIRST_FLOW = 1024  # the first UDP port that packets come from
MOST_FLOWS = (1 << 16) - FIRST_FLOW
LARGEST = 9 << 10  # bytes of an IP packet; TRex takes no larger frame around it
MOST_HOSTS = 1 << 16  # of a side: one 2-byte variable of TRex counts them

# RFC 2544 C.2.2 and RFC 5180 8: for benchmarks, routed nowhere. The links stand outside of them.
SIDES = {
    "a": {4: ipaddress.ip_network("198.18.0.0/16"), 6: ipaddress.ip_network("2001:2:0:a::/64")},
    "b": {4: ipaddress.ip_network("198.19.0.0/16"), 6: ipaddress.ip_network("2001:2:0:b::/64")},
}
Lan = namedtuple("Lan", "network gateway generator")
Wan = namedtuple("Wan", "network a b")
LINKS = {
    "lan-a": {4: Lan("203.0.113.0/25", "203.0.113.1", "203.0.113.2"),
              6: Lan("2001:db8:1::/64", "2001:db8:1::1", "2001:db8:1::2")},
    "lan-b": {4: Lan("203.0.113.128/25", "203.0.113.129", "203.0.113.130"),
              6: Lan("2001:db8:2::/64", "2001:db8:2::1", "2001:db8:2::2")},
    "wan": {4: Wan("192.0.2.0/24", "192.0.2.1", "192.0.2.2"),
            6: Wan("2001:db8::/64", "2001:db8::1", "2001:db8::2")},
}
MACS = {
    "lan-a": "02:ad:17:00:00:a1",
    "wan-a": "02:ad:17:00:00:a2",
    "wan-b": "02:ad:17:00:00:b2",
    "lan-b": "02:ad:17:00:00:b1",
    "port-0": "02:ad:17:00:01:00",
    "port-1": "02:ad:17:00:01:01",
}


class TrafficError(ValueError):
    """What was asked for cannot be; the text says what can."""


class Arguments(argparse.ArgumentParser):
    """Says what is wrong in one line: the usage before it would be most of a screen."""

    def error(self, message):
        self.exit(2, "%s: error: %s; --help says what it takes\n" % (self.prog, " ".join(message.split())))


def _data():
    """What traffic.json says."""
    path = os.path.join(HERE, "traffic.json")
    try:
        return _read(path)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as e:
        raise TrafficError("%s cannot be used (%s: %s); take it from adit's sources anew"
                           % (path, type(e).__name__, getattr(e, "strerror", None) or e)) from None


@functools.lru_cache(maxsize=None)
def _read(path):
    with open(path) as f:
        data = json.load(f)
    _check(data)
    return data


def _numbers(row, fields, least=0):
    for field in fields:
        if isinstance(row[field], bool) or not isinstance(row[field], (int, float)) or not row[field] >= least:
            raise ValueError("%s is %r, a number from %d on is wanted" % (field, row[field], least))


def _check(data):
    """Raises what the first one to use a part that is not there, or is something else, would meet."""
    figures = data["published"]
    for row in (figures[name] for name in ("sizes", "openssl", "aesni", "qat")):
        _numbers(dict(enumerate(row)), range(len(figures["sizes"])))
    for mix in data["imix"].values():
        if mix["sizes_are"] not in ("ip", "frame") or not mix["parts"] or not mix["says"]:
            raise ValueError("a mix has sentence, parts, and sizes that are ip or frame")
        for part in mix["parts"]:
            _numbers(dict(enumerate(part)), range(2), 1)
    for kind, fields in (("aead", ("key", "iv", "icv")), ("cipher", ("key", "iv")), ("auth", ("key", "icv"))):
        for row in data["esp"][kind].values():
            _numbers(row, fields)
            _numbers(row, () if kind == "auth" else ("align",), 1)


def published():
    """The published figures: source, unit, sizes, and for each provider one figure per size."""
    return _data()["published"]


def sizes():
    """The sizes of the published table, in bytes of the IP packet."""
    return published()["sizes"]


def imix_names():
    """Name of each mix: a sentence about it."""
    return {name: mix["says"] for name, mix in _data()["imix"].items()}


def imix(name):
    """The parts of a mix as (bytes of the IP packet, packets of this size in a round)."""
    mixes = _data()["imix"]
    if name not in mixes:
        raise TrafficError("no mix is called %r; there are %s" % (name, ", ".join(mixes)))
    mix = mixes[name]
    return [(ip_bytes(size, mix["sizes_are"]), weight) for size, weight in mix["parts"]]


def ip_bytes(size, size_is):
    """Length of the IP packet, of a size that is its own ("ip") or the frame's with its FCS."""
    return size - ETHERNET if size_is == "frame" else size


def frame_bytes(size):
    """Length of the frame on the wire, FCS included, that has an IP packet of this size in it."""
    return max(size + ETHERNET, SMALLEST_FRAME)


def smallest_inner(ip, payload=0):
    """No IP packet of ours is smaller: its headers, bytes of payload, and no padding of Ethernet's."""
    return max(IP_HEADER[ip] + UDP + payload, SMALLEST_FRAME - ETHERNET)


def check_size(size, ip, payload=0):
    """Raises TrafficError where headers and payload do not fit this many bytes, or TRex does not send them."""
    least = smallest_inner(ip, payload)
    if size < least:
        raise TrafficError("an IP packet of %d bytes is too small; with IPv%d, UDP%s it is %d or more, "
                           "the frame %d or more"
                           % (size, ip, " and %d bytes of payload" % payload if payload else "",
                              least, least + ETHERNET))
    if size > LARGEST:
        raise TrafficError("an IP packet of %d bytes is too large; TRex sends %d at most" % (size, LARGEST))


def algorithms():
    """Every name that --algorithm takes."""
    esp = _data()["esp"]
    return list(esp["aead"]) + ["%s+%s" % (c, a) for c in esp["cipher"] for a in esp["auth"]]


def _shape(algorithm):
    """(IV, ICV, what the plaintext is padded to a multiple of) of "AEAD" or "CIPHER+AUTH"."""
    esp = _data()["esp"]
    if algorithm in esp["aead"]:
        row = esp["aead"][algorithm]
        return row["iv"], row["icv"], row["align"]
    cipher, _, auth = algorithm.partition("+")
    if cipher in esp["cipher"] and auth in esp["auth"]:
        row = esp["cipher"][cipher]
        return row["iv"], esp["auth"][auth]["icv"], row["align"]
    if cipher in esp["cipher"] and not auth:
        raise TrafficError("%s encrypts only; say %s+AUTH with one of %s"
                           % (cipher, cipher, ", ".join(esp["auth"])))
    raise TrafficError("no algorithm is called %r; there are %s, and CIPHER+AUTH of %s with %s"
                       % (algorithm, ", ".join(esp["aead"]), ", ".join(esp["cipher"]),
                          ", ".join(esp["auth"])))


def keys(algorithm):
    """{"aead": (name, bytes)} or {"cipher": …, "auth": …}: the keys that an SA needs, salts counted in."""
    _shape(algorithm)
    esp = _data()["esp"]
    if algorithm in esp["aead"]:
        return {"aead": (algorithm, esp["aead"][algorithm]["key"])}
    cipher, _, auth = algorithm.partition("+")
    return {"cipher": (cipher, esp["cipher"][cipher]["key"]), "auth": (auth, esp["auth"][auth]["key"])}


def _before_text(outer, encap, iv):
    """Outer header, RFC 3948's UDP header where asked for, SPI and sequence number, IV."""
    return IP_HEADER[outer] + (UDP if encap else 0) + 8 + iv


def esp_length(size, algorithm, outer=4, encap=False):
    """Bytes of the outer IP packet around an inner one of this size (RFC 4303 2)."""
    iv, icv, align = _shape(algorithm)
    text = -(-(size + 2) // align) * align  # pad length and next header are of it
    return _before_text(outer, encap, iv) + text + icv


def largest_inner(mtu, algorithm, outer=4, encap=False):
    """Bytes of the largest inner IP packet whose outer one fits the MTU; 0: none does."""
    iv, icv, align = _shape(algorithm)
    room = mtu - _before_text(outer, encap, iv) - icv
    return max(room // align * align - 2, 0)


def check_fits(size, mtu, algorithm, outer=4):
    """Raises TrafficError where the gateways would have to fragment, or drop."""
    if esp_length(size, algorithm, outer) > mtu:
        raise TrafficError("an inner packet of %d bytes is %d outside (%s, IPv%d), and the MTU is %d; "
                           "the largest that fits is %d"
                           % (size, esp_length(size, algorithm, outer), algorithm, outer, mtu,
                              largest_inner(mtu, algorithm, outer)))


def spi(direction, tunnel):
    """Of the SA that carries a tunnel's packets from a to b (direction 0) or back (1)."""
    return (0x20000 if direction else 0x10000) + tunnel


def reqid(tunnel):
    """Of both SAs of a tunnel."""
    return tunnel + 1


class Plan:
    """Who has which address: host k of a side is k above its base; a tunnel has its hosts in a row.

    Packets go from host k of one side to host k of the other, through tunnel k // hosts."""

    def __init__(self, tunnels=1, hosts=1, ip=4):
        if ip not in IP_HEADER:
            raise TrafficError("IP version %r; 4 or 6" % (ip,))
        if tunnels < 1 or hosts < 1:
            raise TrafficError("%d tunnels with %d hosts each; 1 is the least of both" % (tunnels, hosts))
        if tunnels * hosts > MOST_HOSTS:
            raise TrafficError("%d tunnels with %d hosts each are %d hosts; there is room for %d, "
                               "which is %d tunnels with %d hosts"
                               % (tunnels, hosts, tunnels * hosts, MOST_HOSTS,
                                  MOST_HOSTS // hosts, hosts)
                               if hosts <= MOST_HOSTS else
                               "%d hosts at a tunnel; there is room for %d" % (hosts, MOST_HOSTS))
        self.tunnels, self.hosts, self.ip = tunnels, hosts, ip
        self.count = tunnels * hosts

    def network(self, side):
        """The whole range of a side, for routes."""
        return str(SIDES[side][self.ip])

    def address(self, side, k):
        """Of host k of side "a" or "b", as text."""
        if not 0 <= k < self.count:
            raise TrafficError("host %d; there are 0 to %d" % (k, self.count - 1))
        return str(SIDES[side][self.ip][k])

    def tunnel_range(self, side, tunnel):
        """First and last address behind this end of a tunnel."""
        first = tunnel * self.hosts
        return self.address(side, first), self.address(side, first + self.hosts - 1)

    def low(self, side):
        return self.address(side, 0)

    def high(self, side):
        return self.address(side, self.count - 1)
