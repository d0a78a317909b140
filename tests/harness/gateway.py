# SPDX-License-Identifier: BSD-3-Clause
"""The adit process: started with a site's config, asked over its control socket, stopped, and held
to its books."""
import functools
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

from . import pcap
from .site import ETHERTYPE

TOP = Path(__file__).resolve().parents[2]
LEAKS = Path(__file__).with_name("leaks.supp")
BUILD = Path(os.environ.get("ADIT_BUILD") or TOP / "build-gcc")
ADIT = BUILD / "app/adit/adit"
ADITCTL = BUILD / "app/aditctl/aditctl"
WATCH = BUILD / "tests/watch/libadit-watch.so"
PATIENCE = 60  # seconds; the sanitizers and a busy machine are slow

FREE_PAGES = Path("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages")
ROOM_PAGES = 256  # a gateway takes 50 to 100, and others may start in the same moment

_serial = itertools.count()

# What the tests of this session saw counted, by exit; see exits.py.
seen_exits = set()


def memory():
    """EAL arguments: hugepages while there are enough, for to touch memory page by page is most of what
    a start costs, and where there are none what needs none."""
    try:
        is_roomy = int(FREE_PAGES.read_text()) >= ROOM_PAGES
    except OSError:  # a kernel without them
        is_roomy = False
    return ["--in-memory", "--single-file-segments"] if is_roomy else ["--no-huge", "-m", "512"]


def eal(vdevs=(), workers=(1,), prefix=None, lcores=()):
    """EAL arguments of a gateway of ours: main, its workers, and more lcores. They may run anywhere:
    several tests run at once."""
    every = ",".join(map(str, sorted(os.sched_getaffinity(0))))
    taken = [n for n in re.findall(r"corelist=(\d+)", " ".join(vdevs)) if int(n) not in (*workers, *lcores)]
    all_lcores = ",".join(f"{n}@({every})" for n in (0, *workers, *lcores, *taken))
    args = ["--lcores", all_lcores, "--no-pci", "--no-shconf", *memory(),
            "--file-prefix", prefix or f"adit-test-{os.getpid()}-{next(_serial)}"]
    for vdev in vdevs:
        args += ["--vdev", vdev]
    return args


def ask(path, command, timeout=10, **more):
    """One request to the control socket of a gateway."""
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(timeout)
        s.connect(str(path))
        s.sendall(json.dumps({"do": command, **more}).encode() + b"\n")
        with s.makefile() as lines:
            answer = json.loads(lines.readline())
    assert answer["ok"], answer
    return answer["data"]


@functools.cache
def preloaded():
    """What stands between adit and its crypto devices; a sanitizer's runtime wants to come first."""
    libs = subprocess.run(["ldd", ADIT], capture_output=True, text=True, check=True).stdout
    return [*re.findall(r"/\S*/libasan\S*", libs), str(WATCH)]


def watched(fault=None):
    """Runs the command behind it under the op linter, and with a fault of fault.c."""
    return ["env", f"LD_PRELOAD={' '.join(preloaded())}", f"ADIT_TEST_FAULT={fault or ''}"]


def init_state(config, **options):
    """adit --init-state, which makes the journal of leases."""
    return subprocess.run([ADIT, "--init-state", "--config", config], capture_output=True,
                          text=True, timeout=PATIENCE, **options)


class Died(Exception):
    """adit ended when it should not have."""


