# SPDX-License-Identifier: BSD-3-Clause
"""Who can do what: the committed tables of tests/vectors."""
from pathlib import Path

VECTORS = Path(__file__).resolve().parents[1] / "vectors"


def table(name):
    """{algorithm: [names of who can]}; an algorithm is (aead,) or (cipher, auth)."""
    rows = {}
    for line in (VECTORS / name).read_text().splitlines():
        if line and not line.startswith("#"):
            first, auth, *cells = line.split()
            algorithm = (first,) if auth == "-" else (first, auth)
            assert algorithm not in rows
            rows[algorithm] = [cell for cell in cells if cell != "-"]
    return rows


CAPABILITIES = table("capabilities.txt")


def can(who, algorithm):
    return who in CAPABILITIES[algorithm]
