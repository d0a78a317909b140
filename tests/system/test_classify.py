# SPDX-License-Identifier: BSD-3-Clause
"""Frames on either side that are not plain IP for us: each leaves by its exit."""
import random
import struct

import pytest

from harness import esp
from harness.exits import provokes
from harness.site import (HOST, LAN, MAC, PEER, WAN, Site, far, frame, hop, inward, mac_bytes, outward,
                          payload)
from harness.traffic import expect_in, expect_out

MULTICAST_MAC = {4: "01:00:5e:00:00:05", 6: "33:33:00:00:00:05"}
ARP, LLDP = 0x0806, 0x88cc


def arp(port):
    who, ours = {"lan": (HOST[4], LAN[4]), "wan": (PEER[4], WAN[4])}[port]
    sender = mac_bytes(MAC["host" if port == "lan" else "peer"])
    request = struct.pack("!HHBBH", 1, 0x800, 6, 4, 1) + sender + bytes(map(int, who.split("."))) \
        + bytes(6) + bytes(map(int, ours.split(".")))
    return frame(request, port, ethertype=ARP, dst="ff:ff:ff:ff:ff:ff", pad=60)


def extended(packet, *headers):
    """An IPv6 packet with extension headers (type, bytes) put in front of its payload."""
    first, chain = packet[6], b""
    types = [kind for kind, _ in headers] + [first]
    for (_, body), following in zip(headers, types[1:]):
        chain += bytes([following]) + body[1:]
    whole = packet[:6] + bytes([types[0]]) + packet[7:40] + chain + packet[40:]
    return whole[:4] + struct.pack("!H", len(whole) - 40) + whole[6:]


def broken(packet, at, value):
    return packet[:at] + value + packet[at + len(value):]


def carried(run, site, lan=(), wan=(), exits=None):
    """All of these frames leave by these exits, and good ones on both sides still pass."""
    _, peer = site.tunnel()
    done = run(site, lan=[*lan, frame(outward(), "lan")],
               wan=[*wan, frame(peer.packet(inward()), "wan")])
    assert done.exits == exits
    expect_out(done, site, {1: [outward()]})
    expect_in(done, [inward()])


def packets(port):
    """A v4 and a v6 packet that would be let through at this port, but for what is wrong."""
    return (outward(), outward(1, 6)) if port == "lan" else (inward(), inward(1, 6))


def strangers(port):
    return [frame(p, port, dst=mac) for p in packets(port)
            for mac in ("02:00:00:00:01:07", MAC["wan" if port == "lan" else "lan"])]


@provokes("out_classify_mac")
def test_frames_for_another_station_are_refused_outbound(run):
    carried(run, Site(), lan=strangers("lan"), exits={"out_classify_mac": 4})


@provokes("in_classify_mac")
def test_frames_for_another_station_are_refused_inbound(run):
    carried(run, Site(), wan=strangers("wan"), exits={"in_classify_mac": 4})


@provokes("out_classify_not_ip")
def test_other_ethertypes_on_the_protected_side_are_refused(run):
    frames = [frame(outward(), "lan", ethertype=t) for t in (LLDP, 0x0805, 0x8847, 46, 1500)]
    carried(run, Site(), lan=frames, exits={"out_classify_not_ip": 5})


@provokes("in_classify_not_ip")
def test_other_ethertypes_on_the_unprotected_side_are_refused(run):
    frames = [frame(inward(), "wan", ethertype=t) for t in (LLDP, 0x0805, 0x8847, 46, 1500)]
    carried(run, Site(), wan=frames, exits={"in_classify_not_ip": 5})


@provokes("out_classify_version")
def test_a_version_that_contradicts_the_ethertype_is_refused_outbound(run):
    v4, v6 = packets("lan")
    frames = [frame(v4, "lan", ethertype=0x86dd, pad=60), frame(v6, "lan", ethertype=0x0800),
              frame(broken(v4, 0, b"\x05"), "lan", ethertype=0x0800)]
    carried(run, Site(), lan=frames, exits={"out_classify_version": 3})


