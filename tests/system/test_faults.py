# SPDX-License-Identifier: BSD-3-Clause
"""A crypto device fails under traffic both ways, be it one that answers at once or later: the gateway lives, its books close, each packet that is missing left by name, and no
number is used twice."""
import contextlib
import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from harness import lookaside
from harness.exits import provokes
from harness.gateway import ADITCTL, Gateway
from harness.site import Site
from harness.stream import Stream, flows_are_in_order

OPENSSL = "crypto_openssl0"
KINDS = {"at_once": {"provider": "openssl", "devices": {"openssl": [OPENSSL]}},
         "later": lookaside.crypto()}
STANDS_STILL = ("stall:after=500", "refuse:after=500")
STOP_S = 5  # what a stop may take


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@contextlib.contextmanager
def failing(wires, folder, kind, fault, **crypto):
    """A gateway with a tunnel, whose crypto device has this fault; and a stream through it."""
    site = Site(crypto={**KINDS[kind], **crypto})
    site.port("lan")["device"], site.port("wan")["device"] = "net_af_packet0", "net_af_packet1"
    site.tunnel()
    vdevs = wires.vdevs("qdisc_bypass=1,framecnt=4096")
    if kind == "later":
        vdevs += lookaside.vdevs()
        fault += ",device=crypto_scheduler0"
    else:
        vdevs.append(OPENSSL)
        fault += f",device={OPENSSL}"
    with Gateway(site, folder, vdevs, netns=wires.name, fault=fault) as adit:
        yield adit, Stream(wires, site)


def device(adit):
    """What is said of the device that fails."""
    return adit.ask("crypto")[0]


def send_until_given_up(adit, stream):
    """And a second longer."""
    end = time.monotonic() + 30
    stream.send(2)
    while device(adit)["state"] != "given up":
        assert time.monotonic() < end, "it is not given up"
        stream.send(0.2)
    stream.send(1)


def worker_share(adit, since):
    """The part of the time since then in which the machine let the worker run."""
    for task in Path(f"/proc/{adit.process.pid}/task").iterdir():
        if re.search(r"worker-?1$", (task / "comm").read_text().strip()):
            fields = (task / "stat").read_text().rsplit(")", 1)[1].split()
            used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            return min(1, used / (time.monotonic() - since))
    raise LookupError("no worker")


def check_order(stream, kept=True):
    """Everything that came out is right; numbers go up, with none missing unless packets are lost
    behind out_esp."""
    out, into = stream.out()[1], stream.into()[1]
    seqs = [seq for seq, _ in out]
    assert seqs == sorted(set(seqs)), "a sequence number came twice or late"
    assert not kept or seqs == list(range(1, len(seqs) + 1))
    assert flows_are_in_order([n for _, n in out]) and flows_are_in_order(into)


