# SPDX-License-Identifier: BSD-3-Clause
"""adit-bench offload offers clear, software and lookaside gateways the same packets, keeps every run,
and says what it could not do. How much is given back is a question to a quiet machine, not to this."""
import json
import subprocess

import pytest

from harness.gateway import BUILD, eal

BENCH = BUILD / "app/adit-bench/adit-bench"
RUNS = 5
SHORT = ("--seconds", "0.02", "--repeat", str(RUNS), "--rate", "0.02")


def bench(*args, lcores=(1, 2)):
    return subprocess.run([BENCH, *eal(workers=(), lcores=lcores), "--log-level", "error", "--", "offload",
                           *args], capture_output=True, text=True, timeout=120)


def measure(folder, *args, **more):
    done = bench(*SHORT, "--output", f"{folder}/", *args, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads((folder / "adit-bench.json").read_text())


@pytest.fixture(scope="module", params=["cold", "one core"])
def measured(request, tmp_path_factory):
    lcores = (1, 2) if request.param == "cold" else (2,)
    text, result = measure(tmp_path_factory.mktemp("offload"), "--offload-lcores", "2", lcores=lcores)
    assert result["setup"]["mode"] == request.param
    return text, result


def halves(result, which):
    for name in ("clear", "software", "lookaside (lcore)"):
        for run in result["kinds"][name]["runs"]:
            yield name, run[which]


def test_each_kind_has_all_its_runs_and_its_packets_are_opened(measured):
    _, result = measured
    for name in ("clear", "software", "lookaside (lcore)"):
        kind = result["kinds"][name]
        assert (kind["state"], len(kind["runs"])) == ("measured", RUNS), kind
    for which in ("alone", "beside"):
        for name, half in halves(result, which):
            assert half["packets"] > 0 and half["checked"] * 64 >= half["packets"] - 64, name
    assert result["kinds"]["lookaside (lcore)"]["runs_on"].startswith("crypto_scheduler")


def test_no_more_is_carried_than_is_offered(measured):
    _, result = measured
    for which in ("alone", "beside"):
        for name, half in halves(result, which):
            assert half["packets"] <= 0.02e6 * 0.02 + 1, name
            assert half["gbps"] == pytest.approx(half["mpps"] * 1400 * 8 / 1000)


def test_figures_are_in_their_order(measured):
    _, result = measured
    for which in ("alone", "beside"):
        for name, half in halves(result, which):
            assert 0 < half["cores"] < 1.01, name
            assert 0 < half["latency_median_us"] <= half["latency_p99_us"] <= half["latency_p999_us"]
            assert half["jitter_us"] >= 0
    for name, half in halves(result, "beside"):
        assert half["victim"] is None or half["victim"] >= 0, name  # None: a busy machine left it nothing


def test_the_table_says_what_plays_the_card(measured):
    text, _ = measured
    assert "lookaside (lcore) is crypto_scheduler on 1 lcore" in text
    for name in ("clear", "software", "lookaside (lcore)"):
        assert f"\n{name:>19} " in text, text


def test_without_a_rate_it_is_half_of_what_software_carries(tmp_path):
    done = bench("--seconds", "0.02", "--repeat", "1", "--output", f"{tmp_path}/")
    assert done.returncode == 0, done.stderr
    setup = json.loads((tmp_path / "adit-bench.json").read_text())["setup"]
    assert setup["offered_mpps"] == pytest.approx(setup["software_max_mpps"] / 2) and setup["offered_mpps"] > 0
    assert "half of what software carries" in done.stdout


def test_without_lcores_for_it_lookaside_is_absent(tmp_path):
    text, result = measure(tmp_path)
    assert result["kinds"]["lookaside (lcore)"] == {"state": "absent", "why": "no lcores were named for it"}
    assert "lookaside (lcore) is absent: no lcores were named for it" in text


@pytest.mark.parametrize("lcores, said", [
    ("0", "lcore 0 is main"),
    ("7", "the EAL has no lcore 7"),
    ("2,2", "lcore 2 is named twice"),
])
def test_lcores_that_cannot_do_it_are_refused(lcores, said):
    done = bench(*SHORT, "--offload-lcores", lcores)
    assert done.returncode == 1 and said in done.stderr, done.stderr


@pytest.mark.parametrize("args, said", [
    (("--sizes", "100,1400"), "one of --sizes"),
    (("--mode", "hot"), "offload has one worker"),
    (("--workers", "2"), "offload has one worker"),
    (("--direction", "in"), "packets that go out"),
    (("--rate", "0"), "Mpps from 0.001"),
    (("--offload-lcores", "x"), "a number from 0"),
    (("--offload-lcores", "1,2,3,4,5,6,7,8,9"), "too many --offload-lcores"),
])
def test_what_offload_cannot_do_is_a_usage_error(args, said):
    done = bench(*args)
    assert done.returncode == 2 and said in done.stderr, done.stderr
