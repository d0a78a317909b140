# SPDX-License-Identifier: BSD-3-Clause
"""Profile checks against a stand-in for TRex: what the profiles' streams expand to, packet by packet."""
import importlib
from collections import Counter
from ipaddress import ip_address, ip_network

import adit_traffic as traffic
import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

PROFILES = ["tunnel_size", "tunnel_imix", "tunnel_many", "tunnel_latency", "tunnel_bidir"]
EVERY = pytest.mark.parametrize("name", PROFILES)


def streams(name, *tunables, direction=0, port_id=0):
    profile = importlib.import_module(name).register()
    return profile.get_streams(direction=direction, port_id=port_id, tunables=list(tunables))


def packets(stream, n=1):
    """IP packets, read from the frames' bytes."""
    for frame in stream.packet.frames(n):
        yield Ether(frame).payload


def timed(stream):
    return type(stream.flow_stats).__name__ == "STLFlowLatencyStats"


def size_of(stream):
    return len(next(packets(stream)))


def has_right_checksums(packet):
    again = packet.copy()
    again[UDP].chksum = None
    if packet.version == 4:
        again.chksum = None
    return bytes(again.__class__(bytes(again))) == bytes(packet)


@EVERY
@pytest.mark.parametrize("direction", [0, 1])
def test_a_profile_loads_with_no_arguments_and_fits(name, direction):
    module = importlib.import_module(name)
    for stream in module.register().get_streams(direction=direction, port_id=direction):
        assert traffic.esp_length(size_of(stream), "aes-128-gcm") <= 1500
        assert stream.mode.pps > 0


@pytest.mark.parametrize("ip", [4, 6])
@pytest.mark.parametrize("size", [60, *traffic.sizes()])
@pytest.mark.parametrize("unit", ["ip", "frame"])
def test_sizes_are_exact(ip, size, unit):
    size += traffic.ETHERNET if unit == "frame" else 0
    stream, = streams("tunnel_size", f"--ip={ip}", f"--size={size}", f"--size-is={unit}")
    frame, = stream.packet.frames(1)
    assert len(frame) + 4 == (size if unit == "frame" else size + traffic.ETHERNET)
    packet = Ether(frame).payload
    assert (packet.len if ip == 4 else packet.plen + 40) == len(packet) == len(frame) - 14


@EVERY
@pytest.mark.parametrize("ip", [4, 6])
@pytest.mark.parametrize("tunnels, hosts, flows", [(1, 1, 1), (5, 1, 1), (3, 2, 1), (1, 1, 4), (3, 2, 3), (300, 2, 1)])
def test_checksums_are_right_in_every_packet(name, ip, tunnels, hosts, flows):
    for direction in (0, 1):
        for stream in streams(name, f"--ip={ip}", f"--tunnels={tunnels}", f"--hosts={hosts}", f"--flow={flows}",
                              *(["--imix=csit-ip6", "--mtu=0"] if name == "tunnel_imix" else []),
                              direction=direction, port_id=direction):
            for packet in packets(stream, tunnels * hosts * flows):
                if timed(stream) and ip == 4:
                    assert packet[UDP].chksum == 0
                    packet[UDP].chksum = None
                    packet = IP(bytes(packet))
                assert timed(stream) and ip == 6 or has_right_checksums(packet)


@EVERY
@pytest.mark.parametrize("ip", [4, 6])
def test_every_tunnel_host_and_flow_is_hit_equally(name, ip):
    plan = traffic.Plan(4, 3, ip)
    for direction in (0, 1):
        for stream in streams(name, f"--ip={ip}", "--tunnels=4", "--hosts=3", "--flow=5", "--size=100",
                              direction=direction, port_id=direction):
            seen = Counter((p.src, p.dst, p[UDP].sport) for p in packets(stream, 4 * 3 * 5 * 2))
            assert set(seen.values()) == {2}
            from_side, to_side = "ab" if direction == 0 else "ba"
            assert set(seen) == {(plan.address(from_side, k), plan.address(to_side, k), traffic.FIRST_FLOW + f)
                                 for k in range(12) for f in range(5)}


def test_the_largest_plan_hits_each_host_once():
    stream, = streams("tunnel_many", "--tunnels=65536", "--size=64")
    raw = [frame[26:34] for frame in stream.packet.frames(65536)]
    assert len(set(raw)) == 65536 and all(a[2:4] == a[6:8] for a in raw)


