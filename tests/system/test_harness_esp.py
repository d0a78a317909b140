# SPDX-License-Identifier: BSD-3-Clause
"""The tests' own ESP against scapy's where that is right, and against published vectors."""
import logging

import pytest
logging.getLogger("scapy").setLevel(logging.ERROR)
from scapy.layers.inet import IP, UDP  # noqa: E402
from scapy.layers.inet6 import IPv6  # noqa: E402
from scapy.layers.ipsec import ESP, SecurityAssociation  # noqa: E402

from harness import esp  # noqa: E402
from harness.algorithms import AEADS, AUTHS, EVERYDAY, OTHERS  # noqa: E402
from harness.capabilities import VECTORS  # noqa: E402

SCAPY = {"hmac-sha1-96": "HMAC-SHA1-96", "hmac-sha2-256-128": "SHA2-256-128",
         "hmac-sha2-384-192": "SHA2-384-192", "hmac-sha2-512-256": "SHA2-512-256",
         "aes-cmac-96": "AES-CMAC-96", "gcm": "AES-GCM", "ccm": "AES-CCM", "cbc": "AES-CBC",
         "ctr": "AES-CTR", "poly1305": "CHACHA20-POLY1305", "null": "NULL"}
# scapy has no GMAC, no XCBC, and no short ICV of GCM.
ITS = [a for a in EVERYDAY + OTHERS if all(part in SCAPY or part.split("-")[-1] in SCAPY
                                           for part in a)]


def scapy_sa(sa):
    outer = (IPv6 if sa.family == 6 else IP)(src=sa.src, dst=sa.dst)
    cipher = SCAPY[sa.algorithm[0].split("-")[-1]]
    if sa.is_aead:
        return SecurityAssociation(ESP, spi=sa.spi, crypt_algo=cipher, crypt_key=sa.key,
                                   crypt_icv_size=16, tunnel_header=outer, esn_en=sa.esn)
    return SecurityAssociation(ESP, spi=sa.spi, crypt_algo=cipher, crypt_key=sa.key,
                               auth_algo=SCAPY[sa.auth], auth_key=sa.auth_key,
                               tunnel_header=outer)


def vectors(name):
    """The records of one of tests/vectors."""
    for record in (VECTORS / name).read_text().split("\n\n"):
        fields = dict(line.split(": ") for line in record.splitlines() if ": " in line
                      and not line.startswith("#"))
        if fields:
            yield fields


def test_gmac_and_xcbc_which_scapy_has_not_are_as_published():
    n = 0
    for v in vectors("gmac.txt"):
        kind = AEADS[v["aead"]]
        box = kind.box(bytes.fromhex(v["key"])[:kind.key_len])
        nonce, plain, aad = (bytes.fromhex(v[k]) for k in ("nonce", "plain", "aad"))
        whole = box.gcm.encrypt(nonce, b"", aad + plain)
        assert whole.hex() == v["icv"]
        if plain[:8] == nonce[4:]:  # a packet of ESP
            assert box.encrypt(nonce, plain[8:], aad) == plain[8:] + whole
            n += 1
    for v in vectors("auth.txt"):
        if v["auth"] == "aes-xcbc-96":
            mac = AUTHS[v["auth"]].mac(bytes.fromhex(v["auth_key"]), bytes.fromhex(v["plain"]))
            assert mac[:12].hex() == v["icv"]
            n += 1
    assert n >= 5


@pytest.mark.parametrize("outer", [("192.0.2.1", "192.0.2.2"), ("2001:db8::1", "2001:db8::2")],
                         ids=["v4", "v6"])
@pytest.mark.parametrize("algorithm", ITS, ids="+".join)
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


@pytest.mark.parametrize("algorithm", EVERYDAY + OTHERS, ids="+".join)
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
