# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# lint.sh - form: C by clang-format, shell by shellcheck, Python by pyflakes.

lint_c() {
	find app lib tests -name '*.[ch]' -print0 | xargs -0 clang-format --dry-run -Werror
}

lint_shell() {
	# By the first line, for most of them have no suffix.
	grep -rlE --exclude-dir='build*' -e '^#!.*sh$' -e '^# shellcheck shell=' .ci app docs/man tools tests |
		xargs shellcheck -x
}

lint_python() {
	find tests tools -name '*.py' -print0 | xargs -0 /usr/bin/pyflakes3
}
