# SPDX-License-Identifier: BSD-3-Clause
"""ndr.py whole, against a simulated TRex: a sweep of sizes and providers, its files, and what it says of bad input."""
import csv
import errno
import importlib
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import adit_traffic as traffic
import gateways
import ndr
import pytest
import yaml
from harness import gateway
from measure import goal, report
from measure.gateway import Gateway, GatewayError
from measure.generator import Generator
from trex.stl.client import Clock, STLClient

SPEED = {"openssl": 200_000, "aesni_mb": 700_000}


PROVIDERS = ["--providers=qat", "--restart-a=true", "--restart-b=true"]


def sweep(folder, words=(), tunables=(), providers=(), sizes=(100, 1400), **simulated):
    """A sweep of gateways whose restart tells how fast they are, or fails where there is no device."""
    restart = f"grep -o 'provider: [a-z_]*' {{path}} >> {folder}/restarts; ! grep -q 'provider: qat' {{path}}"
    words = list(words)
    for end in "ab":
        path = str(folder / f"{end}.yaml")
        words += [f"--path-{end}", path, f"--restart-{end}", restart.format(path=path)]
    args = ndr.arguments().parse_args(words)
    clock = Clock()
    client = STLClient(clock, **simulated)
    generator = Generator(client, (0, 1), ndr.DIRECTIONS[args.direction], args.calibrate, clock).__enter__()
    goals = goal.goals(goal.settings(args.preset, {}))
    ceilings = ndr.read_ceilings(args, list(sizes), goals) if args.ceiling else None
    made = ndr.Sweep(args, list(tunables), goal.settings(args.preset, {}), generator, ceilings,
                      lambda line: None, clock)
    configure = made.configure

    def configured(provider):
        configure(provider)
        client.capacity = SPEED[provider]
    made.configure = configured
    made.go(list(providers), list(sizes))
    return made.run


def test_a_sweep_finds_each_provider_s_rate_and_says_what_limited_it(tmp_path):
    run = sweep(tmp_path, providers=["openssl", "aesni_mb"], speed=10)
    found = {(p["column"], p["size"]): p for p in run["points"] if p["goal"] == "ndr"}
    assert len(found) == 4 and len(run["points"]) == 8
    for provider in SPEED:
        assert found[provider, 1400]["pps"] == pytest.approx(SPEED[provider], rel=0.006)
        assert found[provider, 1400]["gbps"] == pytest.approx(SPEED[provider] * 1400 * 8e-9, rel=0.006)
        assert found[provider, 1400]["limited_by"] == "gateway"
    fast = sweep(tmp_path, sizes=[1400], capacity=1e7)["points"][0]
    assert fast["limited_by"] == "link" and fast["pps"] == pytest.approx(10e9 / 8 / 1494, rel=0.001)
    slow = sweep(tmp_path, sizes=[100], ceiling=300_000)["points"][0]
    assert slow["limited_by"] == "generator" and any("TRex sent" in t["why"] for t in slow["trials"])
    asked = sweep(tmp_path, ["--max-rate=5000"], sizes=[100])["points"][0]
    assert (asked["limited_by"], asked["pps"]) == ("max", 5000)


def test_both_gateways_get_one_config_each_and_are_restarted_for_each_provider(tmp_path):
    sweep(tmp_path, ["--algorithm=aes-256-gcm"], ["--tunnels=3"], ["openssl", "aesni_mb"], sizes=[100])
    assert (tmp_path / "restarts").read_text().split("\n")[:-1] == [
        f"provider: {provider}" for provider in ("openssl", "openssl", "aesni_mb", "aesni_mb")]
    sites = [yaml.safe_load((tmp_path / f"{end}.yaml").read_text()) for end in "ab"]
    assert [len(site["sas"]) for site in sites] == [6, 6] and sites[0]["sas"][0]["aead"] == "aes-256-gcm"
    assert {sa["key"] for sa in sites[0]["sas"]} == {sa["key"] for sa in sites[1]["sas"]}
    assert (tmp_path / "a.yaml").stat().st_mode & 0o077 == 0


def test_a_provider_whose_gateway_does_not_start_is_absent_and_the_others_are_measured(tmp_path):
    run = sweep(tmp_path, providers=["qat", "openssl"], sizes=[100])
    assert "ended with status 1" in run["columns"][0]["absent"] and "absent" not in run["columns"][1]
    assert {p["column"] for p in run["points"]} == {"openssl"}
    assert "qat is absent: this machine" in report.table(run)
    assert "qat, adit" not in [title for title, *_ in report._lines(run, "ndr")]


