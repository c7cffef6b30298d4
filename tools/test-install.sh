#!/usr/bin/env bash
# test-install.sh - the README's two commands on a machine that has nothing: a bare Debian 12 in a
# chroot, with a clone of the last commit in it.
#
#   tools/test-install.sh                       both commands
#   tools/test-install.sh start                 ./start.sh only
#   tools/test-install.sh test                  ./test.sh only
#   HEDDLE_SUITE=noble tools/test-install.sh    on Ubuntu 24.04; jammy is 22.04
#
# The bare system and downloaded packages are kept in HEDDLE_CHROOT (default /tmp/heddle-chroot, with
# the suite's name for others than Debian 12) for the next time; what is built and installed is not. Needs root and debootstrap; where they are
# missing it says so and exits with 77 (skipped).
set -u
cd "$(dirname "$0")/.." || exit 2

skip() {
    echo "install test skipped: $1"
    exit 77
}
[ "$(id -u)" -eq 0 ] || skip "needs root for a chroot"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"

suite=${HEDDLE_SUITE:-bookworm}
mirror=${HEDDLE_MIRROR:-http://deb.debian.org/debian}
default=/tmp/heddle-chroot-$suite
how=(--variant=minbase)
script=()
case $suite in
bookworm) default=/tmp/heddle-chroot ;;
jammy | noble) # Ubuntu, whose suites have one script; debootstrap may be older than the suite
    mirror=${HEDDLE_MIRROR:-http://archive.ubuntu.com/ubuntu}
    how+=(--components=main,universe)
    script=(gutsy)
    ;;
esac
cache=${HEDDLE_CHROOT:-$default}
base=$cache/base
root=$cache/run
mkdir -p "$cache/debs"

if [ ! -e "$base/etc/bare" ]; then
    rm -rf "$base"
    debootstrap "${how[@]}" "$suite" "$base" "$mirror" "${script[@]}" >"$cache/debootstrap.log" 2>&1 || {
        tail -n 5 "$cache/debootstrap.log"
        skip "debootstrap could not make a system here (the lines above are its own)"
    }
    touch "$base/etc/bare"
fi

cleanup() {
    local at busy=0
    for at in proc dev/pts; do
        mountpoint -q "$root/$at" && umount "$root/$at"
        mountpoint -q "$root/$at" && busy=1
    done
    # Never remove through something still mounted.
    [ $busy -eq 1 ] || rm -rf --one-file-system "$root"
}
trap cleanup EXIT
cleanup
cp -a "$base" "$root" || exit 1
cp "$cache"/debs/*.deb "$root/var/cache/apt/archives/" 2>/dev/null
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null
# Proxies of this machine are needed inside too.
apt-config dump 2>/dev/null | grep -i '^Acquire::http.*Proxy ' >"$root/etc/apt/apt.conf.d/90proxy"
mount -t proc proc "$root/proc" 2>/dev/null || echo "note: no /proc inside the chroot"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" 2>/dev/null &&
    ln -sf pts/ptmx "$root/dev/ptmx" || echo "note: no pseudo-terminals inside the chroot"

git -c safe.directory="$PWD" clone -q --no-hardlinks . "$root/root/heddle" || exit 1
[ -z "$(git status --porcelain 2>/dev/null)" ] || echo "note: only what is committed is tested"

inside() { # COMMAND: in the clone, with no more environment than a login has
    chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb CI=true \
        TEST_TIMEOUT="${TEST_TIMEOUT:-300}" \
        sh -c "cd /root/heddle && $1" </dev/null
}

status=0
for what in ${1:-start test}; do
    echo "=== ./$what.sh on a bare $suite"
    inside "./$what.sh"
    got=$?
    echo "=== ./$what.sh: exit status $got"
    [ $got -eq 0 ] || status=1
    cp -n "$root"/var/cache/apt/archives/*.deb "$cache/debs/" 2>/dev/null
done

# A second time there is nothing to install, and it is not tried.
again=$(inside "tools/setup.sh build") || status=1
[ -z "$again" ] || { echo "setup.sh was not silent the second time: $again"; status=1; }
exit $status
