# SPDX-License-Identifier: BSD-3-Clause
"""The SPD on the wire: protect, bypass, discard, and nothing by default."""
import struct

import pytest

from harness import esp
from harness.exits import provokes
from harness.site import HOST, PEER, Site, far, frame, hop, inward, mac_bytes, MAC, outward, payload
from harness.traffic import expect_in, expect_out

OUTSIDE = {4: "198.51.100.7", 6: "2001:db8:ffff::7"}


def tcp(src, dst, sport, dport):
    return esp.ip(src, dst, 6, struct.pack("!HHIIBBHHH", sport, dport, 0, 0, 5 << 4, 2, 100, 0, 0))


def icmp(src, dst, kind, code=0):
    body = bytes([kind, code, 0, 0, 0, 1, 0, 1])
    return esp.ip(src, dst, 1, body[:2] + struct.pack("!H", esp.checksum(body)) + body[4:])


@provokes("out_policy_no_match", "in_policy_no_match")
@pytest.mark.parametrize("rules", (0, 1))
def test_what_no_policy_matches_is_discarded_B073(run, rules):
    site = Site()
    if rules:
        site.tunnel()
    lan = [frame(esp.udp(HOST[f], OUTSIDE[f]), "lan") for f in (4, 6)]
    wan = [frame(esp.udp(OUTSIDE[f], HOST[f]), "wan") for f in (4, 6)]
    done = run(site, lan=lan, wan=wan)
    assert done.exits == {"out_policy_no_match": 2, "in_policy_no_match": 2}
    assert not done.lan and not done.wan


@pytest.mark.parametrize("first", ("bypass", "protect", "discard"))
@provokes("out_policy_discard")
def test_the_first_match_by_priority_wins_B074(run, first):
    site = Site()
    site.tunnel(policies=False)
    order = [first] + [a for a in ("discard", "bypass", "protect") if a != first]
    for place, action in reversed(list(enumerate(order))):  # the file says nothing of the order
        site.policy(action, "out", action, priority=10 + place, src="10.1.0.0/16", dst="10.2.1.9",
                    **({"reqid": 1} if action == "protect" else {}))
    site.policy("never", "out", "discard", priority=5, dst="10.2.1.10")
    done = run(site, lan=[frame(outward(), "lan")] * 5 + [frame(outward(host=10), "lan")],
               clear=5 if first == "bypass" else 0)
    assert done.exits == ({"out_policy_discard": 6} if first == "discard" else
                          {"out_policy_discard": 1})
    assert len(done.wan) == (0 if first == "discard" else 5)
    if first == "bypass":
        assert [payload(f, "wan") for f in done.wan] == [hop(outward())] * 5


def test_equal_priorities_are_looked_at_in_the_order_of_the_file(run):
    site = Site()
    site.tunnel(policies=False)
    for n, action in enumerate(("protect", "discard", "bypass")):
        site.policy(f"p{n}", "out", action, dst=("10.2.1.0/24", "10.2.0.0/23", "10.2.0.0/16")[n],
                    **({"reqid": 1} if action == "protect" else {}))
    done = run(site, lan=[frame(outward(), "lan")] * 3)
    assert not done.exits
    expect_out(done, site, {1: [outward()] * 3})


def test_the_order_of_overlapping_rules_is_their_priority_B075(run):
    site = Site()
    for n in range(1, 5):
        site.tunnel(n, policies=False)
        site.policy(f"rule-{n}", "out", reqid=n, priority=50 - 10 * n, dst=f"10.2.0.0/{17 + n}")
    site.config["policies"].sort(key=lambda p: -p["priority"])
    packets = [esp.udp(HOST[4], dst) for dst in ("10.2.32.1", "10.2.16.1", "10.2.8.1", "10.2.1.1")]
    done = run(site, lan=[frame(p, "lan") for p in packets])
    assert not done.exits
    expect_out(done, site, {n: [packets[n - 1]] for n in range(1, 5)})


