# SPDX-License-Identifier: BSD-3-Clause
"""Every exit that adit has is provoked by a test."""
import importlib
import re
import subprocess
from pathlib import Path

from harness.exits import provoked_by
from harness.gateway import ADIT, TOP

# Out of reach of packets on wires: a worker has to stand still, or the kernel to send.
EXCEPTION = "tests/unit/test_exception.c"
BY_UNIT_TEST = {
    "handoff_full": "tests/unit/test_handoff.c",
    "in_multicast": EXCEPTION, "kernel_frame": EXCEPTION, "kernel_esp": EXCEPTION, "kernel_arp": EXCEPTION,
    "punt_rate": EXCEPTION, "punt_full": EXCEPTION,
}


def exits():
    text = subprocess.run([ADIT, "--describe"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^\s*([a-z_]+)\s+(?:drop|punt|reply)\b", text, re.MULTILINE)
    assert len(names) > 50, text
    return names


def test_every_exit_has_a_test_that_takes_it():
    for path in Path(__file__).parent.glob("test_*.py"):
        importlib.import_module(path.stem)
    names = exits()
    assert not set(provoked_by) - set(names), "no such exit"
    assert not set(names) - set(provoked_by) - set(BY_UNIT_TEST), "no test takes these"


def test_exits_out_of_reach_are_held_by_unit_tests():
    for name, path in BY_UNIT_TEST.items():
        assert name in (TOP / path).read_text(), f"{name} is not in {path}"
