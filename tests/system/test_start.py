# SPDX-License-Identifier: BSD-3-Clause
"""Starts that fail name every reason and leave nothing behind; what needs no devices needs none."""
import json
import os
import re
import signal
import subprocess

import pytest

from harness import gateway, pcap
from harness.gateway import ADIT, ADITCTL, Died, Gateway
from harness.site import Site, frame, inward, outward
from harness.traffic import expect_in, expect_out

USAGE, FAILED = 2, 1


def adit(*args, **options):
    return subprocess.run([ADIT, *args], capture_output=True, text=True, timeout=60, **options)


def vdevs(folder):
    pcap.write(folder / "in", [])
    return [f"net_pcap{n},rx_pcap={folder}/in,tx_pcap={folder}/out{n}" for n in (0, 1)]


def refused(folder, site, *words, status=FAILED, devices=None, init=True):
    """It does not start, says these words, and a good gateway starts in its place afterwards."""
    config = folder / "bad.yaml"
    config.write_text(site.text(folder))
    good = Site()
    good.tunnel()
    (folder / "site.yaml").write_text(good.text(folder))
    if init:
        gateway.init_state(folder / "site.yaml")
    before = sorted(p.name for p in folder.iterdir())
    done = adit(*gateway.eal(vdevs(folder) if devices is None else devices), "--", "--config",
                config)
    assert done.returncode == status, done.stderr
    for word in words:
        assert word in done.stderr, done.stderr
    assert "Sanitizer" not in done.stderr and "runtime error" not in done.stderr, done.stderr
    made = set(p.name for p in folder.iterdir()) - set(before) - {"in", "out0", "out1"}
    assert not made, f"left behind: {made}"
    with Gateway(good, folder, vdevs(folder), fresh=not init):
        pass
    return done.stderr


def test_every_error_of_a_config_is_told_in_one_run_with_its_place(folders):
    site = Site()
    site.tunnel()
    sas = site.config["sas"]
    sas[0].update(spi="0x0", aead="aes-129-gcm", replay_windows=5)
    sas[1].update(key="0x00", df="perhaps")
    site.config["ports"][0].update(side="inside", mtu=67)
    site.config["policies"][0]["action"] = "encrypt"
    site.config["policies"][1].update(src="10.1.0.0/33")
    site.config["colour"] = "blue"
    folder = folders()
    text = refused(folder, site, "spi", "aes-129-gcm", "replay_windows", "df", "side", "mtu",
                   "encrypt", "10.1.0.0/33", "colour")
    places = re.findall(rf"^{re.escape(str(folder))}/bad\.yaml:\d+:\d+: ", text, re.MULTILINE)
    assert len(places) >= 9, text
    assert sas[1]["key"][2:] + "\n" not in text.replace('"', "")


def test_a_key_is_never_printed(folders):
    site = Site()
    site.tunnel()
    keys = [sa["key"][2:] for sa in site.config["sas"]]
    for sa, tail in zip(site.config["sas"], ("ab", "zz")):
        sa["key"] += tail
    folder = folders()
    (folder / "bad.yaml").write_text(site.text(folder))
    done = adit("--check", "--config", folder / "bad.yaml")
    assert done.returncode == FAILED
    for key in keys:
        for part in (key, key[:16], key[-16:]):
            assert part not in done.stdout + done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="the memory of a gateway is root's to read")
def test_no_key_is_in_memory_but_in_its_session(folders):
    site = Site()
    site.tunnel()
    folder = folders()
    # A session has the key without its salt, in memory of the EAL.
    keys = [bytes.fromhex(sa["key"][2:]) for sa in site.config["sas"]]
    texts = [sa["key"][2:].encode() for sa in site.config["sas"]]
    with Gateway(site, folder, vdevs(folder)) as gateway_:
        found = []
        with open(f"/proc/{gateway_.process.pid}/maps") as maps, \
                open(f"/proc/{gateway_.process.pid}/mem", "rb") as memory:
            for line in maps:
                place, mode = line.split()[:2]
                first, end = (int(n, 16) for n in place.split("-"))
                if mode != "rw-p" or end - first > 1 << 28:
                    continue
                memory.seek(first)
                held = memory.read(end - first)
                found += [line for secret in keys + texts if secret in held]
    assert not found


