# SPDX-License-Identifier: BSD-3-Clause
"""gateways.py: what it writes is a pair of sites that adit takes, and that the profiles' packets go through."""
import importlib
import stat
import subprocess
import sys
from ipaddress import ip_address, ip_network

import adit_traffic as traffic
import pytest
import yaml
from harness import gateway
from scapy.layers.l2 import Ether

GATEWAYS = gateway.TOP / "tools/trex-profiles/gateways.py"


def write(folder, *arguments):
    """Runs it; returns both sites, and what it said."""
    run = subprocess.run([sys.executable, GATEWAYS, "--folder", folder, *arguments], capture_output=True, text=True)
    if run.returncode:
        return None, run.stderr
    return {end: yaml.safe_load((folder / f"{end}.yaml").read_text()) for end in "ab"}, run.stderr


def check(config):
    return subprocess.run([gateway.ADIT, "--check", "--config", config], capture_output=True, text=True)


@pytest.mark.parametrize("arguments", [
    (), ("--ip=6", "--outer=6"), ("--tunnels=3", "--hosts=2", "--outer=6", "--provider=openssl"),
    ("--tunnels=1000", "--no-esn"), ("--provider=qat", "--replay-window=0", "--mtu=9000"),
    *((f"--algorithm={name}",) for name in traffic.algorithms() if not name.startswith("null+")),
])
def test_adit_takes_what_is_written(tmp_path, arguments):
    write(tmp_path, *arguments)
    for end in "ab":
        judged = check(tmp_path / f"{end}.yaml")
        assert judged.returncode == 0 and "no error found" in judged.stdout + judged.stderr, judged.stderr
        assert "warning" not in judged.stderr, judged.stderr


def test_both_ends_have_the_same_sas_and_no_key_is_there_twice(tmp_path):
    sites, _ = write(tmp_path, "--tunnels=5")
    def sas(end, direction):
        return {sa["spi"]: (sa["key"], sa["src"], sa["dst"], sa["reqid"])
                for sa in sites[end]["sas"] if sa["direction"] == direction}
    assert sas("a", "out") == sas("b", "in") and sas("a", "in") == sas("b", "out")
    assert len({sa["key"] for sa in sites["a"]["sas"]}) == 10
    again, _ = write(tmp_path, "--tunnels=5")
    assert not {sa["key"] for sa in sites["a"]["sas"]} & {sa["key"] for sa in again["a"]["sas"]}


def test_nobody_else_reads_the_keys(tmp_path):
    (tmp_path / "a.yaml").write_text("")
    (tmp_path / "a.yaml").chmod(0o644)
    write(tmp_path)
    assert {stat.S_IMODE((tmp_path / f"{end}.yaml").stat().st_mode) for end in "ab"} == {0o600}


def has(selector, address):
    """Whether an address is in one that gateways.py writes."""
    first, _, last = selector.partition("-")
    return ip_address(first) <= address <= ip_address(last or first)


@pytest.mark.parametrize("ip", [4, 6])
@pytest.mark.parametrize("profile", ["tunnel_size", "tunnel_imix", "tunnel_many", "tunnel_latency", "tunnel_bidir"])
def test_every_packet_matches_one_policy_at_each_end_and_has_a_route(tmp_path, profile, ip):
    shape = ["--tunnels=4", "--hosts=3", f"--ip={ip}"]
    sites, _ = write(tmp_path, *shape)
    for direction, source in ((0, "a"), (1, "b")):
        made = importlib.import_module(profile).register().get_streams(
            direction=direction, port_id=direction, tunables=shape + ["--flow=2"])
        for frame in (frame for stream in made for frame in stream.packet.frames(24)):
            packet = Ether(frame).payload
            addresses = ip_address(packet.src), ip_address(packet.dst)
            names = []
            for end, way in ((source, "out"), ("ba"["ab".index(source)], "in")):
                names.append([p["reqid"] for p in sites[end]["policies"] if p["direction"] == way
                              and has(p["src"], addresses[0]) and has(p["dst"], addresses[1])])
                assert sum(addresses[1] in ip_network(r["to"]) for r in sites[end]["routes"]) == 1
            assert len(names[0]) == 1 and names[0] == names[1]


def test_ends_know_each_other_s_macs(tmp_path):
    sites, _ = write(tmp_path, "--generator-macs", "02:00:00:00:00:0a", "02:00:00:00:00:0b")
    for end, other, generator in (("a", "b", "0a"), ("b", "a", "0b")):
        wan, = (p["mac"] for p in sites[other]["ports"] if p["name"] == "wan")
        by_port = {port: {n["mac"] for n in sites[end]["neighbours"] if n["port"] == port} for port in ("lan", "wan")}
        assert by_port == {"wan": {wan}, "lan": {f"02:00:00:00:00:{generator}"}}


