# SPDX-License-Identifier: BSD-3-Clause
"""What tests say about packets that went through."""
from .site import ETHERTYPE, hop, payload


def opened(run, site, highs=None, vlan=()):
    """Opens all ESP on the wan port: tunnel number to [(sequence number, inner packet)], in the
    order of the wire. highs: of tunnels with ESN, the high word."""
    by_spi = {pair[0].spi: (n, pair[0]) for n, pair in site.tunnels.items()}
    out = {n: [] for n in site.tunnels}
    for whole in run.wan:
        packet = payload(whole, "wan", vlan)
        at = 40 if packet[0] >> 4 == 6 else 20
        n, sa = by_spi[int.from_bytes(packet[at:at + 4], "big")]
        out[n].append(sa.unwrap(packet, (highs or {}).get(n, 0)))
    return out


def expect_out(run, site, sent, first=1, highs=None):
    """Each tunnel carried exactly these inner packets in this order, a hop older, numbered from
    first (a number, or one for each tunnel). sent: tunnel number to inner packets."""
    got = opened(run, site, highs)
    for n in site.tunnels:
        start = first[n] if isinstance(first, dict) else first
        want = [(start + i, hop(p)) for i, p in enumerate(sent.get(n, []))]
        assert got[n] == want, f"tunnel {n}: {len(got[n])} of {len(want)} as they should be"


def expect_in(run, inner, vlan=()):
    """The host got exactly these inner packets in this order, a hop older."""
    got = [payload(whole, "lan", vlan) for whole in run.lan]
    want = [hop(p) for p in inner]
    assert got == want, f"{len(got)} packets, {len(want)} expected; first difference at " \
        f"{next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), 'the end')}"


def is_v6(whole):
    return whole[12:14] == ETHERTYPE[6].to_bytes(2, "big")