def test_a_gateway_that_carries_nothing_is_said_to(tmp_path):
    run = sweep(tmp_path, capacity=0)
    assert not run["points"] and "came back" in run["columns"][0]["absent"]


def test_a_gateway_that_dies_midway_has_no_result_of_that_size_and_its_trials_are_kept(tmp_path):
    run = sweep(tmp_path, sizes=[1400, 100], capacity=300_000, dies_after=8)
    assert not run["points"] and run["columns"][0]["absent"].startswith("1400 bytes: of 100 packets")
    unfinished, = run["unfinished"]
    assert unfinished["size"] == 1400 and unfinished["trials"][0]["sent"] > 0
    later = sweep(tmp_path, sizes=[1400, 100], capacity=300_000, dies_after=40)
    assert {p["size"] for p in later["points"]} == {1400}
    said = report.table(later)
    assert "gateway ended early: 100 bytes: of" in said and "100 bytes, is unfinished" in said


def test_mlrsearch_both_directions_latency_and_a_mix_go_through_too(tmp_path):
    run = sweep(tmp_path, ["--search=mlr", "--direction=both", "--profile=tunnel_latency"], sizes=[300],
                capacity=500_000)
    assert run["points"][0]["pps"] == pytest.approx(500_000, rel=0.01)
    assert run["points"][0]["trials"][0]["latency"]["average"] == 20.0
    mix = sweep(tmp_path, ["--profile=tunnel_imix"], sizes=["imix"], capacity=500_000)["points"][0]
    assert mix["gbps"] == pytest.approx(500_000 * 8e-9 * (64 * 7 + 576 * 4 + 1400) / 12, rel=0.01)


def test_each_direction_s_own_size_and_rate_are_in_the_gbps(tmp_path):
    run = sweep(tmp_path, ["--direction=both", "--profile=tunnel_bidir"], ["--back-size=64", "--back-percent=50"],
                sizes=[1400], capacity=300_000)
    point = run["points"][0]
    assert point["gbps"] == pytest.approx(point["pps"] * 8e-9 * (1400 * 2 + 64) / 3)
    back = sweep(tmp_path, ["--direction=b", "--profile=tunnel_bidir"], ["--back-size=64"], sizes=[1400],
                 capacity=300_000)["points"][0]
    assert back["gbps"] == pytest.approx(back["pps"] * 8e-9 * 64)


def test_a_ceiling_from_a_calibration_is_told_from_the_gateway_s_limit(tmp_path):
    alone = sweep(tmp_path, ["--calibrate"], sizes=[100], capacity=400_000, is_loop=True)
    report.write_json(alone, tmp_path / "alone.json")
    assert alone["columns"] == [{"name": "generator"}]
    for capacity, by in ((400_000, "generator"), (200_000, "gateway")):
        run = sweep(tmp_path, [f"--ceiling={tmp_path}/alone.json"], sizes=[100], capacity=capacity)
        assert run["points"][0]["limited_by"] == by


@pytest.mark.parametrize("text, says", [
    (None, "No such file"), ("[]", "this is another file"), ("{", "this is another file"),
    ({"calibrate": False}, "with another --calibrate"), ({"direction": "both"}, "with another --direction"),
    ({"profile": "tunnel_many"}, "with another --profile"), ({}, "has no pdr of 1400 bytes"),
])
def test_a_ceiling_of_other_traffic_is_none(tmp_path, capsys, text, says):
    if isinstance(text, dict):
        about = dict({"calibrate": True, "direction": "a", "profile": "tunnel_size"}, **text)
        text = json.dumps({"about": {"arguments": about}, "points": [{"size": 1400, "goal": "ndr", "pps": 1}]})
    if text is not None:
        (tmp_path / "alone.json").write_text(text)
    with pytest.raises(SystemExit):
        ndr.main(["--sizes=1400", f"--ceiling={tmp_path}/alone.json"])
    said = capsys.readouterr().err
    assert says in said and "alone.json" in said and "--calibrate" in said and said.count("\n") == 1


