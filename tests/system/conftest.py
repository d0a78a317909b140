# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures of the system tests."""
import pytest

from harness import gateway

PROVIDERS = ("aesni_mb", "openssl")


@pytest.fixture(params=PROVIDERS)
def provider(request):
    return request.param


@pytest.fixture
def run(folders):
    """Feeds frames to a site between files; see harness.gateway.run."""
    def fed(site, **how):
        return gateway.run(site, folders(), **how)
    return fed
