# SPDX-License-Identifier: BSD-3-Clause
"""Under a service manager: what it is told and when, and the unit that it starts adit by."""
import os
import re
import shutil
import signal
import socket
import subprocess

import pytest

from harness import pcap
from harness.confine import settings
from harness.gateway import ADIT, BUILD, PATIENCE, TOP, Gateway, eal, init_state
from harness.site import Site, frame, hop, inward, outward, payload

UNIT = BUILD / "config/adit.service"
CONFINE = TOP / "tests/harness/confine.py"
EXPOSURE = 3.5  # of 10, by systemd-analyze security; docs/operating.md says so too

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze")


class Manager:
    """The end of a service manager's socket that it hears its services by."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(path))
        self.socket.settimeout(PATIENCE)

    def hear(self):
        """The next message, as a dict."""
        return dict(line.split("=", 1) for line in self.socket.recv(4096).decode().splitlines())

    def hear_other_than(self, key):
        while True:
            message = self.hear()
            if key not in message:
                return message


@pytest.fixture
def manager(tmp_path, monkeypatch):
    made = Manager(tmp_path / "notify")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("WATCHDOG_USEC", "200000")
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    with made.socket:
        yield made


def quiet(folder):
    """Two ports that nothing comes from."""
    pcap.write(folder / "in", [])
    return [f"net_pcap{n},rx_pcap={folder}/in,tx_pcap={folder}/out{n}" for n in (0, 1)]


@pytest.mark.parametrize("workers", [(1,), (1, 2), ()], ids=["one worker", "two workers", "on the main lcore"])
def test_a_manager_is_told_of_each_turn_of_its_life(folders, manager, workers):
    site = Site() if workers else Site(workers={"lcores": [0]})
    site.tunnel()
    folder = folders()
    with Gateway(site, folder, quiet(folder), workers=workers) as adit:
        ready = manager.hear()
        assert ready["READY"] == "1"
        assert ready["STATUS"] == f"forwarding, {len(workers) or 1} workers"
        assert all(w["polls"] > 0 for w in adit.ask("workers")["workers"])
        for _ in range(3):
            assert manager.hear() == {"WATCHDOG": "1"}
        adit.process.send_signal(signal.SIGHUP)
        reloading = manager.hear_other_than("WATCHDOG")
        assert reloading["RELOADING"] == "1" and int(reloading["MONOTONIC_USEC"]) > 0
        assert manager.hear_other_than("WATCHDOG")["READY"] == "1"
        adit.process.send_signal(signal.SIGTERM)
        assert manager.hear_other_than("WATCHDOG")["STOPPING"] == "1"
        assert adit.process.wait(PATIENCE) == 0


def test_a_gateway_that_does_not_start_is_never_ready(folders, manager):
    site, folder = Site(), folders()
    site.port("lan")["device"] = "net_pcap7"
    (folder / "site.yaml").write_text(site.text(folder))
    init_state(folder / "site.yaml")
    done = subprocess.run([ADIT, *eal(), "--", "--config", folder / "site.yaml"], capture_output=True,
                          text=True, timeout=PATIENCE)
    assert done.returncode == 1 and "net_pcap7" in done.stderr
    manager.socket.setblocking(False)
    with pytest.raises(BlockingIOError):
        manager.hear()


def unit_of(folder, **changes):
    """The unit as it is installed, but for the program that this machine has."""
    text = UNIT.read_text()
    for key, value in changes.items():
        text, n = re.subn(rf"^{key}=.*$", f"{key}={value}", text, flags=re.MULTILINE)
        assert n == 1
    start = settings(UNIT)["ExecStart"].split()
    text = text.replace(start[0], str(ADIT))
    (folder / "adit.service").write_text(text)
    return folder / "adit.service"


def systemd_analyze(*args):
    return subprocess.run(["systemd-analyze", *args], capture_output=True, text=True, timeout=PATIENCE,
                          env={**os.environ, "LC_ALL": "C.UTF-8"})


@needs_systemd
def test_systemd_finds_nothing_wrong_with_the_unit(folders):
    done = systemd_analyze("verify", "--man=no", unit_of(folders()))
    assert done.returncode == 0 and not done.stdout + done.stderr
    wrong = systemd_analyze("verify", "--man=no", unit_of(folders(), Type="whenever"))
    assert "whenever" in wrong.stderr


@needs_systemd
def test_the_unit_exposes_no_more_than_is_said(folders):
    threshold = f"--threshold={round(EXPOSURE * 10)}"
    done = systemd_analyze("security", "--offline=yes", threshold, unit_of(folders()))
    assert done.returncode == 0, done.stdout
    open_ = systemd_analyze("security", "--offline=yes", threshold, unit_of(folders(), ProtectSystem="no",
                            SystemCallFilter="", CapabilityBoundingSet="~"))
    assert open_.returncode != 0, open_.stdout


def test_the_unit_starts_what_is_installed_with_a_reload_that_systemd_waits_for():
    unit = settings(UNIT)
    program, *arguments = unit["ExecStart"].split()
    assert os.path.basename(program) == "adit" and os.path.isabs(program)
    assert arguments == ["$ADIT_EAL", "--", "$ADIT_CONFIG"]
    # systemd before 253 sends no SIGHUP by itself.
    assert (unit["Type"], unit.get("ExecReload")) in (("notify", "kill -HUP $MAINPID"), ("notify-reload", None))
    default = (TOP / "config/adit.default").read_text()
    for variable in ("ADIT_EAL", "ADIT_CONFIG"):
        assert re.search(rf'^{variable}="[^"]+"$', default, re.MULTILINE) and variable in unit["Environment"]


@needs_systemd
def test_what_the_unit_takes_away_is_not_missed(wires, folders, monkeypatch):
    pytest.importorskip("seccomp")
    # The leak checker stops its own threads by ptrace(2), which is none of adit's business.
    monkeypatch.setenv("ASAN_OPTIONS", f"{os.environ.get('ASAN_OPTIONS', '')}:detect_leaks=0")
    site = Site()
    site.port("lan")["device"], site.port("wan")["device"] = "net_af_packet0", "net_af_packet1"
    ours, peer = site.tunnel()
    site.config["control"] = {"group": "daemon"}
    confined = ["/usr/bin/python3", "-B", CONFINE, UNIT]
    with Gateway(site, folders(), wires.vdevs(), netns=wires.name, command=confined) as adit:
        status = dict(re.findall(r"^(\w+):\s+(\S+)", open(f"/proc/{adit.process.pid}/status").read(), re.MULTILINE))
        assert (status["Seccomp"], status["NoNewPrivs"]) == ("2", "1")
        assert int(status["CapEff"], 16) == 1 << 0 | 1 << 12 | 1 << 13 | 1 << 14
        wires.send("lan", [frame(outward(size=200), "lan")] * 9)
        got = wires.receive("wan", 9, 5)
        assert [ours.unwrap(payload(f, "wan"))[1] for f in got] == [hop(outward(size=200))] * 9
        wires.send("wan", [frame(peer.packet(inward(size=200)), "wan") for _ in range(9)])
        assert [payload(f, "lan") for f in wires.receive("lan", 9, 5)] == [hop(inward(size=200))] * 9
        assert adit.socket.group() == "daemon"
        adit.idle(18)
        assert "warning" not in adit.text()


@needs_systemd
@pytest.mark.parametrize("attempt, reason", [
    ("import socket; socket.socket(socket.AF_ALG)", "not permitted"),
    ("import os; os.chroot('/')", "not permitted"),
    ("import mmap; mmap.mmap(-1, 4096, prot=7)", "not permitted"),
    ("import os; os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))", "not permitted"),
    ("import os; os.setpriority(os.PRIO_PROCESS, 0, -5)", "denied"),
    ("import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)", None)])
def test_what_is_taken_away_is_gone(attempt, reason):
    """Otherwise the test before shows nothing."""
    pytest.importorskip("seccomp")
    if os.geteuid() != 0:
        pytest.skip("capabilities are root's to drop")
    done = subprocess.run(["/usr/bin/python3", "-B", CONFINE, UNIT, "/usr/bin/python3", "-c", attempt],
                          capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode == 0) == (reason is None), done.stderr
    assert reason is None or reason in done.stderr
