# SPDX-License-Identifier: BSD-3-Clause
"""Several workers share ports of one queue: nothing is lost, doubled or out of its flow's order."""
import pytest

from harness.site import Site, frame, hop, inward, outward
from harness.traffic import expect_in, opened

FLOWS, EACH = 48, 6


def flows(make, family):
    """Packets of many flows, told apart by source port and size; those of a flow close together."""
    return [make(1, family, 60 + nth, sport=5000 + flow)
            for flow in range(FLOWS) for nth in range(EACH)]


def by_flow(packets):
    """Packets of each family and source port, in their order."""
    found = {}
    for packet in packets:
        at = 20 if packet[0] >> 4 == 4 else 40
        found.setdefault((at, packet[at:at + 2]), []).append(packet)
    return found


@pytest.mark.parametrize("workers", ((1, 2), (1, 2, 3, 4)), ids=len)
def test_flows_keep_their_order_and_numbers_are_taken_once(run, provider, workers):
    site = Site(provider)
    site.tunnel()
    sent = flows(outward, 4) + flows(outward, 6)
    done = run(site, lan=[frame(p, "lan") for p in sent], workers=workers)
    assert not done.exits
    got = opened(done, site)[1]
    assert sorted(n for n, _ in got) == list(range(1, len(sent) + 1))
    assert by_flow(p for _, p in got) == by_flow(map(hop, sent))


@pytest.mark.parametrize("workers", ((1, 2), (1, 2, 3, 4)), ids=len)
def test_an_inbound_sa_is_one_workers_and_keeps_its_order_B108(run, provider, workers):
    site = Site(provider)
    _, peer = site.tunnel()
    sent = flows(inward, 4)
    wan = [frame(peer.packet(p), "wan") for p in sent]
    done = run(site, wan=wan + wan, workers=workers)
    assert done.exits.get("in_esp_replay", 0) + done.exits.get("in_finish_replay", 0) == len(wan)
    expect_in(done, sent)
