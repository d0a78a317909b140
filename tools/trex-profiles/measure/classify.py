# SPDX-License-Identifier: BSD-3-Clause
"""What the trials at one load say of a goal: bounds and conditional throughput as RFC 9971 defines them.

Full-length trials are as long as the goal's final ones; shorter ones that lost count as far as there are
more of them than the exceed ratio lets stand beside those that did not."""

LOWER, UPPER = "lower", "upper"


def _sums(trials, duration, loss):
    """Seconds of trials by (is full-length, lost too much)."""
    sums = {(full, lost): 0.0 for full in (True, False) for lost in (True, False)}
    for trial in trials:
        sums[trial.duration >= duration, trial.loss > loss] += trial.duration
    return sums


def classify(trials, loss, duration, total, exceed):
    """LOWER: whatever trials come until the duration sum is full, the goal is met. UPPER: it is not. Else None."""
    sums = _sums(trials, duration, loss)
    allowed = sums[False, False] * exceed / (1 - exceed)
    lost = sums[True, True] + max(0.0, sums[False, True] - allowed)
    seen = sums[True, False] + lost
    whole = max(seen, total)
    # Thousandths of a second of rounding decide nothing.
    if lost > exceed * whole + 1e-6:
        return UPPER
    if lost + whole - seen <= exceed * whole + 1e-6:
        return LOWER
    return None


def conditional_throughput(load, trials, duration, total, exceed):
    """The load, less the loss of the full-length trial that stands where the exceed ratio begins.

    Seconds of the duration sum that were not measured stand behind all that were."""
    full = sorted((t for t in trials if t.duration >= duration), key=lambda t: t.loss)
    left = max(total, sum(t.duration for t in full)) * (1 - exceed)
    ratio = 1.0
    for i, trial in enumerate(full):
        if i > 0 and left <= 1e-6:
            break
        ratio = trial.loss
        left -= trial.duration
    else:
        if left > 1e-6:
            ratio = 1.0
    return load * (1 - ratio)
