# SPDX-License-Identifier: BSD-3-Clause
"""The man pages have every row of the tables that the programs go by, and no formatter complains of them."""
import re
import shutil
import subprocess

import pytest

from harness.gateway import ADIT, ADITCTL, BUILD, TOP

MADE = BUILD / "docs/man"
PAGES = {"adit.8": MADE / "adit.8", "aditctl.8": MADE / "aditctl.8", "adit.yaml.5": MADE / "adit.yaml.5",
         "adit-bench.1": TOP / "docs/man/adit-bench.1"}
PAGE_AWK = TOP / "docs/man/page.awk"


def text_of(page):
    """What a reader sees, in one line."""
    shown = subprocess.run(["mandoc", "-T", "utf8", PAGES[page]], capture_output=True, check=True).stdout
    return " ".join(re.sub(".\b", "", shown.decode()).replace("‐\n", "").split())


def help_of(program):
    return subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout


def rows_of(program):
    """Names and texts of a --help, by section."""
    sections = {}
    for line in help_of(program).splitlines():
        if re.match(r"\S.*:$", line):
            rows = sections[line[:-1]] = []
        elif line.startswith(" ") and sections:
            name, _, text = line.strip().partition("  ")
            if text:
                rows.append([name, text.strip()])
            else:
                rows[-1][1] += " " + name
    return sections


needs_mandoc = pytest.mark.skipif(shutil.which("mandoc") is None, reason="no mandoc")


@needs_mandoc
@pytest.mark.parametrize("page", PAGES)
def test_no_formatter_complains(page, tmp_path):
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", PAGES[page]], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stdout + done.stderr
    (tmp_path / page).write_text(PAGES[page].read_text() + ".Bogus\n")
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", tmp_path / page], capture_output=True, text=True)
    assert "Bogus" in done.stdout


@needs_mandoc
@pytest.mark.parametrize("page, program", [("adit.8", ADIT), ("aditctl.8", ADITCTL)])
def test_a_page_has_every_row_of_the_help(page, program):
    text, sections = text_of(page), rows_of(program)
    assert {"options", "exit status"} < set(sections)
    rows = [row for section in sections.values() for row in section]
    assert len(rows) >= 14
    for name, words in rows:
        shown = re.sub(r"\[([A-Z]+)", r"[\1 ", name)
        shown = re.sub(r"\b[A-Z]+\b", lambda m: m[0].lower(), shown)
        for part in (name, shown):
            if f" {part} {words} " in text:
                break
        else:
            raise AssertionError(f"{shown!r}: {words!r} is not in {text}")


@needs_mandoc
def test_the_page_of_the_file_has_every_row_of_the_reference():
    """docs/config.md is what config_print_reference() prints: a unit test holds it so."""
    text = text_of("adit.yaml.5")
    rows = re.findall(r"^\| `(\w+)` \| ([^`].*?) \| (.*?) \| (.*) \|$", (TOP / "docs/config.md").read_text(),
                      re.MULTILINE)
    assert len(rows) > 90
    for key, value, default, words in rows:
        default = {"": "", "needed": "; needed"}.get(default, f"; default {default}")
        row = f"{key} {value}{default} {words}".replace("`", "")
        assert row in text, row


@pytest.mark.parametrize("template, says", [
    ("@rows options\n@more --nonsense\nWords.\n@end\n", "no row --nonsense"),
    ("@rows nonsense\n@end\n", "no section nonsense"),
    ("@rows options\nWords.\n@end\n", "before @more"),
    ("@rows options\n", "@end is missing")])
def test_a_template_that_knows_what_the_help_does_not_is_refused(tmp_path, template, says):
    (tmp_path / "help").write_text(help_of(ADITCTL))
    (tmp_path / "page.in").write_text(template)
    done = subprocess.run(["awk", "-f", PAGE_AWK, tmp_path / "help", tmp_path / "page.in"], capture_output=True,
                          text=True)
    assert done.returncode == 1 and says in done.stderr
