# SPDX-License-Identifier: BSD-3-Clause
"""Sequence numbers, and so nonces, over restarts and crashes: each is used once in the life of a
key."""
import operator
import random
import resource
import signal
import struct
import subprocess
import time

import pytest

from harness import gateway, pcap
from harness.exits import provokes
from harness.gateway import Gateway
from harness.site import MAC, Site, frame, mac_bytes, outward, payload
from harness.traffic import opened

ALGORITHMS = [("aes-128-gcm",), ("aes-128-cbc", "hmac-sha1-96")]
CRASHES = 20
SNAP = 66  # bytes of a frame: up to the first 8 of its IV


def numbers(run, site, n=1):
    return [seq for seq, _ in opened(run, site)[n]]


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids="+".join)
def test_a_clean_restart_goes_on_with_the_next_number(folders, provider, algorithm):
    site = Site(provider)
    site.tunnel(1, algorithm)
    site.tunnel(2, algorithm)
    folder = folders()
    lan = [frame(outward(), "lan")] * 100 + [frame(outward(2), "lan")] * 7
    for start in range(3):
        done = gateway.run(site, folder, lan=lan, restart=start > 0)
        assert numbers(done, site) == list(range(1 + 100 * start, 101 + 100 * start))
        assert numbers(done, site, 2) == list(range(1 + 7 * start, 8 + 7 * start))


def test_another_key_begins_at_1_and_the_old_one_is_remembered(folders):
    folder = folders()
    lan = [frame(outward(), "lan")] * 10
    seen = []
    for key in ("first", "second", "first"):
        site = Site()
        ours, _ = site.tunnel()
        entry = site.config["sas"][0]
        if key == "second":
            ours.key = bytes(reversed(ours.key))
            entry["key"] = "0x" + ours.key.hex()
        seen.append(numbers(gateway.run(site, folder, lan=lan, restart=bool(seen)), site))
    assert seen == [list(range(1, 11)), list(range(1, 11)), list(range(11, 21))]


def test_a_key_goes_on_under_another_algorithm(folders):
    # AES-GCM and CTR make one key stream of a key and a number, whatever the ICV is.
    folder = folders()
    lan = [frame(outward(), "lan")] * 10
    numbers_after = []
    for keys in ({"aead": "aes-128-gcm"}, {"aead": "aes-128-gcm-8"},
                 {"cipher": "aes-128-ctr", "auth": "hmac-sha1-96", "auth_key": "0x" + 20 * "5a"}):
        site = Site()
        site.tunnel()
        del site.config["sas"][0]["aead"]
        site.config["sas"][0].update(keys)
        done = gateway.run(site, folder, lan=lan, restart=bool(numbers_after))
        numbers_after.append(done.sas["out-1"]["sequence"])
    assert numbers_after == [11, 21, 31]


def test_a_configured_start_lifts_the_number_and_never_lowers_it(folders):
    folder = folders()
    lan = [frame(outward(), "lan")] * 10
    starts = []
    for at_least in (1000, 5, 5000):
        site = Site()
        site.tunnel(out={"sequence": {"next": at_least}})
        done = gateway.run(site, folder, lan=lan, restart=bool(starts))
        starts.append(numbers(done, site)[0])
    assert starts == [1000, 1010, 5000]


def wire_site(algorithm):
    """A site whose lan port is fed for ever from a file, and whose wan port is real."""
    site = Site()
    site.tunnel(1, algorithm)
    site.port("wan")["device"] = "net_af_packet0"
    return site


