# SPDX-License-Identifier: BSD-3-Clause
"""What `meson install` puts where, and that it runs from there."""
import json
import stat
import subprocess

import pytest

from harness.gateway import BUILD, TOP

SAMPLES = "share/doc/adit/examples"
FILES = {"share/bash-completion/completions/aditctl", "bin/adit-bench", "sbin/adit", "sbin/aditctl", "share/man/man1/adit-bench.1",
         "share/man/man5/adit.yaml.5", "share/man/man8/adit.8", "share/man/man8/aditctl.8",
         f"{SAMPLES}/site-a.yaml", f"{SAMPLES}/site-b.yaml", f"{SAMPLES}/adit.default",
         f"{SAMPLES}/strongswan/swanctl.conf", f"{SAMPLES}/strongswan/strongswan-adit.conf"}


def sh(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """An installation in a folder that stands for the root."""
    made = tmp_path_factory.mktemp("root")
    sh("meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", made)
    return made


@pytest.fixture(scope="module")
def prefix(root):
    options = json.loads(sh("meson", "introspect", "--buildoptions", BUILD))
    value = {o["name"]: o["value"] for o in options}
    return root / value["prefix"].lstrip("/")


def test_nothing_else_is_installed(root, prefix):
    inside = {p for p in prefix.rglob("*") if p.is_file()}
    assert {str(p.relative_to(prefix)) for p in inside} == FILES
    unit, = {p for p in root.rglob("*") if p.is_file()} - inside
    assert str(unit.relative_to(root)).endswith("lib/systemd/system/adit.service")
    etc = prefix / "etc/adit"
    assert stat.S_IMODE(etc.stat().st_mode) == 0o750 and not list(etc.iterdir())


def test_the_programs_run_from_where_they_are(root, prefix):
    assert sh(prefix / "sbin/adit", "--version").startswith("adit ")
    assert sh(prefix / "bin/adit-bench", "--version").startswith("adit-bench ")
    assert "usage" in sh(prefix / "sbin/aditctl", "--help")
    service = (BUILD / "config/adit.service").read_text()
    assert f"ExecStart={str(prefix / 'sbin/adit')[len(str(root)):]} " in service
    assert f"--config {str(prefix / 'etc/adit/adit.yaml')[len(str(root)):]}" in service
    for sample in "ab":
        sh(prefix / "sbin/adit", "--check", "--config", prefix / f"{SAMPLES}/site-{sample}.yaml")


def test_there_is_a_man_page_for_each_program_and_the_config(prefix):
    for page, source in (("man8/adit.8", BUILD / "docs/man/adit.8"), ("man8/aditctl.8", BUILD / "docs/man/aditctl.8"),
                         ("man5/adit.yaml.5", BUILD / "docs/man/adit.yaml.5"),
                         ("man1/adit-bench.1", TOP / "docs/man/adit-bench.1")):
        assert (prefix / "share/man" / page).read_text() == source.read_text()
