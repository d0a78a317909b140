# SPDX-License-Identifier: BSD-3-Clause
"""The anti-replay window on the wire (RFC 4303 3.4.3): cases B011 to B023."""
import random

import pytest

from harness.exits import provokes
from harness.site import Site, frame, inward
from harness.traffic import expect_in

EPOCH = 1 << 32


class Window:
    """The window as a set: what RFC 4303 says, without a bit in it."""

    def __init__(self, size):
        self.size, self.top, self.seen = size, 0, set()

    def accepts(self, seq):
        if self.size and (seq == 0 or seq <= self.top - self.size or seq in self.seen):
            return False
        self.seen.add(seq)
        self.top = max(self.top, seq)
        return True


def judged(run, size, numbers, burst=1):
    """Sends one packet per number and compares with the model; a packet's number is in its inner
    address, so that it is known which came through."""
    site = Site(workers={"lcores": [1], "burst": burst})
    _, peer = site.tunnel(into={"replay_window": size})
    model, fresh = Window(size), []
    wan = []
    for i, seq in enumerate(numbers):
        inner = inward(host=9 + i % 200, size=28 + i % 64)
        wan.append(frame(peer.packet(inner, seq), "wan"))
        if model.accepts(seq):
            fresh.append(inner)
    done = run(site, wan=wan)
    expect_in(done, fresh)
    refused = len(numbers) - len(fresh)
    assert sum(done.exits.values()) == refused
    assert set(done.exits) <= {"in_esp_replay", "in_finish_replay"}
    if burst == 1:
        assert "in_finish_replay" not in done.exits
    assert done.sas["in-1"]["packets"] == len(fresh)
    assert done.sas["in-1"]["sequence"] == model.top


@provokes("in_esp_replay")
@pytest.mark.parametrize("size, numbers", [(64, (100, 36, 37, 36, 37)), (32, (100, 68, 69, 68, 69)),
                                           (1, (100, 99, 100, 101)), (65536, (65537, 1, 2, 2))])
def test_the_left_edge_is_exact_B011(run, size, numbers):
    judged(run, size, numbers)


@pytest.mark.parametrize("jump", (63, 64, 65, 128, 1000, 1 << 31))
@pytest.mark.parametrize("size", (32, 64, 128))
def test_a_jump_larger_than_the_window_forgets_what_was_before_B012(run, size, jump):
    top = 10 + jump
    after = [10, top - 1, top - 1, top - size, top - size + 1, top]
    judged(run, size, [*range(1, 11), top, *(n for n in after if n > 0)])


@pytest.mark.parametrize("size", (33, 64, 128, 255, 1024, 4096))
def test_late_packets_inside_the_window_pass_once_B013(run, size):
    last = size + 100
    late = [last - size + 1, last - 40, last - 33] if size > 40 else [last - size + 1, last - 20]
    judged(run, size, [n for n in range(1, last + 1) if n not in late] + late + late, burst=64)


@pytest.mark.parametrize("size", (1, 2, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 2048))
def test_random_orders_are_judged_like_the_model(run, size):
    choose = random.Random(size)
    top, numbers = 1, []
    for _ in range(1500):
        top += choose.choice((0, 0, 1, 1, 2, 3, 40, size, size + 1))
        numbers.append(max(0, top - choose.randrange(0, 2 * size + 3)))
    judged(run, size, numbers, burst=choose.choice((1, 7, 64)))


@provokes("in_esp_replay")
def test_a_packet_is_delivered_once_however_late_its_copies_come_B014(run):
    judged(run, 64, [1, *range(2, 10002), 1, 1], burst=64)


@provokes("in_finish_replay")
def test_copies_in_one_burst_are_told_apart_after_the_icv(run, provider):
    site = Site(provider)
    _, peer = site.tunnel()
    whole = frame(peer.packet(inward(), 7), "wan")
    done = run(site, wan=[whole] * 5)
    expect_in(done, [inward()])
    assert sum(done.exits.values()) == 4
    assert done.exits["in_finish_replay"] >= 1


@provokes("in_finish_icv")
@pytest.mark.parametrize("esn", (False, True))
@pytest.mark.parametrize("algorithm", [("aes-128-gcm",), ("aes-128-cbc", "hmac-sha2-256-128")],
                         ids="+".join)
