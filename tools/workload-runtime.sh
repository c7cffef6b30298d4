#!/usr/bin/env bash
# workload-runtime.sh - builds a workload as a program of the CUDA runtime, with its kernels inside.
#
# usage: tools/workload-runtime.sh NAME PROGRAM [COMPILER WORD...]
# The compiler makes device code of .cu files and links: "build/release/heddle cc" if none is given, or
# nvcc -cudart shared. For the workloads of tools/workload-names.sh --dynamic, whose kernels launch
# kernels. PROGRAM [test|small|paper] [SEED] then says "results verified" under heddle exec.
set -eu
cd "$(dirname "$0")/.."
[ $# -ge 2 ] || { echo "usage: tools/workload-runtime.sh NAME PROGRAM [COMPILER WORD...]" >&2; exit 2; }
name=$1 program=$2
shift 2
[ $# -gt 0 ] || set -- build/release/heddle cc
folder=$(tools/workload-names.sh --folders | sed -n "s/^$name //p")
[ -n "$folder" ] || { echo "workload-runtime.sh: there is no workload $name" >&2; exit 2; }
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
kernels=$(sed -n 's/.*__global__ void \([A-Za-z0-9_]*\)(.*/K(\1)/p' "workloads/$folder/kernel.cu")
"$@" -rdc=true -O2 -c -o "$objects/kernels.o" "-DKERNELS=\"$folder/kernel.cu\"" \
    "-DEACH_KERNEL=${kernels//$'\n'/ }" -DHD_REAL_CUDA -Isrc -Iworkloads workloads/runtime.cu
for source in "workloads/$folder/host" workloads/standalone src/workload/work src/run/check src/base/arena src/base/bug; do
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -Iinclude -Isrc -DHD_WORKLOAD="hd_workload_$name" \
        -c -o "$objects/$(basename "$source").o" "$source.c"
done
"$@" -rdc=true -o "$program" "$objects"/*.o -lcuda -lm
