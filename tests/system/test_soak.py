# SPDX-License-Identifier: BSD-3-Clause
"""Long runs: memory stays level, nothing is lost track of, no packet waits."""
import re
import time
from pathlib import Path

import pytest

from harness import pcap
from harness.gateway import Gateway
from harness.site import Site, frame, hop, outward, payload

MINUTES = 5


def resident_kb(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])


@pytest.mark.soak
@pytest.mark.parametrize("algorithm", [("aes-128-gcm",), ("aes-128-cbc", "hmac-sha2-256-128")],
                         ids="+".join)
def test_minutes_under_load_leak_nothing(folders, provider, algorithm):
    site = Site(provider)
    site.tunnel(1, algorithm, esn=True)
    site.port("wan")["device"] = "net_null0"
    folder = folders()
    # Good packets of many sizes, and all kinds of bad ones.
    frames = [frame(outward(1, 4 + 2 * (n % 2), n), "lan") for n in range(28, 1428, 7)]
    frames += [f[:n] for n, f in enumerate(frames, 1)] + [frame(outward(9), "lan")] * 9
    pcap.write(folder / "lan.in", frames)
    with Gateway(site, folder, [f"net_pcap0,rx_pcap={folder}/lan.in,infinite_rx=1",
                                "net_null0,no-rx=1"]) as adit:
        adit.wait_for(lambda: adit.totals()["sent"] > 100000, "it sends")
        before, sent = resident_kb(adit.process.pid), adit.totals()["sent"]
        for _ in range(MINUTES * 6):
            time.sleep(10)
            assert adit.totals()["sent"] > sent
            sent = adit.totals()["sent"]
        assert resident_kb(adit.process.pid) < before + 4096
        assert "out_lease_wait" not in adit.exits() and "tx_full" not in adit.exits()


@pytest.mark.soak
def test_a_packet_a_second_never_waits_B090(wires, folders, provider):
    site = Site(provider)
    site.port("lan")["device"], site.port("wan")["device"] = "net_af_packet0", "net_af_packet1"
    ours, _ = site.tunnel(1, ("aes-128-cbc", "hmac-sha2-256-128"))
    with Gateway(site, folders(), wires.vdevs(), netns=wires.name) as adit:
        for n in range(60):
            wires.send("lan", [frame(outward(), "lan")])
            got = wires.receive("wan", 1, 0.5)
            assert [ours.unwrap(payload(f, "wan")) for f in got] == [(n + 1, hop(outward()))]
            time.sleep(1)
        adit.idle(60)
