# SPDX-License-Identifier: BSD-3-Clause
"""Two gateways between plain Linux hosts, with nothing static: the kernel does ARP, ND and ICMP to the
gateways, and its routes carry traffic."""
import os
import time
from contextlib import ExitStack

import pytest

from harness.hosts import Net, Site, fresh_keys, open_gateway


@pytest.fixture(scope="module")
def net():
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    with Net() as made:
        yield made


@pytest.fixture(scope="module")
def pair(net, tmp_path_factory):
    keys = fresh_keys()
    with ExitStack() as stack:
        yield {side: stack.enter_context(open_gateway(net, side, Site(side, keys), tmp_path_factory.mktemp(side)))
               for side in ("a", "b")}


@pytest.mark.parametrize("to", ["10.1.0.1", "2001:db8:1::1"])
def test_a_host_pings_its_gateway(net, pair, to):
    assert net.ping("host-a", to) == 3


@pytest.mark.parametrize("to", ["10.2.0.9", "2001:db8:2::9"])
def test_hosts_reach_each_other_through_the_tunnel(net, pair, to):
    before = pair["a"].sas()["to-2"]["packets"]
    assert net.ping("host-a", to, count=5) == 5  # the first waits for ARP at three hops
    assert pair["a"].sas()["to-2"]["packets"] >= before + 5


def test_gateways_ping_each_other_in_clear_where_a_policy_lets_them(net, pair):
    assert net.ping("gw-a", "192.0.2.2") == 3
    # No policy lets TCP out: the kernel's own does not leak.
    ok, _ = net.tries("gw-a", "timeout 1 bash -c '</dev/tcp/192.0.2.2/7'")
    assert not ok
    assert pair["a"].exits()["out_policy_no_match"] > 0


def test_the_gateway_itself_reaches_what_is_behind_the_tunnel(net, pair):
    net.run("gw-a", "ip route replace 10.2.0.0/24 via 192.0.2.2 dev adit-wan src 10.1.0.1")
    assert net.ping("gw-a", "10.2.0.9", more="-I 10.1.0.1") == 3
    assert net.ping("host-b", "10.1.0.1") == 3


def neighbours(net, box, dev):
    return net.run(box, f"ip neigh show dev {dev}")


def reach(net, pair, to):
    """By then the kernel has asked anew, whatever it believed before."""
    end = time.monotonic() + 90
    while net.ping("host-b", to, count=1) == 0:
        assert time.monotonic() < end, neighbours(net, "gw-a", "adit-lan") + pair["a"].text()


def test_a_host_changes_its_mac_and_traffic_follows(net, pair):
    addresses = ("10.1.0.9", "2001:db8:1::9")
    for to in addresses:
        reach(net, pair, to)
    for table in ("arp_cache", "ndisc_cache"):  # doubts after a second, not after half a minute
        net.run("gw-a", f"ip ntable change name {table} dev adit-lan base_reachable 1000 delay_probe 1000")
    was = net.run("host-a", "cat /sys/class/net/eth0/address").strip()
    # Nothing tells the gateway: neither gratuitous ARP nor anything that the host sends.
    net.run("host-a", "sysctl -qw net.ipv4.conf.eth0.arp_notify=0 net.ipv6.conf.eth0.ndisc_notify=0")
    net.run("host-a", "ip link set eth0 address 02:00:00:00:aa:04")
    for to in addresses:  # as it is half a minute later
        net.run("gw-a", f"ip neigh replace {to} lladdr {was} nud stale dev adit-lan")
    for to in addresses:
        reach(net, pair, to)
    assert neighbours(net, "gw-a", "adit-lan").count("02:00:00:00:aa:04") >= 2


def test_a_neighbour_that_is_silent_leaves_by_name(net, pair):
    before = pair["a"].exits().get("nexthop_no_neighbour", 0)
    assert net.ping("host-b", "10.1.0.77", count=2) == 0
    pair["a"].wait_for(lambda: pair["a"].exits().get("nexthop_no_neighbour", 0) >= before + 2,
                       "the packets are given up", 10)
    assert pair["a"].totals()["parked"] == 0


@pytest.mark.parametrize("family", [4, 6])
def test_a_route_of_the_kernel_carries_traffic_within_a_second(net, pair, family):
    """A host behind another router in the LAN, which is host-a itself."""
    ip = {4: "ip", 6: "ip -6"}[family]
    far, near = {4: ("10.1.0.129", "10.1.0.9"), 6: ("2001:db8:1:0:8000::1", "2001:db8:1::9")}[family]
    length = {4: 32, 6: 128}[family]
    net.run("host-a", f"{ip} addr replace {far}/{length} dev lo")
    net.run("host-a", "sysctl -qw net.ipv4.ip_forward=1 net.ipv4.conf.all.arp_ignore=1 net.ipv6.conf.all.forwarding=1")
    if family == 4:
        assert net.ping("host-b", far, count=1) == 0
    net.run("gw-a", f"{ip} route add {far}/{length} via {near} dev adit-lan")
    time.sleep(1)
    assert net.ping("host-b", far) == 3
    net.run("gw-a", f"{ip} route replace blackhole {far}/{length}")
    before = pair["a"].exits().get("nexthop_blackhole", 0)
    time.sleep(1)
    assert net.ping("host-b", far, count=2) == 0
    assert pair["a"].exits()["nexthop_blackhole"] >= before + 2
    net.run("gw-a", f"{ip} route del blackhole {far}/{length}")


def netlink_drops(net, box):
    """How many messages the sockets that listen to routing news in a box have lost."""
    rows = [row.split() for row in net.run(box, "cat /proc/net/netlink").splitlines()[1:]]
    return sum(int(drops) for _, family, _, groups, *_, drops, _ in rows if family == "0" and int(groups, 16))


def test_news_that_were_lost_are_made_up_for(net, pair):
    """Routes come and go by ten thousands until the socket has lost some; the one that stays is in force."""
    net.run("host-a", "ip addr replace 10.1.0.130/32 dev lo")
    batch = "\n".join(f"route add 10.{200 + n // 10000}.{n // 256 % 40}.{n % 256}/32 via 10.1.0.9 dev adit-lan"
                      for n in range(10000))
    path = f"/tmp/{net.prefix}.batch"
    with open(path, "w", encoding="ascii") as file:
        file.write(batch + "\n" + batch.replace("route add", "route del") + "\n")
    try:
        pair["a"].process.send_signal(19)  # it reads nothing for a while
        for _ in range(20):
            net.run("gw-a", f"ip -batch {path}")
            if netlink_drops(net, "gw-a"):
                break
        net.run("gw-a", "ip route add 10.1.0.130/32 via 10.1.0.9 dev adit-lan")
    finally:
        pair["a"].process.send_signal(18)
        os.unlink(path)
    pair["a"].wait_for(lambda: "news were lost" in pair["a"].text(), "the loss is noticed", 10)
    time.sleep(1)
    assert net.ping("host-b", "10.1.0.130") == 3


def test_a_tap_that_was_removed_is_said_once_and_traffic_goes_on(net, pair):
    assert net.ping("host-a", "10.2.0.9") == 3
    net.run("gw-b", "ip link del adit-lan")
    pair["b"].wait_for(lambda: "adit-lan was removed" in pair["b"].text(), "it is said", 10)
    time.sleep(1)
    assert pair["b"].text().count("was removed") == 1
    assert net.ping("host-a", "2001:db8:f::2") == 0  # in clear: no policy lets it out
