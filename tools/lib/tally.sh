# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# tally.sh - sums what passed and failed over suites of every kind.

passed=0 failed=0 skipped=0

# Runs a command and counts it as one test called $1.
tally_command() {
	local name=$1 out
	shift

	if out=$("$@" 2>&1); then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAILED: %s\n%s\n' "$name" "$out"
		return 1
	fi
}

# Adds up a JUnit file as meson and pytest write them. One that is missing, or that names no test, is
# a failure: its suite ended before it could say anything.
tally_junit() {
	local counts p f s

	if ! counts=$(/usr/bin/python3 - "$1" <<-'END'
		import sys
		import xml.etree.ElementTree as tree
		cases = list(tree.parse(sys.argv[1]).iter("testcase"))
		bad = sum(1 for c in cases if c.find("failure") is not None or c.find("error") is not None)
		skipped = sum(1 for c in cases if c.find("skipped") is not None)
		assert cases
		print(len(cases) - bad - skipped, bad, skipped)
	END
	) 2>/dev/null; then
		printf 'FAILED: %s tells of no test\n' "$1"
		failed=$((failed + 1))
		return 1
	fi
	read -r p f s <<<"$counts"
	passed=$((passed + p))
	failed=$((failed + f))
	skipped=$((skipped + s))
}

# The last line, and the exit status that goes with it.
tally_end() {
	local tail=

	[ "$skipped" = 0 ] || tail=", $skipped skipped"
	printf '%d passed, %d failed%s\n' "$passed" "$failed" "$tail"
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}
