# SPDX-License-Identifier: BSD-3-Clause
"""What a search looks for: goals, and the presets of how sure it wants to be.

loss: ratio of lost packets that a trial may have. width: the rates that passed and did not are this close,
as a part of the latter. duration: seconds of a trial. tries: with binary search, so many trials lose before
a rate is too high. initial, total, exceed: with MLRsearch (RFC 9971) the seconds of the first trials, the
duration sum, and the part of it that may lose."""
import re
from collections import namedtuple

Goal = namedtuple("Goal", "name loss width duration tries initial total exceed")

DAY = 86400  # seconds
KNOWN = {"ndr": 0.0, "pdr": 0.5}  # percent

# What RFC 2544 asks for: 24 trials of a minute, 23 two seconds for what is under way and five to rest.
PRESETS = {
    "quick": {"goals": "ndr,pdr", "width": 0.5, "duration": 1.0, "tries": 2, "initial": 1.0, "total": 21.0,
              "exceed": 0.5, "warm_up": 1.0, "drain": 0.2, "rest": 0.0},
    "rfc2544": {"goals": "ndr", "width": 0.5, "duration": 60.0, "tries": 1, "initial": 1.0, "total": 60.0,
                "exceed": 0.0, "warm_up": 10.0, "drain": 2.0, "rest": 5.0},
}


class GoalError(ValueError):
    """A setting of a search that cannot be; the text says what can."""


def _loss(item):
    """(name, ratio) of "ndr" or "NAME=PERCENT"."""
    name, has_percent, percent = item.partition("=")
    if not has_percent and name not in KNOWN:
        raise GoalError("goal %r: ndr (no loss), pdr (0.5 %%), or NAME=PERCENT, as in pdr1=1" % item)
    try:
        loss = float(percent) if has_percent else KNOWN[name]
    except ValueError:
        loss = -1
    if not re.fullmatch(r"[\w.-]+", name) or not 0 <= loss < 100:
        raise GoalError("goal %r: NAME=PERCENT wants a name of letters and digits, and a percentage from 0 to "
                        "below 100" % item)
    return name, loss / 100


def _check(setting):
    for key, high in (("width", 100), ("duration", DAY), ("initial", DAY), ("total", 100 * DAY), ("warm_up", DAY)):
        if not 0 < setting[key] < high:
            raise GoalError("%s %g: more than 0 and less than %g" % (key, setting[key], high))
    for key in ("drain", "rest"):
        if not 0 <= setting[key] < float("inf"):
            raise GoalError("%s %g: seconds, 0 or more" % (key, setting[key]))
    if not 0 <= setting["exceed"] < 1:
        raise GoalError("exceed %g: from 0 to below 1" % setting["exceed"])
    if setting["tries"] < 1:
        raise GoalError("tries %d: 1 or more" % setting["tries"])
    if setting["initial"] > setting["duration"]:
        raise GoalError("initial %g is longer than the final trials of %g s"
                        % (setting["initial"], setting["duration"]))
    if setting["total"] < setting["duration"]:
        raise GoalError("total %g is shorter than one trial of %g s" % (setting["total"], setting["duration"]))


def settings(preset, given):
    """The preset with what was given instead; shorter or longer trials take the others along."""
    setting = dict(PRESETS[preset])
    given = {key: value for key, value in given.items() if value is not None}
    if "duration" in given:
        setting["initial"] = min(setting["initial"], given["duration"])
        ratio = setting["total"] / setting["duration"]
        setting["total"] = given["duration"] * ratio
    setting.update(given)
    _check(setting)
    return setting


def goals(setting):
    """The goals of a setting, the one that allows the least loss first."""
    made = []
    for item in setting["goals"].split(","):
        name, loss = _loss(item.strip())
        if name in [goal.name for goal in made]:
            raise GoalError("goal %s stands there twice" % name)
        made.append(Goal(name, loss, setting["width"] / 100, setting["duration"], setting["tries"],
                         setting["initial"], setting["total"], setting["exceed"]))
    return sorted(made, key=lambda goal: goal.loss)
