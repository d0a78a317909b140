# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures of the system tests."""
import itertools
import os

import pytest

from harness import gateway
from harness.netns import Wires

PROVIDERS = ("aesni_mb", "openssl")


@pytest.fixture(params=PROVIDERS)
def provider(request):
    return request.param


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
def run(folders):
    """Feeds frames to a site between files; see harness.gateway.run."""
    def fed(site, **how):
        return gateway.run(site, folders(), **how)
    return fed


@pytest.fixture
def wires():
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    with Wires() as made:
        yield made
