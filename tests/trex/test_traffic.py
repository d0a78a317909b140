# SPDX-License-Identifier: BSD-3-Clause
"""adit_traffic.py and traffic.json say what adit itself says: figures, mixes, what ESP adds, addresses."""
import csv
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import adit_traffic as traffic
import pytest
from harness import esp

TOP = Path(__file__).resolve().parents[2]


def test_the_published_figures_are_those_of_the_bench():
    lines = (TOP / "app/adit-bench/data/published.csv").read_text().splitlines()
    rows = list(csv.DictReader(lines[1:]))
    published = traffic.published()
    assert lines[0] == "# %s. %s." % (published["source"], published["unit"])
    assert traffic.sizes() == [int(row["size_bytes"]) for row in rows]
    for provider in ("openssl", "aesni", "qat"):
        assert published[provider] == [float(row[provider]) for row in rows]


def test_the_first_mix_is_the_bench_s():
    row = re.search(r'"imix", \d+, \{([\d, ]+)\}', (TOP / "app/adit-bench/sizes.c").read_text())
    assert dict(traffic.imix("imix")) == Counter(int(size) for size in row.group(1).split(","))


def test_the_algorithms_are_adit_s():
    named = re.findall(r"\b(AEAD|CIPHER|AUTH)\(\"([^\"]+)\"", (TOP / "lib/crypto/algorithm.c").read_text())
    by_kind = {kind: [name for k, name in named if k == kind] for kind in ("AEAD", "CIPHER", "AUTH")}
    assert traffic.algorithms() == by_kind["AEAD"] + [
        f"{cipher}+{auth}" for cipher in by_kind["CIPHER"] for auth in by_kind["AUTH"]]


@pytest.mark.parametrize("algorithm", traffic.algorithms())
def test_esp_is_as_long_as_the_other_implementation_makes_it(algorithm):
    for outer, ends in ((4, ("192.0.2.1", "192.0.2.2")), (6, ("2001:db8::1", "2001:db8::2"))):
        sa = esp.Sa(1, *ends, algorithm=tuple(algorithm.split("+")))
        for size in range(46, 1501):
            assert traffic.esp_length(size, algorithm, outer) == sa.outer_len(size)
        largest = traffic.largest_inner(1500, algorithm, outer)
        assert sa.outer_len(largest) <= 1500 < sa.outer_len(largest + 1)


def test_the_published_sizes_fit_and_a_whole_frame_does_not():
    assert traffic.esp_length(1400, "aes-128-gcm") == 1456
    for size in traffic.sizes():
        traffic.check_fits(size, 1500, "aes-128-gcm")
    with pytest.raises(traffic.TrafficError, match="1500 bytes is 1556 outside.*MTU is 1500.*fits is 1446"):
        traffic.check_fits(1500, 1500, "aes-128-gcm")


@pytest.mark.parametrize("text, says", [
    (None, "No such file"), ("", "JSONDecodeError"), ("[]", "TypeError"), ("{}", "KeyError: 'published'"),
    ('"align": 4', "align is 0"), ('"sizes_are": "ip"', "that are ip or frame"), ("[64, 7]", "is 'x'"),
    ("0.242, ", "KeyError: 7"), ('"esp"', "KeyError: 'esp'"),
])
def test_a_data_file_that_is_not_right_is_named_in_one_line(tmp_path, monkeypatch, text, says):
    whole = (TOP / "tools/trex-profiles/traffic.json").read_text()
    broken = {'"align": 4': '"align": 0', '"sizes_are": "ip"': '"sizes_are": "ap"', "[64, 7]": '[64, "x"]',
              "0.242, ": "", '"esp"': '"eps"'}
    if text is not None:
        (tmp_path / "traffic.json").write_text(whole.replace(text, broken[text]) if text in broken else text)
    monkeypatch.setattr(traffic, "HERE", str(tmp_path))
    for ask in (traffic.sizes, traffic.imix_names, lambda: traffic.esp_length(100, "aes-128-gcm")):
        with pytest.raises(traffic.TrafficError) as e:
            ask()
        assert f"{tmp_path}/traffic.json cannot be used" in str(e.value) and says in str(e.value)
        assert "\n" not in str(e.value)


