# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034 # the lists are for whoever sources this
# packages.sh - what adit needs of Debian, and how it gets there.

packages_build=(gcc libc6-dev meson ninja-build pkg-config libdpdk-dev libipsec-mb-dev libssl-dev
	libfyaml-dev libmnl-dev libjansson-dev libsystemd-dev)
packages_run=(iproute2 iputils-ping ethtool iperf3 tcpdump procps util-linux gnuplot-nox openssl)
packages_test=(check clang clang-format shellcheck pyflakes3 python3 python3-pytest
	python3-pytest-xdist python3-scapy python3-cryptography python3-yaml python3-seccomp user-mode-linux
	uml-utilities kmod busybox-static qemu-system-x86 debootstrap strongswan-charon strongswan-swanctl
	libstrongswan-standard-plugins mandoc bash-completion)

# Installs those of the named packages that are missing, all in one go.
packages_install() {
	local have missing=() p

	have=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null |
		sed -n 's/ installed$//p')
	for p in "$@"; do
		grep -qxF "$p" <<<"$have" || missing+=("$p")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	[ "$(id -u)" = 0 ] || die "run it with sudo: these packages are missing: ${missing[*]}"
	say "installing ${missing[*]}"
	export DEBIAN_FRONTEND=noninteractive
	if [ -z "$(find /var/lib/apt/lists -name '*_Packages*' -mtime -1 -print -quit)" ]; then
		apt-get -qq update
	fi
	apt-get -qq -y --no-install-recommends install "${missing[@]}" >/dev/null ||
		die "apt-get could not install ${missing[*]}"
}
