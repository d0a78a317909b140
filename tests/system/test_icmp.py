# SPDX-License-Identifier: BSD-3-Clause
"""Hop limits that end here, packets that fit no further, and the ICMP that says so."""
import itertools
import struct
import time

import pytest

from harness import esp, icmp
from harness.algorithms import EVERYDAY
from harness.exits import provokes
from harness.gateway import Gateway
from harness.site import HOST, LAN, Site, far, frame, hop, inward, outward, payload
from harness.traffic import expect_in, expect_out

TIME_EXCEEDED = {4: (11, 0), 6: (3, 0)}
TOO_BIG = {4: (3, 4), 6: (2, 0)}


def told(run, kind, packet, mtu=0):
    """The one ICMP error that the host got about this packet of its own, quoted as it came or, by
    RFC 1812 4.3.2.3, with its hop counted."""
    assert len(run.lan) == 1
    family = packet[0] >> 4
    error = icmp.read(payload(run.lan[0], "lan"))
    assert (error.src, error.dst) == (LAN[family], HOST[family])
    assert (error.type, error.code) == kind[family]
    assert error.mtu == mtu
    room = 576 - 28 if family == 4 else 1280 - 48
    assert error.quote in (packet[:room], hop(packet)[:room])


@pytest.mark.parametrize("family", (4, 6))
@provokes("ttl_expired")
def test_a_hop_limit_of_1_ends_here_and_the_sender_is_told_B087(run, family):
    for size in (0, 200, 1400):
        site = Site()
        site.tunnel()
        packet = outward(1, family, size, ttl=1)
        done = run(site, lan=[frame(packet, "lan")])
        assert done.exits == {"ttl_expired": 1}
        assert done.totals["made"] == 1 and not done.wan
        told(done, TIME_EXCEEDED, packet)


@provokes("ttl_expired")
@pytest.mark.parametrize("family", (4, 6))
def test_a_hop_limit_of_0_is_not_sent_on_and_one_of_2_is_B087(run, family):
    site = Site()
    site.tunnel()
    done = run(site, lan=[frame(outward(1, family, ttl=t), "lan") for t in (0, 2, 255)])
    assert done.exits == {"ttl_expired": 1}
    expect_out(done, site, {1: [outward(1, family, ttl=t) for t in (2, 255)]})


@provokes("ttl_expired")
@pytest.mark.parametrize("family", (4, 6))
def test_after_decryption_one_hop_is_counted_and_nothing_leaves_in_clear_B087(run, family):
    site = Site()
    _, peer = site.tunnel()
    wan = [frame(peer.packet(inward(1, family, ttl=t)), "wan") for t in (1, 2, 255, 0)]
    done = run(site, wan=wan)
    assert done.exits == {"ttl_expired": 2}
    expect_in(done, [inward(1, family, ttl=t) for t in (2, 255)])


@provokes("ttl_expired")
def test_no_error_is_sent_about_what_rfc_1812_and_rfc_4443_except(run):
    site = Site()
    site.tunnel()
    unreachable = bytes([3, 0, 0, 0, 0, 0, 0, 0]) + outward()[:28]
    unreachable = unreachable[:2] + struct.pack("!H", esp.checksum(unreachable)) + unreachable[4:]
    silent = [
        esp.ip(HOST[4], far(), 1, unreachable, ttl=1),  # an ICMP error
        esp.ip(HOST[6], far(1, 6), 58, bytes([1]) + bytes(60), ttl=1),
        outward(ttl=1, frag=13),  # a later fragment
        esp.udp("0.0.0.0", far(), ttl=1),  # from no single host
        esp.udp("224.0.0.9", far(), ttl=1),
        esp.udp("127.0.0.1", far(), ttl=1),
        esp.udp("::", far(1, 6), ttl=1),
        esp.udp("ff02::1", far(1, 6), ttl=1)]
    for packet in silent:
        done = run(site, lan=[frame(packet, "lan")])
        assert not done.lan and not done.wan, packet.hex()
        assert sum(done.exits.values()) == 1


@provokes("ttl_expired")
def test_replies_are_rate_limited(run):
    site = Site(icmp={"rate": 10})
    site.tunnel()
    done = run(site, lan=[frame(outward(ttl=1), "lan")] * 2000)
    assert done.exits == {"ttl_expired": 2000}
    assert 1 <= len(done.lan) <= 30


@provokes("ttl_expired")
def test_a_rate_of_0_sends_no_replies(run):
    site = Site(icmp={"rate": 0})
    site.tunnel()
    done = run(site, lan=[frame(outward(ttl=1), "lan")] * 20)
    assert done.exits == {"ttl_expired": 20}
    assert not done.lan


ROOM = [(("aes-128-gcm",), 4, 1446), (("aes-128-gcm",), 6, 1426),
        (("aes-128-cbc", "hmac-sha1-96"), 4, 1438),
        (("aes-128-cbc", "hmac-sha2-256-128"), 4, 1438)]


