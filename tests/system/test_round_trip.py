# SPDX-License-Identifier: BSD-3-Clause
"""Every algorithm both ways: what the peer opens is what the host sent, and the reverse."""
import pytest

from harness.algorithms import EVERYDAY
from harness.site import Site, frame, inward, outward
from harness.traffic import expect_in, expect_out

SIZES = (0, 61, 62, 63, 64, 300, 1300)
HIGH = 0x01020304  # B020: of an ESN


def both(make, n):
    return [make(n, family, size) for size in SIZES for family in (4, 6)]


@pytest.mark.parametrize("algorithm", EVERYDAY, ids="+".join)
def test_both_families_go_both_ways_on_one_sa(run, provider, algorithm):
    site = Site(provider)
    out, back, wan = {}, [], []
    for n, (outer, esn) in enumerate([(4, False), (6, False), (4, True), (6, True)], 1):
        _, peer = site.tunnel(n, algorithm, outer, esn)
        out[n] = both(outward, n)
        back += both(inward, n)
        wan += [frame(peer.packet(p), "wan") for p in both(inward, n)]
    done = run(site, lan=[frame(p, "lan") for n in out for p in out[n]], wan=wan)
    assert not done.exits
    expect_out(done, site, out)
    assert sorted(done.lan) == sorted(set(done.lan)), "a packet came twice"
    expect_in(done, back)
    for n in out:
        for name, packets in ((f"out-{n}", out[n]), (f"in-{n}", both(inward, n))):
            assert done.sas[name]["packets"] == len(packets)
            assert done.sas[name]["bytes"] == sum(map(len, packets))


@pytest.mark.parametrize("algorithm", EVERYDAY, ids="+".join)
def test_an_esn_goes_on_where_its_high_word_is_not_zero_B020(run, provider, algorithm):
    site = Site(provider)
    start = (HIGH << 32) + 5
    _, peer = site.tunnel(1, algorithm, esn=True, out={"sequence": {"next": start}},
                          into={"sequence": {"top": start}})
    out, back = both(outward, 1), both(inward, 1)
    peer.next = start + 1
    done = run(site, lan=[frame(p, "lan") for p in out],
               wan=[frame(peer.packet(p), "wan") for p in back])
    assert not done.exits
    expect_out(done, site, {1: out}, start, {1: HIGH})
    expect_in(done, back)


@pytest.mark.parametrize("algorithm", [("aes-128-gcm",), ("aes-128-cbc", "hmac-sha1-96")],
                         ids="+".join)
def test_an_esn_rolls_over_both_ways(run, provider, algorithm):
    site = Site(provider)
    start = (1 << 32) - 8
    ours, peer = site.tunnel(1, algorithm, esn=True, out={"sequence": {"next": start}},
                             into={"sequence": {"top": start - 1}})
    peer.next = start
    out, back = [outward()] * 16, [inward()] * 16
    done = run(site, lan=[frame(p, "lan") for p in out],
               wan=[frame(peer.packet(p), "wan") for p in back])
    assert not done.exits
    numbers = [ours.unwrap(f[14:], high)[0] for f, high in zip(done.wan, [0] * 8 + [1] * 8)]
    assert numbers == list(range(start, start + 16))
    expect_in(done, back)


def test_several_sas_in_one_burst_keep_their_own_numbers_B082(run):
    site = Site()
    algorithms = [("aes-128-gcm",), ("aes-256-cbc", "hmac-sha2-256-128"), ("null", "hmac-sha1-96")]
    for n in range(1, 9):
        site.tunnel(n, algorithms[n % 3], outer=4 if n % 2 else 6,
                    provider=("aesni_mb", "openssl")[n // 2 % 2])
    order = [(7 * i * i + 3 * i) % 9 for i in range(640)]  # 0: a tunnel that there is not
    out = {n: [outward(n, 4 + 2 * (i % 2), 60 + i % 40) for i, m in enumerate(order) if m == n]
           for n in site.tunnels}
    turn = {n: iter(out[n]) for n in out}
    back = [inward(n, 4, 80 + i % 30) if n else b"" for i, n in enumerate(order)]
    strange = site.tunnels[1][1]
    wan = [frame(site.tunnels[n][1].packet(p), "wan") if n else
           frame(strange.wrap(b"\0\0\x7f\x7f" + bytes(60)), "wan") for n, p in zip(order, back)]
    lan = [frame(next(turn[n]) if n else outward(200), "lan") for n in order]
    done = run(site, lan=lan, wan=wan)
    assert done.exits == {"out_policy_no_match": order.count(0), "in_sad_unknown": order.count(0)}
    expect_out(done, site, out)
    got = {n: [f[14:] for f in done.lan if f[14 + 12:14 + 16] == bytes([10, 2, n, 9])]
           for n in site.tunnels}
    for n in site.tunnels:
        assert len(got[n]) == order.count(n)