class Gateway:
    """An adit that runs, every crypto op of it held to what QAT demands unless lint is off. Use it
    as a context: it is stopped at the end, or killed on an error. fault: as fault.c has them,
    "lost:every=50"."""

    def __init__(self, site, folder, vdevs, workers=(1,), netns=None, fresh=True, restore=True,
                 command=(), file_prefix=None, fault=None, lint=True, lcores=()):
        self.folder = Path(folder)
        self.config = self.folder / "site.yaml"
        self.socket = self.folder / "control"
        if workers:  # else main carries packets, as the site says
            site.config["workers"] = {**site.config.get("workers", {}), "lcores": list(workers)}
        self.config.write_text(site.text(self.folder))
        if fresh:
            made = init_state(self.config)
            assert made.returncode == 0, made.stderr
        self.log = self.folder / "log"
        prefix = ["ip", "netns", "exec", netns] if netns else []
        watch = watched(fault) if fault or lint else []
        self.command = [*prefix, *command, *watch, ADIT,
                        *eal(vdevs, workers, file_prefix, lcores), "--", "--config", self.config]
        self.launch(restore)

    def launch(self, restore=True):
        with open(self.log, "ab") as log:
            # restore_signals=False leaves SIGXFSZ ignored: a test may limit the size of files.
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, restore_signals=restore,
                env={**os.environ, "LSAN_OPTIONS": f"print_suppressions=0:suppressions={LEAKS}"})

    def __enter__(self):
        try:
            try:
                self.wait_for(self.is_up, "the control socket answers")
            except Died:
                # The driver names a group of sockets by its process's id XOR an interface's number:
                # two processes in one namespace may hit on the same name.
                if "could not set PACKET_FANOUT" not in self.text():
                    raise
                self.launch()
                self.wait_for(self.is_up, "the control socket answers")
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            self.kill()
        elif self.process.returncode is None:
            self.stop()

    def text(self):
        return self.log.read_text(errors="replace")

    def is_up(self):
        try:
            self.ask("workers")
        except (ConnectionError, FileNotFoundError, TimeoutError):  # it may still be starting
            return False
        return True

    def ask(self, command, **more):
        return ask(self.socket, command, **more)

    def wait_for(self, is_so, what, patience=PATIENCE):
        end = time.monotonic() + patience
        while True:
            if self.process.poll() is not None:
                raise Died(f"status {self.process.returncode} before {what}:\n{self.text()}")
            if is_so():
                return
            if time.monotonic() > end:
                raise TimeoutError(f"{what}: not after {patience} s; {self.totals()}\n{self.text()}")
            time.sleep(0.01)

    def totals(self):
        """Sums over workers: received, made, sent, exits, merged, parked, in_hand."""
        return self.ask("workers")["books"]

    def exits(self):
        """Exits that were taken: name to count."""
        return {e["name"]: e["packets"] for e in self.ask("exits") if e["packets"]}

    def sas(self):
        return {sa["name"]: sa for sa in self.ask("sa")}

    def idle(self, received):
        """Waits until so many frames came and all of them have gone somewhere."""
        def is_idle():
            t = self.totals()
            return t["received"] >= received and t["parked"] == 0 and t["in_hand"] == 0
        self.wait_for(is_idle, f"{received} frames received")
        self.check_books()

    def check_books(self):
        """received + made = sent + exits + merged + parked. Only when nothing is under way."""
        t, exits = self.totals(), self.exits()
        seen_exits.update(exits)
        assert t["received"] + t["made"] == t["sent"] + sum(exits.values()) + t["merged"] \
            + t["parked"], f"the books do not close: {t}, {exits}"

    def stop(self, number=signal.SIGTERM):
        """Stops it as an operator would; it must go in peace and leave nothing behind."""
        self.process.send_signal(number)
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise TimeoutError(f"does not stop\n{self.text()}") from None
        assert status == 0, f"status {status}:\n{self.text()}"
        assert not self.socket.exists(), "the control socket is left behind"
        text = self.text()
        assert "Sanitizer" not in text and "runtime error" not in text, text

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Run:
    """What became of the frames that a run was fed."""

    def __init__(self, lan, wan, exits, sas, totals, text):
        self.lan, self.wan = lan, wan  # frames sent on each port
        self.exits, self.sas, self.totals, self.text = exits, sas, totals, text


def is_esp(whole):
    """Whether a frame on the unprotected side is ESP, tagged or not."""
    at = 12
    while whole[at:at + 2] in (b"\x81\x00", b"\x88\xa8"):
        at += 4
    ethertype = int.from_bytes(whole[at:at + 2], "big")
    at += 2
    return (ethertype == ETHERTYPE[4] and whole[at + 9] == 50
            or ethertype == ETHERTYPE[6] and whole[at + 6] == 50)


def run(site, folder, lan=(), wan=(), clear=0, restart=False, workers=(1,), vdevs=()):
    """Feeds frames to both ports from files, waits until the gateway is done with all, stops it.
    clear: so many frames of the unprotected side are meant to be something other than ESP. vdevs:
    further devices of the EAL."""
    folder = Path(folder)
    vdevs = list(vdevs)
    for n, (name, frames) in enumerate((("lan", lan), ("wan", wan))):
        pcap.write(folder / f"{name}.in", frames)
        vdevs.append(f"net_pcap{n},rx_pcap={folder}/{name}.in,tx_pcap={folder}/{name}.out")
    with Gateway(site, folder, vdevs, workers, fresh=not restart) as gateway:
        gateway.idle(len(lan) + len(wan))
        exits, sas, totals = gateway.exits(), gateway.sas(), gateway.totals()
        gateway.stop()
    out = [pcap.read(folder / f"{name}.out") for name in ("lan", "wan")]
    assert totals["received"] == len(lan) + len(wan)
    assert totals["sent"] == len(out[0]) + len(out[1]), f"{totals}, but {list(map(len, out))}"
    unprotected = [f for f in out[1] if not is_esp(f)]
    assert len(unprotected) == clear, f"in clear: {[f.hex() for f in unprotected[:3]]}"
    return Run(*out, exits, sas, totals, gateway.text())
