# SPDX-License-Identifier: BSD-3-Clause
"""What aditctl and DPDK's telemetry show of ports and policies is what there is."""
import json
import os
import re
import socket
import subprocess

from harness import pcap
from harness.gateway import ADITCTL, Gateway
from harness.site import HOST, MAC, Site, far, frame, inward, outward


def aditctl(adit, *args):
    done = subprocess.run([ADITCTL, "--socket", adit.socket, *args], capture_output=True,
                          text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def scrape(prefix, command):
    """One answer of the EAL's own telemetry socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as s:
        s.settimeout(10)
        s.connect(f"/run/dpdk/{prefix}/dpdk_telemetry.v2")
        s.recv(16384)
        s.send(command.encode())
        return json.loads(s.recv(65536))[command.partition(",")[0]]


def test_ports_and_policies_are_shown_with_what_they_met(folders):
    site = Site(spd={"builtin": ["arp", "ike"]})
    _, peer = site.tunnel()
    site.policy("ping", "out", "bypass", priority=7, protocol="icmp", icmp_type=8,
                src=HOST[4], dst=f"{far()}-{far(host=12)}")
    site.policy("web", "in", "discard", protocol="tcp", dst_ports=[80, "8000-8080"])
    folder, prefix = folders(), f"adit-views-{os.getpid()}"
    out = [frame(outward(size=100), "lan")] * 3
    wan = [frame(peer.packet(inward(size=90)), "wan") for _ in range(2)]
    arp = frame(bytes(28), "wan", ethertype=0x806)
    pcap.write(folder / "lan.in", out)
    pcap.write(folder / "wan.in", wan + [arp])
    vdevs = [f"net_pcap{n},rx_pcap={folder}/{name}.in,tx_pcap={folder}/{name}.out"
             for n, name in enumerate(("lan", "wan"))]
    with Gateway(site, folder, vdevs, file_prefix=prefix) as adit:
        adit.idle(6)
        lan, far_side = adit.ask("ports")
        assert (lan["name"], lan["device"], lan["driver"]) == ("lan", "net_pcap0", "net_pcap")
        assert (lan["side"], lan["link"], lan["mac"]) == ("protected", "up", MAC["lan"])
        assert (lan["rx_packets"], lan["tx_packets"]) == (3, 2)
        assert lan["rx_bytes"] == sum(map(len, out))
        assert (far_side["side"], far_side["rx_packets"], far_side["tx_packets"]) == \
            ("unprotected", 3, 3)
        assert {p["receivers"] for p in (lan, far_side)} == {"one worker"}
        policies = adit.ask("policy")
        assert [(p["name"], p["on"], p["packets"]) for p in policies] == [
            ("arp", True, 1), ("nd", False, 0), ("ike", True, 0),
            ("ping", True, 0), ("out-1", True, 3), ("in-1", True, 2), ("web", True, 0)]
        by_name = {p["name"]: p for p in policies}
        assert by_name["out-1"]["bytes"] == 300 and by_name["in-1"]["bytes"] == 180
        assert by_name["out-1"]["reqid"] == 1
        assert by_name["out-1"]["src"] == "10.1.0.0/24,2001:db8:1::/64"
        assert by_name["web"]["dst_ports"] == "80,8000-8080"
        lines = adit.config.read_text().splitlines()
        for name in ("out-1", "ping", "web"):
            file, line = by_name[name]["source"].rsplit(":", 1)
            assert file == str(adit.config)
            assert f'"name": "{name}"' in "".join(lines[int(line) - 1:int(line) + 1])
        text = aditctl(adit, "policy")
        assert "src 10.1.0.2 dst 10.2.1.9-10.2.1.12 protocol icmp icmp_type 8" in text
        assert len(text.splitlines()) == 8
        assert [row.split()[0] for row in aditctl(adit, "ports").splitlines()] == \
            ["NAME", "lan", "wan"]
        for command, packets in (("/adit/ports", 6), ("/adit/ports,wan", 3)):
            assert scrape(prefix, command)["rx_packets"] == packets
        assert scrape(prefix, "/adit/ports,nosuch") is None


def test_libraries_are_shown_with_their_versions_and_what_they_did(folders):
    site = Site(workers={"lcores": [1]})
    site.tunnel(provider="openssl")
    site.tunnel(2, provider="aesni_mb")
    folder = folders()
    for name, frames in (("lan", [frame(outward(), "lan")] * 3), ("wan", [])):
        pcap.write(folder / f"{name}.in", frames)
    vdevs = [f"net_pcap{n},rx_pcap={folder}/{name}.in,tx_pcap={folder}/{name}.out"
             for n, name in enumerate(("lan", "wan"))]
    with Gateway(site, folder, vdevs) as adit:
        adit.idle(3)
        shown = {d["provider"]: d for d in adit.ask("crypto")}
        assert re.fullmatch(r"OpenSSL 3\.\d+\.\d+\S*", shown["openssl"]["device"])
        assert shown["aesni_mb"]["device"].startswith("intel-ipsec-mb ")
        assert {(d["kind"], d["state"], d["sessions"]) for d in shown.values()} == \
            {("library", "works", 2)}
        assert (shown["openssl"]["done"], shown["openssl"]["failed"]) == (3, 0)
        assert "OpenSSL 3." in aditctl(adit, "crypto")
