# SPDX-License-Identifier: BSD-3-Clause
"""ESP that is wrong from outside or inside: each packet leaves by its own exit and nothing else
happens."""
import os

import pytest

from harness.algorithms import EVERYDAY
from harness.esp import ESP, udp
from harness.exits import provokes
from harness.site import Site, frame, inward
from harness.traffic import expect_in

SOME = [("aes-128-gcm",), ("aes-256-cbc", "hmac-sha2-256-128"), ("null", "hmac-sha1-96")]


def refused(run, provider, algorithm, exits, esps, outer=4, **how):
    """Each of these ESP packets is refused, and a good one after them passes."""
    site = Site(provider)
    _, peer = site.tunnel(1, algorithm, outer)
    wan = [frame(peer.wrap(e), "wan") for e in esps(peer)]
    peer.next = 1000
    done = run(site, wan=wan + [frame(peer.packet(inward()), "wan")], **how)
    expect_in(done, [inward()])
    assert done.exits == exits
    assert done.sas["in-1"]["packets"] == 1


@pytest.mark.parametrize("algorithm", SOME, ids="+".join)
@provokes("in_finish_pad_length")
def test_a_pad_length_beyond_the_payload_is_refused_B001(run, provider, algorithm):
    def esps(peer):
        inner = inward()
        fill = inner + bytes(-(len(inner) + 2) % peer.block)
        return [peer.seal(b"", seq, plain=fill + bytes([n, 4]))
                for seq, n in enumerate((255, 255, 255, len(fill) + 1, len(fill) + 100), 1)]
    refused(run, provider, algorithm, {"in_finish_pad_length": 5}, esps)


@provokes("in_finish_inner")
def test_padding_that_leaves_no_inner_packet_is_refused_B001(run, provider):
    def esps(peer):
        return [peer.seal(b"", 1, plain=bytes(range(1, 31)) + bytes([30, 4]))]
    refused(run, provider, ("aes-128-gcm",), {"in_finish_inner": 1}, esps)


@pytest.mark.parametrize("algorithm", SOME, ids="+".join)
def test_padding_of_every_length_is_taken_B002(run, provider, algorithm):
    site = Site(provider)
    _, peer = site.tunnel(1, algorithm)
    wan, want = [], []
    for n in range(256):
        inner = inward(size=28 + -(n + 2 + 28) % peer.block)
        wan.append(frame(peer.packet(inner, plain=inner + bytes(range(1, n + 1))
                                     + bytes([n, 4])), "wan"))
        want.append(inner)
    done = run(site, wan=wan)
    assert not done.exits
    expect_in(done, want)


def wrong_padding(peer):
    for seq, n in enumerate(range(1, 16), 1):
        inner = inward(size=28 + -(n + 2 + 28) % peer.block)
        pads = (bytes(range(n)), bytes(range(1, n)) + b"\xee")
        yield inner, peer.seal(b"", seq, plain=inner + pads[seq % 2] + bytes([n, 4]))


def test_padding_under_an_aead_is_not_looked_at_B002(run, provider):
    """Its contents are authenticated with the packet; RFC 4303 2.4 asks for it of other modes."""
    site = Site(provider)
    _, peer = site.tunnel()
    pairs = list(wrong_padding(peer))
    done = run(site, wan=[frame(peer.wrap(e), "wan") for _, e in pairs])
    assert not done.exits
    expect_in(done, [inner for inner, _ in pairs])


@pytest.mark.parametrize("algorithm", SOME[1:], ids="+".join)
@provokes("in_finish_padding")
def test_padding_that_does_not_count_up_from_1_is_refused_B002(run, provider, algorithm):
    refused(run, provider, algorithm, {"in_finish_padding": 15},
            lambda peer: [e for _, e in wrong_padding(peer)])


@pytest.mark.parametrize("outer", (4, 6))
@provokes("in_classify_esp_short", "in_esp_short", "in_esp_misaligned", "in_finish_icv",
          "in_sad_unknown")
def test_protocol_50_with_next_to_nothing_in_it_is_refused_B003(run, provider, outer):
    site = Site(provider)
    wan, want = [], {}

    def add(packet, name):
        wan.append(frame(packet, "wan"))
        want[name] = want.get(name, 0) + 1
    for tunnel, algorithm in enumerate(EVERYDAY, 1):
        _, peer = site.tunnel(tunnel, algorithm, outer)
        head = 8 + peer.iv_len
        for n in range(61):
            whole = peer.spi.to_bytes(4, "big") + bytes([0, 0, 0, 9]) + bytes(60)
            # The shortest that is whole: one block and the ICV.
            least = head + 2 + peer.icv_len
            add(peer.wrap(whole[:n]), "in_classify_esp_short" if n < 8 else
                "in_esp_short" if n < least else
                "in_esp_misaligned" if (n - head - peer.icv_len) % peer.block else "in_finish_icv")
            add(peer.wrap(b"\0\1\0\0"[:n] + whole[4:n]), "in_classify_esp_short" if n < 8 else
                "in_sad_unknown")
    done = run(site, wan=wan)
    assert done.exits == want
    assert not done.lan


