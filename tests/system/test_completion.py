# SPDX-License-Identifier: BSD-3-Clause
"""bash completes aditctl: commands and options as --help has them, names as the gateway has them."""
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from harness import pcap
from harness.gateway import ADITCTL, PATIENCE, TOP, Gateway
from harness.site import Site

LIBRARY = Path("/usr/share/bash-completion/bash_completion")
SCRIPT = TOP / "app/aditctl/aditctl.bash"
COMMANDS = ["sa", "exits", "workers", "crypto", "ports", "policy", "top"]

pytestmark = pytest.mark.skipif(not LIBRARY.exists(), reason="no bash-completion")


def complete(line, socket="/nonexistent/adit"):
    """What bash offers behind this line. It splits words at colons, too, as readline does."""
    words = [w for w in re.split(r"(:)|\s+", line.replace("aditctl", str(ADITCTL), 1)) if w]
    if line.endswith(" "):
        words.append("")
    line = line.replace("aditctl", str(ADITCTL), 1)
    script = f"""
        source {LIBRARY}
        source {SCRIPT}
        COMP_WORDS=({shlex.join(words)}) COMP_CWORD={len(words) - 1}
        COMP_LINE={shlex.quote(line)} COMP_POINT={len(line)} COMP_TYPE=9 COMP_KEY=9
        _aditctl
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, timeout=PATIENCE,
                          env={**os.environ, "ADIT_SOCKET": str(socket)})
    assert not done.stderr, done.stderr
    return done.stdout.split()


@pytest.fixture
def adit(folders):
    site, folder = Site(), folders()
    site.tunnel()
    site.tunnel(2)
    site.config["sas"][0]["name"] = "to:b/1"
    pcap.write(folder / "in", [])
    with Gateway(site, folder, [f"net_pcap{n},rx_pcap={folder}/in,tx_pcap={folder}/out{n}" for n in (0, 1)]) as made:
        yield made


@pytest.mark.parametrize("line, offers", [
    ("aditctl ", COMMANDS), ("aditctl p", ["ports", "policy"]), ("aditctl --json w", ["workers"]),
    ("aditctl --socket /run/x t", ["top"]), ("aditctl x", []),
    ("aditctl --n", ["--names"]), ("aditctl sa --so", ["--socket"]), ("aditctl sa ", []), ("aditctl workers ", [])])
def test_commands_and_options_need_no_gateway(line, offers):
    assert complete(line) == offers


def test_every_option_of_the_help_is_offered():
    helped = subprocess.run([ADITCTL, "--help"], capture_output=True, text=True, check=True).stdout
    rows = helped.partition("options:\n")[2].partition("\n\n")[0]
    assert complete("aditctl -") == re.findall(r"^ +(?:-\w, )?(--[a-z-]+) ", rows, re.MULTILINE)
    assert len(complete("aditctl -")) >= 8


def test_names_are_those_of_the_gateway(adit):
    assert complete("aditctl sa ", adit.socket) == ["to:b/1", "in-1", "out-2", "in-2"]
    assert complete("aditctl sa in-", adit.socket) == ["in-1", "in-2"]
    assert complete("aditctl ports ", adit.socket) == ["lan", "wan"]
    assert complete("aditctl --json policy out-", adit.socket) == ["out-1", "out-2"]
    assert complete("aditctl exits in_finish_ic", adit.socket) == ["in_finish_icv"]
    assert complete("aditctl workers ", adit.socket) == []
    # readline has put what stands before the colon.
    assert complete("aditctl sa to:b", adit.socket) == ["b/1"]
    assert complete(f"aditctl --socket {adit.socket} ports w") == ["wan"]


def test_the_place_of_a_socket_is_a_file(adit):
    assert str(adit.socket) in complete(f"aditctl --socket {adit.folder}/c")
