#!/usr/bin/env bash
# test_workloads_runtime.sh - the workloads whose kernels launch kernels as programs of the CUDA runtime:
# built by heddle cc, and by nvcc where it is, they verify their results under heddle exec, with timing
# and without, and both programs launch the same kernels.
set -u
. tests/shared/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
library=$(readlink -f "$HEDDLE_BUILD")/libcuda.so.1
unset "${!HEDDLE_@}" 2>/dev/null
export HEDDLE_NO_HOST=1
clang=${HEDDLE_TEST_CLANG:-$(command -v clang++)}
if [ -z "$clang" ]; then
    skip "workloads as programs of the runtime" "there is no clang"
    finish
    exit
fi
if nm -D "$library" | grep -q __asan_init; then
    skip "workloads as programs of the runtime" "they are not built with sanitizers"
    finish
    exit
fi
export HEDDLE_CLANG=$clang
nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")

verifies() { timeout 120 "$HEDDLE" exec "$@" test | grep -qx "results verified"; }
# launched FILE: how many kernels of each name the run had.
launched() { grep -o '^ *"name": "[^"]*"' "$1" | sort | uniq -c; }
same_kernels() { [ -n "$(launched "$1")" ] && [ "$(launched "$1")" = "$(launched "$2")" ]; }

"$HEDDLE" run dp_spmm_small --size test --quiet --no-host --functional-only --json "$work/inside.json" >/dev/null
for name in $(tools/workload-names.sh --dynamic); do
    ok "$name builds" tools/workload-runtime.sh "$name" "$work/$name" "$HEDDLE" cc
    ok "$name verifies without timing" verifies --functional-only --json "$work/$name.json" -- "$work/$name"
    ok "$name verifies with timing" verifies --gpu laser -- "$work/$name"
    [ "$name" = dp_spmm_small ] && ok "$name launches what heddle run launches" same_kernels "$work/inside.json" "$work/$name.json"
done
[ -x "$nvcc" ] || { skip "the same by nvcc" "there is no nvcc"; finish; exit; }
for name in dp_bfs_citation dp_quicksort; do
    ok "$name builds by nvcc" tools/workload-runtime.sh "$name" "$work/nvcc.$name" \
        "$nvcc" -std=c++17 -arch=sm_75 -Wno-deprecated-gpu-targets -w -cudart shared "-L$(dirname "$(dirname "$nvcc")")/lib64/stubs"
    ok "$name by nvcc verifies" verifies --functional-only --json "$work/nvcc.json" -- "$work/nvcc.$name"
    ok "$name by nvcc launches the same kernels" same_kernels "$work/$name.json" "$work/nvcc.json"
done
finish
