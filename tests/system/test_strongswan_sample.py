# SPDX-License-Identifier: BSD-3-Clause
"""The sample configuration of strongSwan: charon takes it whole, and it offers only what adit can carry."""
import re
import shutil
import subprocess
import time

import pytest
import yaml

from harness.gateway import ADIT, PATIENCE, TOP
from harness.site import Site

SAMPLES = TOP / "config/strongswan"
CHARON = "/usr/lib/ipsec/charon"
OPTIONS = ("/etc/strongswan.d/charon.conf", "/etc/strongswan.d/charon/kernel-netlink.conf")
HASHES = {"sha1": "hmac-sha1-96", "sha256": "hmac-sha2-256-128", "sha384": "hmac-sha2-384-192",
          "sha512": "hmac-sha2-512-256"}

CONFIG = """
charon {{
    load = random nonce openssl kdf hmac sha1 sha2 aes gcm kernel-netlink socket-default vici
    plugins {{
        vici {{
            socket = {uri}
        }}
    }}
}}
swanctl {{
    load = pem pkcs1
}}
include {snippet}
"""

needs_charon = pytest.mark.skipif(shutil.which("swanctl") is None or shutil.which(CHARON) is None,
                                  reason="no strongSwan")


def value(key):
    """A setting of the sample, as a list."""
    text, = re.findall(rf"^\t+{key} = (.*)$", (SAMPLES / "swanctl.conf").read_text(), re.MULTILINE)
    return text.split(", ")


def esp_algorithm(proposal):
    """A proposal of strongSwan's in the words of adit's files."""
    cipher, *rest = proposal.split("-")
    aead = re.fullmatch(r"aes(\d+)gcm16", cipher)
    if aead:
        return {"aead": f"aes-{aead[1]}-gcm"}
    if cipher == "chacha20poly1305":
        return {"aead": "chacha20-poly1305"}
    return {"cipher": f"aes-{cipher[3:]}-cbc", "auth": HASHES[rest[0]]}


class Charon:
    """charon with the sample's snippet, alone in a network namespace and with a /run of its own."""

    def __init__(self, folder, snippet, netns):
        self.uri = f"unix://{folder}/vici"
        (folder / "strongswan.conf").write_text(CONFIG.format(uri=self.uri, snippet=snippet))
        self.environment = {"STRONGSWAN_CONF": str(folder / "strongswan.conf"), "PATH": "/usr/sbin:/usr/bin"}
        self.log = folder / "log"
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                ["ip", "netns", "exec", netns, "unshare", "-m", "sh", "-c",
                 f"mount -t tmpfs run /run && exec {CHARON}"],
                env=self.environment, stdout=log, stderr=log)
        end = time.monotonic() + PATIENCE
        while self.swanctl("--stats").returncode != 0:
            assert self.process.poll() is None and time.monotonic() < end, self.log.read_text()
            time.sleep(0.05)

    def swanctl(self, *args):
        return subprocess.run(["swanctl", *args, "--uri", self.uri], capture_output=True, text=True,
                              timeout=PATIENCE, env=self.environment)

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


@pytest.fixture
def charon(tmp_path, wires):
    made = Charon(tmp_path, SAMPLES / "strongswan-adit.conf", wires.name)
    yield made
    made.stop()


@needs_charon
def test_charon_takes_the_sample(charon, tmp_path):
    done = charon.swanctl("--load-all", "--file", SAMPLES / "swanctl.conf")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "loaded 1 connections, 0 unloaded" in done.stdout
    assert "loaded ike secret 'ike-site-b'" in done.stdout
    shown = charon.swanctl("--list-conns").stdout
    for part in ("a-to-b: TUNNEL, rekeying every 3600s", "local:  10.1.0.0/24 2001:db8:1::/64",
                 "remote: 10.2.0.0/24 2001:db8:2::/64"):
        assert part in shown, shown
    broken = tmp_path / "broken.conf"
    broken.write_text((SAMPLES / "swanctl.conf").read_text().replace("replay_window", "replay_windows"))
    assert "unknown option: replay_windows" in charon.swanctl("--load-conns", "--file", broken).stderr


@needs_charon
def test_every_setting_of_the_snippet_is_one_that_charon_has():
    known = "".join(open(path).read() for path in OPTIONS)
    settings = re.findall(r"^\s*(\w+) =", (SAMPLES / "strongswan-adit.conf").read_text(), re.MULTILINE)
    assert len(settings) >= 4
    for setting in settings:
        assert re.search(rf"^\s*#? *{setting} = ", known, re.MULTILINE), setting


def test_what_it_proposes_adit_can_carry(tmp_path):
    for n, proposal in enumerate(value("esp_proposals")):
        site, folder = Site(), tmp_path / str(n)
        folder.mkdir()
        named = esp_algorithm(proposal)
        site.tunnel(1, tuple(named.values()), esn=proposal.endswith("-esn"))
        (folder / "site.yaml").write_text(site.text(folder))
        done = subprocess.run([ADIT, "--check", "--config", folder / "site.yaml"], capture_output=True,
                              text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        assert all(f'"{key}": "{name}"' in (folder / "site.yaml").read_text() for key, name in named.items())


def test_its_addresses_and_selectors_are_those_of_the_sample_site():
    site = yaml.safe_load((TOP / "config/site-a.yaml").read_text())
    out = next(p for p in site["policies"] if p["direction"] == "out")
    sa = next(sa for sa in site["sas"] if sa["direction"] == "out")
    assert (value("local_ts"), value("remote_ts")) == (out["src"], out["dst"])
    assert (value("local_addrs"), value("remote_addrs")) == ([sa["src"]], [sa["dst"]])
    spi_min = int(re.search(r"spi_min = (\w+)", (SAMPLES / "strongswan-adit.conf").read_text())[1], 16)
    assert all(sa["spi"] < spi_min for sa in site["sas"])
