# SPDX-License-Identifier: BSD-3-Clause
"""The same round trip over every kind of port that needs no hardware: both families, both ways,
checksums and all. adit faces the tests' own peer, or two gateways face each other."""
import signal

import pytest

from harness.gateway import Died, Gateway
from harness.netns import sh
from harness.site import MAC, Site, far, frame, hop, inward, outward, payload

WORKERS = pytest.mark.parametrize("workers", ((1,), (1, 2)), ids=("1_worker", "2_workers"))
SIZES = (0, 64, 65, 300, 1300, 1446)  # 1446: as much as a tunnel of 1500 takes
FLOWS = 8


def packets(make):
    """B089: inner packets of many flows, some with a DSCP, some with a wrong checksum of their own,
    which is none of a tunnel's business."""
    out = []
    for n, size in enumerate(SIZES):
        for family in (4, 6):
            for flow in range(FLOWS):
                packet = make(family=family, size=size, tos=46 << 2 if flow % 2 else 0,
                              sport=1000 + flow)
                at = (20 if family == 4 else 40) + 6
                if flow == 3:
                    packet = packet[:at] + b"\xde\xad" + packet[at + 2:]
                out.append(packet)
    return out


def kinds_of(adit):
    return {p["name"]: (p["driver"], p["receivers"], p["rx_queues"]) for p in adit.ask("ports")}


def round_trip(adit, site, link):
    """Through one gateway whose other ends the test holds."""
    ours, peer = site.tunnels[1]
    out, back = packets(outward), packets(inward)
    link.send("lan", [frame(p, "lan") for p in out])
    sealed = link.receive("wan", len(out))
    # check_ip() in unwrap() holds every outer header to its checksum.
    got = [ours.unwrap(payload(f, "wan")) for f in sealed]
    assert sorted(n for n, _ in got) == list(range(1, len(out) + 1))
    assert sorted(p for _, p in got) == sorted(map(hop, out))
    link.send("wan", [frame(peer.packet(p), "wan") for p in back])
    assert sorted(payload(f, "lan") for f in link.receive("lan", len(back))) == \
        sorted(map(hop, back))
    adit.idle(len(out) + len(back))
    assert not adit.exits()


def devices(site, **names):
    for name, device in names.items():
        site.port(name)["device"] = device


@WORKERS
@pytest.mark.parametrize("kind", ("af_packet", "af_xdp"))
def test_a_veth(wires, folders, kind, workers):
    site = Site()
    site.tunnel()
    devices(site, lan=f"net_{kind}0", wan=f"net_{kind}1")
    vdevs = [f"net_{kind}{n},iface={port}0" for n, port in enumerate(("lan", "wan"))]
    with Gateway(site, folders(), vdevs, workers, netns=wires.name) as adit:
        spread = "one worker" if len(workers) == 1 else "rings"
        assert kinds_of(adit) == {name: (f"net_{kind}", spread, 1) for name in ("lan", "wan")}
        round_trip(adit, site, wires)


@WORKERS
def test_a_tap(wires, folders, workers):
    site = Site()
    site.tunnel()
    devices(site, lan="net_tap0", wan="net_tap1")
    vdevs = [f"net_tap{n},iface=tap{port}" for n, port in enumerate(("lan", "wan"))]
    with Gateway(site, folders(), vdevs, workers, netns=wires.name) as adit:
        spread = "one worker" if len(workers) == 1 else "rss"
        assert kinds_of(adit) == {name: ("net_tap", spread, len(workers))
                                  for name in ("lan", "wan")}
        for port in ("lan", "wan"):
            wires.take(port, f"tap{port}")
        round_trip(adit, site, wires)


@WORKERS
def test_files(folders, run, workers):
    site = Site()
    ours, peer = site.tunnel()
    out, back = packets(outward), packets(inward)
    done = run(site, lan=[frame(p, "lan") for p in out],
               wan=[frame(peer.packet(p), "wan") for p in back], workers=workers)
    assert not done.exits
    assert sorted(ours.unwrap(payload(f, "wan"))[1] for f in done.wan) == sorted(map(hop, out))
    assert sorted(payload(f, "lan") for f in done.lan) == sorted(map(hop, back))


# Two gateways: host -- lan0 [a] wan == wan [b] wan0 -- the hosts behind tunnel 1

LINK_MAC = {"a": "02:00:00:00:0a:01", "b": "02:00:00:00:0b:01"}


