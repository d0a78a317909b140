# SPDX-License-Identifier: BSD-3-Clause
"""Every algorithm that someone can do, both ways, in one gateway: a tunnel for each with every outer
family and size of numbers. The peer is tests/harness/algorithms.py."""
import itertools

import pytest

from harness.algorithms import ALL
from harness.capabilities import CAPABILITIES, can
from harness.site import Site, frame, inward, outward
from harness.traffic import expect_in, expect_out

SIZES = (0, 61, 62, 63, 64, 300, 1300)
HIGH = 0x01020304  # of an ESN
NAMED = ("crypto_aesni_mb", "crypto_aesni_gcm")  # QAT is played by them


def both(make, n):
    return [make(n, family, size) for size in SIZES for family in (4, 6)]


def site_of(who):
    """A site, and the devices that it needs."""
    if who not in NAMED:
        return Site(who), []
    return Site(crypto={"provider": "qat", "devices": {"qat": [f"{who}0"]}}), [f"{who}0"]


def test_the_peer_has_every_algorithm_of_the_table():
    assert set(ALL) == set(CAPABILITIES)


@pytest.mark.parametrize("who", ("aesni_mb", "openssl", *NAMED))
def test_every_algorithm_goes_both_ways(run, who):
    site, vdevs = site_of(who)
    out, back, wan, first, highs = {}, [], [], {}, {}
    algorithms = [a for a in ALL if can(who, a)]
    for n, (algorithm, outer, esn) in enumerate(
            itertools.product(algorithms, (4, 6), (False, True)), 1):
        first[n] = (HIGH << 32) + 5 if esn else 1
        highs[n] = HIGH if esn else 0
        _, peer = site.tunnel(n, algorithm, outer, esn, out={"sequence": {"next": first[n]}},
                              into={"sequence": {"top": first[n] - 1}})
        peer.next = first[n]
        out[n], mine = both(outward, n), both(inward, n)
        sealed = [peer.packet(p) for p in mine]
        forged = sealed[3][:-1] + bytes([sealed[3][-1] ^ 1])
        back += mine
        wan += [frame(p, "wan") for p in (forged, *sealed)]
    assert len(out) >= 4 * 12
    done = run(site, lan=[frame(p, "lan") for n in out for p in out[n]], wan=wan, vdevs=vdevs)
    assert done.exits == {"in_finish_icv": len(out)}
    expect_out(done, site, out, first, highs)
    expect_in(done, back)
