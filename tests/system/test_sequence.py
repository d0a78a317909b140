# SPDX-License-Identifier: BSD-3-Clause
"""Outbound numbers: from 1, each once, and never round (RFC 4303 3.3.3)."""
import re
import time

import pytest

from harness import gateway, pcap
from harness.exits import provokes
from harness.gateway import Gateway
from harness.site import Site, frame, outward
from harness.traffic import opened

CASES = [(False, (1 << 32) - 3, 3), (True, (1 << 64) - 4, 3)]


@pytest.mark.parametrize("algorithm", [("aes-128-gcm",), ("aes-128-cbc", "hmac-sha1-96")],
                         ids="+".join)
@pytest.mark.parametrize("esn, start, left", CASES, ids=("32 bits", "ESN"))
@provokes("out_esp_sequence_end")
def test_numbers_end_before_they_wrap_B018(folders, provider, esn, start, left, algorithm):
    site = Site(provider)
    site.tunnel(1, algorithm, esn=esn, out={"sequence": {"next": start}})
    folder = folders()
    lan = [frame(outward(), "lan")] * 10
    first = gateway.run(site, folder, lan=lan)
    assert first.exits == {"out_esp_sequence_end": 10 - left}
    got = opened(first, site, {1: start >> 32})
    assert [n for n, _ in got[1]] == list(range(start, start + left))
    # Nor does a restart begin afresh.
    again = gateway.run(site, folder, lan=lan, restart=True)
    assert again.exits == {"out_esp_sequence_end": 10}
    assert not again.wan


def test_the_end_of_the_numbers_is_said_before_and_when_it_comes_B018(folders):
    site, folder = Site(), folders()
    site.tunnel(1, out={"sequence": {"next": 0xfffffffd}})
    site.tunnel(2, out={"sequence": {"next": 0xf0000000}})
    site.tunnel(3)
    pcap.write(folder / "lan.in", [frame(outward(n), "lan") for n in (1, 2, 3) for _ in range(9)])
    pcap.write(folder / "wan.in", [])
    vdevs = [f"net_pcap{n},rx_pcap={folder}/{name}.in,tx_pcap={folder}/{name}.out"
             for n, name in enumerate(("lan", "wan"))]
    with Gateway(site, folder, vdevs) as adit:
        adit.idle(27)
        adit.wait_for(lambda: "SA out-1: its last" in adit.text(), "the end is said")
        adit.wait_for(lambda: "SA out-2: nine tenths" in adit.text(), "the coming end is said")
        time.sleep(2.5)  # and said once
        said = re.findall(r"SA (out-\d): (its last|nine tenths)", adit.text())
    assert said.count(("out-1", "its last")) == said.count(("out-2", "nine tenths")) == 1
    assert set(said) <= {("out-1", "its last"), ("out-1", "nine tenths"), ("out-2", "nine tenths")}
    assert len(said) == len(set(said))


def test_numbers_begin_at_1_and_have_no_gaps(run, provider):
    site = Site(provider)
    for n in (1, 2, 3):
        site.tunnel(n, ("aes-256-gcm",))
    order = [1 + (i * i) % 3 for i in range(3000)]
    done = run(site, lan=[frame(outward(n), "lan") for n in order])
    assert not done.exits
    for n, packets in opened(done, site).items():
        assert [seq for seq, _ in packets] == list(range(1, order.count(n) + 1))
        assert done.sas[f"out-{n}"]["sequence"] == order.count(n) + 1
