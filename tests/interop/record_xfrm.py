#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Records what a Linux kernel's XFRM netlink tells, in a User Mode Linux guest: the vectors of
tests/vectors/xfrm. record_xfrm.py > FILE, as root, with ADIT_BUILD naming a build folder."""
import os
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path += [str(TESTS), str(TESTS / "interop")]

from harness.netns import sh  # noqa: E402
from uml import GUEST, Guest  # noqa: E402


def main():
    ns = f"adit-record-{os.getpid()}"
    sh(f"ip netns add {ns}; ip -n {ns} link add wan0 type veth peer name wan1;"
       f" ip -n {ns} link set wan0 up; ip -n {ns} link set wan1 up")
    try:
        with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
            guest = Guest(ns, "wan1", folder)
            try:
                # A day that stays, so that the times in the messages do.
                script = f"/usr/bin/python3 -B {GUEST}/xfrm_record.py {' '.join(sys.argv[1:])}"
                print(guest.sh(f"date -s 2026-01-01 >/dev/null; exec {script}",
                               patience=900).strip())
            finally:
                guest.stop()
    finally:
        sh(f"ip netns del {ns}")


main()