def column(records, at, size):
    """A field of up to 8 bytes of every record that tcpdump wrote, as numbers. A record is 16 bytes
    and the frame; there are millions."""
    out = bytearray(8 * (len(records) // (16 + SNAP)))
    for i in range(size):
        out[size - 1 - i::8] = records[at + i::16 + SNAP]
    return memoryview(out).cast("Q")


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids="+".join)
def test_killed_20_times_under_load_it_repeats_no_nonce(wires, folders, algorithm):
    folder = folders()
    pcap.write(folder / "lan.in", [frame(outward(size=64), "lan")] * 64)
    capture = subprocess.Popen(
        ["ip", "netns", "exec", wires.name, "tcpdump", "-i", "wan1", "-s", str(SNAP), "-B", "65536",
         "-Z", "root", "-w", folder / "wire"], stderr=subprocess.PIPE, text=True)
    while "listening" not in capture.stderr.readline():
        assert capture.poll() is None
    site = wire_site(algorithm)
    vdevs = [f"net_pcap0,rx_pcap={folder}/lan.in,infinite_rx=1",
             "net_af_packet0,iface=wan0,qdisc_bypass=1"]
    when = random.Random(1)
    for life in range(CRASHES):
        with Gateway(site, folder, vdevs, netns=wires.name, fresh=life == 0) as adit:
            adit.wait_for(lambda a=adit: a.totals()["sent"] > 0, "a packet is sent")
            time.sleep(0.02 + 0.48 * when.random() ** 3)  # most die young
            adit.kill()
        (folder / "control").unlink()
    capture.terminate()
    said = capture.communicate(timeout=60)[1]
    records = (folder / "wire").read_bytes()[24:]
    ours = site.tunnels[1][0]
    fixed = ((8, struct.pack("<I", SNAP)), (16, mac_bytes(MAC["peer"])), (39, bytes([50])),
             (50, struct.pack("!I", ours.spi)))
    for at, value in fixed:
        assert set(column(records, at, len(value))) == {int.from_bytes(value, "big")}, "not our ESP"
    seqs, nonces = column(records, 54, 4), column(records, 58, 8)
    assert len(seqs) > 1000 * CRASHES
    assert len(set(nonces)) == len(nonces), "a nonce came twice"
    steps = [seqs[0], *map(operator.sub, seqs[1:], seqs)]
    assert min(steps) > 0, "a sequence number came twice or late"
    # Not after each life: one whose lease was used up, and that waited for the disk, has lost nothing.
    lives = sum(step > 1000 for step in steps)
    assert lives >= CRASHES // 2, f"leases that were lost leave gaps\n{said}"


@provokes("out_lease_wait")
def test_without_a_lease_on_disk_nothing_is_sent_and_later_it_goes_on(folders):
    site = Site()
    site.tunnel()
    site.port("wan")["device"] = "net_null0"
    folder = folders()
    pcap.write(folder / "lan.in", [frame(outward(), "lan")] * 64)
    vdevs = [f"net_pcap0,rx_pcap={folder}/lan.in,infinite_rx=1", "net_null0,no-rx=1"]

    def waits(adit):
        return adit.exits().get("out_lease_wait", 0)
    with Gateway(site, folder, vdevs, restore=False) as adit:
        adit.wait_for(lambda: adit.totals()["sent"] > 100000, "it sends, and refills its lease")
        assert not waits(adit)
        # From here on a write to the journal fails: EFBIG.
        resource.prlimit(adit.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        adit.wait_for(lambda: waits(adit) > 1000, "the lease ends")
        sent = adit.totals()["sent"]
        time.sleep(0.3)
        assert adit.totals()["sent"] == sent
        resource.prlimit(adit.process.pid, resource.RLIMIT_FSIZE,
                         (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        adit.wait_for(lambda: adit.totals()["sent"] > sent + 100000, "it goes on")
        gateway.seen_exits.update(adit.exits())


def test_only_esp_leaves_when_it_is_stopped_under_load(wires, folders):
    folder = folders()
    pcap.write(folder / "lan.in", [frame(outward(size=64), "lan")] * 64)
    vdevs = [f"net_pcap0,rx_pcap={folder}/lan.in,infinite_rx=1",
             "net_af_packet0,iface=wan0,qdisc_bypass=1"]
    for n, (number, algorithm) in enumerate(((signal.SIGINT, ALGORITHMS[0]),
                                             (signal.SIGTERM, ALGORITHMS[1])) * 2):
        site = wire_site(algorithm)
        ours = site.tunnels[1][0]
        with Gateway(site, folder, vdevs, netns=wires.name, fresh=n == 0) as adit:
            adit.wait_for(lambda a=adit: a.totals()["sent"] > 10000, "it sends")
            adit.stop(number)
        got = wires.receive("wan", 1 << 20, 0.3)
        assert len(got) > 1000
        for f in got[::50] + got[-50:]:
            assert ours.unwrap(payload(f, "wan"))[1]


def test_a_second_gateway_on_the_same_state_is_refused(folders):
    site = Site()
    site.tunnel()
    folder, other = folders(), folders()
    pcap.write(folder / "in", [])
    vdevs = [f"net_pcap{n},rx_pcap={folder}/in,tx_pcap={folder}/{n}" for n in (0, 1)]
    with Gateway(site, folder, vdevs) as adit:
        config = site.text(folder).replace(f"{folder}/control", f"{other}/control")
        (other / "site.yaml").write_text(config)
        second = subprocess.run([gateway.ADIT, *gateway.eal(vdevs), "--", "--config",
                                 other / "site.yaml"], capture_output=True, text=True, timeout=60)
        assert second.returncode == 1
        assert str(folder / "state") in second.stderr
        assert not (other / "control").exists()
        assert adit.is_up()
