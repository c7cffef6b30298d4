#!/usr/bin/env bash
# setup.sh - install what is missing, from the distribution's own packages, and say so.
#
#   tools/setup.sh build              what `make` needs
#   tools/setup.sh build test         and what `make check` needs
#   tools/setup.sh build test lint    and what .ci/run needs
#
# Nothing is touched when everything is there. Debian 12 and later, Ubuntu 22.04 and later; the
# names are the same on both. Elsewhere it prints what is needed and goes on.
set -u

declare -A packages=(
    # libc6-dev is only recommended by gcc, and recommended packages are not pulled in below.
    [build]="gcc g++ libc6-dev make libjansson-dev libinih-dev liblz4-dev libzstd-dev libsqlite3-dev libelf-dev libmd-dev"
    # jsonschema validates result files against docs/run.schema.json; pandas has the frames that the
    # Python module makes; procps has pgrep; gnuplot draws figures, for those who ask for them.
    [test]="libcmocka-dev python3-jsonschema python3-pandas procps gnuplot-nox"
    # slurm and munge for studies on a cluster, of this machine alone;
    # git for the install test; clang-format by version, releases lay code out differently.
    [lint]="git clang clang-tidy clang-format-14 cppcheck valgrind debootstrap munge slurmctld slurmd slurm-client"
)

wanted=
for group in "$@"; do
    [ -n "${packages[$group]+set}" ] || {
        echo "setup.sh: unknown group '$group' (build, test, lint)" >&2
        exit 2
    }
    wanted="$wanted ${packages[$group]}"
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "setup: no apt-get here; heddle needs what Debian calls:$wanted" >&2
    exit 0
fi

missing=
for package in $wanted; do
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: these packages are missing, and there is neither root nor sudo:$missing" >&2
        echo "setup: ask your administrator to run: apt-get install$missing" >&2
        exit 1
    fi
    as_root="sudo"
fi

echo "setup: installing with apt-get:$missing"
apt() {
    $as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
        apt-get -q -y -o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 "$@" </dev/null
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# An update can fail for one foreign source while all that matters is there: the install decides.
apt update >"$log" 2>&1 || update_failed=1
# shellcheck disable=SC2086
if ! apt install --no-install-recommends $missing >>"$log" 2>&1; then
    {
        grep -E '^(E:|W:|Err:|sudo:)' "$log" | sort -u | head -n 4
        echo "setup: installing failed; the messages above are apt-get's."
        if grep -q '^sudo:' "$log"; then
            echo "setup: sudo refused; run this as root, or where sudo can ask for a password."
        elif grep -q -E 'Could not resolve|Temporary failure|Could not connect|Unable to connect|timed out|Failed to fetch' "$log"; then
            echo "setup: the package mirror could not be reached. Is this machine online?"
        elif [ -n "${update_failed:-}" ]; then
            echo "setup: 'apt-get update' failed, so the package lists may be missing or old."
        fi
        echo "setup: to do it by hand: apt-get install$missing"
    } >&2
    exit 1
fi
echo "setup: done"
