# SPDX-License-Identifier: BSD-3-Clause
"""The tests' own ESP against scapy's where that is right, and against RFC 4106's nonce form."""
import logging

import pytest
logging.getLogger("scapy").setLevel(logging.ERROR)
from scapy.layers.inet import IP, UDP  # noqa: E402
from scapy.layers.inet6 import IPv6  # noqa: E402
from scapy.layers.ipsec import ESP, SecurityAssociation  # noqa: E402

from harness import esp  # noqa: E402

SCAPY = {"hmac-sha1-96": "HMAC-SHA1-96", "hmac-sha2-256-128": "SHA2-256-128",
         "hmac-sha2-384-192": "SHA2-384-192", "hmac-sha2-512-256": "SHA2-512-256"}


def scapy_sa(sa):
    outer = (IPv6 if sa.family == 6 else IP)(src=sa.src, dst=sa.dst)
    if sa.is_aead:
        return SecurityAssociation(ESP, spi=sa.spi, crypt_algo="AES-GCM", crypt_key=sa.key,
                                   tunnel_header=outer, esn_en=sa.esn)
    return SecurityAssociation(ESP, spi=sa.spi, crypt_algo="AES-CBC" if sa.is_cbc else "NULL",
                               crypt_key=sa.key, auth_algo=SCAPY[sa.auth], auth_key=sa.auth_key,
                               tunnel_header=outer)


@pytest.mark.parametrize("outer", [("192.0.2.1", "192.0.2.2"), ("2001:db8::1", "2001:db8::2")],
                         ids=["v4", "v6"])
@pytest.mark.parametrize("algorithm", esp.ALGORITHMS, ids="+".join)
def test_scapy_and_ours_open_what_the_other_sealed(algorithm, outer):
    sa = esp.Sa(0x1234, *outer, algorithm)
    peer = scapy_sa(sa)
    for n in range(0, 40):
        inner = esp.udp("10.1.0.1", "10.2.0.1", bytes(n))
        opened = peer.decrypt((IPv6 if sa.family == 6 else IP)(sa.packet(inner)))
        assert bytes(opened) == inner
        theirs = bytes(peer.encrypt(IP(inner), seq_num=70 + n))
        assert sa.unwrap(theirs) == (70 + n, inner)


def test_an_esn_of_an_aead_is_authenticated_as_scapy_does():
    sa = esp.Sa(0x1234, "192.0.2.1", "192.0.2.2", esn=True)
    inner = esp.udp("10.1.0.1", "10.2.0.1", b"payload")
    high = 0x01020304
    opened = scapy_sa(sa).decrypt(IP(sa.packet(inner, (high << 32) + 9)), esn=high, esn_en=True)
    assert bytes(opened) == inner


@pytest.mark.parametrize("algorithm", esp.ALGORITHMS, ids="+".join)
def test_no_bit_of_a_packet_can_be_changed(algorithm):
    sa = esp.Sa(0x1234, "192.0.2.1", "192.0.2.2", algorithm, esn=True)
    whole = sa.seal(esp.udp("10.1.0.1", "10.2.0.1"), 1 << 32 | 5)
    assert sa.open(whole, 1)[0] == 1 << 32 | 5
    with pytest.raises(esp.Forged):
        sa.open(whole, 2)
    for at in range(4, len(whole)):
        with pytest.raises(esp.Forged):
            sa.open(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:], 1)


def test_the_checksums_are_those_of_scapy():
    for src, dst, kind in (("10.1.0.1", "10.2.0.1", IP), ("fd00::1", "fd00::2", IPv6)):
        ours = esp.udp(src, dst, b"odd", tos=0xb8)
        layer = kind(ours)
        del layer[UDP].chksum
        if kind is IP:
            del layer.chksum
        assert bytes(layer) == ours
        esp.check_ip(ours)
