# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# say.sh - progress lines, and the way out.

say() {
	printf '%s == %s\n' "$(date +%H:%M:%S)" "$*"
}

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}
