# SPDX-License-Identifier: BSD-3-Clause
"""aditctl top on a terminal: drawn each second, ended by a key, and the terminal as it was before."""
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time

import pytest

from harness import pcap
from harness.gateway import ADITCTL, PATIENCE, Gateway
from harness.site import Site, frame, outward

class Terminal:
    """A program on a terminal of so many lines and columns."""

    def __init__(self, command, lines=24, columns=100):
        self.keys, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        self.seen = b""
        self.process = subprocess.Popen(command, stdin=self.slave, stdout=self.slave, stderr=self.slave,
                                        start_new_session=True)

    def see(self, words, times=1):
        """Reads until these words came so often."""
        end = time.monotonic() + PATIENCE
        while self.seen.count(words) < times:
            assert time.monotonic() < end, self.seen
            if select.select([self.keys], [], [], 0.1)[0]:
                self.seen += os.read(self.keys, 65536)

    def ends(self):
        status = self.process.wait(PATIENCE)
        while select.select([self.keys], [], [], 0.1)[0]:
            self.seen += os.read(self.keys, 65536)
        return status

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.keys)
        os.close(self.slave)


@pytest.fixture
def terminal():
    made = []

    def make(*args, **how):
        made.append(Terminal(*args, **how))
        return made[-1]
    yield make
    for each in made:
        each.close()


def running(folder):
    """A gateway that five packets went through."""
    site = Site()
    site.tunnel()
    pcap.write(folder / "in0", [frame(outward(), "lan")] * 3 + [frame(outward(9), "lan")] * 2)
    pcap.write(folder / "in1", [])
    return Gateway(site, folder, [f"net_pcap{n},rx_pcap={folder}/in{n},tx_pcap={folder}/out{n}" for n in (0, 1)])


@pytest.mark.parametrize("end", [b"q", b"\x03", signal.SIGTERM], ids=["q", "Ctrl-C", "SIGTERM"])
def test_it_is_drawn_each_second_until_somebody_has_seen_enough(folders, terminal, end):
    with running(folders()) as adit:
        adit.idle(5)
        top = terminal([ADITCTL, "--socket", adit.socket, "top"])
        top.see(b"PORT ", times=3)
        if isinstance(end, bytes):
            os.write(top.keys, b"x")
            top.see(b"PORT ", times=4)  # any other key is nothing to it
            os.write(top.keys, end)
        else:
            top.process.send_signal(end)
        assert top.ends() == 0
        assert termios.tcgetattr(top.slave) == top.before
        for word in (b"out-1", b"in-1", b"aesni_mb", b"out_policy_no_match", b"\x1b[?25l"):
            assert word in top.seen, top.seen
        assert top.seen.rstrip().endswith(b"\x1b[?25h")
        frames = top.seen.split(b"\x1b[H")[2:]
        assert len(frames) >= 3 and all(f.count(b"PORT ") == 1 for f in frames)


def test_a_small_terminal_is_not_scrolled(folders, terminal):
    with running(folders()) as adit:
        adit.idle(5)
        top = terminal([ADITCTL, "--socket", adit.socket, "top"], lines=6, columns=30)
        top.see(b"PORT ", times=2)
        os.write(top.keys, b"q")
        assert top.ends() == 0
        whole = top.seen.split(b"\x1b[H")[2].split(b"\x1b[J")[0].replace(b"\x1b[K", b"")
        rows = whole.split(b"\r\n")
        assert len(rows) == 6 and max(map(len, rows)) == 30


def test_a_gateway_that_ends_ends_it_and_the_terminal_is_as_before(folders, terminal):
    with running(folders()) as adit:
        adit.idle(5)
        top = terminal([ADITCTL, "--socket", adit.socket, "top"])
        top.see(b"PORT ")
        adit.stop()
        assert top.ends() == 3
        assert b"no gateway answers" in top.seen
        assert termios.tcgetattr(top.slave) == top.before


def test_without_a_terminal_it_prints_once(folders):
    with running(folders()) as adit:
        adit.idle(5)
        done = subprocess.run([ADITCTL, "--socket", adit.socket, "top"], capture_output=True, text=True,
                              timeout=PATIENCE)
        assert done.returncode == 0 and "\x1b" not in done.stdout
        assert [line.split()[0] for line in done.stdout.splitlines() if line] == \
            ["PORT", "lan", "wan", "SA", "out-1", "in-1", "EXIT", "out_policy_no_match"]


def test_a_member_of_the_sockets_group_needs_no_root(folders):
    if os.geteuid() != 0:
        pytest.skip("it takes root to become somebody else")
    nobody, daemon = 65534, 1
    folder = folders()
    with running(folder) as adit:
        for path in (folder, *folder.parents):
            path.chmod(path.stat().st_mode | 0o011)
        os.chown(adit.socket, -1, daemon)
        assert adit.socket.stat().st_mode & 0o777 == 0o660
        for groups, status in (([daemon], 0), ([], 3)):
            for command in ("sa", "exits", "workers", "crypto", "ports", "policy", "top"):
                done = subprocess.run([ADITCTL, "--socket", adit.socket, command], user=nobody, group=nobody,
                                      extra_groups=groups, capture_output=True, text=True, timeout=PATIENCE)
                assert done.returncode == status, done.stderr
                assert status == 0 or "a member of the group" in done.stderr
