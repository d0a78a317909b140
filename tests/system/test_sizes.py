# SPDX-License-Identifier: BSD-3-Clause
"""Every size of inner packet, and frames that are longer than the packet in them."""
import os

import pytest

from harness import esp
from harness.exits import provokes
from harness.site import HOST, Site, far, frame, inward, outward
from harness.traffic import expect_in, expect_out

LARGEST = 1440
ALGORITHMS = [("aes-128-gcm",), ("aes-128-cbc", "hmac-sha2-256-128"), ("null", "hmac-sha1-96")]


def largest(sa):
    """The largest inner packet that fits 1500 bytes."""
    return max(n for n in range(1300, 1500) if sa.outer_len(n) <= 1500)


def packet(size, family, src, dst):
    """An IP packet of this size without a transport header to be short of: protocol 253."""
    head = 20 if family == 4 else 40
    return esp.ip(src, dst, 253, os.urandom(size - head), ttl=9)


@pytest.mark.parametrize("family", (4, 6))
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids="+".join)
def test_every_size_up_to_1440_goes_both_ways(run, provider, algorithm, family):
    site = Site(provider)
    ours, peer = site.tunnel(1, algorithm)
    sizes = range(20 if family == 4 else 40, min(LARGEST, largest(ours)) + 1)
    out = [packet(n, family, HOST[family], far(1, family)) for n in sizes]
    back = [packet(n, family, far(1, family), HOST[family])
            for n in range(sizes.start, LARGEST + 1) if peer.outer_len(n) <= 1500]
    done = run(site, lan=[frame(p, "lan") for p in out],
               wan=[frame(peer.packet(p), "wan") for p in back])
    assert not done.exits
    expect_out(done, site, {1: out})
    expect_in(done, back)
    # B005: no more padding than the algorithm asks for
    assert [len(f) - 14 for f in done.wan] == [ours.outer_len(n) for n in sizes]


@provokes("in_finish_inner", "out_classify_length")
def test_sizes_too_small_for_an_ip_header_are_refused(run, provider):
    site = Site(provider)
    _, peer = site.tunnel()
    stump = outward()
    inside = [inward()[:n] for n in range(1, 20)]
    done = run(site, lan=[frame(stump[:n], "lan", ethertype=0x0800) for n in range(1, 20)],
               wan=[frame(peer.packet(p, next_header=4), "wan") for p in inside])
    assert done.exits == {"out_classify_length": 19, "in_finish_inner": 19}


def test_what_stands_behind_the_packet_in_its_frame_is_not_sent_on(run, provider):
    site = Site(provider)
    _, peer = site.tunnel(1, ("aes-128-cbc", "hmac-sha1-96"))
    out = [outward(1, family, size) for family in (4, 6) for size in (28, 46, 100)]
    back = [inward(1, family, size) for family in (4, 6) for size in (28, 46, 100)]
    tails = [b"", b"\xee", bytes(18), b"\xff" * 200]
    done = run(site, lan=[frame(p, "lan") + t for p in out for t in tails],
               wan=[frame(peer.packet(p), "wan") + t for p in back for t in tails])
    assert not done.exits
    expect_out(done, site, {1: [p for p in out for _ in tails]})
    expect_in(done, [p for p in back for _ in tails])


def test_tfc_padding_behind_the_inner_packet_is_trimmed_B006(run, provider):
    site = Site(provider)
    _, peer = site.tunnel()
    back = [inward(1, 4, 84), inward(1, 6, 100)]
    done = run(site, wan=[frame(peer.packet(p, tfc=os.urandom(n)), "wan")
                          for p in back for n in (1, 2, 3, 4, 100, 1000)])
    assert not done.exits
    expect_in(done, [p for p in back for _ in range(6)])