def test_when_trex_goes_away_what_was_found_is_kept(tmp_path, monkeypatch, capsys):
    class Leaves(STLClient):
        def clear_stats(self, ports):
            if self.trials > 40:
                raise RuntimeError("connection lost")
            super().clear_stats(ports)
    clock = Clock()
    against_a_simulation(monkeypatch, Leaves(clock, capacity=300_000), clock)
    assert ndr.main(["--output", str(tmp_path / "out"), "--goals=ndr"]) == 1
    said = capsys.readouterr()
    assert "TRex, asked to clear_stats: connection lost" in said.err and "gateway" in said.out
    assert json.loads((tmp_path / "out.json").read_text())["points"][0]["size"] == 100


def against_a_simulation(monkeypatch, client, clock):
    """Makes ndr.main() talk to a simulated TRex."""
    monkeypatch.setattr(ndr, "client_of", lambda server: client)
    monkeypatch.setattr(ndr, "Generator", lambda *a: Generator(*a, clock=clock))
    monkeypatch.setattr(ndr.Sweep.__init__, "__defaults__", (None, lambda line: None, clock, lambda run: None))


@pytest.mark.parametrize("after, points", [(10, 0), (60, 1)])
def test_who_ends_it_early_keeps_every_trial(tmp_path, monkeypatch, capsys, after, points):
    class Interrupted(STLClient):
        def clear_stats(self, ports):
            if self.trials >= after:
                raise KeyboardInterrupt
            super().clear_stats(ports)
    clock = Clock()
    client = Interrupted(clock, capacity=300_000)
    against_a_simulation(monkeypatch, client, clock)
    assert ndr.main(["--output", str(tmp_path / "out"), "--goals=ndr", "--sizes=300,100,1400"]) == 1
    said = capsys.readouterr()
    kept = json.loads((tmp_path / "out.json").read_text())
    assert said.err == "ndr.py: ended early\n" and (len(kept["points"]) > 0) == (points > 0)
    unfinished, = kept["unfinished"]
    assert unfinished["trials"] and f"{unfinished['size']} bytes, is unfinished" in said.out
    assert not client.is_connected


def test_each_size_is_on_disk_before_the_next_begins(tmp_path, monkeypatch):
    clock = Clock()
    against_a_simulation(monkeypatch, STLClient(clock, capacity=300_000), clock)
    seen = []
    plain = Generator.load

    def load(self, *what):
        out = tmp_path / "out.json"
        seen.append(len(json.loads(out.read_text())["points"]) if out.exists() else 0)
        plain(self, *what)
    monkeypatch.setattr(Generator, "load", load)
    assert ndr.main(["--output", str(tmp_path / "out"), "--goals=ndr", "--sizes=100,300,1400"]) == 0
    assert seen == [0, 1, 2]


def test_a_terminal_that_went_away_costs_no_file_and_no_chart_of_another_run_stays(tmp_path, monkeypatch):
    clock = Clock()
    against_a_simulation(monkeypatch, STLClient(clock, capacity=300_000), clock)
    monkeypatch.setattr(report, "chart", lambda run, path: False)
    (tmp_path / "out.svg").write_text("of last night")

    class Gone(io.StringIO):
        def write(self, text):
            raise BrokenPipeError(errno.EPIPE, "Broken pipe")
    monkeypatch.setattr(sys, "stdout", Gone())
    assert ndr.main(["--output", str(tmp_path / "out"), "--goals=ndr", "--sizes=100", "--replace"]) == 1
    assert json.loads((tmp_path / "out.json").read_text())["points"] and (tmp_path / "out.csv").exists()
    assert not (tmp_path / "out.svg").exists()


def test_a_result_that_cannot_be_written_goes_elsewhere(tmp_path, monkeypatch, capsys):
    clock = Clock()
    against_a_simulation(monkeypatch, STLClient(clock, capacity=300_000), clock)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "table.json.part").mkdir()
    assert ndr.main(["--output", str(tmp_path / "table"), "--goals=ndr", "--sizes=100"]) == 1
    said = capsys.readouterr()
    assert "the run goes on" in said.err and "the result is in" in said.err and "0.240 gateway" in said.out
    elsewhere = said.err.split()[-1]
    with open(elsewhere) as f:
        assert json.load(f)["points"][0]["size"] == 100


