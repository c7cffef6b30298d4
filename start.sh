#!/usr/bin/env bash
# start.sh - from a fresh clone to a first result: install what is missing, build, compare two
# warp schedulers on five small kernels.
set -eu
cd "$(dirname "$0")"

tools/setup.sh build
[ -x heddle ] || echo "building heddle (half a minute on two cores)"
make -s -j "$(getconf _NPROCESSORS_ONLN)"
exec ./heddle compare vecadd transpose matmul scan jacobi --sched lrr,gto "$@"