@provokes("out_policy_no_sa")
def test_protect_without_an_sa_sends_nothing(run):
    site = Site()
    site.policy("orphan", "out", reqid=77, dst="10.2.0.0/16")
    _, peer = site.tunnel(2, policies=False)
    site.policy("in", "in", reqid=2)
    done = run(site, lan=[frame(outward(), "lan")] * 3)
    assert done.exits == {"out_policy_no_sa": 3}
    assert not done.wan


@provokes("in_policy_selectors")
def test_a_decrypted_packet_must_be_its_own_sas_B077(run):
    site = Site()
    for n in (1, 2):
        site.tunnel(n, policies=False)
        site.policy(f"out-{n}", "out", reqid=n, dst=f"10.2.{n}.0/24")
        site.policy(f"in-{n}", "in", reqid=n, src=f"10.2.{n}.0/24", dst="10.1.0.0/24",
                    protocol="udp", dst_ports="2000-2010")
    a = site.tunnels[1][1]
    good = [esp.udp(far(1), HOST[4], dport=p) for p in (2000, 2010)]
    bad = [inward(2), esp.udp(far(1), "10.1.1.2"), esp.udp(far(1), HOST[4], dport=1999),
           esp.udp(far(1), HOST[4], dport=2011), tcp(far(1), HOST[4], 1000, 2000),
           inward(1, 6), esp.udp(OUTSIDE[4], HOST[4]), inward(1, frag=0x2000 | 5)]
    done = run(site, wan=[frame(a.packet(p), "wan") for p in bad + good])
    assert done.exits == {"in_policy_selectors": len(bad)}
    expect_in(done, good)


@provokes("in_policy_selectors")
def test_a_decrypted_packet_that_a_nearer_rule_discards_or_gives_to_another_sa_is_refused(run):
    site = Site()
    _, peer = site.tunnel(policies=False)
    site.tunnel(2, policies=False)
    site.policy("no", "in", "discard", src="10.2.1.5", priority=1)
    site.policy("clear", "in", "bypass", src="10.2.1.6", priority=2)
    site.policy("other", "in", reqid=2, src="10.2.1.7", priority=3)
    site.policy("yes", "in", reqid=1, src="10.2.1.0/24", priority=4)
    done = run(site, wan=[frame(peer.packet(inward(host=h)), "wan") for h in (5, 6, 7, 8)])
    assert done.exits == {"in_policy_selectors": 3}
    expect_in(done, [inward(host=8)])


@provokes("in_policy_clear")
def test_clear_text_that_should_be_protected_is_dropped_B078(run):
    site = Site()
    _, peer = site.tunnel()
    back = [inward(1, 4, 64 + n) for n in range(16)]
    mixed = [f for p in back for f in (frame(inward(1, 4 + 2 * (len(p) % 2)), "wan"),
                                       frame(peer.packet(p), "wan"))]
    done = run(site, wan=mixed)
    assert done.exits == {"in_policy_clear": 16}
    expect_in(done, back)


@provokes("in_policy_discard")
def test_clear_text_passes_or_not_as_the_inbound_policies_say(run):
    site = Site()
    site.policy("no", "in", "discard", src="198.51.100.0/25")
    site.policy("yes", "in", "bypass", src=["198.51.100.128/25", "2001:db8:ffff::/48"],
                dst=["10.1.0.0/24", "2001:db8:1::/64"])
    good = [esp.udp("198.51.100.200", HOST[4]), esp.udp(OUTSIDE[6], HOST[6])]
    done = run(site, wan=[frame(p, "wan") for p in (esp.udp("198.51.100.9", HOST[4]), *good)])
    assert done.exits == {"in_policy_discard": 1}
    expect_in(done, good)