@pytest.mark.parametrize("there", ["out.json", "out.csv", "out.svg"])
def test_an_earlier_result_is_replaced_only_when_asked(tmp_path, monkeypatch, capsys, there):
    (tmp_path / there).write_text("of last night")
    words = ["--output", str(tmp_path / "out"), "--goals=ndr", "--sizes=100"]
    with pytest.raises(SystemExit):
        ndr.main(words)
    assert f"{there} is there already; say another --output, or --replace" in capsys.readouterr().err
    assert (tmp_path / there).read_text() == "of last night"
    clock = Clock()
    against_a_simulation(monkeypatch, STLClient(clock, capacity=300_000), clock)
    assert ndr.main([*words, "--replace"]) == 0
    assert json.loads((tmp_path / "out.json").read_text())["points"]


@pytest.mark.parametrize("output, says", [
    ("none/out", "wants a folder that is there"), ("/proc/out", "can be written to"), ("", "beginning of a file"),
    ("./", "beginning of a file's name"), ("x" * 300, "File name too long"), ("/dev/null/x", "Not a directory"),
])
def test_an_output_that_cannot_be_is_refused_before_the_run(output, says, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        ndr.main([f"--output={output}"])
    assert says in capsys.readouterr().err


def test_a_signal_ends_it_as_ctrl_c_does(tmp_path):
    script = tmp_path / "run.py"
    script.write_text("import os, runpy, signal, sys\n"
                      f"sys.path[:0] = [{str(gateway.TOP / 'tests/trex/standin')!r}, {str(tmp_path)!r}]\n"
                      "import trex.stl.api, trex.stl.client as c\n"
                      "class STLClient(c.STLClient):\n"
                      "    def __init__(self, server): super().__init__(clock, capacity=300_000)\n"
                      "    def clear_stats(self, ports):\n"
                      "        if self.trials == 6: os.kill(os.getpid(), signal.SIGHUP)\n"
                      "        super().clear_stats(ports)\n"
                      "trex.stl.api.STLClient = STLClient\n"
                      "import time\n"
                      "clock = c.Clock()\n"
                      "time.sleep, time.monotonic = clock.sleep, clock.monotonic\n"
                      f"sys.argv = ['ndr.py', '--sizes=100', '--output={tmp_path}/out']\n"
                      f"runpy.run_path({ndr.__file__!r}, run_name='__main__')\n")
    run = subprocess.run([sys.executable, "-B", script], capture_output=True, text=True, timeout=60,
                         env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(gateway.TOP / "tools/trex-profiles")})
    assert run.returncode == 1 and run.stderr == "ndr.py: ended early\n"
    assert json.loads((tmp_path / "out.json").read_text())["unfinished"]


def test_files_hold_every_trial_and_the_chart_the_published_lines(tmp_path, capsys):
    run = sweep(tmp_path, providers=["openssl", "aesni_mb"], sizes=traffic.sizes())
    ndr.write(run, str(tmp_path / "it's"))
    kept = json.loads((tmp_path / "it's.json").read_text())
    assert kept["points"] == json.loads(json.dumps(run["points"])) and len(kept["points"][0]["trials"]) > 5
    assert kept["about"]["arguments"]["preset"] == "quick"
    rows = list(csv.DictReader((tmp_path / "it's.csv").read_text().splitlines()))
    assert [int(row["size"]) for row in rows if row["column"] == "openssl" and row["goal"] == "ndr"] == traffic.sizes()
    said = capsys.readouterr().out
    assert said.startswith("NDR, Gbps") and "PDR, Gbps" in said and "0.160 gateway" in said
    if shutil.which("gnuplot"):
        chart = (tmp_path / "it's.svg").read_text()
        for title in ("openssl, adit", "aesni_mb, adit", "openssl, published 2019", "aesni_mb, published 2019"):
            assert title in chart
        assert "qat" not in chart


