# SPDX-License-Identifier: BSD-3-Clause
"""TRex as one thing that sends at a rate for a time, and counts what came back by flow."""
import importlib
import time

from .trial import Trial

PATIENCE = 10  # seconds that TRex may go on beyond a trial before it is stopped
POLL = 0.01


class GeneratorError(RuntimeError):
    """TRex cannot do what was asked for; the text says why."""


class Generator:
    """Port a sends to side b and receives from it, and port b the other way round. Use it as a context.

    client: an STLClient, not connected. directions: (0,), (1,) or both. is_loop: the ports are joined to
    each other, and get packets that have the gateways' MACs."""

    def __init__(self, client, ports=(0, 1), directions=(0,), is_loop=False, clock=time):
        self.client, self.ports, self.clock = client, list(ports), clock
        self.sending = [self.ports[d] for d in directions]
        self.directions, self.is_loop = directions, is_loop
        self.flows, self.timed, self.whole = [], [], 0.0

    def __enter__(self):
        self._ask("connect")
        self._ask("reset", ports=self.ports)
        return self

    def __exit__(self, *_):
        try:
            self._ask("stop", ports=self.ports)
            self._ask("disconnect")
        except GeneratorError:  # what ended it has been said
            pass

    def _ask(self, call, *what, **how):
        try:
            return getattr(self.client, call)(*what, **how)
        except Exception as e:  # TRex's errors have no class that all its versions share
            raise GeneratorError("TRex, asked to %s: %s" % (call, " ".join(str(e).split())))

    def load(self, profile, tunables):
        """Puts a profile's streams on the ports in place of those before."""
        self._ask("reset", ports=self.ports)
        if self.is_loop:  # a reset puts it off
            self._ask("set_port_attr", ports=self.ports, promiscuous=True)
        self.flows, self.timed, self.whole = [], [], 0.0
        for direction, port in zip(self.directions, self.sending):
            streams = importlib.import_module(profile).register().get_streams(
                direction=direction, port_id=direction, tunables=tunables)
            for stream in streams:
                if stream.get_flow_stats_type() == "latency":
                    self.timed.append(stream.get_pg_id())
                else:
                    self.flows.append(stream.get_pg_id())
                    self.whole += stream.fields["mode"]["rate"]["value"]
            self._ask("add_streams", streams, ports=[port])

    def speed(self):
        """Bits a second of the slowest of the ports; 0: TRex does not know."""
        speeds = [float(info.get("speed") or 0) for info in self._ask("get_port_info", ports=self.ports)]
        return min(speeds) * 1e9

    def send(self, rate, seconds, drain):
        """The Trial, not judged yet, of so many packets a second on all ports together."""
        self._ask("clear_stats", ports=self.ports)
        at, began = self.clock.time(), self.clock.monotonic()
        self._ask("start", ports=self.sending, mult="%.6f" % (rate / self.whole), duration=seconds, force=True)
        self.clock.sleep(seconds)
        state = self._ask("get_stats", ports=self.ports)["global"]
        while self._ask("is_traffic_active", ports=self.sending):
            if self.clock.monotonic() - began > seconds + PATIENCE:
                break
            self.clock.sleep(POLL)
        took = self.clock.monotonic() - began
        # TRex counts what comes until then, which is 10 ms unless it is told; what is later is an error of the port.
        self._ask("stop", ports=self.sending, rx_delay_ms=int(drain * 1000))
        seen = self._ask("get_pgid_stats", self.flows + self.timed)
        sent, received = (self._counted(seen, key) for key in ("tx_pkts", "rx_pkts"))
        late = sum(seen["flow_stats"].get("global", {}).get("rx_err", {}).values())
        return Trial(rate, seconds, sent, received, took, at=at, cpu=state.get("cpu_util", 0),
                     queue_full=state.get("queue_full", 0), late=late, latency=self._latency(seen))

    def _counted(self, seen, key):
        """Packets of all flows."""
        counts = [seen.get("flow_stats", {}).get(flow, {}).get(key, {}).get("total", 0) for flow in self.flows]
        if not all(isinstance(count, (int, float)) for count in counts):  # "N/A"
            raise GeneratorError("TRex does not count %s by flow on ports %s; started with --software it does"
                                 % (key, " and ".join(map(str, self.ports))))
        return sum(counts)

    def _latency(self, seen):
        """Microseconds over all timed streams; None: there are none, or nothing came."""
        found = [seen.get("latency", {}).get(flow, {}).get("latency", {}) for flow in self.timed]
        found = [latency for latency in found if latency]
        if not found:
            return None
        return {"min": min(f["total_min"] for f in found), "max": max(f["total_max"] for f in found),
                "average": sum(f["average"] for f in found) / len(found),
                "jitter": max(f["jitter"] for f in found)}