@provokes("in_finish_next_header")
@pytest.mark.parametrize("algorithm", SOME, ids="+".join)
def test_a_next_header_that_contradicts_the_inner_packet_is_refused_B008(run, provider, algorithm):
    def esps(peer):
        v4, v6 = inward(), inward(1, 6)
        return [peer.seal(v6, 1, next_header=4), peer.seal(v4, 2, next_header=41),
                peer.seal(v4, 3, next_header=6), peer.seal(v4, 4, next_header=50),
                peer.seal(v4, 5, next_header=0), peer.seal(b"\x55" + v4[1:], 6, next_header=4)]
    refused(run, provider, algorithm, {"in_finish_next_header": 6}, esps)


@provokes("in_finish_dummy")
@pytest.mark.parametrize("algorithm", SOME, ids="+".join)
def test_dummies_go_silently_and_move_the_window_B035(run, provider, algorithm):
    site = Site(provider, workers={"lcores": [1], "burst": 1})
    _, peer = site.tunnel(1, algorithm, into={"replay_window": 32})
    dummies = [peer.seal(os.urandom(n), seq, next_header=59) for seq, n in ((100, 0), (101, 1),
                                                                           (102, 60), (103, 999))]
    done = run(site, wan=[frame(peer.wrap(e), "wan") for e in dummies]
               + [frame(peer.packet(inward(), 71), "wan"), frame(peer.packet(inward(), 72), "wan")])
    expect_in(done, [inward()])
    assert done.exits == {"in_finish_dummy": 4, "in_esp_replay": 1}


@provokes("in_finish_inner")
def test_an_inner_header_that_contradicts_itself_is_refused(run, provider):
    def wrong(at, value, family=4):
        packet = bytearray(inward(1, family, 100))
        packet[at:at + len(value)] = value
        return bytes(packet)
    inner = [wrong(0, b"\x44"), wrong(0, b"\x4f"), wrong(2, b"\0\x13"), wrong(2, b"\0\x65"),
             wrong(2, b"\xff\xff"), wrong(10, b"\0\0"), wrong(4, b"\0\x3d", 6),
             wrong(4, b"\xff\xff", 6), inward()[:19], inward(1, 6)[:39], b"\x45", b"\x60"]

    def esps(peer):
        return [peer.seal(p, seq) for seq, p in enumerate(inner, 1)]
    refused(run, provider, ("aes-128-gcm",), {"in_finish_inner": len(inner)}, esps)


@provokes("in_finish_icv", "in_sad_unknown", "in_sad_spi_reserved")
@pytest.mark.parametrize("esn", (False, True))
@pytest.mark.parametrize("algorithm", EVERYDAY, ids="+".join)
def test_no_bit_of_esp_can_be_changed_B027(run, provider, algorithm, esn):
    site = Site(provider)
    _, peer = site.tunnel(1, algorithm, esn=esn)
    good = peer.seal(inward(), 3)
    wan, want = [], {"in_finish_icv": 0, "in_sad_unknown": 0, "in_sad_spi_reserved": 0}
    for bit in range(8 * len(good)):
        bad = bytearray(good)
        bad[bit // 8] ^= 1 << bit % 8
        wan.append(frame(peer.wrap(bytes(bad)), "wan"))
        spi = int.from_bytes(bad[:4], "big")
        want["in_finish_icv" if spi == peer.spi else
             "in_sad_unknown" if spi > 255 else "in_sad_spi_reserved"] += 1
    done = run(site, wan=wan + [frame(peer.wrap(good), "wan")])
    expect_in(done, [inward()])
    assert done.exits == want


@provokes("in_sad_spi_zero", "in_sad_spi_reserved", "in_sad_unknown")
def test_reserved_and_unknown_spis_are_told_apart_B080(run):
    site = Site()
    _, peer = site.tunnel()
    wan = [frame(peer.wrap(spi.to_bytes(4, "big") + bytes(60)), "wan")
           for spi in (0, 0, 1, 128, 255, 256, 0x1001, 0xffffffff)]
    assert run(site, wan=wan).exits == {"in_sad_spi_zero": 2, "in_sad_spi_reserved": 3,
                                        "in_sad_unknown": 3}


@provokes("in_classify_fragment")
def test_fragments_of_esp_are_refused(run, provider):
    site = Site(provider)
    _, peer = site.tunnel()
    whole = peer.seal(inward(size=200))
    pieces = [peer.wrap(whole[:104], frag=0x2000), peer.wrap(whole[104:], frag=13)]
    good = peer.packet(inward(), 5)
    _, peer6 = site.tunnel(2, outer=6)
    inner = peer6.seal(inward(2, size=200))
    for at, more in ((0, 1), (104, 0)):
        head = bytes([ESP, 0]) + (at | more).to_bytes(2, "big") + b"\0\0\0\7"
        piece = inner[:104] if more else inner[104:]
        packet = peer6.wrap(head + piece)
        pieces.append(packet[:6] + b"\x2c" + packet[7:])
    done = run(site, wan=[frame(p, "wan") for p in pieces + [good]])
    expect_in(done, [inward()])
    assert done.exits == {"in_classify_fragment": 4}


@provokes("in_sad_udp_refused")
def test_esp_in_udp_is_refused_by_an_sa_without_encap(run):
    site = Site()
    _, peer = site.tunnel()
    _, peer6 = site.tunnel(2, outer=6)
    wan = [frame(udp(p.src, p.dst, p.seal(inner), 4500, 4500), "wan")
           for p, inner in ((peer, inward()), (peer6, inward(2)))]
    assert run(site, wan=wan).exits == {"in_sad_udp_refused": 2}
