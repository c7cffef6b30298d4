#!/usr/bin/env bash
# check.sh - the cycle loop costs the host what bench/counts.txt says, within 2 % (`make check-bench`).
#
# It counts the host instructions of heddle's own code inside the cycle loop (callgrind, from
# hd_clock_run down, libc left out) in the first cycles of a few runs, with the variant of the emulator
# that every x86-64 processor can run. Such counts depend on heddle and its compiler alone: with another
# compiler than the table's, and without valgrind, the check is skipped (status 77). It fails if a count
# is over 2 % above the table's; `bench/check.sh --write` writes the table again, for a change that
# explains the difference.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C HEDDLE_LANES=base
heddle=${HEDDLE:-build/release/heddle}
table=bench/counts.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compiler=$(gcc --version 2>/dev/null | head -n 1) || compiler=none
case ${1:-} in
'') ;;
--write) ;;
*) echo "usage: bench/check.sh [--write]" >&2; exit 2 ;;
esac
if ! command -v valgrind >/dev/null; then
    echo "no valgrind here (package valgrind)"
    exit 77
fi
if [ -z "${1:-}" ] && [ "# $compiler" != "$(sed -n 2p "$table")" ]; then
    echo "counts are for '$(sed -n '2s/^# //p' "$table")', this is '$compiler'"
    exit 77
fi

# Instructions in heddle's own code; callgrind names the object when it changes.
count() { # JOB POLICY GPU CYCLES
    valgrind --tool=callgrind --callgrind-out-file="$work/out" --toggle-collect=hd_clock_run \
        "$heddle" run "$1" --gpu "$3" --sched "$2" --max-cycles "$4" --quiet --no-host \
        >"$work/log" 2>&1 || true
    awk '/^c?ob=/ { match($0, /\([0-9]+\)/)
                    name = substr($0, RSTART, RLENGTH) # the path follows where it is used first
                    if ($0 ~ /\/heddle$/) own = name
                    if (/^ob=/) object = name
                    next }
         /^calls=/ { getline; next }
         /^[0-9+*-]/ && object == own { n += $NF }
         END { printf "%d\n", n }' "$work/out"
}

{
    echo "# Host instructions of the first cycles of the loop; written by bench/check.sh --write."
    echo "# $compiler"
    # On rtx2060 the first 5000 cycles are the latency of a launch.
    while read -r job policy gpu cycles; do
        echo "$job $policy $gpu $(count "workloads/kernels/$job/$job.job" "$policy" "$gpu" "$cycles")"
    done <<END
vecadd lrr gtx480 2500
matmul gto gtx480 2500
transpose lrr gtx480 2500
scan gto gtx480 2500
jacobi two_level_active gtx480 2500
matmul lrr rtx2060 6500
transpose gto rtx2060 6500
END
} >"$work/now"

if [ -n "${1:-}" ]; then
    cp "$work/now" "$table"
    exit 0
fi
awk '{ run = $1 " " $2 " " $3 }
     NR == FNR { if (!/^#/) was[run] = $4; next }
     /^#/ { next }
     !(run in was) || !$4 { print run ": no count"; bad = 1; next }
     { change = 100 * ($4 / was[run] - 1)
       printf "%-10s %-18s %-8s %12d %+.2f %%\n", $1, $2, $3, $4, change
       if (change > 2) bad = 1; if (change < -2) faster = 1 }
     END { if (bad) print "more than 2 % dearer than bench/counts.txt: find out why, or make bench"
           else if (faster) print "cheaper than bench/counts.txt says: make bench writes it anew"
           exit bad }' "$table" "$work/now"