@provokes("out_mtu_too_big")
@pytest.mark.parametrize("family", (4, 6))
@pytest.mark.parametrize("algorithm, outer, room", ROOM, ids=str)
def test_the_largest_that_fits_passes_and_one_more_is_told_the_size_B066(run, provider, algorithm,
                                                                         outer, room, family):
    site = Site(provider)
    ours, _ = site.tunnel(1, algorithm, outer)
    assert room == max(n for n in range(1300, 1500) if ours.outer_len(n) <= 1500)
    for df in (False, True):  # "fragment: no" sends ICMP for both
        how = {"df": df} if family == 4 else {}
        sizes = range(room - 100, room + 1)
        fit = [outward(1, family, n, **how) for n in sizes]
        big = outward(1, family, room + 1, **how)
        done = run(site, lan=[frame(p, "lan") for p in (*fit, big)])
        assert done.exits == {"out_mtu_too_big": 1}
        expect_out(done, site, {1: fit})
        told(done, TOO_BIG, big, room)


@provokes("out_mtu_too_big")
@pytest.mark.parametrize("mtu", (1500, 1499))
def test_the_largest_inner_packet_is_exact_for_every_algorithm_B066(run, mtu):
    site = Site(icmp={"rate": 100000})
    fit, big = {}, {}
    for n, (algorithm, outer) in enumerate(itertools.product(EVERYDAY, (4, 6)), 1):
        ours, _ = site.tunnel(n, algorithm, outer, out={"mtu": mtu})
        room = max(size for size in range(1300, 1500) if ours.outer_len(size) <= mtu)
        fit[n] = [outward(n, f, room) for f in (4, 6)]
        big[n] = [outward(n, f, room + 1) for f in (4, 6)]
    done = run(site, lan=[frame(p, "lan") for n in fit for p in (*fit[n], *big[n])])
    assert done.exits == {"out_mtu_too_big": 2 * len(fit)}
    expect_out(done, site, fit)
    assert [icmp.read(payload(f, "lan")).mtu for f in done.lan] == \
        [len(p) - 1 for n in big for p in big[n]]


@provokes("out_mtu_too_big")
def test_no_size_from_1300_to_9000_vanishes_B067(run):
    site = Site(icmp={"rate": 100000})
    site.tunnel()
    site.port("lan")["mtu"] = 9000
    sizes = [*range(1300, 1502), *range(1502, 9001, 83), 9000]
    lan = [frame(outward(1, 4, n, df=True), "lan") for n in sizes]
    done = run(site, lan=lan)
    fit = [n for n in sizes if n <= 1446]
    assert done.exits == {"out_mtu_too_big": len(sizes) - len(fit)}
    assert len(done.wan) == len(fit)
    assert {icmp.read(payload(f, "lan")).mtu for f in done.lan} == {1446}


@pytest.mark.parametrize("mtu", (1400, 1300))
@provokes("out_mtu_too_big")
def test_the_mtu_of_the_path_is_the_sas_own(run, mtu):
    site = Site()
    ours, _ = site.tunnel(out={"mtu": mtu})
    room = max(n for n in range(1100, 1500) if ours.outer_len(n) <= mtu)
    big = outward(1, 4, room + 1)
    done = run(site, lan=[frame(outward(1, 4, room), "lan"), frame(big, "lan")])
    assert done.exits == {"out_mtu_too_big": 1}
    expect_out(done, site, {1: [outward(1, 4, room)]})
    told(done, TOO_BIG, big, room)


@provokes("nexthop_too_big")
@pytest.mark.parametrize("family", (4, 6))
def test_a_decrypted_packet_larger_than_its_port_leaves_by_name(run, family):
    site = Site()
    _, peer = site.tunnel()
    site.port("lan")["mtu"] = 1300
    wan = [frame(peer.packet(inward(1, family, n)), "wan") for n in (1300, 1301, 1400)]
    done = run(site, wan=wan)
    assert done.exits == {"nexthop_too_big": 2}
    expect_in(done, [inward(1, family, 1300)])


def test_jumbo_frames_pass_both_ways(run, provider):
    site = Site(provider)
    ours, peer = site.tunnel(1, ("aes-256-cbc", "hmac-sha2-256-128"), outer=6)
    for port in site.config["ports"]:
        port["mtu"] = 9000
    room = max(n for n in range(8800, 9000) if ours.outer_len(n) <= 9000)
    out = [outward(1, f, n) for f in (4, 6) for n in (1500, 1501, 2049, 4000, 8800, room)]
    back = [inward(1, f, n) for f in (4, 6) for n in (1500, 1501, 2049, 4000, 8800, room)]
    done = run(site, lan=[frame(p, "lan") for p in out],
               wan=[frame(peer.packet(p), "wan") for p in back])
    assert not done.exits
    expect_out(done, site, {1: out})
    expect_in(done, back)


def test_replies_come_back_after_a_pause(wires, folders):
    site = Site(icmp={"rate": 5})
    site.tunnel()
    for port in ("lan", "wan"):
        site.port(port)["device"] = f"net_af_packet{0 if port == 'lan' else 1}"
    with Gateway(site, folders(), wires.vdevs(), netns=wires.name) as adit:
        wires.send("lan", [frame(outward(ttl=1), "lan")] * 100)
        adit.idle(100)
        first = len(wires.receive("lan", 100, 0.3))
        assert 1 <= first <= 15
        time.sleep(2)
        wires.send("lan", [frame(outward(ttl=1), "lan")] * 100)
        adit.idle(200)
        assert 1 <= len(wires.receive("lan", 100, 0.3)) <= first + 15
        assert adit.exits() == {"ttl_expired": 200}
