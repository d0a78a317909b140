# SPDX-License-Identifier: BSD-3-Clause
"""Several workers share ports of one queue: nothing is lost, doubled or out of its flow's order."""
import pytest

from harness import lookaside
from harness.gateway import Gateway
from harness.site import Site, frame, hop, inward, outward
from harness.stream import Stream, flows_are_in_order
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


@pytest.mark.parametrize("workers", ((1,), (1, 2)), ids=len)
def test_flows_keep_their_order_over_two_providers_in_one_gateway(wires, folders, workers):
    n = len(workers)
    site = Site(crypto=lookaside.crypto(n))
    site.port("lan")["device"], site.port("wan")["device"] = "net_af_packet0", "net_af_packet1"
    site.tunnel(1, provider="aesni_mb")
    site.tunnel(2, ("aes-128-cbc", "hmac-sha2-256-128"))
    vdevs = wires.vdevs("qdisc_bypass=1,framecnt=4096") + lookaside.vdevs(n)
    stream = Stream(wires, site)
    with Gateway(site, folders(), vdevs, workers, netns=wires.name) as adit:
        assert [sa["provider"] == "aesni_mb" for sa in adit.sas().values()] == [True, True, False,
                                                                                False]
        stream.send(3)
        stream.finish(adit)
        assert not adit.exits()
    for t, out in stream.out().items():
        seqs = [seq for seq, _ in out]
        # Workers take runs of an SA's numbers, and each sends its own.
        assert (seqs if n == 1 else sorted(seqs)) == list(range(1, stream.rounds + 1))
        assert flows_are_in_order([number for _, number in out])
        assert flows_are_in_order(stream.into()[t]) and len(stream.into()[t]) == stream.rounds
