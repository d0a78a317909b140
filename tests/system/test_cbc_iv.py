# SPDX-License-Identifier: BSD-3-Clause
"""IVs of CBC on the wire are distinct and unpredictable (RFC 3602 3, SP 800-38A C): case B024."""
import pytest

from harness import gateway
from harness.site import Site, frame, outward, payload

PACKETS = 4000


@pytest.mark.parametrize("cipher", ("aes-128-cbc", "aes-256-cbc"))
def test_ivs_are_distinct_and_tell_nothing_of_the_next_B024(folders, provider, cipher):
    site = Site(provider)
    ours, _ = site.tunnel(1, (cipher, "hmac-sha2-256-128"))
    folder = folders()
    lan = [frame(outward(size=64), "lan")] * PACKETS
    wire = []
    for restart in (False, True):  # a restart draws from elsewhere
        done = gateway.run(site, folder, lan=lan, restart=restart)
        assert not done.exits
        wire += [payload(f, "wan")[20:] for f in done.wan]
    ivs = [e[8:24] for e in wire]
    assert len(set(ivs)) == 2 * PACKETS
    numbers = [int.from_bytes(iv, "big") for iv in ivs]
    for last, (iv, before) in zip(wire, zip(ivs[1:], ivs)):
        assert iv != last[-ours.icv_len - 16:-ours.icv_len], "chained from the packet before"
    # No difference or xor of neighbours comes twice, as it would with a counter of any step.
    assert len({(b - a) % (1 << 128) for a, b in zip(numbers, numbers[1:])}) == 2 * PACKETS - 1
    assert len({a ^ b for a, b in zip(numbers, numbers[1:])}) == 2 * PACKETS - 1
    # Every bit is as often 0 as 1, and differs from its neighbour's as often as not: 6 sigma.
    slack = 6 * (2 * PACKETS) ** 0.5 / 2
    for series in (numbers, [a ^ b for a, b in zip(numbers, numbers[1:])]):
        for bit in range(128):
            ones = sum(n >> bit & 1 for n in series)
            assert abs(ones - len(series) / 2) < slack, f"bit {bit} is 1 {ones} times"


def test_two_sas_with_one_plaintext_draw_different_ivs(run, provider):
    site = Site(provider)
    for n in (1, 2):
        site.tunnel(n, ("aes-128-cbc", "hmac-sha1-96"))
    done = run(site, lan=[frame(outward(n), "lan") for n in (1, 2)] * 500)
    ivs = [payload(f, "wan")[28:44] for f in done.wan]
    assert len(set(ivs)) == 1000
