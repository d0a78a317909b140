# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# hugepages.sh - 2 MiB pages for the EAL where the machine has none and can give some.

hugepages_nr=/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages
hugepages_taken=0

# Sees to it that $1 pages are free. 1: it cannot be, and the EAL needs --no-huge.
hugepages_take() {
	local wanted=$1 free available_kb

	free=$(cat "${hugepages_nr%/*}/free_hugepages" 2>/dev/null) || return 1
	[ "$free" -lt "$wanted" ] || return 0
	# Whoever reserved pages had a plan for them: add none to it.
	[ "$(cat $hugepages_nr)" = 0 ] && [ -w $hugepages_nr ] || return 1
	# At most a quarter of what is free.
	available_kb=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)
	[ $((wanted * 2048 * 4)) -le "$available_kb" ] || return 1
	echo "$wanted" 2>/dev/null >$hugepages_nr || return 1
	hugepages_taken=1
	if [ "$(cat $hugepages_nr)" -lt "$wanted" ]; then
		hugepages_give
		return 1
	fi
	if ! grep -q ' hugetlbfs ' /proc/mounts; then
		mkdir -p /dev/hugepages && mount -t hugetlbfs nodev /dev/hugepages
	fi
}

# Gives back what hugepages_take() reserved.
hugepages_give() {
	[ $hugepages_taken = 0 ] || echo 0 >$hugepages_nr
	hugepages_taken=0
}
