# SPDX-License-Identifier: BSD-3-Clause
"""The searches of ndr.py against a simulated gateway: a capacity, noise, a generator's ceiling, a death midway."""
import random

import pytest
from measure import goal, search_binary, search_mlr
from measure.trial import Trial, judge

LOW, HIGH = 1000, 10_000_000
BOTH = pytest.mark.parametrize("search", [search_binary.search, search_mlr.search], ids=["binary", "mlr"])


class Gateway:
    """Drops what is above its capacity, and packets by chance; the generator sends up to its ceiling."""

    def __init__(self, capacity, noise=0.0, ceiling=None, dies_after=None, seed=1):
        self.capacity, self.noise, self.ceiling, self.dies_after = capacity, noise, ceiling, dies_after
        self.random = random.Random(seed)
        self.trials = []

    def measure(self, rate, seconds):
        meant = round(rate * seconds)
        sent = min(meant, round((self.ceiling or rate) * seconds))
        received = min(sent, round(self.capacity * seconds))
        if self.random.random() < self.noise:
            received -= self.random.randint(1, 5)
        if self.dies_after is not None and len(self.trials) >= self.dies_after:
            received = 0
        trial = judge(Trial(rate, seconds, sent, received, seconds), 0.001)
        self.trials.append(trial)
        assert len(self.trials) < 2000, "the search does not end"
        return trial


def find(search, gateway, preset="quick", **given):
    goals = goal.goals(goal.settings(preset, given))
    return search_binary.drive(search(goals, LOW, HIGH), gateway.measure)


@BOTH
@pytest.mark.parametrize("preset", ["quick", "rfc2544"])
@pytest.mark.parametrize("capacity", [1500, 123_456, 1_000_000, 9_990_000])
def test_the_capacity_is_found_to_the_width(search, preset, capacity):
    found = find(search, Gateway(capacity), preset)["ndr"]
    assert found.lower <= capacity < found.upper and not found.blocked
    assert found.upper - found.lower <= 0.005 * found.upper
    assert found.lower * 0.999 <= found.typical <= found.lower * 1.001


@BOTH
def test_pdr_is_what_half_a_percent_of_loss_allows(search):
    found = find(search, Gateway(1_000_000))
    allowed = 1_000_000 / 0.995
    assert found["pdr"].lower <= allowed < found["pdr"].upper
    assert found["ndr"].lower <= found["pdr"].lower


@BOTH
def test_a_gateway_faster_than_asked_is_found_at_the_highest_rate(search):
    found = find(search, Gateway(2 * HIGH))["ndr"]
    assert (found.lower, found.upper) == (HIGH, None)


@BOTH
def test_what_the_generator_cannot_send_is_its_limit_and_no_loss(search):
    gateway = Gateway(5_000_000, ceiling=2_000_000)
    found = find(search, gateway)["ndr"]
    assert found.blocked and 0.99 * 2_000_000 <= found.lower <= 1.002 * 2_000_000
    assert all("TRex sent" in t.why for t in gateway.trials if not t.valid)


@BOTH
def test_a_gateway_that_passes_nothing_has_no_rate(search):
    found = find(search, Gateway(0))["ndr"]
    assert found.lower is None and found.upper == LOW


@BOTH
@pytest.mark.parametrize("after", [0, 3, 8])
def test_a_gateway_that_dies_midway_ends_the_search(search, after):
    gateway = Gateway(1_000_000, dies_after=after)
    found = find(search, gateway)["ndr"]
    assert found.upper is not None and found.upper <= 1_000_000 * 1.01
    assert found.lower is None or any(
        t.rate == found.lower and t.received == t.sent for t in gateway.trials[:after])


def test_binary_search_tries_a_rate_that_lost_again_before_it_gives_it_up():
    class Once(Gateway):
        """Loses three packets in the first trial at each rate."""

        def measure(self, rate, seconds):
            again = rate in [t.rate for t in self.trials]
            trial = super().measure(rate, seconds)
            return trial if again else trial._replace(received=min(trial.received, trial.sent - 3))

    assert find(search_binary.search, Once(1_000_000))["ndr"].lower >= 0.99 * 1_000_000
    assert find(search_binary.search, Once(1_000_000), tries=1)["ndr"].lower is None


def test_mlrsearch_looks_over_noise_that_binary_search_falls_for():
    noisy = dict(capacity=1_000_000, noise=0.3)
    mlr = [find(search_mlr.search, Gateway(seed=s, **noisy), goals="ndr")["ndr"].lower for s in range(5)]
    binary = [find(search_binary.search, Gateway(seed=s, **noisy), goals="ndr", tries=1)["ndr"].lower or 0
              for s in range(5)]
    assert min(mlr) >= 0.98 * 1_000_000
    assert min(binary) < min(mlr)


@pytest.mark.parametrize("given, says", [
    ({"goals": "ndx"}, "goal 'ndx'"), ({"goals": "x=abc"}, "percentage"), ({"goals": "ndr,ndr"}, "twice"),
    ({"width": 0.0}, "width 0: more than 0"), ({"exceed": 1.0}, "exceed 1"), ({"tries": 0}, "tries 0"),
    ({"initial": 2.0}, "initial 2 is longer"), ({"total": 0.5}, "shorter than one trial"),
])
def test_a_setting_that_cannot_be_is_refused(given, says):
    with pytest.raises(goal.GoalError, match=says):
        goal.goals(goal.settings("quick", given))


@pytest.mark.parametrize("trial, says", [
    (Trial(1000, 1, 980, 980, 1.0), "TRex sent 980 of 1000"),
    (Trial(1000, 1, 1000, 1000, 1.2), "TRex took 1.200 s"),
    (Trial(1000, 1, 1000, 1001, 1.0), "1001 packets came back of 1000"),
    (Trial(1000, 1, 900, 900, 1.0, cpu=97, queue_full=5), r"cores 97 % busy, its port full 5 times"),
])
def test_a_trial_that_says_nothing_of_the_gateway_does_not_count(trial, says):
    judged = judge(trial, 0.001, overhead=0.0)
    assert says.replace("\\", "") in judged.why and not judged.valid
