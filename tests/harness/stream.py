# SPDX-License-Identifier: BSD-3-Clause
"""Numbered packets of several flows, through a live gateway both ways at a steady pace; what came out
is opened, and held to what went in."""
import struct
import time

from . import esp
from .site import HOST, far, frame, hop, payload

FLOWS = 5
TICK_S = 0.01
SIZE = 100


def packet(src, dst, number):
    body = struct.pack("!Q", number) + bytes(SIZE - 36)
    return esp.udp(src, dst, body, sport=5000 + number % FLOWS)


def number_of(inner):
    return struct.unpack_from("!Q", inner, 28)[0]


class Stream:
    """Over the wires of a gateway that has this site's tunnels."""

    def __init__(self, wires, site):
        self.wires, self.tunnels = wires, site.tunnels
        self.rounds = 0  # so far; each sends a packet into every tunnel and one out of it
        self.got = {"lan": [], "wan": []}  # (when, frame)

    @property
    def fed(self):
        return 2 * self.rounds * len(self.tunnels)

    def send(self, seconds, rate=500):
        """So many rounds a second, for so long."""
        start, first = time.monotonic(), self.rounds
        while (now := time.monotonic()) < start + seconds:
            # A pause of this process is caught up with by and by.
            n = min(int((now - start) * rate) - (self.rounds - first), 4 + int(rate * TICK_S))
            lan = [frame(packet(HOST[4], far(t), self.rounds + i), "lan")
                   for i in range(n) for t in self.tunnels]
            wan = [frame(peer.packet(packet(far(t), HOST[4], self.rounds + i)), "wan")
                   for i in range(n) for t, (_, peer) in self.tunnels.items()]
            self.wires.send("lan", lan)
            self.wires.send("wan", wan)
            self.rounds += n
            self.take()
            time.sleep(TICK_S)

    def take(self):
        for port, got in self.got.items():
            now = time.monotonic()
            got += [(now, whole) for whole in self.wires.receive(port, 4096, 0)]

    def finish(self, adit):
        """Waits until the gateway is done with everything, and has what it sent."""
        adit.idle(self.fed)
        def came():
            self.take()
            return sum(map(len, self.got.values()))
        totals = adit.totals()
        adit.wait_for(lambda: came() >= totals["sent"], "everything sent has come", 10)
        assert (totals["received"], totals["sent"]) == (self.fed, came())

    def silence(self, port):
        """The longest time without a packet, until the last one came."""
        times = [when for when, _ in self.got[port]]
        return max(b - a for a, b in zip(times, times[1:]))

    def esp(self):
        """What left on the wan by tunnel, unopened, in its order: [(sequence number, packet)]."""
        by_spi = {pair[0].spi: t for t, pair in self.tunnels.items()}
        out = {t: [] for t in self.tunnels}
        for _, whole in self.got["wan"]:
            outer = payload(whole, "wan")
            assert esp.check_ip(outer).protocol == esp.ESP, f"in clear: {outer.hex()}"
            spi, seq = struct.unpack_from("!II", outer, 20)
            out[by_spi[spi]].append((seq, outer))
        return out

    def out(self):
        """What left in ESP by tunnel, in its order: [(sequence number, packet number)]. Each is
        authentic, and as it was sent but for a hop."""
        opened = {}
        for t, packets in self.esp().items():
            inner = [(seq, self.tunnels[t][0].unwrap(outer)[1]) for seq, outer in packets]
            opened[t] = [(seq, number_of(p)) for seq, p in inner]
            for (_, p), (_, n) in zip(inner, opened[t]):
                assert p == hop(packet(HOST[4], far(t), n))
        return opened

    def into(self):
        """What came out of each tunnel for the host, the same: [packet number]."""
        out = {t: [] for t in self.tunnels}
        for _, whole in self.got["lan"]:
            inner = payload(whole, "lan")
            out[inner[14]].append(number_of(inner))  # far() has the tunnel in its third byte
            assert inner == hop(packet(far(inner[14]), HOST[4], number_of(inner)))
        return out


def flows_are_in_order(numbers):
    """Packet numbers, each once, and those of a flow in their order."""
    return len(set(numbers)) == len(numbers) and all(
        flow == sorted(flow) for flow in ([n for n in numbers if n % FLOWS == f]
                                          for f in range(FLOWS)))