@provokes("in_classify_version")
def test_a_version_that_contradicts_the_ethertype_is_refused_inbound(run):
    v4, v6 = packets("wan")
    frames = [frame(v4, "wan", ethertype=0x86dd, pad=60), frame(v6, "wan", ethertype=0x0800),
              frame(broken(v4, 0, b"\x05"), "wan", ethertype=0x0800)]
    carried(run, Site(), wan=frames, exits={"in_classify_version": 3})


def wrong_lengths(port):
    v4, v6 = packets(port)
    return [frame(p, port) for p in (
        broken(v4, 0, b"\x44"),  # header of 16 bytes
        broken(v4, 0, b"\x4f"),  # header of 60 in 28
        broken(v4, 2, b"\0\x13"),  # 19 in all
        broken(v4, 2, b"\0\0"),
        broken(v4, 2, b"\0\x1d"),  # one more than there is
        broken(v4, 2, b"\xff\xff"),
        broken(v6, 4, b"\0\x09"),
        broken(v6, 4, b"\xff\xff"))]


@provokes("out_classify_length")
def test_lengths_that_contradict_the_frame_are_refused_outbound(run):
    carried(run, Site(), lan=wrong_lengths("lan"), exits={"out_classify_length": 8})


@provokes("in_classify_length")
def test_lengths_that_contradict_the_frame_are_refused_inbound(run):
    carried(run, Site(), wan=wrong_lengths("wan"), exits={"in_classify_length": 8})


@provokes("out_classify_checksum")
def test_a_wrong_header_checksum_is_refused_outbound(run):
    frames = [frame(broken(outward(), 10, n.to_bytes(2, "big")), "lan") for n in (0, 1, 0xffff)]
    carried(run, Site(), lan=frames, exits={"out_classify_checksum": 3})


@provokes("in_classify_checksum")
def test_a_wrong_header_checksum_is_refused_inbound(run):
    esp_packet = esp.ip(PEER[4], WAN[4], 50, b"\0\0\x20\x01" + bytes(40))
    frames = [frame(broken(p, 10, n.to_bytes(2, "big")), "wan") for n in (0, 1, 0xffff)
              for p in (inward(), esp_packet)]
    carried(run, Site(), wan=frames, exits={"in_classify_checksum": 6})


def cut_chains(port):
    v6 = packets(port)[1]
    option = (0, bytes(8))
    destination = (60, bytes(8))
    endless = (60, b"\0\xff" + bytes(6))
    return [frame(p, port) for p in (
        extended(v6, option, *[destination] * 8),  # nine
        extended(v6, endless))]  # longer than the packet


@provokes("out_classify_extensions")
def test_endless_extension_headers_are_refused_outbound(run):
    frames = cut_chains("lan")
    carried(run, Site(), lan=frames, exits={"out_classify_extensions": 2})


@provokes("in_classify_extensions")
def test_endless_extension_headers_are_refused_inbound(run):
    frames = cut_chains("wan")
    carried(run, Site(), wan=frames, exits={"in_classify_extensions": 2})


def test_extension_headers_are_walked_and_carried(run):
    site = Site()
    _, peer = site.tunnel()
    chain = [(0, bytes([0, 0, 1, 4, 0, 0, 0, 0])), (60, bytes([0, 0, 1, 4, 0, 0, 0, 0]))]
    out = [extended(outward(1, 6), *chain[:n]) for n in range(3)]
    back = [extended(inward(1, 6), *chain[:n]) for n in range(3)]
    done = run(site, lan=[frame(p, "lan") for p in out],
               wan=[frame(peer.packet(p), "wan") for p in back])
    assert not done.exits
    expect_out(done, site, {1: out})
    expect_in(done, back)


@provokes("out_arp", "in_arp")
def test_arp_is_for_the_kernel(run):
    site = Site()
    done = run(site, lan=[arp("lan")] * 3, wan=[arp("wan")] * 2)
    assert done.exits == {"out_arp": 3, "in_arp": 2}


@provokes("out_local")
def test_what_is_for_us_on_the_protected_side_is_for_the_kernel(run):
    lan = [frame(esp.udp(HOST[f], addresses[f]), "lan") for f in (4, 6) for addresses in (LAN, WAN)]
    assert run(Site(), lan=lan).exits == {"out_local": 4}


