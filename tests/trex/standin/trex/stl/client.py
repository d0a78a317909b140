# SPDX-License-Identifier: BSD-3-Clause
"""A stand-in for TRex's STLClient in front of a simulated gateway, with a clock of its own."""


class Clock:
    """Time that passes when somebody sleeps."""

    def __init__(self):
        self.now = 1000.0

    def time(self):
        return self.now

    monotonic = time

    def sleep(self, seconds):
        self.now += seconds


class STLClient:
    """capacity: packets a second that the gateway carries. ceiling: that the generator sends. down: of the
    packets this part goes nowhere. slow: seconds that a trial takes longer. dies_after: trials. delay: seconds
    that packets are under way. is_loop: the ports are joined, so nobody puts the ports' MACs into packets."""

    def __init__(self, clock, capacity=1e9, ceiling=1e9, down=0.0, slow=0.0, dies_after=None, speed=10,
                 delay=0.0, is_loop=False):
        self.clock, self.capacity, self.ceiling, self.down, self.slow = clock, capacity, ceiling, down, slow
        self.dies_after, self.speed, self.delay, self.is_loop = dies_after, speed, delay, is_loop
        self.is_promiscuous = False
        self.streams, self.counted, self.until, self.trials = {}, {}, 0, 0
        self.is_connected = False

    def connect(self):
        self.is_connected = True

    def disconnect(self):
        self.is_connected = False

    def reset(self, ports):
        assert self.is_connected
        self.streams, self.is_promiscuous = {}, False

    def set_port_attr(self, ports, promiscuous):
        self.is_promiscuous = promiscuous

    def add_streams(self, streams, ports):
        ids = [s.get_pg_id() for made in self.streams.values() for s in made]
        assert not set(ids) & {s.get_pg_id() for s in streams}
        self.streams[ports[0]] = streams

    def get_port_info(self, ports):
        return [{"speed": self.speed} for _ in ports]

    def clear_stats(self, ports):
        self.counted = {}

    def start(self, ports, mult, duration, force):
        assert isinstance(mult, str) and set(ports) == set(self.streams)
        self.trials += 1
        sending = [s for port in ports for s in self.streams[port] if s.get_flow_stats_type() == "stats"]
        meant = sum(s.mode.pps for s in sending) * float(mult)
        sent = min(meant, self.ceiling)
        carried = min(sent, self.capacity) * (1 - self.down)
        if self.dies_after is not None and self.trials > self.dies_after:
            carried = 0
        if self.is_loop and not self.is_promiscuous:
            carried = 0
        for s in sending:
            share = s.mode.pps * float(mult) / meant
            self.counted[s.get_pg_id()] = {"tx_pkts": {"total": round(sent * share * duration)},
                                           "rx_pkts": {"total": round(carried * share * duration)}}
        self.until = self.clock.now + duration + self.slow

    def is_traffic_active(self, ports):
        return self.clock.now < self.until

    def stop(self, ports, rx_delay_ms=10):
        """Counts what comes for so long, and no more."""
        self.clock.sleep(rx_delay_ms / 1000)
        if rx_delay_ms / 1000 < self.delay:
            for counts in self.counted.values():
                counts["rx_pkts"]["total"] = int(counts["rx_pkts"]["total"] * 0.9)
        self.until = 0

    def get_stats(self, ports):
        return {"global": {"cpu_util": 50.0, "queue_full": 0}}

    def get_pgid_stats(self, ids):
        latency = {s.get_pg_id(): {"latency": {"total_min": 5, "total_max": 90, "average": 20.0, "jitter": 3}}
                   for made in self.streams.values() for s in made if s.get_flow_stats_type() == "latency"}
        return {"flow_stats": {**self.counted, "global": {"rx_err": {0: 0, 1: 0}, "tx_err": {0: 0, 1: 0}}},
                "latency": latency}
