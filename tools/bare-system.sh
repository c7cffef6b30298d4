# shellcheck shell=bash
# bare-system.sh - a bare Debian or Ubuntu in a chroot, for the tests of installing (sourced by them).
#
#   bare_ready            makes the system, or takes the one of last time; skips the test where it cannot
#   bare_start NAME       a fresh copy of it, with the last commit of this tree in /root/heddle; NAME keeps the
#                         copies of different tests apart
#   bare_run COMMAND      runs a shell command in /root/heddle, with no more environment than a login has
#   bare_keep             keeps downloaded packages for the next time
#
# HEDDLE_SUITE is bookworm (Debian 12, the default), trixie (Debian 13), jammy (Ubuntu 22.04) or noble (24.04).
# The bare system and downloaded packages are kept in HEDDLE_CHROOT (default /tmp/heddle-chroot, with the suite's
# name for others than Debian 12); what is built and installed is not. Needs root and debootstrap; where they are
# missing the test says so and exits with 77 (skipped).
suite=${HEDDLE_SUITE:-bookworm}
mirror=${HEDDLE_MIRROR:-http://deb.debian.org/debian}
cache=${HEDDLE_CHROOT:-/tmp/heddle-chroot-$suite}
how=(--variant=minbase)
script=()
case $suite in
bookworm) cache=${HEDDLE_CHROOT:-/tmp/heddle-chroot} ;;
trixie) script=(sid) ;; # debootstrap may be older than the suite; suites of a distribution have one script
jammy | noble)
    mirror=${HEDDLE_MIRROR:-http://archive.ubuntu.com/ubuntu}
    how+=(--components=main,universe)
    script=(gutsy)
    ;;
esac
base=$cache/base
root=

skip() {
    echo "skipped: $1"
    exit 77
}

bare_ready() {
    [ "$(id -u)" -eq 0 ] || skip "needs root for a chroot"
    command -v debootstrap >/dev/null || skip "debootstrap is not installed"
    mkdir -p "$cache/debs"
    [ -e "$base/etc/bare" ] && return
    rm -rf "$base"
    debootstrap "${how[@]}" "$suite" "$base" "$mirror" "${script[@]}" >"$cache/debootstrap.log" 2>&1 || {
        tail -n 5 "$cache/debootstrap.log"
        skip "debootstrap could not make a system here (the lines above are its own)"
    }
    touch "$base/etc/bare"
}

bare_end() {
    local at busy=0
    [ -n "$root" ] || return 0
    for at in proc dev/pts; do
        mountpoint -q "$root/$at" && umount "$root/$at"
        mountpoint -q "$root/$at" && busy=1
    done
    # Never remove through something still mounted.
    [ $busy -eq 1 ] || rm -rf --one-file-system "$root"
}

bare_start() {
    root=$cache/$1
    trap bare_end EXIT
    bare_end
    cp -a "$base" "$root" || exit 1
    cp "$cache"/debs/*.deb "$root/var/cache/apt/archives/" 2>/dev/null
    cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null
    # The copy is thrown away: dpkg need not wait for the disk after each file.
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
    # Proxies of this machine are needed inside too.
    apt-config dump 2>/dev/null | grep -i '^Acquire::http.*Proxy ' >"$root/etc/apt/apt.conf.d/90proxy"
    mount -t proc proc "$root/proc" 2>/dev/null || echo "note: no /proc inside the chroot"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" 2>/dev/null &&
        ln -sf pts/ptmx "$root/dev/ptmx" || echo "note: no pseudo-terminals inside the chroot"
    git -c safe.directory="$PWD" clone -q --no-hardlinks . "$root/root/heddle" || exit 1
    [ -z "$(git status --porcelain 2>/dev/null)" ] || echo "note: only what is committed is tested"
}

bare_run() {
    chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb CI=true \
        TEST_TIMEOUT="${TEST_TIMEOUT:-300}" \
        sh -c "cd /root/heddle && $1" </dev/null
}

bare_keep() {
    cp -n "$root"/var/cache/apt/archives/*.deb "$cache/debs/" 2>/dev/null
}
