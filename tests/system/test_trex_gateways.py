# SPDX-License-Identifier: BSD-3-Clause
"""What the profiles' streams expand to goes through the pair of gateways that gateways.py wrote, and comes out as it
went in. Profile checks against a stand-in: no TRex is here."""
import importlib
import subprocess
import sys
from collections import Counter

import pytest
import yaml

from harness import gateway
from harness.site import Site, mac_bytes

PROFILES = gateway.TOP / "tools/trex-profiles"
DEVICES = ("net_pcap0", "net_pcap1", "net_pcap1", "net_pcap0")  # lan-a, wan-a, wan-b, lan-b


@pytest.fixture(autouse=True)
def paths(monkeypatch):
    monkeypatch.syspath_prepend(gateway.TOP / "tests/trex/standin")
    monkeypatch.syspath_prepend(PROFILES)


def sites(folder, *arguments):
    subprocess.run([sys.executable, PROFILES / "gateways.py", "--folder", folder, "--devices", *DEVICES,
                    *arguments], check=True)
    made = {}
    for end in "ab":
        made[end] = Site()
        made[end].config = yaml.load((folder / f"{end}.yaml").read_text(), yaml.BaseLoader)
    return made


def frames_of(profile, port, site, tunables, n):
    """Of all streams of a port, sent to the gateway's own MAC as TRex would."""
    made = importlib.import_module(profile).register().get_streams(
        direction=port, port_id=port, tunables=tunables)
    mac = mac_bytes(site.port("lan")["mac"])
    return [mac + frame[6:] for stream in made for frame in stream.packet.frames(n)]


def without_ttl(frame):
    """The packet in a frame, less what a router changes."""
    packet = bytearray(frame[14:])
    if packet[0] >> 4 == 4:
        packet[8] = packet[10] = packet[11] = 0
    else:
        packet[7] = 0
    return bytes(packet)


@pytest.mark.parametrize("profile, tunables, algorithm", [
    ("tunnel_size", [], "aes-128-gcm"),
    ("tunnel_size", ["--size=100", "--flow=3"], "aes-128-cbc+hmac-sha1-96"),
    ("tunnel_imix", [], "aes-256-gcm"),
    ("tunnel_many", ["--size=64"], "aes-128-gcm"),
    ("tunnel_latency", ["--size=300"], "chacha20-poly1305"),
    ("tunnel_bidir", ["--back-size=64"], "aes-128-gcm"),
])
@pytest.mark.parametrize("ip, outer", [(4, 4), (6, 6), (4, 6)])
def test_the_pair_carries_every_packet_of_a_profile(run, tmp_path, profile, tunables, algorithm, ip, outer):
    tunnels, hosts = (100, 1) if profile == "tunnel_many" else (3, 2)
    shape = [f"--tunnels={tunnels}", f"--hosts={hosts}", f"--ip={ip}", f"--outer={outer}", f"--algorithm={algorithm}"]
    pair = sites(tmp_path, *shape)
    for port, (near, far) in enumerate(("ab", "ba")):
        sent = frames_of(profile, port, pair[near], shape + tunables, tunnels * hosts)
        there = run(pair[near], lan=sent)
        assert not there.exits and len(there.wan) == len(sent)
        back = run(pair[far], wan=there.wan)
        assert not back.exits
        assert Counter(map(without_ttl, back.lan)) == Counter(map(without_ttl, sent))
        used = [sa["packets"] for name, sa in back.sas.items() if name.startswith("in-")]
        assert used == [len(sent) // tunnels] * tunnels, "the tunnels do not share alike"
        generator = {n["mac"] for n in pair[far].config["neighbours"] if n["port"] == "lan"}
        assert {frame[:6].hex(":") for frame in back.lan} == generator
