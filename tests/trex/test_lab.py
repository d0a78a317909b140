# SPDX-License-Identifier: BSD-3-Clause
"""The lab of ndr.py: trials counted by flow, tunnels seen first, a second chance, and what limited a result."""
import pytest
from measure import goal, limit, search_binary
from measure.generator import Generator, GeneratorError
from measure.lab import Lab, TunnelsDown
from measure.search_binary import Result
from trex.stl.client import Clock, STLClient

QUICK = goal.settings("quick", {})
NDR = goal.goals(QUICK)[0]


def lab(profile="tunnel_size", tunables=(), directions=(0,), **simulated):
    clock = Clock()
    generator = Generator(STLClient(clock, **simulated), directions=directions, clock=clock)
    generator.__enter__()
    generator.load(profile, list(tunables))
    return Lab(generator, QUICK, clock=clock)


@pytest.mark.parametrize("profile, directions", [
    ("tunnel_size", (0,)), ("tunnel_size", (0, 1)), ("tunnel_imix", (1,)), ("tunnel_latency", (0, 1)),
    ("tunnel_bidir", (0, 1)),
])
def test_the_rate_is_that_of_all_flows_together(profile, directions):
    tunables = ["--back-percent=25"] if profile == "tunnel_bidir" else []
    trial = lab(profile, tunables, directions, capacity=60_000).measure(100_000, 2.0)
    assert trial.valid and trial.sent == pytest.approx(200_000, abs=4)
    assert trial.received == pytest.approx(120_000, abs=4)
    assert trial.latency == ({"min": 5, "max": 90, "average": 20.0, "jitter": 3} if "latency" in profile else None)


def test_what_the_generator_does_not_send_is_tried_again_and_then_invalid():
    one = lab(ceiling=50_000)
    trial = one.measure(100_000, 1.0)
    assert not trial.valid and "TRex sent 50000 of 100000" in trial.why and len(one.trials) == 2


def test_a_trial_that_takes_longer_than_this_lab_s_do_is_invalid():
    one = lab(slow=0.3)
    one.warm_up(1000)
    assert one.overhead == pytest.approx(0.3, abs=0.02) and one.measure(1000, 1.0).valid
    one.generator.client.slow = 0.6
    assert "TRex took 1.3" in one.measure(1000, 1.0).why


def test_traffic_that_does_not_end_is_stopped():
    one = lab(slow=1e6)
    assert one.measure(1000, 1.0).took < 15 and not one.generator.client.is_traffic_active([0])


def test_packets_that_come_within_the_drain_count():
    assert lab(delay=0.15).measure(1000, 1.0).loss == 0  # the preset waits for 0.2 s
    one = lab(delay=0.25)
    assert one.measure(1000, 1.0).loss == pytest.approx(0.1)


def test_joined_ports_take_packets_that_have_the_gateways_macs():
    for is_loop, loss in ((False, 1), (True, 0)):
        clock = Clock()
        with Generator(STLClient(clock, is_loop=True), is_loop=is_loop, clock=clock) as generator:
            generator.load("tunnel_size", ["--mtu=0"])
            assert generator.send(1000, 1.0, 0.2).received == (1 - loss) * 1000


def test_ports_that_do_not_count_by_flow_are_named():
    one = lab()
    plain = one.generator.client.get_pgid_stats

    def without(ids):
        seen = plain(ids)
        for flow in one.generator.flows:
            seen["flow_stats"][flow]["rx_pkts"]["total"] = "N/A"  # TRex's StatNotAvailable is a str
        return seen
    one.generator.client.get_pgid_stats = without
    with pytest.raises(GeneratorError, match="does not count rx_pkts by flow on ports 0 and 1"):
        one.measure(1000, 1.0)


def test_all_tunnels_are_seen_first():
    lab(tunables=["--tunnels=50"]).see_tunnels(50)
    with pytest.raises(TunnelsDown, match="of 100 packets through all tunnels, 98 came back"):
        lab(tunables=["--tunnels=50"], down=0.02).see_tunnels(50)


def test_many_tunnels_of_a_slow_gateway_are_seen_slowly():
    one = lab(tunables=["--tunnels=30000"], capacity=16_000)
    one.see_tunnels(30000)
    assert one.generator.client.trials == 3


def test_a_search_over_the_lab_finds_the_gateway_s_rate_and_survives_its_death():
    found = search_binary.drive(search_binary.search([NDR], 1000, 1_000_000), lab(capacity=300_000).measure)
    assert found["ndr"].lower <= 300_000 < found["ndr"].upper
    dead = search_binary.drive(search_binary.search([NDR], 1000, 1_000_000),
                               lab(capacity=300_000, dies_after=4).measure)
    assert dead["ndr"].upper < 300_000


@pytest.mark.parametrize("lower, upper, blocked, link, ceiling, by", [
    (300, 301, False, 1000, None, "gateway"), (None, 10, False, 1000, None, "gateway"),
    (300, 301, True, 1000, None, "generator"), (300, 301, False, 1000, 302, "generator"),
    (995, 1000, False, 1000, None, "link"), (1000, None, False, 1000, None, "link"),
    (1000, None, False, 0, None, "max"), (1000, None, False, 2000, None, "max"),
    (None, 10, True, 0, None, "generator"),
])
def test_a_result_says_what_limited_it(lower, upper, blocked, link, ceiling, by):
    assert limit.limited_by(Result(NDR, lower, upper, blocked, lower), 1000, link, ceiling) == by


def test_the_link_s_rate_counts_esp_and_the_gap():
    # 1400 inside is 1456 outside, 1474 as a frame, 1494 on the wire.
    assert limit.link_rate(10e9, [[(1400, 1)]], "aes-128-gcm", 4) == int(10e9 / 8 / 1494)
    assert limit.link_rate(10e9, [[(1400, 1)], [(1400, 1)]], "aes-128-gcm", 4) == int(2 * 10e9 / 8 / 1494)
    assert limit.link_rate(0, [[(1400, 1)]], "aes-128-gcm", 4) == 0


def test_the_fuller_direction_fills_the_link():
    # Of five packets four go there, 1494 bytes on the wire, and one small one back.
    assert limit.link_rate(10e9, [[(1400, 1)], [(64, 0.25)]], "aes-128-gcm", 4) == int(1.25 * 10e9 / 8 / 1494)


def test_trex_s_idea_of_the_speed_is_taken():
    assert lab(speed=25).generator.speed() == 25e9
