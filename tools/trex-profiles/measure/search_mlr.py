# SPDX-License-Identifier: BSD-3-Clause
"""MLRsearch (RFC 9971): goals by loss ratio, exceed ratio and duration sum, found by short trials first.

Each goal is sought in phases: with short trials and a coarse width, then longer and finer ones up to its
own. A phase begins with the bounds of the one before, and looks again whether they hold. All goals and
phases judge all trials. It is a generator as search_binary.py has it."""
import math
from collections import defaultdict, namedtuple

from .classify import LOWER, UPPER, classify, conditional_throughput
from .search_binary import Result

PHASES = 3

Phase = namedtuple("Phase", "loss width duration total exceed")


def phases(goal):
    """From the initial trial's length to the final one in equal ratios, the width halving to the goal's."""
    if goal.initial == goal.total:
        return [Phase(goal.loss, goal.width, goal.duration, goal.total, goal.exceed)]

    def between(last, k):
        return last if k == PHASES - 1 else goal.initial * (last / goal.initial) ** (k / (PHASES - 1))

    return [Phase(goal.loss, min(goal.width * 2 ** (PHASES - 1 - k), 0.5), between(goal.duration, k),
                  between(goal.total, k), goal.exceed) for k in range(PHASES)]


class Loads:
    """All trials by load, and the loads that the generator could not send."""

    def __init__(self):
        self.trials = defaultdict(list)
        self.blocked = set()

    def add(self, trial):
        if trial.valid:
            self.trials[trial.rate].append(trial)
        else:
            self.blocked.add(trial.rate)

    def judge(self, load, phase):
        if load in self.blocked:
            return UPPER
        return classify(self.trials[load], phase.loss, phase.duration, phase.total, phase.exceed)

    def bounds(self, phase):
        """The relevant lower and upper bound; None: there is none."""
        known = {load: self.judge(load, phase) for load in {*self.trials, *self.blocked}}
        upper = min((load for load, v in known.items() if v == UPPER), default=None)
        lower = max((load for load, v in known.items()
                     if v == LOWER and (upper is None or load < upper)), default=None)
        return lower, upper

    def through(self, load, phase):
        """The rate that comes out when more than enough goes in: near what can be sent without loss."""
        ratios = [1 - t.loss for t in self.trials[load]]
        return load * max(ratios, default=0) / (1 - phase.loss)


def _below(loads, phase, upper, hint, step, low):
    """A load below the upper bound, where there is no lower one yet."""
    if upper <= low:
        return None
    if hint is not None and hint < upper:
        return hint
    coarse = upper * (1 - min(phase.width * step, 0.5))
    through = loads.through(upper, phase)
    return max(low, round(min(coarse, through) if through > 0 else coarse))


def _pick(loads, phase, hints, step, low, high):
    """The load to measure until it is a bound; None: the phase is done."""
    lower, upper = loads.bounds(phase)
    if upper is None:
        if lower == high:
            return None
        if lower is None:
            return hints[0] or high
        if hints[1] is not None and hints[1] > lower:
            return hints[1]
        return min(high, round(lower * (1 + phase.width * step)) + 1)
    if lower is None:
        return _below(loads, phase, upper, hints[0], step, low)
    middle = round(math.sqrt(lower * upper))
    if upper - lower <= phase.width * upper or not lower < middle < upper:
        return None
    return middle


def _phase(loads, phase, hints, low, high):
    """Measures until the phase has its bounds."""
    step = 1
    while True:
        load = _pick(loads, phase, hints, step, low, high)
        if load is None:
            return
        outside = None in loads.bounds(phase)
        while loads.judge(load, phase) is None:
            loads.add((yield load, phase.duration))
        step = step * 2 if outside else 1


def search(goals, low, high):
    """All goals at their first phase, then all at the next."""
    loads = Loads()
    hints = {goal.name: (None, None) for goal in goals}
    plans = {goal.name: phases(goal) for goal in goals}
    for k in range(PHASES):
        for goal in goals:
            if k < len(plans[goal.name]):
                phase = plans[goal.name][k]
                yield from _phase(loads, phase, hints[goal.name], low, high)
                hints[goal.name] = loads.bounds(phase)
    return {goal.name: _result(goal, loads, plans[goal.name][-1]) for goal in goals}


def _result(goal, loads, phase):
    lower, upper = loads.bounds(phase)
    typical = None if lower is None else conditional_throughput(
        lower, loads.trials[lower], phase.duration, phase.total, phase.exceed)
    return Result(goal, lower, upper, upper in loads.blocked, typical)
