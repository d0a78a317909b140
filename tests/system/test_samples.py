# SPDX-License-Identifier: BSD-3-Clause
"""The two sites of config/ talk to each other as they stand."""
import re
import subprocess

import yaml

from harness import esp
from harness.gateway import ADIT, TOP
from harness.site import hop

HOST = {("a", 4): "10.1.0.2", ("b", 4): "10.2.0.2", ("a", 6): "2001:db8:1::2",
        ("b", 6): "2001:db8:2::2"}


class Sample:
    """A sample site, on files in place of interfaces."""

    def __init__(self, name):
        self.path = TOP / f"config/site-{name}.yaml"
        self.config = yaml.safe_load(self.path.read_text())

    def text(self, folder):
        text = self.path.read_text().replace("net_af_packet", "net_pcap")
        text = re.sub(r"socket: [^ }]+", f"socket: {folder}/control", text)
        return re.sub(r"state_dir: \S+", f"state_dir: {folder}/state", text)

    def frame(self, packet):
        """As a host behind the site sends it."""
        lan = self.config["ports"][0]["mac"].replace(":", "")
        return bytes.fromhex(lan + "020000000909") + \
            (b"\x08\x00" if packet[0] >> 4 == 4 else b"\x86\xdd") + packet


def test_the_samples_are_right_and_agree(run):
    for name in "ab":
        check = subprocess.run([ADIT, "--check", "--config", Sample(name).path], capture_output=True,
                               text=True, timeout=60)
        assert check.returncode == 0 and not check.stderr, check.stderr
    for near, far in ("ab", "ba"):
        packets = [esp.udp(HOST[near, f], HOST[far, f], bytes(n)) for f in (4, 6) for n in (0, 900)]
        one, other = Sample(near), Sample(far)
        sent = run(one, lan=[one.frame(p) for p in packets])
        assert not sent.exits
        got = run(other, wan=sent.wan)
        assert not got.exits
        assert [f[14:] for f in got.lan] == [hop(hop(p)) for p in packets]