@pytest.mark.parametrize("words, says", [
    (["--sizes=1400,1500"], "1500 bytes is 1556 outside"), (["--sizes=ten"], "numbers with commas"),
    (["--providers=qta"], "no provider is called 'qta'"), (["--goals=ndx"], "goal 'ndx'"),
    (["--providers=qat"], "wants --restart-a and --restart-b"),
    (["--calibrate", "--providers=qat", "--restart-a=x", "--restart-b=x"], "has no gateways"),
    (["--algorithm=rot13"], "no algorithm is called"),
    (["--sizes="], "numbers with commas"), (["--sizes=-5"], "is 46 or more"), (["--sizes=45"], "the frame 64 or more"),
    (["--sizes=100,100"], "100 stands there twice"), (["--sizes=99999999999", "--calibrate"], "9216 at most"),
    (["--ports", "0", "0"], "two ports of TRex"), (["--ports", "-1", "0"], "count from 0"),
    (["--min-rate=0"], "a packet a second or more"), (["--min-rate=nan"], "invalid number value: 'nan'"),
    (["--max-rate=inf"], "invalid number value: 'inf'"), (["--max-rate=0"], "is below --min-rate"),
    (["--max-rate=-3"], "is below --min-rate"), (["--tolerance=-1"], "to below 100 percent"),
    (["--tolerance=500"], "to below 100 percent"), (["--mtu=-1"], "1280 to 9216"), (["--mtu=0"], "1280 to 9216"),
    (["--duration=inf"], "invalid number value"), (["--duration=1e9"], "less than 86400"),
    (["--warm-up=-1"], "more than 0"), (["--drain=-1"], "0 or more"), (["--rest=-1"], "0 or more"),
    (["--goals=a'b=1"], "letters and digits"), ([*PROVIDERS[1:], "--providers=qat,qat"], "qat stands there twice"),
    (["--restart-a=true"], "is for gateways that --providers"), (["--host-b=dut"], "measured as they are"),
    ([*PROVIDERS, "--path-a=x", "--path-b=x"], "are one file"), ([*PROVIDERS, "--host-a=-oX"], "root@dut for one"),
    (["--", "--size=100"], "from --sizes"), (["--", "--mtu=9000"], "before it"), (["--size-range=3"], "unrecognized"),
    (["--", "--s=3"], "ambiguous option"),
    (["--direction=up"], "invalid choice"), (["--profile=tunnel_sise"], "invalid choice"),
])
def test_what_cannot_be_is_refused_before_anything_is_sent(words, says, capsys):
    with pytest.raises(SystemExit) as left:
        ndr.main(words)
    said = capsys.readouterr().err
    assert left.value.code and says in said and said.startswith("ndr.py: error: ") and said.count("\n") == 1


@pytest.mark.parametrize("words, says", [
    (["--sizes=50", "--", "--ip=6", "--tunnels=2"], "tunnel_size.py: error: an IP packet of 50 bytes is too small"),
    (["--", "--sise=4"], "unrecognized arguments: --sise=4"), (["--", "--tunnels=x"], "invalid int value: 'x'"),
    (["--", "--tunnels=99999"], "room for 65536"), (["--profile=tunnel_imix", "--", "--imix=csit"], "1556 outside"),
    (["--profile=tunnel_imix", "--", "--imix=imux"], "invalid choice: 'imux'"),
    (["--sizes=9000", "--calibrate", "--", "--size-was=4"], "unrecognized"),
    ([*PROVIDERS, "--devices", "a", "a", "b", "c"], "are two ports"),
    ([*PROVIDERS, "--", "--tunnels=40000"], "at most 65535 SAs"),
])
def test_what_a_profile_or_a_gateway_refuses_is_refused_before_anything_is_sent(words, says, capsys, monkeypatch):
    client = STLClient(Clock())
    monkeypatch.setattr(ndr, "client_of", lambda server: client)
    try:
        code = ndr.main(words)
    except SystemExit as left:
        code = left.code
    said = capsys.readouterr().err
    assert code and says in said and said.count("\n") == 1 and not client.is_connected and not client.trials


