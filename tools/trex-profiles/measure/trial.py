# SPDX-License-Identifier: BSD-3-Clause
"""One trial: what was sent for how long and what came back, and whether that says anything about the gateway."""
from collections import namedtuple

FIELDS = "rate duration sent received took why at cpu queue_full late latency"


class Trial(namedtuple("Trial", FIELDS, defaults=(0, 0, 0.0, "", 0.0, None, 0, 0, None))):
    """rate: packets a second of all directions together, as meant. why: what makes it invalid, or nothing.

    at: seconds since 1970. cpu: percent of the generator's busiest moment. queue_full: how often its port
    took no more. late: packets that came when nobody counted any more. latency: microseconds, by name."""

    @property
    def valid(self):
        return not self.why

    @property
    def loss(self):
        """Ratio of what did not come back; of an invalid trial it means nothing."""
        return (self.sent - self.received) / self.sent if self.sent else 1.0

    def passes(self, goal):
        return self.valid and self.loss <= goal.loss


def judge(trial, tolerance, overhead=None):
    """The trial, with the reason if it does not count: what TRex did not send says nothing about the gateway.

    tolerance: part of the packets, and of the time, that may be missing. overhead: seconds that this lab
    needs for a trial beside its duration, where that is known."""
    meant = trial.rate * trial.duration
    # Each of the streams begins and ends somewhere between two packets.
    if trial.sent < meant * (1 - tolerance) - 16:
        return trial._replace(why="TRex sent %d of %d packets%s" % (trial.sent, meant, _pressed(trial)))
    if overhead is not None and trial.took - overhead > trial.duration * (1 + tolerance) + 0.05:
        return trial._replace(why="TRex took %.3f s for a trial of %g s%s"
                              % (trial.took - overhead, trial.duration, _pressed(trial)))
    if trial.received > trial.sent:
        return trial._replace(why="%d packets came back of %d that were sent: duplicates, or strays of an "
                                  "earlier trial (a longer --drain catches those)"
                                  % (trial.received, trial.sent))
    return trial


def _pressed(trial):
    """What TRex says of its own state."""
    signs = []
    if trial.cpu is not None and trial.cpu >= 90:
        signs.append("its cores %d %% busy" % trial.cpu)
    if trial.queue_full:
        signs.append("its port full %d times" % trial.queue_full)
    return " (%s)" % ", ".join(signs) if signs else ""