@provokes("crypt_failed")
def test_errors_leave_by_name(wires, folders, kind):
    with failing(wires, folders(), kind, "error:every=7") as (adit, stream):
        stream.send(2)
        stream.finish(adit)
        assert adit.exits() == {"crypt_failed": stream.fed // 7}
        assert device(adit)["state"] == "works"
        assert device(adit)["failed"] == stream.fed // 7
    check_order(stream, kept=False)


@provokes("crypt_stalled")
def test_lost_ops_leave_by_name_and_the_device_works_on(wires, folders, kind):
    with failing(wires, folders(), kind, "lost:every=50") as (adit, stream):
        stream.send(3)
        assert device(adit)["state"] == "works"
        stream.finish(adit)
        assert adit.exits() == {"crypt_stalled": stream.fed // 50}
        assert device(adit)["lost"] == stream.fed // 50
    check_order(stream, kept=False)


def test_what_a_device_returns_twice_goes_on_once(wires, folders, kind):
    with failing(wires, folders(), kind, "twice:every=7") as (adit, stream):
        stream.send(2)
        stream.finish(adit)
        lost = adit.exits()
    if kind == "at_once":
        assert not lost
        check_order(stream)
        return
    # A scheduler works on an op in place. When the second return of an op comes after its packet's
    # memory was given out again, and the new op is done but not returned, nobody can tell them apart:
    # its packet goes on before its turn, and the op may stand in the scheduler's rings twice and be
    # lost there, by name.
    assert set(lost) <= {"crypt_stalled", "crypt_failed"}
    seqs = [seq for seq, _ in stream.out()[1]]
    assert len(seqs) == len(set(seqs)), "a sequence number came twice"


@provokes("crypt_failed")
def test_an_op_that_was_not_done_leaves_by_name(wires, folders, kind):
    with failing(wires, folders(), kind, "clear:every=7") as (adit, stream):
        stream.send(2)
        stream.finish(adit)
        assert adit.exits() == {"crypt_failed": stream.fed // 7}
    check_order(stream, kept=False)


def test_wrong_output_is_survived_and_no_number_comes_twice(wires, folders, kind):
    with failing(wires, folders(), kind, "wrong:every=7") as (adit, stream):
        stream.send(2)
        stream.finish(adit)
        assert adit.totals()["sent"] >= stream.fed - stream.fed // 7
    seqs = [seq for seq, _ in stream.esp()[1]]
    assert seqs == sorted(set(seqs))


@provokes("crypt_wrong")
def test_of_a_device_that_is_proven_nothing_wrong_leaves(wires, folders):
    with failing(wires, folders(), "later", "wrong:every=500", fallback="aesni_mb",
                 proof_every=1) as (adit, stream):
        send_until_given_up(adit, stream)
        stream.finish(adit)
        assert {sa["provider"] for sa in adit.sas().values()} == {"aesni_mb"}
        assert set(adit.exits()) <= {"crypt_wrong", "crypt_stalled"}
    check_order(stream, kept=False)


@provokes("crypt_stalled")
@pytest.mark.parametrize("fault", STANDS_STILL)
def test_the_fallback_takes_over_with_the_next_number(wires, folders, kind, fault):
    with failing(wires, folders(), kind, fault, fallback="aesni_mb") as (adit, stream):
        before, start = adit.sas()["out-1"]["provider"], time.monotonic()
        send_until_given_up(adit, stream)
        share = worker_share(adit, start)
        stream.finish(adit)
        assert {sa["provider"] for sa in adit.sas().values()} == {"aesni_mb"} != {before}
        assert device(adit)["state"] == "given up"
        shown = subprocess.run([ADITCTL, "--socket", adit.socket, "crypto"], capture_output=True,
                               text=True, check=True, timeout=60).stdout
        assert "given up" in shown
        assert set(adit.exits()) <= {"crypt_stalled", "crypt_queue_full"}
    assert max(stream.silence("wan"), stream.silence("lan")) * share < 3
    out, into = stream.out()[1], stream.into()[1]
    assert min(out[-1][1], into[-1]) == stream.rounds - 1, "it does not work to the end"
    check_order(stream, kept=False)


@provokes("crypt_stalled")
@pytest.mark.parametrize("fault", STANDS_STILL)
def test_without_a_fallback_an_sa_stops_by_name(wires, folders, kind, fault):
    with failing(wires, folders(), kind, fault) as (adit, stream):
        send_until_given_up(adit, stream)
        stream.finish(adit)
        exits = adit.exits()
        assert set(exits) <= {"crypt_stalled", "crypt_queue_full"}
        assert sum(exits.values()) == stream.fed - adit.totals()["sent"]
        assert 490 <= adit.totals()["sent"] <= 500
    check_order(stream)


@pytest.mark.parametrize("fault", [f"{fault},for={ms}" for fault in STANDS_STILL
                                   for ms in (500, 3000)])
def test_what_comes_late_is_survived(wires, folders, kind, fault):
    with failing(wires, folders(), kind, fault, fallback="aesni_mb") as (adit, stream):
        stream.send(2.5 if "500" in fault.split("=")[-1] else 5)
        stream.finish(adit)
        adit.wait_for(lambda: device(adit)["late"] == device(adit)["lost"], "all came late", 10)
        # One that answers later has a second of the worker's time before it is given up.
        state = device(adit)["state"]
        assert state == "given up" if kind == "at_once" else state == "works" or "3000" in fault
        assert set(adit.exits()) <= {"crypt_stalled", "crypt_queue_full"}
        assert (state == "given up") <= ("crypt_stalled" in adit.exits())
    out, into = stream.out()[1], stream.into()[1]
    assert min(out[-1][1], into[-1]) == stream.rounds - 1, "it does not work to the end"
    check_order(stream, kept=False)


@pytest.mark.parametrize("fault", STANDS_STILL)
def test_a_stop_does_not_wait_for_a_device_that_stands_still(wires, folders, kind, fault):
    with failing(wires, folders(), kind, fault) as (adit, stream):
        stream.send(1)
        before = time.monotonic()
        adit.stop()
        assert time.monotonic() - before < STOP_S


@provokes("crypt_queue_full")
def test_three_times_what_a_device_can_take_leaves_by_name_and_spends_no_number(wires, folders):
    with failing(wires, folders(), "later", "slow:rate=500", in_flight=64) as (adit, stream):
        stream.send(4, rate=750)  # packets go both ways
        stream.finish(adit)
        assert device(adit)["state"] == "works"
        exits, sent = adit.exits(), adit.totals()["sent"]
        assert exits == {"crypt_queue_full": stream.fed - sent}
        assert stream.fed / 4 < sent < stream.fed / 2
    check_order(stream)
