# SPDX-License-Identifier: BSD-3-Clause
"""docs/providers.md says what the committed tables and the source say."""
import re
from pathlib import Path

import pytest

from harness.algorithms import AUTHS, CIPHERS
from harness.capabilities import CAPABILITIES, table

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/providers.md").read_text()
QAT = table("qat.txt")


def rows(heading):
    """The cells of the table below a heading: (head, [row])."""
    lines = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0].splitlines()
    head, _, *body = [[cell.strip() for cell in line.strip("|").split("|")]
                      for line in lines if line.startswith("|")]
    return head, body


def algorithms(label):
    """Those that a row is about."""
    *any_cipher, name = re.findall(r"any cipher|`([^`]+)`", label)
    return [(cipher, name) for cipher in CIPHERS] if any_cipher else [(name,)]


def test_the_page_has_the_tables_of_who_can_do_what():
    head, body = rows("Who can do what")
    told = {a: row[1:] for row in body for a in algorithms(row[0])}
    assert set(told) == set(CAPABILITIES) == set(QAT)
    for algorithm, cells in told.items():
        able = CAPABILITIES[algorithm] + [gen.replace("gen", "QAT ") for gen in QAT[algorithm]]
        assert cells == ["yes" if who in able else "–" for who in head[1:]], algorithm


def test_no_table_has_shrunk():
    assert len(CAPABILITIES) == 15 + len(CIPHERS) * len(AUTHS)
    count = {who: sum(who in able for able in CAPABILITIES.values())
             for who in ("aesni_mb", "openssl", "crypto_aesni_mb", "crypto_aesni_gcm")}
    assert count == {"aesni_mb": 57, "openssl": 57, "crypto_aesni_mb": 57, "crypto_aesni_gcm": 12}
    assert [sum(f"gen{g}" in able for able in QAT.values()) for g in (1, 2, 3, 4)] == [55, 55, 56, 56]


def test_the_page_has_the_functions_that_the_hint_knows():
    source = (ROOT / "lib/crypto/qat_hint.c").read_text()
    models = re.findall(r"\{0x(\w{4}), 0x(\w{4})\}, /\* (\w+)", source)
    assert len(models) == 8
    _, body = rows("QAT: generations and functions")
    assert [(row[2], row[3], row[0]) for row in body] == [
        (f"8086:{pf}", f"8086:{vf}", name) for pf, vf, name in models]


@pytest.mark.parametrize("page", ["README.md", "docs/config.md"])
def test_the_page_is_found_from(page):
    assert "providers.md" in (ROOT / page).read_text()