@pytest.mark.parametrize("program", ["gateways.py", "ndr.py"])
def test_the_programs_say_so_too(tmp_path, program):
    shutil.copytree(TOP / "tools/trex-profiles", tmp_path, dirs_exist_ok=True)
    (tmp_path / "traffic.json").write_text("{")
    run = subprocess.run([sys.executable, "-B", tmp_path / program], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode and "traffic.json cannot be used" in run.stderr and run.stderr.count("\n") == 1


@pytest.mark.parametrize("algorithm, says", [
    ("aes-129-gcm", "there are aes-128-gcm"),
    ("aes-128-cbc", r"encrypts only; say aes-128-cbc\+AUTH"),
    ("aes-128-gcm+hmac-sha1-96", "no algorithm is called"),
    ("aes-128-cbc+md5", "no algorithm is called"),
])
def test_an_unknown_algorithm_is_told_which_there_are(algorithm, says):
    with pytest.raises(traffic.TrafficError, match=says):
        traffic.esp_length(100, algorithm)


def test_an_unknown_mix_is_told_which_there_are():
    with pytest.raises(traffic.TrafficError, match="there are imix, csit"):
        traffic.imix("imux")


@pytest.mark.parametrize("ip", [4, 6])
def test_hosts_stand_in_a_row_and_tunnels_share_none(ip):
    plan = traffic.Plan(tunnels=5, hosts=3, ip=ip)
    for side in "ab":
        network = traffic.SIDES[side][ip]
        seen = []
        for tunnel in range(5):
            first, last = (traffic.ipaddress.ip_address(x) for x in plan.tunnel_range(side, tunnel))
            assert first in network and last in network and int(last) - int(first) == 2
            seen += range(int(first), int(last) + 1)
        assert len(set(seen)) == 15
        assert (plan.low(side), plan.high(side)) == (plan.address(side, 0), plan.address(side, 14))


@pytest.mark.parametrize("tunnels, hosts, ip, says", [
    (0, 1, 4, "1 is the least"), (1, 0, 4, "1 is the least"), (1, 1, 5, "4 or 6"),
    (65537, 1, 4, "room for 65536"), (2, 40000, 4, "1 tunnels with 40000 hosts"),
    (1, 65537, 4, "65537 hosts at a tunnel"),
])
def test_a_plan_too_large_or_empty_is_refused(tunnels, hosts, ip, says):
    with pytest.raises(traffic.TrafficError, match=says):
        traffic.Plan(tunnels, hosts, ip)


def test_the_largest_plan_stays_in_its_network():
    plan = traffic.Plan(tunnels=65536)
    assert plan.high("a") == "198.18.255.255" and plan.high("b") == "198.19.255.255"
    with pytest.raises(traffic.TrafficError, match="0 to 65535"):
        plan.address("a", 65536)


@pytest.mark.parametrize("size, ip, payload, says", [
    (45, 4, 0, "is 46 or more, the frame 64"), (47, 6, 0, "is 48 or more"),
    (63, 6, 16, "16 bytes of payload it is 64"), (9217, 4, 0, "TRex sends 9216 at most"),
])
def test_a_size_that_cannot_be_is_refused(size, ip, payload, says):
    with pytest.raises(traffic.TrafficError, match=says):
        traffic.check_size(size, ip, payload)


def test_keys_are_as_long_as_the_config_page_says():
    page = re.findall(r"\| `([^`]+)` \| `(aead|cipher|auth)` \| (\d+) \| (\d+) \|", (TOP / "docs/config.md").read_text())
    said = {(kind, name): int(key) + int(salt) for name, kind, key, salt in page}
    ours = {(kind, *pair[:1]): pair[1] for algorithm in traffic.algorithms()
            for kind, pair in traffic.keys(algorithm).items()}
    assert ours == said