def test_ports_protocols_and_icmp_types_select_as_written(run):
    site = Site()
    rules = [{"protocol": "udp", "dst_ports": 53}, {"protocol": 6, "src_ports": "1000-1999"},
             {"protocol": "icmp", "icmp_type": 8}, {"protocol": "udp", "dst_ports": [7, "100-102"]},
             {"protocol": "udp", "dst_ports": "opaque"}, {"protocol": "tcp"}]
    for n, rule in enumerate(rules, 1):
        site.tunnel(n, policies=False)
        site.policy(f"rule-{n}", "out", reqid=n, **rule)
    to = far(1)
    sent = {1: [esp.udp(HOST[4], to, dport=53)],
            2: [tcp(HOST[4], to, p, 53) for p in (1000, 1999)],
            3: [icmp(HOST[4], to, 8)],
            4: [esp.udp(HOST[4], to, dport=p) for p in (7, 100, 102)],
            5: [esp.udp(HOST[4], to, frag=13)],
            6: [tcp(HOST[4], to, p, 53) for p in (999, 2000)]}
    nothing = [esp.udp(HOST[4], to, dport=p) for p in (8, 52, 54, 99, 103)] + \
        [icmp(HOST[4], to, 0)]
    done = run(site, lan=[frame(p, "lan") for n in sent for p in sent[n]]
               + [frame(p, "lan") for p in nothing])
    assert done.exits == {"out_policy_no_match": len(nothing)}
    expect_out(done, site, sent)


