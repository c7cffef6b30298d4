#!/usr/bin/env bash
# test_children.sh - the benchmarks of LASER whose size paper is quick launch as many kernels as the
# paper's Table 2 says, within 10 %, and as deep. The READMEs of dp_* have the numbers of the others.
. tests/shared/tap.sh
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
: "${HEDDLE:?is the program to test}"

launches() { # LABEL KERNELS DEPTH
    "$HEDDLE" run "@laser:$1" --size paper --functional-only --quiet --no-host --json - |
        python3 -c '
import json, sys
run, kernels, depth = json.load(sys.stdin), int(sys.argv[1]), int(sys.argv[2])
found = len(run["kernels"]), max(k["depth"] for k in run["kernels"])
print("%d kernels, %d deep" % found)
near = 0.9 <= found[0] / kernels <= 1.1 and found[1] == depth
sys.exit(0 if run["verified"] and near else 1)' "$2" "$3"
}

while read -r label kernels depth; do
    ok "$label: $kernels kernels, $depth deep" launches "$label" "$kernels" "$depth"
done <<'TABLE'
AMR 1261 24
BFS-small 1030 1
JOIN-uniform 6725 1
Quicksort 56 24
Radixsort 4765 24
SPMM-small 1025 1
TABLE
finish
