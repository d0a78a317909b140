# SPDX-License-Identifier: BSD-3-Clause
"""Many tunnels: they load in seconds, and each carries its own packets."""
import json
import os
from pathlib import Path

import pytest

from harness import esp, pcap
from harness.gateway import BUILD, Gateway
from harness.site import HOST, PEER, WAN, Site, frame, hop, payload

OPTIONS = json.loads((BUILD / "meson-info/intro-buildoptions.json").read_text())
IS_SANITIZED = next(o["value"] for o in OPTIONS if o["name"] == "b_sanitize") != "none"


def cpu_seconds(pid):
    """What the main thread, which loads everything, has used so far."""
    fields = Path(f"/proc/{pid}/task/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def many(tunnels):
    """A site of so many tunnels, to a host each; the pairs of SAs; the hosts."""
    site, pairs, hosts = Site(), [], []
    for n in range(tunnels):
        host = f"10.2.{n >> 8}.{n & 255}"
        pair = (esp.Sa(0x10000 + n, WAN[4], PEER[4], tag=f"out{n}"),
                esp.Sa(0x20000 + n, PEER[4], WAN[4], tag=f"in{n}"))
        site.sa(pair[0], "out", f"out-{n}", n + 1)
        site.sa(pair[1], "in", f"in-{n}", n + 1)
        site.policy(f"out-{n}", "out", reqid=n + 1, src="10.1.0.0/24", dst=host)
        site.policy(f"in-{n}", "in", reqid=n + 1, src=host, dst="10.1.0.0/24")
        pairs.append(pair)
        hosts.append(host)
    return site, pairs, hosts


@pytest.mark.parametrize("tunnels, workers", ((500, (1,)), (5000, (1,)), (5000, (1, 2))))
def test_ten_thousand_sas_under_ten_thousand_policies_load_in_seconds_B112(folders, tunnels,
                                                                                workers):
    site, pairs, hosts = many(tunnels)
    out = [esp.udp(HOST[4], host) for host in hosts]
    back = [esp.udp(host, HOST[4]) for host in hosts]
    folder = folders()
    pcap.write(folder / "lan.in", [frame(p, "lan") for p in out])
    pcap.write(folder / "wan.in", [frame(sa.packet(p), "wan")
                                   for (_, sa), p in zip(pairs, back)])
    vdevs = [f"net_pcap{n},rx_pcap={folder}/{name}.in,tx_pcap={folder}/{name}.out"
             for n, name in enumerate(("lan", "wan"))]
    with Gateway(site, folder, vdevs, workers) as adit:
        took = cpu_seconds(adit.process.pid)
        print(f"{2 * tunnels} SAs, {2 * tunnels} policies: {took} s of CPU, the EAL's included")
        adit.idle(2 * tunnels)
        assert not adit.exits()
        assert all(sa["packets"] == 1 for sa in adit.sas().values())
        assert IS_SANITIZED or took < 3
        assert all(w["sent"] for w in adit.ask("workers")["workers"])
    # Several workers send each its own when they have it.
    in_order = list if len(workers) == 1 else sorted
    came = [payload(f, "lan") for f in pcap.read(folder / "lan.out")]
    assert in_order(came) == in_order(map(hop, back))
    sent = [payload(f, "wan") for f in pcap.read(folder / "wan.out")]
    if len(workers) > 1:
        sent.sort(key=lambda p: p[20:24])  # by SPI
    assert [sa.unwrap(p) for (sa, _), p in zip(pairs, sent, strict=True)] == \
        [(1, hop(p)) for p in out]
