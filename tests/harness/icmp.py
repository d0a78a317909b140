# SPDX-License-Identifier: BSD-3-Clause
"""ICMP errors that the gateway sends, read strictly."""
import socket
import struct
from dataclasses import dataclass

from .esp import check_ip, checksum


@dataclass
class Error:
    src: str
    dst: str
    type: int
    code: int
    mtu: int  # or whatever stands in the rest of the header
    quote: bytes


def read(packet):
    """An ICMP or ICMPv6 error; its checksum and lengths hold."""
    head = check_ip(packet)
    body = packet[head.length:]
    if packet[0] >> 4 == 4:
        assert head.protocol == 1
        assert checksum(body) == 0, "ICMP checksum"
        assert len(packet) <= 576, "longer than RFC 1812 4.3.2.3 allows"
        mtu = struct.unpack_from("!H", body, 6)[0]
    else:
        assert head.protocol == 58
        pseudo = packet[8:40] + struct.pack("!II", len(body), socket.IPPROTO_ICMPV6)
        assert checksum(pseudo + body) == 0, "ICMPv6 checksum"
        assert len(packet) <= 1280, "longer than RFC 4443 2.4 allows"
        mtu = struct.unpack_from("!I", body, 4)[0]
    return Error(head.src, head.dst, body[0], body[1], mtu, body[8:])