def pair(device_a, device_b):
    """Sites a and b whose unprotected ports are joined. The far hosts are at the wire "wan"."""
    a, b = Site(), Site()
    a.tunnel()
    for site, me, peer, device in ((a, "a", "b", device_a), (b, "b", "a", device_b)):
        site.port("wan").update(device=device, mac=LINK_MAC[me])
        for neighbour in site.config["neighbours"]:
            if neighbour["port"] == "wan":
                neighbour["mac"] = LINK_MAC[peer]
        site.port("lan")["device"] = "net_af_packet0"
    flip = {"in": "out", "out": "in"}
    for section in ("sas", "policies"):
        b.config[section] = [{**entry, "direction": flip[entry["direction"]]}
                             for entry in a.config[section]]
    b.port("lan").update(mac=MAC["wan"], addresses=["10.2.1.1/24", "2001:db8:2:1::1/64"])
    b.port("wan").update(addresses=["192.0.2.2/24", "2001:db8:f::2/64"])
    b.config["routes"] = [{"to": "10.1.0.0/24", "via": "192.0.2.1", "port": "wan"}]
    b.config["neighbours"] = [
        {"address": "192.0.2.1", "port": "wan", "mac": LINK_MAC["a"]},
        *({"address": far(1, family), "port": "lan", "mac": MAC["peer"]} for family in (4, 6))]
    b.config["routes"].append({"to": "2001:db8:1::/64", "via": "2001:db8:f::1", "port": "wan"})
    b.config["neighbours"].append(
        {"address": "2001:db8:f::1", "port": "wan", "mac": LINK_MAC["a"]})
    return a, b


def link_is_up(adit):
    return {p["name"]: p["link"] for p in adit.ask("ports")}["wan"] == "up"


def wait_joined(adit):
    """The link is up, and since then every worker has been round: a memif has no room for a packet
    before its receiver has polled once, and that may be waiting for its turn on a CPU."""
    adit.wait_for(lambda: link_is_up(adit), "its link is up")
    before = rounds(adit)
    adit.wait_for(lambda: all(now > then + 1 for now, then in zip(rounds(adit), before)),
                  "its workers have polled the link")


def rounds(adit):
    return [w["polls"] for w in adit.ask("workers")["workers"]]


def both_ways(wires, a, b):
    wait_joined(a)
    wait_joined(b)
    out, back = packets(outward), packets(inward)
    for sent, here, there in ((out, "lan", "wan"), (back, "wan", "lan")):
        wires.send(here, [frame(p, here) for p in sent])
        got = [payload(f, there) for f in wires.receive(there, len(sent))]
        assert sorted(got) == sorted(hop(hop(p)) for p in sent)


def joined(wires, folders, workers, ends):
    """Gateways a and b, still to be started. ends: device and arguments of each end of the link."""
    (server, at_a), (client, at_b) = ends
    site_a, site_b = pair(server, client)
    folder_a, folder_b = folders(), folders()

    def start(site, folder, host, vdev, fresh):
        return Gateway(site, folder, [f"net_af_packet0,iface={host}", vdev], workers,
                       netns=wires.name, fresh=fresh)
    return (lambda: start(site_a, folder_a, "lan0", f"{server},{at_a}", True),
            lambda fresh=True: start(site_b, folder_b, "wan0", f"{client},{at_b}", fresh))


def send_to_nobody(wires, a):
    """While nobody is at the other end; how many packets."""
    a.wait_for(lambda: "port wan: the link is down" in a.text(), "the link is said to be down")
    sent = packets(outward)
    wires.send("lan", [frame(p, "lan") for p in sent])
    a.idle(len(sent))
    assert a.exits() == {"tx_full": len(sent)}
    return len(sent)


@WORKERS
def test_two_gateways_joined_by_memif(wires, folders, workers):
    at = f"socket-abstract=no,socket={folders() / 'joint'}"
    start_a, start_b = joined(wires, folders, workers, (("net_memif0", f"role=server,{at}"),
                                                        ("net_memif0", f"role=client,{at}")))
    with start_a() as a:
        n = send_to_nobody(wires, a)
        b = start_b()
        try:
            with b:
                both_ways(wires, a, b)
                b.idle(2 * n)
                assert not b.exits()
                a.idle(3 * n)
                assert a.exits() == {"tx_full": n}
                # The driver unmaps a lost peer's memory while workers read it (docs/ports.md): each
                # is stopped before it can see the other go.
                b.process.send_signal(signal.SIGSTOP)
                a.stop()
                b.kill()
        finally:
            b.kill()


