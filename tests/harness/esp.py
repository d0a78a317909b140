# SPDX-License-Identifier: BSD-3-Clause
"""ESP in tunnel mode by the letter of RFC 4303, independent of adit: the tests' own peer.

scapy's ESP leaves the high word of an ESN out of a separate ICV, so this one is used throughout and
scapy only checks it."""
import hashlib
import hmac
import os
import socket
import struct
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

from .algorithms import AEADS, AUTHS, CIPHERS

ESP = 50


class Forged(Exception):
    """The ICV says that this is not from the peer."""


def keymat(tag, n):
    """Test keys: as many bytes as wanted, another for each tag."""
    return hashlib.shake_128(tag.encode()).digest(n)


@dataclass
class Sa:
    """One direction. algorithm: (aead,) or (cipher, auth), by adit's names."""
    spi: int
    src: str
    dst: str
    algorithm: tuple = ("aes-128-gcm",)
    esn: bool = False
    tag: str = ""  # of the keys
    next: int = 1  # sequence number of the next seal()
    key: bytes = field(init=False, repr=False)
    auth_key: bytes = field(init=False, repr=False)

    def __post_init__(self):
        tag = f"{self.tag}/{self.spi:#x}/{self.dst}"
        self.key = keymat(tag, self.kind.key_len + self.kind.salt_len)
        self.auth_key = b"" if self.is_aead else keymat(tag + "/auth", AUTHS[self.auth].key_len)

    @property
    def is_aead(self):
        return len(self.algorithm) == 1

    @property
    def kind(self):
        return (AEADS if self.is_aead else CIPHERS)[self.algorithm[0]]

    @property
    def is_cbc(self):
        return self.algorithm[0].endswith("cbc")

    @property
    def auth(self):
        return self.algorithm[1]

    @property
    def iv_len(self):
        return 8 if self.is_aead else self.kind.iv_len

    @property
    def icv_len(self):
        return (self.kind if self.is_aead else AUTHS[self.auth]).icv_len

    @property
    def block(self):
        return 4 if self.is_aead else self.kind.block

    @property
    def family(self):
        return 6 if ":" in self.dst else 4

    def esp_len(self, inner):
        """Bytes of ESP around an inner packet of so many bytes."""
        return 8 + self.iv_len + -(-(inner + 2) // self.block) * self.block + self.icv_len

    def outer_len(self, inner):
        return (20 if self.family == 4 else 40) + self.esp_len(inner)

    def trailer(self, inner, next_header=None, tfc=b""):
        """What stands between the inner packet and the ICV, with TFC padding in front."""
        if next_header is None:
            next_header = 41 if inner[:1] and inner[0] >> 4 == 6 else 4
        n = -(len(inner) + len(tfc) + 2) % self.block
        return tfc + bytes(range(1, n + 1)) + bytes([n, next_header])

    def seal(self, inner, seq=None, iv=None, next_header=None, tfc=b"", plain=None):
        """ESP of an inner packet. seq: the whole number, else the next. plain: everything that is
        encrypted, trailer and all, for packets that are wrong inside."""
        if seq is None:
            seq, self.next = self.next, self.next + 1
        if plain is None:
            plain = inner + self.trailer(inner, next_header, tfc)
        low, high = struct.pack("!I", seq & 0xffffffff), struct.pack("!I", seq >> 32)
        head = struct.pack("!I", self.spi) + low
        if iv is None:
            iv = os.urandom(16) if self.is_cbc else struct.pack("!Q", seq)[:self.iv_len]
        key, salt = self._split()
        if self.is_aead:
            return head + iv + self.kind.box(key).encrypt(salt + iv, plain, self._aad(low, high))
        if key:
            enc = Cipher(algorithms.AES(key), self.kind.mode(salt, iv)).encryptor()
            plain = enc.update(plain) + enc.finalize()
        body = head + iv + plain
        return body + self._icv(body, high)

    def open(self, esp, high=0):
        """(sequence number, inner packet, next header) of ESP that adit made, its padding checked.
        high: of an ESN, not on the wire. Raises Forged."""
        spi, low = struct.unpack("!II", esp[:8])
        assert spi == self.spi, f"SPI {spi:#x}, not {self.spi:#x}"
        high = struct.pack("!I", high)
        iv = esp[8:8 + self.iv_len]
        body = esp[8 + self.iv_len:]
        key, salt = self._split()
        if self.is_aead:
            try:
                plain = self.kind.box(key).decrypt(salt + iv, body, self._aad(esp[4:8], high))
            except InvalidTag:
                raise Forged from None
        else:
            if not hmac.compare_digest(self._icv(esp[:-self.icv_len], high),
                                       esp[-self.icv_len:]):
                raise Forged
            plain = body[:-self.icv_len]
            if key:
                dec = Cipher(algorithms.AES(key), self.kind.mode(salt, iv)).decryptor()
                plain = dec.update(plain) + dec.finalize()
        n, next_header = plain[-2:]
        assert len(plain) % self.block == 0
        assert plain[-2 - n:-2] == bytes(range(1, n + 1)), "padding is not 1, 2, 3 …"
        seq = low | int.from_bytes(high, "big") << 32
        return seq, plain[:len(plain) - 2 - n], next_header

    def _split(self):
        return self.key[:self.kind.key_len], self.key[self.kind.key_len:]

    def _aad(self, low, high):
        # RFC 4106 5: with ESN all 64 bits, high word first
        return struct.pack("!I", self.spi) + (high if self.esn else b"") + low

    def _icv(self, body, high):
        # RFC 4303 2.2.1: the high word stands behind what is sent, and is not sent
        mac = AUTHS[self.auth].mac(self.auth_key, body + (high if self.esn else b""))
        return mac[:self.icv_len]

    # Whole outer packets.

    def wrap(self, esp, **header):
        """An outer IP packet around ESP (or what a test calls ESP)."""
        return ip(self.src, self.dst, ESP, esp, **header)

    def packet(self, inner, seq=None, header=None, **how):
        """An outer IP packet as the peer sends it."""
        return self.wrap(self.seal(inner, seq, **how), **(header or {}))

    def unwrap(self, packet, high=0):
        """(sequence number, inner packet) of an outer packet that adit made, its header checked."""
        head = check_ip(packet)
        assert (head.src, head.dst) == (self.src, self.dst)
        assert head.protocol == ESP, f"protocol {head.protocol} is not ESP"
        seq, inner, next_header = self.open(packet[head.length:], high)
        assert next_header == (41 if inner[0] >> 4 == 6 else 4)
        return seq, inner


# IP headers, without scapy: a sweep makes thousands.


def checksum(data):
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    total = (total >> 16) + (total & 0xffff)
    return ~(total + (total >> 16)) & 0xffff


def ip(src, dst, protocol, payload, tos=0, ttl=64, df=False, ident=0, label=0, frag=0):
    """An IPv4 or IPv6 packet. frag: IPv4's field of flags and offset, df apart."""
    if ":" in dst:
        return (struct.pack("!IHBB", 6 << 28 | tos << 20 | label, len(payload), protocol, ttl)
                + socket.inet_pton(socket.AF_INET6, src) + socket.inet_pton(socket.AF_INET6, dst)
                + payload)
    head = struct.pack("!BBHHHBBH", 0x45, tos, 20 + len(payload), ident, frag | df << 14, ttl,
                       protocol, 0) + socket.inet_aton(src) + socket.inet_aton(dst)
    return head[:10] + struct.pack("!H", checksum(head)) + head[12:] + payload


@dataclass
class Header:
    src: str
    dst: str
    protocol: int
    length: int
    tos: int
    ttl: int
    df: bool
    label: int


def check_ip(packet):
    """Reads the header of a packet without options, and holds it to its length and checksum."""
    if packet[0] >> 4 == 6:
        word, length, protocol, ttl = struct.unpack("!IHBB", packet[:8])
        assert length + 40 == len(packet), f"IPv6 length {length} in {len(packet)} bytes"
        return Header(socket.inet_ntop(socket.AF_INET6, packet[8:24]),
                      socket.inet_ntop(socket.AF_INET6, packet[24:40]), protocol, 40,
                      word >> 20 & 0xff, ttl, False, word & 0xfffff)
    assert packet[0] == 0x45
    tos, length, frag, ttl, protocol = struct.unpack("!xBH2xHBB", packet[:10])
    assert length == len(packet), f"IPv4 length {length} in {len(packet)} bytes"
    assert checksum(packet[:20]) == 0, "IPv4 header checksum"
    return Header(socket.inet_ntoa(packet[12:16]), socket.inet_ntoa(packet[16:20]), protocol, 20,
                  tos, ttl, bool(frag & 0x4000), 0)


def udp(src, dst, payload=b"", sport=1000, dport=2000, **header):
    """An IP packet with UDP in it, checksum and all."""
    family = socket.AF_INET6 if ":" in dst else socket.AF_INET
    n = 8 + len(payload)
    datagram = struct.pack("!HHHH", sport, dport, n, 0) + payload
    pseudo = socket.inet_pton(family, src) + socket.inet_pton(family, dst) + struct.pack("!II", n, 17)
    return ip(src, dst, 17, datagram[:6] + struct.pack("!H", checksum(pseudo + datagram) or 0xffff)
              + payload, **header)