def test_devices_go_where_they_are_named_for(tmp_path):
    sites, _ = write(tmp_path, "--devices", "lan-a", "wan-a", "wan-b", "lan-b")
    assert {f"{p['name']}-{end}": p["device"] for end in "ab" for p in sites[end]["ports"]} == {
        name: name for name in ("lan-a", "wan-a", "wan-b", "lan-b")}


@pytest.mark.parametrize("arguments, says", [
    (["--algorithm=aes-128-cbc"], "say aes-128-cbc+AUTH"), (["--tunnels=0"], "1 is the least"),
    (["--tunnels=32768"], "at most 65535 SAs"), (["--provider=qta"], "invalid choice"),
    (["--mtu=-5"], "1280 to 9216"), (["--mtu=1279"], "1280 to 9216"), (["--mtu=9217"], "1280 to 9216"),
    (["--replay-window=-1"], "0 to 65536"), (["--replay-window=65537"], "0 to 65536"),
    (["--generator-macs", "x", "y"], "'x' is no MAC"), (["--generator-macs", "01:00:00:00:00:00", "y"], "is no MAC"),
    (["--devices", 'a"b', "c", "d", "e"], "a device is up to 63"), (["--devices", "", "c", "d", "e"], "a device is"),
    (["--devices", "a", "a", "b", "c"], "are two ports"), (["--hosts=99999999999"], "room for 65536"),
    (["--tunnels=many"], "invalid int value: 'many'"), (["--tunnel-count=4"], "unrecognized arguments"),
])
def test_what_cannot_be_is_refused(tmp_path, arguments, says):
    sites, said = write(tmp_path, *arguments)
    assert sites is None and says in said and not list(tmp_path.iterdir())
    assert said.startswith("gateways.py: ") and said.count("\n") == 1


@pytest.mark.parametrize("mtu", ["1280", "9216"])
def test_adit_takes_the_mtus_that_it_is_said_to(tmp_path, mtu):
    write(tmp_path, "--mtu", mtu, "--replay-window=65536")
    assert check(tmp_path / "a.yaml").returncode == 0


def test_a_file_of_somebody_else_is_not_overwritten(tmp_path):
    (tmp_path / "b.yaml").write_text("version: 1\n# ours, by hand\n")
    sites, said = write(tmp_path)
    assert sites is None and "b.yaml is there" in said and "another --folder" in said
    assert [path.name for path in tmp_path.iterdir()] == ["b.yaml"] and "by hand" in (tmp_path / "b.yaml").read_text()


def test_where_one_end_cannot_be_written_the_pair_before_stays(tmp_path):
    write(tmp_path)
    before = (tmp_path / "a.yaml").read_text()
    (tmp_path / "b.yaml").unlink()
    (tmp_path / "b.yaml").mkdir()
    sites, said = write(tmp_path)
    assert sites is None and "b.yaml cannot be written" in said and "Traceback" not in said
    assert (tmp_path / "a.yaml").read_text() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.yaml", "b.yaml"]


def test_a_folder_that_is_not_there_is_named(tmp_path):
    _, said = write(tmp_path / "none")
    assert said.startswith("gateways.py: ") and "none/a.yaml" in said and "Traceback" not in said


@pytest.mark.parametrize("name", ["trex-pci.yaml", "trex-veth.yaml"])
def test_the_generator_s_ports_and_the_gateways_know_each_other(tmp_path, name):
    sites, _ = write(tmp_path)
    trex, = yaml.safe_load((GATEWAYS.parent / name).read_text())
    for end, port in zip("ab", trex["port_info"]):
        lan, = (p["mac"] for p in sites[end]["ports"] if p["name"] == "lan")
        assert port["dest_mac"] == lan
        assert {n["mac"] for n in sites[end]["neighbours"] if n["port"] == "lan"} == {port["src_mac"]}


def test_the_page_shows_what_gateways_py_and_the_profiles_take(tmp_path):
    page = (GATEWAYS.parent / "README.md").read_text().replace("\\\n", " ")
    command, = (line.split()[1:] for line in page.splitlines() if line.startswith("tools/trex-profiles/gateways.py"))
    sites, said = write(tmp_path, *command)
    assert sites, said
    start, = (line for line in page.splitlines() if line.startswith("start -f"))
    profile = importlib.import_module(start.split()[2][:-3])
    assert profile.register().get_streams(tunables=start.partition(" -t ")[2].split())
    assert all(f"`{path.name}`" in page for path in GATEWAYS.parent.glob("tunnel_*.py"))
