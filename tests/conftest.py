# SPDX-License-Identifier: BSD-3-Clause
"""Which tests a tier has: ci, all (whole matrices) or soak (long runs too). Fixtures of all suites."""
import itertools
import os
import signal

import pytest

from harness.netns import Wires

TIERS = ("ci", "all", "soak")


def pytest_addoption(parser):
    parser.addoption("--tier", choices=TIERS, default="ci")


def pytest_configure(config):
    # A run that is ended by a time limit takes away its namespaces and processes too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def pytest_collection_modifyitems(config, items):
    tier = TIERS.index(config.getoption("--tier"))
    out = [i for i in items if tier < bool(i.get_closest_marker("whole"))
           or tier < 2 * bool(i.get_closest_marker("soak"))]
    config.hook.pytest_deselected(items=out)
    items[:] = [i for i in items if i not in out]


@pytest.fixture(scope="session")
def tier(request):
    return request.config.getoption("--tier")


@pytest.fixture
def folders(tmp_path):
    """Fresh folders, one for each gateway of a test."""
    def fresh():
        path = tmp_path / str(next(serial))
        path.mkdir()
        return path
    serial = itertools.count()
    return fresh


@pytest.fixture
def wires():
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    with Wires() as made:
        yield made
