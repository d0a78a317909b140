# SPDX-License-Identifier: BSD-3-Clause
"""Which test provokes which exit; a test holds the list to what adit says there is."""
import functools

from . import gateway

provoked_by = {}


def provokes(*names):
    """Marks a test that takes these exits; it fails when one of them was not counted in it."""
    def mark(test):
        for name in names:
            provoked_by.setdefault(name, []).append(test.__qualname__)

        @functools.wraps(test)
        def held(*args, **kwargs):
            gateway.seen_exits.clear()
            test(*args, **kwargs)
            missing = set(names) - gateway.seen_exits
            assert not missing, f"never provoked: {missing}"
        return held
    return mark