def test_without_trex_it_says_where_trex_is_looked_for():
    run = subprocess.run([sys.executable, ndr.__file__], capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    assert run.returncode == 1 and "set TREX_DIR" in run.stderr and "Traceback" not in run.stderr


def test_a_trex_that_lacks_a_part_is_told_in_one_line(tmp_path, monkeypatch):
    folder = tmp_path / "automation/trex_control_plane/interactive/trex"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise Exception('\\nUnable to find required external library: zmq\\n')")
    run = subprocess.run([sys.executable, "-B", ndr.__file__], capture_output=True, text=True,
                         env={"PATH": "/usr/bin:/bin", "TREX_DIR": str(tmp_path)})
    assert run.returncode == 1 and "Unable to find required external library" in run.stderr
    assert "set TREX_DIR" in run.stderr and run.stderr.count("\n") == 1


def test_a_command_that_fails_is_quoted_with_its_answer(tmp_path):
    with pytest.raises(GatewayError, match="this machine: `echo no device >&2; false` ended with status 1: no device"):
        Gateway(None, str(tmp_path / "a b.yaml"), "echo no device >&2; false").configure("text")
    assert (tmp_path / "a b.yaml").read_text() == "text"


def test_an_answer_of_many_lines_or_none_that_is_text_is_one_line(tmp_path):
    with pytest.raises(GatewayError) as e:
        Gateway(None, str(tmp_path / "new/folder/a.yaml"), "printf 'no\\377\\ndevice\\n' >&2; exit 3").configure("text")
    assert str(e.value).endswith("status 3: no\ufffd device") and (tmp_path / "new/folder/a.yaml").exists()


def test_a_restart_that_keeps_its_output_is_told_so(tmp_path, monkeypatch):
    monkeypatch.setattr("measure.gateway.PATIENCE", 1)
    with pytest.raises(GatewayError, match="did not end in 1 s; a gateway that it leaves running must not keep"):
        Gateway(None, str(tmp_path / "a.yaml"), "sleep 5 &").configure("text")


def test_over_ssh_the_host_gets_the_same_commands(tmp_path, monkeypatch):
    ssh = tmp_path / "ssh"
    ssh.write_text(f'#!/bin/sh\necho "$3" >> {tmp_path}/hosts\nexec sh -c "$4"\n')
    ssh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    Gateway("root@dut", str(tmp_path / "a.yaml"), "true").configure("text")
    assert (tmp_path / "hosts").read_text() == "root@dut\nroot@dut\n" and (tmp_path / "a.yaml").read_text() == "text"


def blocks(page):
    """The code blocks of a page, continued lines joined."""
    return [block.replace("\\\n", " ") for block in page.read_text().split("```")[1::2]]


def test_the_walk_s_script_starts_a_gateway_anew_after_one_that_was_stopped_and_one_that_died(tmp_path):
    script, = (b for b in blocks(gateway.TOP / "docs/trex.md") if b.lstrip().startswith("#!/bin/sh"))
    for folder in ("/run", "/var/lib", "/var/log", "/etc"):
        script = re.sub(rf"(?<![\w-]){folder}/", f"{tmp_path}{folder}/", script)
        (tmp_path / folder[1:] / "adit").mkdir(parents=True)
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "adit").write_text(  # leaves its socket behind when it is killed
        f"#!/bin/sh\n[ $1 != --init-state ] || exit 0\necho $$ >> {tmp_path}/pids\ntouch {tmp_path}/run/adit/trex-a\n"
        f"trap 'rm {tmp_path}/run/adit/trex-a; exit' TERM\nwhile :; do sleep 0.1; done\n")
    (programs / "aditctl").write_text('#!/bin/sh\n[ -e "$2" ]\n')
    for program in programs.iterdir():
        program.chmod(0o755)

    def start():
        run = subprocess.run(["sh", "-c", script, "gateway", "a"], timeout=20, stdout=subprocess.PIPE,
                             env={"PATH": f"{programs}:/usr/bin:/bin"}, check=True)
        assert not run.stdout
        return [int(pid) for pid in (tmp_path / "pids").read_text().split()]

    def runs(pid):
        return Path(f"/proc/{pid}/exe").exists()
    try:
        first, = start()
        second = start()[-1]
        assert runs(second) and not runs(first)
        os.kill(second, signal.SIGKILL)
        third = start()[-1]
        assert runs(third) and third != second
    finally:
        for pid in (tmp_path / "pids").read_text().split():
            if runs(pid):
                os.kill(int(pid), signal.SIGKILL)


def test_the_walk_s_commands_are_what_ndr_takes_and_its_script_is_a_script():
    shown = blocks(gateway.TOP / "docs/trex.md")
    commands = [shlex.split(line)[1:] for block in shown for line in block.splitlines()
                if line.startswith("tools/trex-profiles/ndr.py")]
    assert len(commands) == 2
    for words in commands:
        args = ndr.arguments().parse_args(words)
        assert ndr.asked_sizes(args, []) == traffic.sizes()
        assert ndr.asked_providers(args) == ([] if args.calibrate else list(gateways.PROVIDERS))
    script, = (block for block in shown if block.lstrip().startswith("#!/bin/sh"))
    assert subprocess.run(["sh", "-n"], input=script, text=True).returncode == 0
    for tunables in ("--tunnels 16 --flow 64",):
        assert any(tunables in line for line in (gateway.TOP / "docs/trex.md").read_text().splitlines())
        assert importlib.import_module("tunnel_size").register().get_streams(tunables=tunables.split())
