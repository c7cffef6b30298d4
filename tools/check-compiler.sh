#!/usr/bin/env bash
# check-compiler.sh - `make check-compiler` with a newer compiler than the default one: the newest that the
# distribution offers, which is installed, or else that of a bare Debian 13 in a chroot.
#
#   tools/check-compiler.sh gcc       or clang
#
# Where there is none, it says so and exits with 77 (skipped).
set -u
cd "$(dirname "$0")/.." || exit 2
kind=${1:-}
case $kind in
gcc | clang) ;;
*) echo "check-compiler.sh: say gcc or clang" >&2 && exit 2 ;;
esac
export HEDDLE_SUITE=trixie
. tools/bare-system.sh
jobs=$(getconf _NPROCESSORS_ONLN)
apt="env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -y --no-install-recommends"

version_of() { # COMPILER: its major version, 0 if it is not there
    local v
    v=$("$1" -dumpversion 2>/dev/null) || v=0
    echo "${v%%.*}"
}

newer() { # versions of the kind that are there or that apt-get can install, the highest first
    {
        apt-cache search --names-only "^$kind-[0-9]+\$" 2>/dev/null | cut -d' ' -f1
        compgen -c "$kind-" | grep -x "$kind-[0-9]*"
    } | sed 's/.*-//' | sort -rnu | awk -v default="$default" '$1 > default'
}

default=$(version_of "$kind")
for version in $(newer); do
    cc=$kind-$version
    command -v "$cc" >/dev/null || $apt install "$cc" </dev/null || continue
    echo "with $cc"
    make -s -j "$jobs" CC="$cc" WERROR=1 VARIANT="ci-$cc" check-compiler
    exit
done

echo "no $kind newer than $default here: trying that of a bare Debian 13"
bare_ready
bare_start compiler
packages="$kind libcmocka-dev libc6-dev"
bare_run "tools/setup.sh build && $apt install $packages" || skip "the packages of Debian 13 could not be installed"
bare_keep
inside=$(bare_run "$kind -dumpversion")
[ "${inside%%.*}" -gt "$default" ] || skip "$kind $default is as new as that of Debian 13"
bare_run "make -s -j $jobs CC=$kind WERROR=1 check-compiler"