def test_forged_packets_move_nothing_B016(run, provider, algorithm, esn):
    site = Site(provider)
    _, peer = site.tunnel(1, algorithm, esn=esn, into={"replay_window": 64})
    good = [inward(host=n) for n in range(1, 101)]
    forged = peer.seal(inward(), 0x7ffffff0)
    forged = frame(peer.wrap(forged[:-1] + bytes([forged[-1] ^ 1])), "wan")
    wan = [frame(peer.packet(good[0], 1), "wan")] + [forged] * 1000
    if esn:  # below the window: what makes a receiver think of the next epoch
        below = peer.seal(inward(), 0)
        wan += [frame(peer.wrap(below[:-1] + bytes([below[-1] ^ 1])), "wan")] * 10
    wan += [frame(peer.packet(p, n), "wan") for n, p in enumerate(good[1:], 2)]
    done = run(site, wan=wan)
    expect_in(done, good)
    early = done.exits.pop("in_esp_replay", 0)
    assert done.exits["in_finish_icv"] + early == len(wan) - 100
    assert done.exits["in_finish_icv"] >= 1000
    assert done.sas["in-1"]["sequence"] == 100


def test_replayed_packets_do_not_age_the_sa_B017(run):
    site = Site()
    _, peer = site.tunnel(into={"replay_window": 64})
    good = [inward(host=n) for n in range(1, 11)]
    wan = [frame(peer.packet(p), "wan") for p in good]
    done = run(site, wan=wan + [wan[4]] * 5000)
    expect_in(done, good)
    assert sum(done.exits.values()) == 5000
    assert done.sas["in-1"]["packets"] == 10
    assert done.sas["in-1"]["bytes"] == sum(map(len, good))


@pytest.mark.parametrize("algorithm", [("aes-128-gcm",), ("aes-128-cbc", "hmac-sha1-96")],
                         ids="+".join)
def test_a_late_packet_of_the_epoch_before_passes_once_B021(run, algorithm):
    site = Site(workers={"lcores": [1], "burst": 1})
    _, peer = site.tunnel(1, algorithm, esn=True, into={"replay_window": 64,
                                                        "sequence": {"top": EPOCH - 32}})
    numbers = [EPOCH + 5, EPOCH - 16, EPOCH + 6, EPOCH - 16, EPOCH + 5, EPOCH - 17, EPOCH + 70,
               EPOCH + 7, EPOCH + 6]
    fresh = [EPOCH + 5, EPOCH - 16, EPOCH + 6, EPOCH - 17, EPOCH + 70, EPOCH + 7]
    host = {seq: 9 + i for i, seq in enumerate(dict.fromkeys(numbers))}
    done = run(site, wan=[frame(peer.packet(inward(host=host[n]), n), "wan") for n in numbers])
    expect_in(done, [inward(host=host[n]) for n in fresh])
    # The last one, left of the window, reads as one of the epoch to come (RFC 4303 A2.2).
    assert done.exits == {"in_esp_replay": 2, "in_finish_icv": 1}


@pytest.mark.parametrize("size", (0, 32, 64))
def test_number_0_passes_only_without_a_window_B023(run, size):
    judged(run, size, [0, 1, 0, 2])


def test_without_a_window_everything_authentic_passes(run, provider):
    site = Site(provider)
    _, peer = site.tunnel(into={"replay_window": 0})
    numbers = [5, 5, 1, 1000, 5, 0, 3]
    done = run(site, wan=[frame(peer.packet(inward(host=9 + i), n), "wan")
                          for i, n in enumerate(numbers)])
    assert not done.exits
    expect_in(done, [inward(host=9 + i) for i in range(len(numbers))])


def test_without_a_window_an_esn_still_follows_the_top(run):
    site = Site()
    _, peer = site.tunnel(esn=True, into={"replay_window": 0, "sequence": {"top": EPOCH - 8}})
    numbers = [EPOCH - 4, EPOCH - 4, EPOCH + 3, EPOCH + 3, EPOCH + 9]
    done = run(site, wan=[frame(peer.packet(inward(host=9 + i), n), "wan")
                          for i, n in enumerate(numbers)])
    assert not done.exits
    expect_in(done, [inward(host=9 + i) for i in range(len(numbers))])