@EVERY
def test_addresses_stay_in_the_ranges_for_benchmarks(name):
    ranges = {4: ip_network("198.18.0.0/15"), 6: ip_network("2001:2::/48")}
    for ip in (4, 6):
        for stream in streams(name, f"--ip={ip}", "--tunnels=100", "--hosts=7"):
            for packet in packets(stream, 700):
                assert ip_address(packet.src) in ranges[ip] and ip_address(packet.dst) in ranges[ip]


@EVERY
def test_directions_mirror_each_other(name):
    there, back = (streams(name, "--tunnels=3", direction=d, port_id=d) for d in (0, 1))
    assert [(size_of(s), s.mode.pps) for s in there] == [(size_of(s), s.mode.pps) for s in back]
    for one, other in zip(there, back):
        assert [(p.src, p.dst) for p in packets(one, 3)] == [(p.dst, p.src) for p in packets(other, 3)]


def test_the_way_back_may_have_a_size_and_a_rate_of_its_own():
    stream, = streams("tunnel_bidir", "--back-size=64", "--back-percent=25", direction=1, port_id=1)
    assert (size_of(stream), stream.mode.pps) == (64, 0.25)


@EVERY
def test_no_two_streams_have_a_pg_id(name):
    ids = [s.flow_stats.pg_id for port in range(4)
           for s in streams(name, "--latency-pps=10", "--pg-id=7", direction=port % 2, port_id=port)]
    assert len(set(ids)) == len(ids) and min(ids) == 7


@EVERY
def test_tos_and_id_are_left_to_trex(name):
    for ip in (4, 6):
        for stream in streams(name, f"--ip={ip}"):
            packet = next(packets(stream))
            assert (packet.tos if ip == 4 else packet.tc) == 0
            assert ip == 6 or packet.id == IP().id


@pytest.mark.parametrize("mix", traffic.imix_names())
def test_a_mix_has_its_weights(mix):
    made = streams("tunnel_imix", f"--imix={mix}", "--mtu=9000")
    least = min(s.mode.pps for s in made)
    least_weight = min(weight for _, weight in traffic.imix(mix))
    for stream, (size, weight) in zip(made, traffic.imix(mix)):
        assert size_of(stream) == size
        assert stream.mode.pps / least == pytest.approx(weight / least_weight)
    assert sum(s.mode.pps for s in made) == pytest.approx(1)


def test_latency_streams_stand_beside_the_load():
    load, stamped = streams("tunnel_latency", "--size=48")
    assert not timed(load) and timed(stamped) and stamped.mode.pps == 1000
    assert size_of(stamped) == size_of(load) == 48


@pytest.mark.parametrize("name, tunables, says", [
    ("tunnel_size", ["--size=1447"], "1447 bytes is 1504 outside"),
    ("tunnel_size", ["--size=45"], "is 46 or more"),
    ("tunnel_size", ["--size=50", "--ip=6", "--tunnels=2"], "4 bytes of payload it is 52"),
    ("tunnel_size", ["--tunnels=0"], "1 is the least"),
    ("tunnel_size", ["--tunnels=65537"], "room for 65536"),
    ("tunnel_size", ["--flow=0"], "--flow 0; 1 to 64512"),
    ("tunnel_size", ["--latency-pps=-1"], "not negative"),
    ("tunnel_size", ["--algorithm=rot13"], "no algorithm is called"),
    ("tunnel_imix", ["--imix=csit"], "1500 bytes is 1556 outside"),
    ("tunnel_bidir", ["--back-percent=0"], "more than 0"),
    ("tunnel_bidir", ["--back-percent=inf"], "100000 at most"), ("tunnel_bidir", ["--back-percent=nan"], "more than 0"),
    ("tunnel_bidir", ["--back-size=-5"], "is 46 or more"),
    ("tunnel_size", ["--mtu=-1"], "or 0 for no check"), ("tunnel_size", ["--pg-id=4294967296"], "is the most"),
    ("tunnel_size", ["--mtu=0", "--size=65535"], "TRex sends 9216 at most"),
    ("tunnel_size", ["--sise=4"], "unrecognized arguments"),
])
def test_what_cannot_be_is_refused_with_what_can(name, tunables, says, capsys):
    with pytest.raises(SystemExit):
        streams(name, *tunables)
    said = capsys.readouterr().err
    assert says in said and said.startswith(f"{name}.py: error: ") and said.count("\n") == 1
