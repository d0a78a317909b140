# SPDX-License-Identifier: BSD-3-Clause
"""Runs the trials that a search asks for, in order and with care: tunnels up, warm-up, rest, a second chance."""
import time

from .trial import judge


class TunnelsDown(RuntimeError):
    """Not every tunnel carries packets; the text says how many do not."""


class Lab:
    """trials: every one that was run, judged, in order."""

    def __init__(self, generator, setting, tolerance=0.001, progress=None, clock=time):
        self.generator, self.setting, self.tolerance = generator, setting, tolerance
        self.progress = progress or (lambda trial: None)
        self.clock, self.trials, self.overhead = clock, [], None

    def _send(self, rate, seconds):
        return self.generator.send(rate, seconds, self.setting["drain"])

    def see_tunnels(self, hosts, patience=30.0):
        """Sends to each host twice, until nothing is lost: in a second, and slower and slower if that is too fast."""
        packets, seconds = max(2 * hosts, 100), 1.0
        end = self.clock.monotonic() + patience
        while True:
            trial = self._send(packets / seconds, seconds)
            if trial.sent and trial.received >= trial.sent:
                return
            seconds = min(2 * seconds, 8.0)
            if self.clock.monotonic() > end:
                raise TunnelsDown("of %d packets through all tunnels, %d came back in %g s of trying; "
                                  "`aditctl exits` on the gateways says where they went"
                                  % (trial.sent, trial.received, patience))

    def warm_up(self, rate):
        """Caches, clocks and what TRex does once. What it takes longer than told is this lab's overhead."""
        seconds = self.setting["warm_up"]
        trial = self._send(rate, seconds)
        self.overhead = max(0.0, trial.took - seconds)

    def measure(self, rate, seconds):
        """A judged Trial. One that did not count is run once more; if that does not either, it stays so."""
        for _ in range(2):
            self.clock.sleep(self.setting["rest"])
            trial = judge(self._send(rate, seconds), self.tolerance, self.overhead)
            self.trials.append(trial)
            self.progress(trial)
            if trial.valid:
                break
        return trial
