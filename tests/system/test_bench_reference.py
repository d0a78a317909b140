# SPDX-License-Identifier: BSD-3-Clause
"""What adit-bench holds adit against: each reference runs on the packets of its row, and what they cost
is in an order that no machine turns round. That they encipher what they should is in test_reference."""
import json
import subprocess

import pytest

from harness.gateway import BUILD, eal

BENCH = BUILD / "app/adit-bench/adit-bench"

SUITES = ("aes-128-gcm", "aes-128-cbc+hmac-sha1-96")
BOTH = ("ipsec-mb jobs", "crypto_aesni_mb", "crypto_openssl", "librte_ipsec")
GCM_ONLY = ("ipsec-mb calls", "crypto_aesni_gcm")
REFERENCES = ",".join(BOTH + GCM_ONLY + ("ring echo", "NULL crypto")).replace(" ", "-")


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    subprocess.run([BENCH, *eal(), "--log-level", "error", "--", "--seconds", "0.002", "--repeat",
                    "51", "--mode", "hot", "--sizes", "100,1400", "--suite", ",".join(SUITES), "--direction",
                    "out,in", "--providers", "aesni_mb", "--references", REFERENCES, "--output",
                    f"{folder}/", "--quiet"], check=True, timeout=120)
    return json.loads((folder / "adit-bench.json").read_text())["rows"]


def fastest(row, column):
    """Cycles per packet of the lap that was disturbed least: of many short ones, some have the CPU."""
    return row["columns"][column]["cycles_per_packet"]["min"]


def test_every_reference_that_can_do_the_suite_is_measured(rows):
    for row in rows:
        wanted = BOTH + (GCM_ONLY if row["suite"] == "aes-128-gcm" else ())
        for name in BOTH + GCM_ONLY:
            column = row["columns"][name]
            assert (column["state"] == "measured") == (name in wanted), (row["suite"], name, column)


def test_what_cannot_do_a_suite_says_so(rows):
    row = next(r for r in rows if r["suite"] != "aes-128-gcm")
    assert "crypto_aesni_gcm cannot do aes-128-cbc" in row["columns"]["crypto_aesni_gcm"]["why"]
    assert "GCM only" in row["columns"]["ipsec-mb calls"]["why"]


def test_nothing_with_crypto_is_faster_than_the_echo(rows):
    for row in rows:
        for name in BOTH + GCM_ONLY:
            if row["columns"][name]["state"] == "measured":
                assert fastest(row, name) > 3 * fastest(row, "ring echo"), (row["bytes"], name)


def test_more_bytes_cost_more(rows):
    of = {(r["suite"], r["direction"], r["bytes"]): r for r in rows}
    for suite in SUITES:
        for way in ("out", "in"):
            for name in ("ipsec-mb jobs", "crypto_openssl", "librte_ipsec"):
                small, large = (fastest(of[suite, way, size], name) for size in ("100", "1400"))
                assert small < large < 40 * small, (suite, way, name)


def test_operations_cost_more_than_the_library_alone(rows):
    for row in rows:
        assert fastest(row, "crypto_openssl") > fastest(row, "ipsec-mb jobs"), row["bytes"]
        assert fastest(row, "crypto_aesni_mb") > 0.8 * fastest(row, "ipsec-mb jobs"), row["bytes"]


def test_null_crypto_leaves_the_crypto_out(rows):
    for row in rows:
        assert ("NULL crypto" in row["columns"]) == (row["direction"] == "out")
        if row["direction"] == "out" and row["bytes"] == "1400":
            assert fastest(row, "NULL crypto") < 0.85 * fastest(row, "aesni_mb")
            assert fastest(row, "NULL crypto") > fastest(row, "ring echo")
