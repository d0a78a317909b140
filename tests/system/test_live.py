# SPDX-License-Identifier: BSD-3-Clause
"""On real ports: lone packets, and what only time or a full device shows."""
import time

import pytest

from harness import pcap
from harness.exits import provokes
from harness.gateway import Gateway
from harness.site import Site, frame, hop, inward, outward, payload


def live(provider="aesni_mb"):
    site = Site(provider)
    site.port("lan")["device"], site.port("wan")["device"] = "net_af_packet0", "net_af_packet1"
    return site


@pytest.mark.parametrize("algorithm", [("aes-128-gcm",), ("aes-128-cbc", "hmac-sha2-256-128")],
                         ids="+".join)
def test_a_lone_packet_does_not_wait_for_company_B090(wires, folders, provider, algorithm):
    site = live(provider)
    ours, peer = site.tunnel(1, algorithm)
    with Gateway(site, folders(), wires.vdevs(), netns=wires.name) as adit:
        total = 0
        for n in (1, 1, 2, 7, 31, 1):
            for send, receive, frames, read in (
                    ("lan", "wan", [frame(outward(size=80), "lan")] * n,
                     lambda f: ours.unwrap(payload(f, "wan"))[1] == hop(outward(size=80))),
                    ("wan", "lan", [frame(peer.packet(inward(size=80)), "wan") for _ in range(n)],
                     lambda f: payload(f, "lan") == hop(inward(size=80)))):
                wires.send(send, frames)
                got = wires.receive(receive, n, 5)
                assert len(got) == n
                assert all(map(read, got))
                total += n
            time.sleep(0.05)
        adit.idle(total)
        assert not adit.exits()


@pytest.mark.parametrize("burst", (1, 2, 31, 32, 33, 63, 64, 255, 256))
def test_bursts_of_every_size_lose_nothing_B109(run, burst):
    site = Site(workers={"lcores": [1], "burst": burst})
    ours, peer = site.tunnel(1, ("aes-256-cbc", "hmac-sha2-512-256"))
    done = run(site, lan=[frame(outward(), "lan")] * 777,
               wan=[frame(peer.packet(inward()), "wan") for _ in range(778)])
    assert not done.exits
    assert len(done.lan) == 778
    assert [ours.unwrap(payload(f, "wan"))[0] for f in done.wan] == list(range(1, 778))


@provokes("tx_full")
def test_a_port_that_takes_nothing_is_told_by_name(folders):
    site = Site()
    site.tunnel()
    site.port("wan")["device"] = "net_memif0"
    folder = folders()
    pcap.write(folder / "lan.in", [frame(outward(), "lan")] * 500)
    # Nobody is at the other end.
    vdevs = [f"net_pcap0,rx_pcap={folder}/lan.in,tx_pcap={folder}/lan.out",
             f"net_memif0,role=server,socket-abstract=no,socket={folder}/memif"]
    with Gateway(site, folder, vdevs) as adit:
        adit.idle(500)
        assert adit.exits() == {"tx_full": 500}
        assert adit.totals()["sent"] == 0
