# SPDX-License-Identifier: BSD-3-Clause
"""docs/conformance.md has every line of the RFC checklist once, and no test in it is made up."""
import re

from harness.gateway import TOP

DOC = TOP / "docs/conformance.md"


def numbered(prefix, last):
    return [f"{prefix}-{n:02}" for n in range(1, last + 1)]


IDS = [
    *numbered("4301", 30), *numbered("4303", 20), *numbered("3948", 8),
    *numbered("4106", 2), "4543-01", *numbered("3602", 2), "3686-01", "2404-01", "4868-01",
    "7634-01", "4309-01", *numbered("8221", 4), "8247-01", "ALL-KAT",
    *numbered("6040", 6),
    *numbered("8200", 5), "4459-01", "8201-01", "EFF-MTU",
    *numbered("2544", 5), *numbered("8219", 2), "BENCH-IPSEC", "BENCH-OVERLOAD", "BENCH-REPEAT",
    *numbered("9611", 3), *numbered("9347", 2),
    *numbered("SEC", 7)]


def rows():
    """(id, what, state) of every row."""
    found = re.findall(r"^\| ([^ |]+) \| ([^|]+) \| ([^|]+) \|$", DOC.read_text(), re.MULTILINE)
    return [row for row in found if row[0] != "id"]


def names_in_the_tree():
    """Names of all Check tests and all pytest functions, but those of this file."""
    names = set()
    for path in (TOP / "tests").rglob("test_*.[cp]*"):
        if path.suffix == ".c":
            names.update(re.findall(r"^START_TEST\((\w+)\)", path.read_text(), re.MULTILINE))
        elif path.suffix == ".py" and path.stem != "test_conformance":
            names.update(re.findall(r"^def (test_\w+)\(", path.read_text(), re.MULTILINE))
    return names


def test_every_line_of_the_checklist_has_its_row_once():
    assert [row[0] for row in rows()] == IDS


def held_by(state):
    """The names behind each "held by" of a row, up to what is none."""
    lists = re.findall(r"\*held by\* ((?:`\w+`(?:, )?)*)", state)
    return [re.findall(r"`(\w+)`", names) for names in lists]


def test_every_row_says_what_holds_it_or_why_nothing_does():
    for name, what, state in rows():
        assert what.strip(), name
        assert re.search(r"\*(held by|not yet|not applicable, because)\*", state), f"{name}: {state}"
        assert all(held_by(state)), f"{name} is held by nothing: {state}"


def test_every_test_that_a_row_names_is_there():
    there = names_in_the_tree()
    for name, _, state in rows():
        # What is marked as a sentence is a test too, wherever it stands.
        sentences = re.findall(r"`(\w+_\w+_\w+_\w+)`", state)
        for test in [*sum(held_by(state), []), *sentences]:
            assert test in there, f"{name}: there is no {test}"
