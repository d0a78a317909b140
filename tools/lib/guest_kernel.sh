# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# guest_kernel.sh - Debian's kernel for a guest under emulation: unpacked into a folder, not installed.

# Sees to it that folder $1 has vmlinuz, and the modules that the guest of tests/pci needs.
guest_kernel_take() {
	local to=$1 package tmp

	[ ! -e "$to/vmlinuz" ] || return 0
	package=$(apt-cache depends linux-image-amd64 |
		sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	[ -n "$package" ] || return 1
	tmp=$(mktemp -d) || return 1
	mkdir -p "$to"
	say "getting $package for a guest"
	(cd "$tmp" && apt-get -qq download "$package" 2>/dev/null) &&
		dpkg-deb --fsys-tarfile "$tmp"/*.deb | tar -x -C "$to" --wildcards \
			'./boot/vmlinuz-*' './lib/modules/*/modules.*' './lib/modules/*/kernel/virt/*' \
			'./lib/modules/*/kernel/drivers/virtio/*' './lib/modules/*/kernel/drivers/uio/*' \
			'./lib/modules/*/kernel/drivers/vfio/*' './lib/modules/*/kernel/net/9p/*' \
			'./lib/modules/*/kernel/fs/9p/*' './lib/modules/*/kernel/fs/netfs/*' \
			'./lib/modules/*/kernel/fs/fscache/*' &&
		depmod -b "$to" "${package#linux-image-}" 2>/dev/null &&
		mv "$to/boot/vmlinuz-${package#linux-image-}" "$to/vmlinuz"
	rm -r "$tmp"
	[ -e "$to/vmlinuz" ]
}
