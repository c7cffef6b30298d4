#!/usr/bin/env bash
# check-reproducible.sh - two builds of one tree, in folders with different names and under another language, time
# zone and umask, install the same bytes. Arguments go to make: CFLAGS=-O0 makes it faster.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
one=$work/a two=$work/a-folder-with-a-longer-name/b
export CCACHE_DISABLE=1
mkdir -p "$one" "$two"
git ls-files -z | xargs -0 cp --parents -a -t "$one"
cp -a "$one/." "$two"
make -C "$one" -s -j "$(getconf _NPROCESSORS_ONLN)" "$@" install PREFIX=/usr DESTDIR="$work/installed-one"
(
    umask 077
    export TZ=Asia/Tokyo LC_ALL=C.UTF-8 USER=other HOME=/nowhere
    make -C "$two" -s -j "$(getconf _NPROCESSORS_ONLN)" "$@" install PREFIX=/usr DESTDIR="$work/installed-two"
)
diff -r --no-dereference "$work/installed-one" "$work/installed-two"
permissions() { (cd "$1" && find . ! -type l -printf '%m %p\n' | LC_ALL=C sort); }
diff <(permissions "$work/installed-one") <(permissions "$work/installed-two")
echo "both builds installed the same $(find "$work/installed-one" -type f | wc -l) files"
