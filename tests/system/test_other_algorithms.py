# SPDX-License-Identifier: BSD-3-Clause
"""Algorithms that a provider has beyond the everyday ones, on the wire: scapy's ESP is the peer."""
import hashlib
import logging

import pytest
logging.getLogger("scapy").setLevel(logging.ERROR)
from scapy.layers.inet import IP  # noqa: E402
from scapy.layers.inet6 import IPv6  # noqa: E402
from scapy.layers.ipsec import ESP, SecurityAssociation  # noqa: E402

from harness import esp  # noqa: E402
from harness.site import PEER, WAN, Site, frame, hop, inward, outward, payload  # noqa: E402
from harness.traffic import expect_in  # noqa: E402

BOTH = ("aesni_mb", "openssl")

# adit's names; scapy's cipher, its key with salt, its ICV; auth and its key; who can.
SUITES = [
    ("aes-128-gcm-8", "AES-GCM", 20, 8, None, 0, ("aesni_mb",)),
    ("aes-256-gcm-12", "AES-GCM", 36, 12, None, 0, ("aesni_mb",)),
    ("aes-128-ccm", "AES-CCM", 19, 16, None, 0, BOTH),
    ("aes-256-ccm", "AES-CCM", 35, 16, None, 0, BOTH),
    ("chacha20-poly1305", "CHACHA20-POLY1305", 36, 16, None, 0, ("aesni_mb",)),
    ("aes-128-ctr", "AES-CTR", 20, None, ("hmac-sha2-256-128", "SHA2-256-128"), 32, BOTH),
    ("aes-192-ctr", "AES-CTR", 28, None, ("hmac-sha1-96", "HMAC-SHA1-96"), 20, BOTH),
    ("aes-256-ctr", "AES-CTR", 36, None, ("hmac-sha2-512-256", "SHA2-512-256"), 64, BOTH),
    ("aes-192-cbc", "AES-CBC", 24, None, ("hmac-sha2-384-192", "SHA2-384-192"), 48, BOTH),
    ("aes-128-cbc", "AES-CBC", 16, None, ("aes-cmac-96", "AES-CMAC-96"), 16, BOTH),
]
CASES = [(suite, provider) for suite in SUITES for provider in suite[-1]]


def keymat(tag, n):
    return hashlib.shake_128(tag.encode()).digest(n)


def layer(packet):
    return (IPv6 if packet[0] >> 4 == 6 else IP)(packet)


def seal(peer, inner, seq, short, iv=None):
    """scapy's packet. Of GCM it sends 16 bytes of ICV whatever it was told: short are too many."""
    whole = bytes(peer.encrypt(layer(inner), seq_num=seq, iv=iv))
    return esp.ip(peer.tunnel_header.src, peer.tunnel_header.dst, 50,
                  whole[20:len(whole) - short])


def is_opened_as(peer, packet, inner, seq, short):
    if short:
        return packet[20:] == seal(peer, inner, seq, short, packet[28:36])[20:]
    return bytes(peer.decrypt(IP(packet))) == inner


@pytest.mark.parametrize("suite, provider", CASES, ids=lambda v: v if isinstance(v, str) else v[0])
def test_scapy_and_adit_open_what_the_other_sealed(run, suite, provider):
    name, cipher, key_len, icv, auth, auth_key_len, _ = suite
    short = 16 - icv if cipher == "AES-GCM" else 0
    site, peers = Site(provider), []
    for spi, direction, src, dst in ((0x1001, "out", WAN[4], PEER[4]),
                                     (0x2001, "in", PEER[4], WAN[4])):
        key, auth_key = keymat(f"{name} {spi}", key_len), keymat(f"auth {spi}", auth_key_len)
        sa = {"name": direction, "direction": direction, "spi": spi, "src": src, "dst": dst,
              "reqid": 1, "esn": False, "key": f"0x{key.hex()}"}
        if auth is None:
            sa["aead"] = name
        else:
            sa.update(cipher=name, auth=auth[0], auth_key=f"0x{auth_key.hex()}")
        site.config["sas"].append(sa)
        site.policy(direction, direction, reqid=1)
        peers.append(SecurityAssociation(
            ESP, spi=spi, crypt_algo=cipher, crypt_key=key, crypt_icv_size=icv,
            auth_algo=auth and auth[1], auth_key=auth_key or None,
            tunnel_header=IP(src=src, dst=dst)))
    sizes = [(4, n) for n in (28, 29, 30, 31, 32, 43, 63, 64, 100, 1000, 1400)] + \
        [(6, n) for n in (48, 49, 1401)]
    out = [outward(1, f, n) for f, n in sizes]
    back = [inward(1, f, n) for f, n in sizes]
    sealed = [seal(peers[1], p, n, short) for n, p in enumerate(back, 1)]
    forged = sealed[8][:-1] + bytes([sealed[8][-1] ^ 1])
    done = run(site, lan=[frame(p, "lan") for p in out],
               wan=[frame(p, "wan") for p in (forged, *sealed)])
    assert done.exits == {"in_finish_icv": 1}
    expect_in(done, back)
    assert len(done.wan) == len(out)
    for n, (f, p) in enumerate(zip(done.wan, out), 1):
        assert is_opened_as(peers[0], payload(f, "wan"), hop(p), n, short), f"packet {n}"