@provokes("out_multicast")
def test_multicast_and_broadcast_are_not_forwarded(run):
    lan = [frame(esp.udp(HOST[4], "224.0.0.5"), "lan", dst=MULTICAST_MAC[4]),
           frame(esp.udp(HOST[6], "ff02::5"), "lan", dst=MULTICAST_MAC[6]),
           frame(esp.udp(HOST[4], "255.255.255.255"), "lan", dst="ff:ff:ff:ff:ff:ff"),
           frame(esp.udp(HOST[4], "224.0.0.5"), "lan")]
    assert run(Site(), lan=lan).exits == {"out_multicast": 4}


@provokes("out_classify_no_room", "in_classify_no_room")
def test_chains_that_fit_no_buffer_are_refused(run):
    site = Site()
    _, peer = site.tunnel(2)
    long = [esp.ip(HOST[4], far(), 17, bytes(n)) for n in (3000, 4000, 9000)]
    done = run(site, lan=[frame(p, "lan") for p in long],
               wan=[frame(peer.packet(p), "wan") for p in long])
    assert done.exits == {"out_classify_no_room": 3, "in_classify_no_room": 3}


@provokes("out_esp_no_room")
def test_a_packet_that_leaves_no_room_for_its_trailer_is_refused(run, provider):
    site = Site(provider)
    site.tunnel()
    site.port("wan")["mtu"] = 9000  # so that its size alone is no reason
    # Buffers of the lan port hold 2048 bytes of frame.
    fit, full = (esp.ip(HOST[4], far(), 17, bytes(2048 - 14 - 20 - spare)) for spare in (20, 19))
    done = run(site, lan=[frame(p, "lan") for p in (fit, full)])
    assert done.exits == {"out_esp_no_room": 1}
    expect_out(done, site, {1: [fit]})


@provokes("martian")
def test_addresses_that_no_router_forwards_end_here(run):
    site = Site()
    _, peer = site.tunnel(policies=False)
    site.policy("out", "out", reqid=1)
    site.policy("in", "in", reqid=1)
    v4 = ("0.0.0.0", "127.0.0.1", "169.254.1.1", "224.0.0.9", "255.255.255.255")
    v6 = ("::", "::1", "fe80::1", "ff02::1")
    lan = [esp.udp(a, far()) for a in v4] + [esp.udp(a, far(1, 6)) for a in v6] + \
        [esp.udp(HOST[4], a) for a in v4[:3]] + [esp.udp(HOST[6], a) for a in v6[:3]]
    wan = [esp.udp(a, HOST[4]) for a in v4] + [esp.udp(a, HOST[6]) for a in v6]
    done = run(site, lan=[frame(p, "lan") for p in lan], wan=[frame(peer.packet(p), "wan")
                                                              for p in wan])
    assert done.exits == {"martian": len(lan) + len(wan)}
    assert not done.lan and not done.wan


@provokes("in_nd", "in_ike", "in_keepalive", "in_classify_udp_short")
def test_nd_ike_and_keepalives_pass_to_the_gateway_itself(run):
    site = Site()
    _, peer = site.tunnel()
    _, peer6 = site.tunnel(2, outer=6)
    wan = []
    want = dict.fromkeys(("in_nd", "in_ike", "in_keepalive", "in_classify_udp_short"), 0)

    def add(name, *packets_):
        for p in packets_:
            wan.append(frame(p, "wan"))
            want[name] += 1
    for p in (peer, peer6):
        def ike(data, port, at=p):
            return esp.udp(at.src, at.dst, data, port, port)
        add("in_ike", ike(bytes(28), 500), ike(bytes(4) + bytes(28), 4500))
        add("in_keepalive", ike(b"\xff", 4500))
        add("in_classify_udp_short", *(ike(bytes(n), 4500) for n in (0, 1, 2, 3)))
    target = bytes.fromhex("20010db8000f00000000000000000001")
    solicit = bytes([135, 0, 0, 0, 0, 0, 0, 0]) + target + b"\1\1" + mac_bytes(MAC["peer"])
    for dst in (WAN[6], "ff02::1:ff00:1"):
        packet = esp.ip(PEER[6], dst, 58, solicit, ttl=255)
        total = packet[8:40] + struct.pack("!II", len(solicit), 58) + solicit
        packet = broken(packet, 42, struct.pack("!H", esp.checksum(total)))
        wan.append(frame(packet, "wan", dst=None if dst == WAN[6] else "33:33:ff:00:00:01"))
        want["in_nd"] += 1
    assert run(site, wan=wan).exits == want