def test_check_needs_no_devices_and_starts_nothing(folders):
    site = Site()
    site.tunnel()
    folder = folders()
    (folder / "site.yaml").write_text(site.text(folder))
    before = sorted(folder.iterdir())
    for args in (["--check", "--config", folder / "site.yaml"],
                 ["--no-pci", "--", "--check", "--config", folder / "site.yaml"]):
        done = adit(*args)
        assert done.returncode == 0, done.stderr
        assert "checked" in done.stdout.lower()
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("args, status, word", [
    (["--version"], 0, "DPDK"), (["--help"], 0, "exit status"), (["--describe"], 0, "out_classify"),
    (["--nonsense"], USAGE, "--nonsense"), ([], USAGE, "--config"),
    (["--config"], USAGE, "--config"), (["--check", "--config", "/nowhere.yaml"], FAILED,
                                        "/nowhere.yaml"),
    (["-yz"], USAGE, "-y;"), (["--check", "--init-state", "--config", "x"], USAGE, "--init-state"),
    (["--check", "--config", "x", "--"], USAGE, "--check"),
    (["--config=x", "--", "--check"], USAGE, "--config=x")])
def test_options_that_need_no_eal_do_what_they_say(args, status, word):
    done = adit(*args)
    assert done.returncode == status
    assert word in (done.stderr if status else done.stdout)


def test_closed_standard_descriptors_are_not_taken_for_another_file(folders):
    site = Site()
    site.tunnel()
    folder = folders()
    with Gateway(site, folder, vdevs(folder), command=["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"]) \
            as gateway_:
        for fd in (0, 1, 2):
            assert os.readlink(f"/proc/{gateway_.process.pid}/fd/{fd}") == "/dev/null"


def test_a_missing_journal_is_refused_and_told_how_to_make(folders):
    site = Site()
    site.tunnel()
    refused(folders(), site, "--init-state", init=False)


def test_a_journal_is_not_made_twice(folders):
    site = Site()
    folder = folders()
    (folder / "site.yaml").write_text(site.text(folder))
    assert gateway.init_state(folder / "site.yaml").returncode == 0
    again = gateway.init_state(folder / "site.yaml")
    assert again.returncode == FAILED
    assert "already" in again.stderr


def test_missing_devices_are_named_with_what_there_is(folders):
    site = Site()
    site.tunnel()
    site.port("lan")["device"] = "net_pcap7"
    site.port("wan")["device"] = "0000:3b:00.9"
    refused(folders(), site, "net_pcap7", "0000:3b:00.9", "net_pcap0", "--vdev")


def test_a_provider_without_devices_says_what_to_bind(folders):
    site = Site("qat")
    site.tunnel()
    text = refused(folders(), site, "qat", "-a ", "out-1", "in-1")
    assert len(re.findall(r"bad\.yaml:\d+:\d+: ", text)) == 2


def test_a_missing_provider_is_replaced_by_the_fallback_with_a_warning(run):
    site = Site("qat")
    _, peer = site.tunnel(fallback="openssl")
    site.tunnel(2, provider="aesni_mb")
    done = run(site, lan=[frame(outward(), "lan")], wan=[frame(peer.packet(inward()), "wan")])
    assert not done.exits
    expect_out(done, site, {1: [outward()]})
    expect_in(done, [inward()])
    assert "fallback" in done.text and "out-1" in done.text
    assert done.sas["out-1"]["provider"] == "openssl"
    assert done.sas["out-2"]["provider"] == "aesni_mb"


def test_lcores_that_the_eal_lacks_are_named(folders):
    site = Site(workers={"lcores": [5]})
    site.tunnel()
    refused(folders(), site, "lcore 5", "--lcores")


def test_a_control_socket_in_use_is_refused(folders):
    site = Site()
    folder, other = folders(), folders()
    with Gateway(site, folder, vdevs(folder)) as running:
        config = site.text(other).replace(f"{other}/control", f"{folder}/control")
        (other / "site.yaml").write_text(config)
        gateway.init_state(other / "site.yaml")
        done = adit(*gateway.eal(vdevs(other)), "--", "--config", other / "site.yaml")
        assert done.returncode == FAILED
        assert f"{folder}/control" in done.stderr
        assert running.is_up()


def test_no_memory_is_an_error_and_no_crash(folders):
    site = Site()
    site.tunnel()
    folder = folders()
    (folder / "site.yaml").write_text(site.text(folder))
    gateway.init_state(folder / "site.yaml")
    args = [a if a != "512" else "24" for a in gateway.eal(vdevs(folder)) if a != "--in-memory"]
    if "--no-huge" not in args:
        args.insert(0, "--no-huge")
    done = adit(*args, "--", "--config", folder / "site.yaml")
    assert done.returncode == FAILED
    assert "memory" in done.stderr


def test_without_hugepages_it_carries_packets_too(run, monkeypatch):
    monkeypatch.setattr(gateway, "FREE_PAGES", gateway.TOP / "none")
    assert "--no-huge" in gateway.eal()
    site = Site()
    _, peer = site.tunnel()
    done = run(site, lan=[frame(outward(), "lan")], wan=[frame(peer.packet(inward()), "wan")])
    expect_out(done, site, {1: [outward()]})
    expect_in(done, [inward()])


