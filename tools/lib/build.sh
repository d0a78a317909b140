# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# build.sh - build folders in the clone, one per kind of build.

build_targets=() # what is built; empty: everything, tests too

# Builds in folder $1, set up with the meson options that follow when it is new. Quiet when all is
# well.
build() {
	local dir=$1 log
	shift

	log=$(mktemp)
	if { [ -f "$dir/build.ninja" ] || meson setup "$dir" "$@"; } >"$log" 2>&1 &&
		ninja -C "$dir" -j "$(nproc)" "${build_targets[@]}" >>"$log" 2>&1; then
		rm -f "$log"
		return 0
	fi
	tail -n 60 "$log" >&2
	rm -f "$log"
	return 1
}

# What was built under sudo belongs to who called sudo.
build_give_back() {
	if [ -n "${SUDO_UID:-}" ] && [ -n "${SUDO_GID:-}" ]; then
		chown -R "$SUDO_UID:$SUDO_GID" "$@" 2>/dev/null
	fi
	return 0
}