def cut_off(run, site, side, port, goods):
    """Frames that are cut off, at every length they can have."""
    cut = [frame(p, port)[:n] for p in goods for n in range(1, len(frame(p, port)))]
    done = run(site, **{port: cut})
    assert not done.lan and not done.wan
    assert set(done.exits) == {f"{side}_classify_runt", f"{side}_classify_length"}
    assert sum(done.exits.values()) == len(cut)


@provokes("out_classify_runt", "out_classify_length")
def test_frames_cut_off_at_every_length_are_refused_outbound(run):
    site = Site()
    site.tunnel()
    cut_off(run, site, "out", "lan", packets("lan"))


@provokes("in_classify_runt", "in_classify_length")
def test_frames_cut_off_at_every_length_are_refused_inbound(run):
    site = Site()
    _, peer = site.tunnel(1, ("aes-128-cbc", "hmac-sha1-96"))
    _, peer6 = site.tunnel(2, outer=6)
    cut_off(run, site, "in", "wan", [peer.packet(inward()), peer6.packet(inward(2))])


def frame_to_host(packet):
    return mac_bytes(MAC["host"]) + mac_bytes(MAC["lan"]) + b"\x08\0" + hop(packet)


@pytest.mark.parametrize("seed", range(4))
def test_random_damage_stops_nothing_and_lets_nothing_out_in_clear(run, provider, seed):
    site = Site(provider)
    chaos = random.Random(seed)
    peers = [site.tunnel(n, a, outer)[1] for n, (a, outer) in enumerate(
        [(("aes-128-gcm",), 4), (("aes-128-cbc", "hmac-sha1-96"), 6),
         (("null", "hmac-sha2-512-256"), 4)], 1)]

    def damaged(whole):
        data = bytearray(whole)
        for _ in range(chaos.choice((1, 1, 2, 8))):
            at = chaos.randrange(len(data)) if chaos.random() < .3 else \
                chaos.randrange(min(len(data), 64))
            data[at] = chaos.choice((0, 1, 0x7f, 0x80, 0xff, chaos.randrange(256)))
        cut = chaos.random()
        return bytes(data[:chaos.randrange(1, len(data))] if cut < .2 else
                     data + bytes(40) if cut < .3 else data)

    def any_inner(make):
        n = chaos.randrange(1, 4)
        return n, make(n, chaos.choice((4, 6)), chaos.randrange(28, 400))
    lan, wan = [], []
    for _ in range(1500):
        lan.append(damaged(frame(any_inner(outward)[1], "lan")))
        n, inner = any_inner(inward)
        wan.append(damaged(frame(peers[n - 1].packet(inner), "wan")))
        # Right on the outside, wrong within.
        n, inner = any_inner(inward)
        plain = bytearray(inner + peers[n - 1].trailer(inner))
        plain[chaos.randrange(len(plain))] = chaos.randrange(256)
        plain[-1 - chaos.randrange(2)] = chaos.randrange(256)
        wan.append(frame(peers[n - 1].packet(b"", plain=bytes(plain)), "wan"))
    marker = inward(host=77)
    lan.append(frame(outward(host=77), "lan"))
    wan.append(frame(peers[0].packet(marker), "wan"))
    done = run(site, lan=lan, wan=wan)  # which sees to it that nothing leaves in clear
    assert frame_to_host(marker) in done.lan
    assert site.tunnels[1][0].unwrap(payload(done.wan[-1], "wan"))[1] == hop(outward(host=77))
    assert len(done.exits) > 10
