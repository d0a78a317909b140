# SPDX-License-Identifier: BSD-3-Clause
"""VLAN and QinQ tags at either port: case B065."""
import pytest

from harness.exits import provokes
from harness.site import Site, frame, hop, inward, outward, payload

TAGS = [(), (100,), (100, 200)]


def tagged(lan, wan):
    site = Site()
    for port, tags in (("lan", lan), ("wan", wan)):
        if tags:
            site.port(port)["vlan"] = list(tags) if len(tags) > 1 else tags[0]
    return site


@pytest.mark.parametrize("lan", TAGS, ids=str)
@pytest.mark.parametrize("wan", TAGS, ids=str)
def test_tags_are_taken_off_and_put_on_as_each_port_says_B065(run, lan, wan):
    site = tagged(lan, wan)
    ours, peer = site.tunnel()
    packets = [(outward(1, f, n), inward(1, f, n)) for f in (4, 6) for n in (48, 64, 700)]
    done = run(site, lan=[frame(out, "lan", vlan=lan) for out, _ in packets],
               wan=[frame(peer.packet(back), "wan", vlan=wan) for _, back in packets])
    assert not done.exits
    assert [ours.unwrap(payload(f, "wan", wan))[1] for f in done.wan] == \
        [hop(out) for out, _ in packets]
    assert [payload(f, "lan", lan) for f in done.lan] == [hop(back) for _, back in packets]


@provokes("out_classify_vlan", "in_classify_vlan")
@pytest.mark.parametrize("ours", TAGS, ids=str)
def test_frames_with_other_tags_are_refused(run, ours):
    site = tagged(ours, ours)
    _, peer = site.tunnel()
    strange = [t for t in [(), (100,), (100, 200), (101,), (200, 100), (100, 201)] if t != ours]
    done = run(site, lan=[frame(outward(), "lan", vlan=t) for t in strange],
               wan=[frame(peer.packet(inward()), "wan", vlan=t) for t in strange])
    assert done.exits == {"out_classify_vlan": 5, "in_classify_vlan": 5}


def test_a_priority_tag_is_no_vlan_B065(run):
    site = Site()
    ours, peer = site.tunnel()
    done = run(site, lan=[frame(outward(), "lan", vlan=(5 << 13,))],
               wan=[frame(peer.packet(inward()), "wan", vlan=(5 << 13,))])
    assert not done.exits
    assert ours.unwrap(payload(done.wan[0], "wan"))[1] == hop(outward())
    assert payload(done.lan[0], "lan") == hop(inward())


def test_the_priority_bits_of_a_tag_are_not_looked_at(run):
    site = tagged((100,), ())
    ours, _ = site.tunnel()
    done = run(site, lan=[frame(outward(), "lan", vlan=(100 | bits << 12,)) for bits in range(16)])
    assert not done.exits
    assert len(done.wan) == 16
