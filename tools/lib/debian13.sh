# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# debian13.sh - Debian 13 in a folder, made once and kept, to build and test this clone in.
#
# All that is mounted for it, by debootstrap too, is in a mount namespace that goes with the last
# process in it, and no process in it outlives whoever started it.
debian13_namespace=(setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child)

export debian13_root=/var/cache/adit/debian13
export debian13_build=$PWD/build-debian13
debian13_maker= # the process that makes it
debian13_made=  # what that came to

# "mirror" as apt of this machine has it for its own release.
debian13_mirror() {
	local codename

	codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
	# shellcheck disable=SC2016 # apt expands them
	apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
		sed -n "s/^$codename //p" | head -n 1 | grep .
}

# Runs a command in $1, knowing nothing of the world but apt's proxies. For debian13_namespace.
debian13_chroot() {
	local root=$1 proxy http_proxy='' https_proxy=''
	shift

	proxy=$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)
	eval "$proxy"
	mount -t proc proc "$root/proc"
	mount --rbind /sys "$root/sys"
	mount --rbind /dev "$root/dev"
	mount -t tmpfs tmpfs "$root/tmp"
	mount -t tmpfs tmpfs "$root/run"
	chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive http_proxy="$http_proxy" https_proxy="$https_proxy" "$@"
}

# From nothing to the root with the packages that follow. It gets its name when it is whole.
debian13_make() {
	local new=$debian13_root.new mirror

	exec 9>"$debian13_root.lock"
	flock 9
	# One that was made of other packages is as good as none.
	[ "$(cat "$debian13_root/made-of" 2>/dev/null)" != "$*" ] || return 0
	mirror=$(debian13_mirror) || { echo "apt names no mirror of this release"; return 1; }
	rm -rf --one-file-system "$debian13_root" "$new"
	debootstrap --variant=minbase trixie "$new" "$mirror"
	mkdir "$new/src" "$new/build"
	echo force-unsafe-io >"$new/etc/dpkg/dpkg.cfg.d/adit"
	debian13_chroot "$new" apt-get -q update
	debian13_chroot "$new" apt-get -qy --no-install-recommends install "$@"
	rm -rf "$new"/var/cache/apt/archives/*.deb
	echo "$*" >"$new/made-of"
	mv -T "$new" "$debian13_root"
}

# Builds and tests what is in this folder, which stays as it is.
debian13_use() {
	mount --bind . "$debian13_root/src"
	mount -o remount,bind,ro "$debian13_root/src"
	mount --bind "$debian13_build" "$debian13_root/build"
	debian13_chroot "$debian13_root" "$@"
}
export -f debian13_mirror debian13_chroot debian13_make debian13_use

# Begins to make the root of these packages where there is none; what is said of it goes to a log.
debian13_begin() {
	mkdir -p "$debian13_build" "${debian13_root%/*}"
	"${debian13_namespace[@]}" bash -euc 'debian13_make "$@"' - "$@" \
		>"$debian13_build/root.log" 2>&1 </dev/null &
	debian13_maker=$!
}

debian13_wait() {
	wait "$debian13_maker"
	debian13_made=$?
	debian13_maker=
}

# The root is there, or it is said why not.
debian13_ready() {
	[ "$debian13_made" != 0 ] || return 0
	tail -n 40 "$debian13_build/root.log"
	return 1
}

debian13_compile() {
	"${debian13_namespace[@]}" bash -euc 'debian13_use "$@"' - sh -euc '
		[ -f /build/build.ninja ] || meson setup /build /src
		ninja -C /build' >"$debian13_build/build.log" 2>&1 && return 0
	tail -n 60 "$debian13_build/build.log"
	return 1
}

# Leaves what meson says of it in $debian13_build/meson-logs.
debian13_test() {
	"${debian13_namespace[@]}" bash -euc 'debian13_use "$@"' - timeout 1200 \
		meson test -C /build --no-rebuild --suite unit --print-errorlogs --timeout-multiplier 4
}

# Whatever happened. unshare heeds no other signal.
debian13_end() {
	[ -z "$debian13_maker" ] || kill -KILL "$debian13_maker" 2>/dev/null
	debian13_maker=
}