def on_scheduler(arguments):
    """A site on a scheduler that works on other lcores, and its devices."""
    site = Site(crypto={"provider": "qat", "devices": {"qat": ["crypto_scheduler0"]}})
    site.port("lan")["device"], site.port("wan")["device"] = "net_null0", "net_null1"
    site.tunnel()
    return site, ["net_null0", "net_null1", "crypto_aesni_mb0",
                  "crypto_scheduler0,worker=crypto_aesni_mb0,mode=multi-core,ordering=enable,"
                  + arguments]


def test_an_lcore_that_a_device_works_on_is_refused(folders):
    site, vdevs = on_scheduler("corelist=1")
    with pytest.raises(Died) as died:
        with Gateway(site, folders(), vdevs):
            pass
    assert "workers.lcores: a device works on lcore 1" in str(died.value)


@pytest.mark.parametrize("arguments", ["corelist=1;3", "coremask=0xa"])
def test_what_devices_leave_of_the_lcores_carries_packets(folders, arguments):
    site, vdevs = on_scheduler(arguments)
    del site.config["workers"]
    with Gateway(site, folders(), vdevs, workers=(), lcores=(1, 2, 3)) as adit_:
        assert [w["lcore"] for w in adit_.ask("workers")["workers"]] == [2]


def test_one_lcore_carries_packets_and_answers_too(folders):
    site = Site(workers={"lcores": [0]})
    site.tunnel()
    folder = folders()
    pcap.write(folder / "in0", [frame(outward(), "lan")] * 50)
    pcap.write(folder / "in1", [])
    devices = [f"net_pcap{n},rx_pcap={folder}/in{n},tx_pcap={folder}/out{n}" for n in (0, 1)]
    with Gateway(site, folder, devices, workers=()) as running:
        running.idle(50)
        assert running.totals()["sent"] == 50
        running.stop(signal.SIGINT)


def test_it_runs_without_root(folders):
    if os.geteuid() != 0:
        pytest.skip("the other tests have shown it")
    site = Site()
    site.tunnel()
    folder = folders()
    nobody = 65534
    for path in (folder, *folder.parents):
        if path.stat().st_mode & 0o005 != 0o005 and str(path) != "/":
            path.chmod(path.stat().st_mode | 0o055)
    os.chown(folder, nobody, nobody)
    (folder / "site.yaml").write_text(site.text(folder))
    (folder / "site.yaml").chmod(0o644)
    as_nobody = {"user": nobody, "group": nobody, "extra_groups": [],
                 "env": {**os.environ, "XDG_RUNTIME_DIR": str(folder)}}
    made = gateway.init_state(folder / "site.yaml", **as_nobody)
    assert made.returncode == 0, made.stderr
    check = adit("--check", "--config", folder / "site.yaml", **as_nobody)
    assert check.returncode == 0, check.stderr


def test_aditctl_shows_what_the_gateway_counted(folders):
    site = Site()
    site.tunnel()
    folder = folders()
    pcap.write(folder / "in0", [frame(outward(), "lan")] * 3 + [frame(outward(9), "lan")] * 2)
    pcap.write(folder / "in1", [])
    devices = [f"net_pcap{n},rx_pcap={folder}/in{n},tx_pcap={folder}/out{n}" for n in (0, 1)]

    def ctl(*args):
        return subprocess.run([ADITCTL, "--socket", folder / "control", *args],
                              capture_output=True, text=True, timeout=30)
    with Gateway(site, folder, devices) as running:
        running.idle(5)
        assert re.search(r"out-1 +out .*aes-128-gcm.*aesni_mb .* 3 +\d+$", ctl("sa").stdout,
                         re.MULTILINE)
        assert re.search(r"^out_policy_no_match +drop +2 ", ctl("exits").stdout, re.MULTILINE)
        assert "received 5 + made 0 = sent 3 + exits 2" in ctl("workers").stdout
        assert {s["name"] for s in json.loads(ctl("--json", "sa").stdout)} == {"out-1", "in-1"}
    gone = ctl("sa")
    assert gone.returncode != 0
    assert f"{folder}/control" in gone.stderr


@pytest.mark.parametrize("workers, sas", [(1, 0), (1, 1), (16, 1), (16, 0)])
def test_the_smallest_set_ups_start_and_end_B114(folders, workers, sas):
    lcores = list(range(1, workers + 1))
    site, folder = Site(workers={"lcores": lcores}), folders()
    if sas:
        site.tunnel()
    pcap.write(folder / "in", [frame(outward(), "lan")] * 5)
    with Gateway(site, folder, vdevs(folder), workers=lcores) as adit_:
        adit_.idle(0)
        assert len(adit_.ask("workers")["workers"]) == workers
        assert len(adit_.sas()) == 2 * sas
