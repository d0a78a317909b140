# SPDX-License-Identifier: BSD-3-Clause
"""A stand-in for the few classes of TRex's API that the profiles use, which expands streams to packets.

It is no TRex: it knows nothing of rates, cores or hardware, and keeps to the documented meaning of each
call, refusing what it does not know."""
import struct
from collections import namedtuple

from scapy.layers.l2 import Ether

STLTXCont = namedtuple("STLTXCont", "pps")
STLFlowStats = namedtuple("STLFlowStats", "pg_id")
STLFlowLatencyStats = namedtuple("STLFlowLatencyStats", "pg_id")
Variable = namedtuple("Variable", "name init_value min_value max_value size op next_var")


class STLStream(namedtuple("STLStream", "packet mode flow_stats isg", defaults=(0.0,))):
    @property
    def fields(self):
        return {"mode": {"rate": {"type": "pps", "value": self.mode.pps}}}

    def get_pg_id(self):
        return self.flow_stats.pg_id

    def get_flow_stats_type(self):
        return "latency" if isinstance(self.flow_stats, STLFlowLatencyStats) else "stats"


class STLVM:
    def __init__(self):
        self.variables, self.writes, self.fixes = [], [], False

    def var(self, name, min_value, max_value, size, op, init_value=None, next_var=None):
        assert op in ("inc", "dec"), "random ignores the step, and hits tunnels unequally"
        init_value = min_value if init_value is None else init_value
        assert 0 <= min_value <= init_value <= max_value < 1 << 8 * size and size == 2
        self.variables.append(Variable(name, init_value, min_value, max_value, size, op, next_var))

    def write(self, fv_name, pkt_offset, offset_fixup=0, add_val=0):
        self.writes.append((fv_name, pkt_offset, offset_fixup, add_val))

    def fix_chksum(self):
        self.fixes = True


class STLPktBuilder:
    def __init__(self, pkt, vm=None):
        assert isinstance(pkt, Ether) and not {"src", "dst"} & set(pkt.fields), "MACs are the port's"
        pkt.src, pkt.dst = "02:00:00:00:00:01", "02:00:00:00:00:02"  # scapy would ask the network
        self.pkt, self.vm = pkt, vm

    def offset(self, place):
        """Of "LAYER.field" or of a number, in the frame."""
        if isinstance(place, int):
            return place
        layer, field = place.split(".")
        at, below = 0, self.pkt
        while below.name != layer:
            at += len(below) - len(below.payload)
            below = below.payload
        return at + {"IP.src": 12, "IP.dst": 16, "IPv6.src": 8, "IPv6.dst": 24, "UDP.sport": 0}[place]

    def frames(self, n):
        """The first n frames, without FCS."""
        vm = self.vm or STLVM()
        names = [v.name for v in vm.variables]
        for at, v in enumerate(vm.variables):
            assert v.next_var is None or names[at + 1] == v.next_var, "TRex wants the next variable next"
        values = {v.name: v.init_value for v in vm.variables}
        writes = [(name, self.offset(place) + fixup, add) for name, place, fixup, add in vm.writes]
        first = bytes(self.pkt)
        for _ in range(n):
            frame = bytearray(first)
            for name, offset, add in writes:
                struct.pack_into("!H", frame, offset, values[name] + add)
            if vm.fixes:
                frame[24:26] = bytes(2)
                frame[24:26] = _sum(frame[14:34])
            yield bytes(frame)
            _step(vm.variables, values)


def _sum(header):
    total = sum(struct.unpack("!10H", header))
    total = (total & 0xffff) + (total >> 16)
    return struct.pack("!H", ~((total & 0xffff) + (total >> 16)) & 0xffff)


def _step(variables, values):
    """Every variable once; one that follows another only when that came round."""
    goes = True
    for v in variables:
        if not goes:
            goes = v.next_var is None
            continue
        last, first = (v.max_value, v.min_value) if v.op == "inc" else (v.min_value, v.max_value)
        wraps = values[v.name] == last
        values[v.name] = first if wraps else values[v.name] + (1 if v.op == "inc" else -1)
        goes = v.next_var is None or wraps
