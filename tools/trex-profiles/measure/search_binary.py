# SPDX-License-Identifier: BSD-3-Clause
"""Binary search for the highest rate that meets a goal, of several goals over the same trials.

A search is a generator: it yields (rate, seconds), is sent the Trial, and returns {name of goal: Result}.
An invalid trial that it is sent is one that stayed so: nothing is known of the gateway at this rate, and
the search goes on below it."""
from collections import namedtuple

# lower: the highest rate that met the goal, below upper: the lowest that did not (None: none). blocked:
# upper is where the generator could not send. typical: packets a second that come through at lower.
Result = namedtuple("Result", "goal lower upper blocked typical")


def drive(search, measure):
    """Runs a search with measure(rate, seconds) -> Trial, and returns what it returns."""
    try:
        asked = next(search)
        while True:
            asked = search.send(measure(*asked))
    except StopIteration as end:
        return end.value


def verdict(goal, trials):
    """Of the trials at one rate: "passed", "blocked", "lost", or None while a trial more may tell."""
    if any(t.passes(goal) for t in trials):
        return "passed"
    if any(not t.valid for t in trials):
        return "blocked"
    return "lost" if len(trials) >= goal.tries else None


def _at(rate, trials):
    return [t for t in trials if t.rate == rate]


def bounds(goal, trials):
    """The Result so far. A rate that passed above one that did not is not believed."""
    verdicts = {t.rate: verdict(goal, _at(t.rate, trials)) for t in trials}
    upper = min((rate for rate, v in verdicts.items() if v in ("lost", "blocked")), default=None)
    lower = max((rate for rate, v in verdicts.items()
                 if v == "passed" and (upper is None or rate < upper)), default=None)
    through = [t.received / t.duration for t in _at(lower, trials) if t.passes(goal)]
    return Result(goal, lower, upper, verdicts.get(upper) == "blocked", min(through, default=None))


def _next(goal, trials, low, high):
    """The rate to try; None: the goal is found, or nothing is left to try."""
    for trial in reversed(trials):
        if verdict(goal, _at(trial.rate, trials)) is None:
            return trial.rate
    found = bounds(goal, trials)
    if found.upper is None:
        return None if found.lower == high else high
    if found.upper <= low or found.upper - (found.lower or 0) <= goal.width * found.upper:
        return None
    middle = max(round(((found.lower or 0) + found.upper) / 2), low)
    return middle if (found.lower or 0) < middle < found.upper else None


def search(goals, low, high):
    """From the highest rate down, each goal beginning with what the trials of the others say."""
    trials = []
    for goal in goals:
        while True:
            rate = _next(goal, trials, low, high)
            if rate is None:
                break
            trials.append((yield rate, goal.duration))
    return {goal.name: bounds(goal, trials) for goal in goals}