@WORKERS
def test_two_gateways_joined_by_vhost(wires, folders, workers):
    joint = folders() / "joint"
    start_a, start_b = joined(wires, folders, workers, (("net_vhost0", f"iface={joint}"),
                                                        ("net_virtio_user0", f"path={joint}")))
    with start_a() as a:
        n = send_to_nobody(wires, a)
        for turn in (1, 2):
            with start_b(fresh=turn == 1) as b:
                both_ways(wires, a, b)
                b.idle(2 * n)
                assert not b.exits()
                a.wait_for(lambda: a.text().count("port wan: the link is up") == turn,
                           "the link is said to be up")
            a.wait_for(lambda: a.text().count("port wan: the link is down") == turn + 1,
                       "the link is said to be down again")
        a.idle(5 * n)
        assert a.exits() == {"tx_full": n}


@pytest.mark.parametrize("kind", ("af_packet", "af_xdp", "tap"))
def test_a_link_that_goes_down_or_away_is_said_and_survived(wires, folders, kind):
    site = Site()
    site.tunnel()
    devices(site, lan="net_af_packet0", wan=f"net_{kind}1")
    wan = "tapwan" if kind == "tap" else "wan0"
    with Gateway(site, folders(), ["net_af_packet0,iface=lan0", f"net_{kind}1,iface={wan}"],
                 netns=wires.name) as adit:
        sent = 0
        for change, says, state in (("set {} down", "the link is down", "down"),
                                    ("set {} up", "the link is up", "up"),
                                    ("del {}", "its device is gone", "gone")):
            sh(f"ip -n {wires.name} link " + change.format(wan))
            adit.wait_for(lambda: f"port wan: {says}" in adit.text(), "the change is said")
            assert {p["name"]: p["link"] for p in adit.ask("ports")} == {"lan": "up", "wan": state}
            if state == "up":
                wires.take("wan", wan if kind == "tap" else "wan1")
            # net_af_packet keeps what it has after an outage until it sends more.
            for _ in range(5):
                wires.send("lan", [frame(outward(), "lan")])
                sent += 1
                adit.idle(sent)
            if state == "up":
                assert wires.receive("wan", 1)


def opened(wires, folders, vdevs, workers=(1, 2), **lan):
    """Starts with these keys for its first port, and tells what was said and shown of it."""
    site = Site()
    site.tunnel()
    devices(site, lan=vdevs[0].partition(",")[0], wan=vdevs[1].partition(",")[0])
    site.port("lan").update(lan)
    with Gateway(site, folders(), vdevs, workers, netns=wires.name) as adit:
        return adit.text(), adit.ask("ports")[0]


TAPS = ["net_tap0,iface=taplan", "net_tap1,iface=tapwan"]


def test_offloads_off_leaves_even_rss_aside(wires, folders):
    _, on = opened(wires, folders, TAPS)
    assert (on["offloads"], on["receivers"], on["rx_queues"], on["tx_queues"]) == \
        ("rss", "rss", 2, 2)
    _, off = opened(wires, folders, TAPS, offloads="off")
    assert (off["offloads"], off["receivers"], off["rx_queues"]) == ("none", "rings", 1)


def test_fewer_queues_than_workers_are_shared(wires, folders):
    _, lan = opened(wires, folders, TAPS, queues=2, workers=(1, 2, 3))
    assert (lan["receivers"], lan["rx_queues"], lan["tx_queues"]) == ("rings", 2, 2)


def test_a_device_that_cannot_says_what_it_can(wires, folders):
    veths = wires.vdevs()
    for keys, says in (({"mtu": 9000}, "mtu 9000 is refused: Invalid argument; the device takes 46 "
                                       "to 1500"),
                       ({"queues": 2}, "queues: 2; it has 1")):
        with pytest.raises(Died, match=says):
            opened(wires, folders, veths, **keys)


def test_a_device_without_an_mtu_is_used_with_a_warning(wires, folders):
    memif = f"net_memif0,role=server,socket-abstract=no,socket={folders()}/memif"
    text, lan = opened(wires, folders, [memif, wires.vdevs()[1]], mtu=9000)
    assert "mtu 9000: the device has none to set and speaks of up to 1500" in text
    assert lan["mtu"] == 9000
