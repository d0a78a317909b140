# SPDX-License-Identifier: BSD-3-Clause
"""What the profiles share: their tunables, and the streams that carry packets from host to host.

Host k of one side sends to host k of the other. Both addresses grow by k, and two words of the payload
fall by it, so that the UDP checksum is right in every packet without being computed again."""
import argparse
import struct

import adit_traffic as traffic

try:
    from trex.stl.api import (STLFlowLatencyStats, STLFlowStats, STLPktBuilder, STLStream, STLTXCont, STLVM)
except ImportError:  # TRex before v2.50
    from trex_stl_lib.api import (STLFlowLatencyStats, STLFlowStats, STLPktBuilder, STLStream, STLTXCont, STLVM)
from scapy.layers.inet import IP, UDP  # TRex brings its own scapy along
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether

ETHERNET_HEADER = 14
MOST_PG_ID = (1 << 32) - 1024  # 32 bits in TRex's protocol
LOW_HALF = {4: ("IP", 2), 6: ("IPv6", 14)}  # of an address: the 16 bits that hosts differ in


def tunables(name, about, **defaults):
    """A parser of what all profiles take. defaults: of this profile, by the names that args will have."""
    parser = traffic.Arguments(prog=name + ".py", description=about,
                               formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    add = parser.add_argument
    add("--ip", type=int, choices=(4, 6), default=4, help="version of the packets that the tunnels carry")
    add("--size", type=int, default=1400, help="bytes of a packet")
    add("--size-is", choices=("ip", "frame"), default="ip",
        help="what --size counts: the IP packet, or the frame with its FCS (18 more)")
    add("--tunnels", type=int, default=1, help="every packet goes through the next one")
    add("--hosts", type=int, default=1, help="at each end of a tunnel")
    add("--flow", type=int, default=1, help="UDP source ports of each host, for NICs that spread flows")
    add("--pg-id", type=int, default=1, help="of the first stream of port 0; those that follow count up")
    add("--latency-pps", type=int, default=0,
        help="packets a second of each direction whose latency is measured, beside the others; 0: none")
    add("--algorithm", default="aes-128-gcm", help="of the tunnels' SAs; says what fits --mtu")
    add("--outer", type=int, choices=(4, 6), default=4, help="IP version of the tunnels themselves")
    add("--mtu", type=int, default=1500, help="between the gateways; larger packets are refused; 0: no check")
    parser.set_defaults(**defaults)
    return parser


class Profile:
    """A profile is its parser and its parts: for each direction [(bytes of the IP packet, share), ...]."""

    def __init__(self, parser, parts):
        self.parser, self.parts = parser, parts

    def get_streams(self, direction=0, port_id=0, tunables=None, **_):
        """All streams of a port. With multiplier 1 the parts' shares are packets a second."""
        args = self.parser.parse_args(tunables or [])
        try:
            return _streams(args, self.parts(args, direction), direction, port_id)
        except traffic.TrafficError as e:
            self.parser.error(str(e))


def _streams(args, parts, direction, port_id):
    plan = traffic.Plan(args.tunnels, args.hosts, args.ip)
    if not 1 <= args.flow <= traffic.MOST_FLOWS:
        raise traffic.TrafficError("--flow %d; 1 to %d" % (args.flow, traffic.MOST_FLOWS))
    if args.latency_pps < 0 or args.pg_id < 0:
        raise traffic.TrafficError("--latency-pps and --pg-id are not negative")
    if args.pg_id > MOST_PG_ID:
        raise traffic.TrafficError("--pg-id %d; %d is the most, for streams of several ports follow it"
                                   % (args.pg_id, MOST_PG_ID))
    if args.mtu < 0:
        raise traffic.TrafficError("--mtu %d; bytes of an IP packet, or 0 for no check" % args.mtu)
    for size, _ in parts:
        if args.mtu:
            traffic.check_fits(size, args.mtu, args.algorithm, args.outer)
    per_port = len(parts) + (1 if args.latency_pps else 0)
    pg_id = args.pg_id + port_id * per_port
    made = []
    for size, weight in parts:
        made.append(STLStream(packet=_packet(plan, direction, size, args.flow), mode=STLTXCont(pps=weight),
                              isg=0.1 * len(made),  # microseconds: or all would begin in one burst
                              flow_stats=STLFlowStats(pg_id=pg_id + len(made))))
    if args.latency_pps:
        size = max(min(size for size, _ in parts), traffic.smallest_inner(args.ip, traffic.LATENCY_PAYLOAD))
        made.append(STLStream(packet=_packet(plan, direction, size, args.flow, is_timed=True),
                              mode=STLTXCont(pps=args.latency_pps),
                              flow_stats=STLFlowLatencyStats(pg_id=pg_id + len(made))))
    return made


def _packet(plan, direction, size, flows, is_timed=False):
    """The first packet, and the program that makes the others of it.

    TRex writes a time stamp into the packets it measures the latency of and leaves their UDP checksum as it
    was: 0, which IPv4 allows for "none"; IPv6 has no such word, and no receiver of ours looks."""
    source, destination = ("a", "b") if direction == 0 else ("b", "a")
    balance = b""
    if not is_timed and plan.count > 1:
        balance += struct.pack("!HH", plan.count - 1, plan.count - 1)
    if not is_timed and flows > 1:
        balance += struct.pack("!H", flows - 1)
    traffic.check_size(size, plan.ip, traffic.LATENCY_PAYLOAD if is_timed else len(balance))
    ip = {4: IP, 6: IPv6}[plan.ip](src=plan.low(source), dst=plan.low(destination))
    udp = UDP(sport=traffic.FIRST_FLOW, dport=traffic.DISCARD)
    if is_timed and plan.ip == 4:
        udp.chksum = 0
    payload = balance + bytes(size - traffic.IP_HEADER[plan.ip] - traffic.UDP - len(balance))
    return STLPktBuilder(pkt=Ether() / ip / udp / payload,
                         vm=_program(plan, flows, bool(balance)))


def _program(plan, flows, is_balanced):
    """Counts hosts, and flows when all hosts had their turn; the balance falls as they rise."""
    counters = [(name, most) for name, most in (("host", plan.count), ("flow", flows)) if most > 1]
    if not counters:
        return None
    vm = STLVM()
    for up in (True, False) if is_balanced else (True,):
        names = [name if up else name + "_left" for name, _ in counters]
        for (_, most), name, following in zip(counters, names, names[1:] + [None]):
            vm.var(name=name, init_value=0 if up else most - 1, min_value=0, max_value=most - 1, size=2,
                   op="inc" if up else "dec", next_var=following)
    balance = ETHERNET_HEADER + traffic.IP_HEADER[plan.ip] + traffic.UDP
    if plan.count > 1:
        layer, low_half = LOW_HALF[plan.ip]
        vm.write(fv_name="host", pkt_offset=layer + ".src", offset_fixup=low_half)
        vm.write(fv_name="host", pkt_offset=layer + ".dst", offset_fixup=low_half)
        if plan.ip == 4:
            vm.fix_chksum()
        if is_balanced:
            vm.write(fv_name="host_left", pkt_offset=balance)
            vm.write(fv_name="host_left", pkt_offset=balance + 2)
            balance += 4
    if flows > 1:
        vm.write(fv_name="flow", pkt_offset="UDP.sport", add_val=traffic.FIRST_FLOW)
        if is_balanced:
            vm.write(fv_name="flow_left", pkt_offset=balance)
    return vm
