# SPDX-License-Identifier: BSD-3-Clause
"""The outer header, and what of it reaches the inner one: DSCP, ECN, DF, flow label, hop limit."""
import itertools

import pytest

from harness import esp
from harness.exits import provokes
from harness.site import Site, family_of, frame, hop, inward, outward, payload
from harness.traffic import expect_in

NOT_ECT, ECT1, ECT0, CE = range(4)
FAMILIES = list(itertools.product((4, 6), (4, 6)))
# RFC 6040 4.2, figure 4: [inner][outer] to what is sent on; None: dropped.
ECN_OUT = {NOT_ECT: (NOT_ECT, NOT_ECT, NOT_ECT, None), ECT1: (ECT1, ECT1, ECT1, CE),
           ECT0: (ECT0, ECT1, ECT0, CE), CE: (CE, CE, CE, CE)}


def sent_headers(run, site, packets):
    done = run(site, lan=[frame(p, "lan") for p in packets])
    assert not done.exits
    ours = site.tunnels[1][0]
    whole = [payload(f, "wan") for f in done.wan]
    assert [ours.unwrap(p)[1] for p in whole] == [hop(p) for p in packets]
    return [esp.check_ip(p) for p in whole]


@pytest.mark.parametrize("outer, inner", FAMILIES)
@pytest.mark.parametrize("dscp", ("copy", 0, 46))
@pytest.mark.parametrize("ecn", ("normal", "compat", "off"))
def test_dscp_and_ecn_go_outward_as_configured_B086(run, outer, inner, dscp, ecn):
    site = Site()
    site.tunnel(outer=outer, out={"dscp": dscp, "ecn": ecn})
    heads = sent_headers(run, site, [outward(1, inner, tos=tos) for tos in range(256)])
    for tos, head in enumerate(heads):
        want = tos >> 2 if dscp == "copy" else dscp
        assert head.tos == want << 2 | (tos & 3 if ecn == "normal" else NOT_ECT)


@pytest.mark.parametrize("inner", (4, 6))
@pytest.mark.parametrize("label, want", [("copy", None), (0, 0), (0x54321, 0x54321)])
def test_the_flow_label_goes_outward_as_configured_B086(run, inner, label, want):
    site = Site()
    site.tunnel(outer=6, out={"flow_label": label})
    how = {"label": 0xabcde} if inner == 6 else {}
    head, = sent_headers(run, site, [outward(1, inner, tos=0xb8, **how)])
    assert head.label == (want if want is not None else 0xabcde if inner == 6 else 0)
    assert head.tos == 0xb8


@pytest.mark.parametrize("df, want", [("copy", [False, True, True]), ("set", [True] * 3),
                                      ("clear", [False] * 3)])
def test_df_goes_outward_as_configured(run, df, want):
    site = Site()
    site.tunnel(out={"df": df})
    heads = sent_headers(run, site, [outward(), outward(df=True), outward(1, 6)])
    # An IPv6 packet may not be fragmented on its way, so a copy of it has DF.
    assert [h.df for h in heads][:2] == want[:2]
    assert df == "copy" or heads[2].df == want[2]


@pytest.mark.parametrize("outer", (4, 6))
def test_the_outer_hop_limit_is_the_configured_one_B087(run, outer):
    for ttl in (64, 1, 255):
        site = Site()
        site.tunnel(outer=outer, out={"outer_ttl": ttl})
        heads = sent_headers(run, site, [outward(1, f, ttl=t) for f in (4, 6) for t in (2, 255)])
        assert {h.ttl for h in heads} == {ttl}


def test_ipv4_identifications_differ_from_packet_to_packet(run):
    site = Site()
    site.tunnel()
    done = run(site, lan=[frame(outward(), "lan")] * 300)
    assert len({f[18:20] for f in done.wan}) == 300


@provokes("in_finish_ecn")
@pytest.mark.parametrize("outer, inner", FAMILIES)
@pytest.mark.parametrize("algorithm", [("aes-128-gcm",), ("aes-128-cbc", "hmac-sha1-96")],
                         ids="+".join)
def test_all_16_pairs_of_ecn_come_in_by_rfc_6040_B084(run, outer, inner, algorithm):
    site = Site()
    _, peer = site.tunnel(1, algorithm, outer)
    wan, want = [], []
    for i, o in itertools.product(range(4), repeat=2):
        tos = 46 << 2
        wan.append(frame(peer.packet(inward(1, inner, tos=tos | i), header={"tos": o}), "wan"))
        result = ECN_OUT[i][o]
        if result is not None:
            want.append(inward(1, inner, tos=tos | result))
    done = run(site, wan=wan)
    assert done.exits == {"in_finish_ecn": 1}
    expect_in(done, want)


@pytest.mark.parametrize("inner", (4, 6))
def test_ecn_off_leaves_the_inner_field_alone(run, inner):
    site = Site()
    _, peer = site.tunnel(into={"ecn": "off"})
    pairs = list(itertools.product(range(4), repeat=2))
    done = run(site, wan=[frame(peer.packet(inward(1, inner, tos=i), header={"tos": o}), "wan")
                          for i, o in pairs])
    assert not done.exits
    expect_in(done, [inward(1, inner, tos=i) for i, _ in pairs])


@pytest.mark.parametrize("outer", (4, 6))
def test_dscp_flow_label_and_hop_limit_of_the_outer_header_stay_outside(run, outer):
    site = Site()
    _, peer = site.tunnel(outer=outer)
    header = {"tos": 0xb8, "ttl": 7}
    if outer == 6:
        header["label"] = 0x54321
    back = [inward(1, f, tos=0x28) for f in (4, 6)]
    done = run(site, wan=[frame(peer.packet(p, header=header), "wan") for p in back])
    expect_in(done, back)


def test_inner_transport_checksums_are_nobodys_business_B089(run):
    site = Site()
    _, peer = site.tunnel()
    wrong = [p[:-2] + b"\xba\xad" for p in (outward(size=60), outward(1, 6, 80))]
    back = [p[:-2] + b"\xba\xad" for p in (inward(size=60), inward(1, 6, 80))]
    heads = sent_headers(run, site, wrong)
    assert [family_of(p) for p in wrong] == [4, 6] and len(heads) == 2
    done = run(site, wan=[frame(peer.packet(p), "wan") for p in back])
    expect_in(done, back)