@provokes("out_policy_no_match")
@pytest.mark.parametrize("ports", (None, "opaque", "any"))
def test_fragments_pass_by_port_only_where_ports_are_open_B055(run, ports):
    site = Site()
    site.tunnel(policies=False)
    site.policy("dns", "out", reqid=1, protocol="udp", dst_ports=53)
    if ports:
        site.policy("fragments", "out", reqid=1, protocol="udp", dst=far(), dst_ports=ports)
    whole = esp.udp(HOST[4], far(), bytes(1572), dport=53)[20:]
    cuts = [(0, 1400), (1400, 1580), (0, 8), (8, 1400)]  # 8 bytes: as little as has the ports
    pieces = [esp.ip(HOST[4], far(), 17, whole[a:b], frag=a // 8 | (0x2000 if b < 1580 else 0))
              for a, b in cuts]
    other = esp.ip(HOST[4], far(2), 17, whole[1400:], frag=175)  # nowhere open
    done = run(site, lan=[frame(p, "lan") for p in (*pieces, other)])
    sent = pieces if ports else [pieces[0], pieces[2]]
    assert done.exits == {"out_policy_no_match": 5 - len(sent)}
    expect_out(done, site, {1: sent})


@provokes("in_nd", "in_policy_no_match", "out_policy_no_match", "out_multicast")
def test_ipv6_is_dropped_by_name_where_only_ipv4_is_configured_B057(run):
    site = Site()
    for port in site.config["ports"]:
        port["addresses"] = [a for a in port["addresses"] if ":" not in a]
    site.config["routes"] = [r for r in site.config["routes"] if ":" not in r["to"]]
    site.config["neighbours"] = [n for n in site.config["neighbours"] if ":" not in n["address"]]
    ours, peer = site.tunnel(policies=False)
    site.policy("out", "out", reqid=1, src="10.1.0.0/24", dst="10.2.1.0/24")
    site.policy("in", "in", reqid=1, src="10.2.1.0/24", dst="10.1.0.0/24")
    six = esp.Sa(ours.spi, PEER[6], "2001:db8:f::1")
    odd = [esp.udp(HOST[6], far(1, 6)), six.packet(inward(1, 6)), six.packet(inward()),
           esp.ip("fe80::1", "ff02::1", 58, bytes([135]) + bytes(23), ttl=255),
           esp.ip("fe80::1", "ff02::1", 58, bytes([134]) + bytes(15), ttl=255)]
    inside = peer.packet(inward(1, 6))  # IPv6 inside of what is good
    done = run(site, lan=[frame(p, "lan") for p in (*odd, outward())],
               wan=[frame(p, "wan") for p in (*odd, inside, peer.packet(inward()))])
    assert done.exits == {"out_policy_no_match": 3, "out_multicast": 2, "in_policy_no_match": 3,
                          "in_nd": 2, "in_policy_selectors": 1}
    expect_out(done, site, {1: [outward()]})
    expect_in(done, [inward()])


def test_the_newest_outbound_sa_of_a_reqid_is_used_and_every_inbound_one_B095(run):
    site = Site()
    old, old_peer = site.tunnel(1)
    new = esp.Sa(0x1101, old.src, old.dst)
    new_peer = esp.Sa(0x2101, old.dst, old.src)
    site.sa(new, "out", "newer", 1)
    site.sa(new_peer, "in", "newer-in", 1)
    done = run(site, lan=[frame(outward(), "lan")],
               wan=[frame(p.packet(inward()), "wan") for p in (old_peer, new_peer)])
    assert not done.exits
    assert new.unwrap(payload(done.wan[0], "wan")) == (1, hop(outward()))
    expect_in(done, [inward()] * 2)


def test_the_most_exact_lookup_of_an_spi_wins(run):
    site = Site()
    second = "192.0.2.11"
    site.port("wan")["addresses"].append(f"{second}/24")
    sas = [(esp.Sa(0x3000, PEER[4], "192.0.2.1", tag="spi"), "spi", 1),
           (esp.Sa(0x3000, PEER[4], second, tag="dst"), "spi-dst", 2),
           (esp.Sa(0x3000, "192.0.2.77", second, tag="src"), "spi-dst-src", 3)]
    for sa, lookup, n in sas:
        site.sa(sa, "in", lookup, n, lookup=lookup)
        site.policy(lookup, "in", reqid=n, src=f"10.2.{n}.0/24")
    done = run(site, wan=[frame(sa.packet(inward(n)), "wan") for sa, _, n in sas])
    assert not done.exits
    expect_in(done, [inward(n) for n in (1, 2, 3)])


@provokes("nexthop_no_route", "nexthop_blackhole", "nexthop_no_neighbour", "nexthop_local",
          "nexthop_clear")
def test_where_no_next_hop_is_the_reason_is_told(run):
    site = Site()
    _, peer = site.tunnel()
    site.policy("all-out", "out", "bypass", priority=200)
    site.policy("to-us", "in", "bypass", priority=200, dst=["192.0.2.1", "10.1.0.0/24"])
    site.policy("through", "in", reqid=1, priority=200, src="10.2.1.0/24", dst="10.2.2.0/24")
    site.config["routes"].append({"to": "203.0.113.0/24", "blackhole": True})
    lan = [esp.udp(HOST[4], OUTSIDE[4]), esp.udp(HOST[6], OUTSIDE[6]),  # no route
           esp.udp(HOST[4], "203.0.113.5"),  # blackhole
           esp.udp(HOST[4], "192.0.2.200")]  # nobody known
    wan = [esp.udp(OUTSIDE[4], "192.0.2.1"),  # us
           esp.udp(OUTSIDE[4], "10.1.0.77"),  # nobody known
           peer.packet(esp.udp(far(1), far(2)))]  # decrypted, and out again in clear
    done = run(site, lan=[frame(p, "lan") for p in lan], wan=[frame(p, "wan") for p in wan])
    assert done.exits == {"nexthop_no_route": 2, "nexthop_blackhole": 1, "nexthop_no_neighbour": 2,
                          "nexthop_local": 1, "nexthop_clear": 1}
    assert not done.lan and not done.wan


def test_a_bypassed_packet_is_sent_as_it_is_but_for_its_hop(run):
    site = Site()
    site.policy("clear", "out", "bypass", dst=["10.2.0.0/16", "2001:db8:2::/48"])
    packets = [outward(1, f, n, tos=0x2e) for f in (4, 6) for n in (48, 300, 1500)]
    done = run(site, lan=[frame(p, "lan") for p in packets], clear=6)
    assert not done.exits
    assert [payload(f, "wan") for f in done.wan] == [hop(p) for p in packets]
    assert mac_bytes(MAC["peer"]) == done.wan[0][:6]
