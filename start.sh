#!/usr/bin/env bash
# start.sh - from a fresh clone to a first result: install what is missing, build, compare two
# warp schedulers on five small kernels.
set -eu
cd "$(dirname "$0")"

tools/setup.sh build
[ -x heddle ] || echo "building heddle (half a minute on two idle cores, several on a slow machine)"
set -o pipefail
make -j "$(getconf _NPROCESSORS_ONLN)" 2>&1 |
    tools/show-progress.sh building "$(make -n 2>/dev/null | grep -c -e ' -o ')"
exec ./heddle compare vecadd transpose matmul scan jacobi --sched lrr,gto "$@"
