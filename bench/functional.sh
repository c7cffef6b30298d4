#!/usr/bin/env bash
# functional.sh - what a warp instruction costs without timing, into bench/functional.md
# (`make bench-functional`).
#
# Each job's launches are repeated; the difference between many and one is the launches' own cost,
# without start-up. Host instructions repeat exactly from run to run (bench/count.sh says how they
# are counted); the speed is that of processor time, best of three, and noisy. What two threads save
# is elapsed time of whole runs, one and two threads in turn, best of five: only of use on a machine
# where two processors have nothing else to do.
#
#   HEDDLE=build/release/heddle bench/functional.sh
#   BENCH_ALU, BENCH_MEMORY: names of jobs. BENCH_TIMES (default 21): how often each is repeated.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C
heddle=${HEDDLE:-build/release/heddle}
times=${BENCH_TIMES:-21}
facts=$(dirname "$heddle")/tests/golden/facts
[ -x "$facts" ] || { echo "bench: $facts is missing; make check-build" >&2; exit 2; }
alu=${BENCH_ALU:-mandel sgemm_rt mc_local}
memory=${BENCH_MEMORY:-vecadd matmul scan transpose copy4 spmv heat_tile conv_const hist_shared
    hist_global bitonic wave_sum}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. bench/count.sh

repeat() { # JOB TIMES FILE: the launches that often, nothing to check
    awk -v n="$2" '/^(check|dump) / { next } /^launch / { for (i = 1; i < n; i++) print } { print }' \
        "$1" >"$3"
}

seconds() { # FILE: processor time of a run, best of three
    local best= t
    for _ in 1 2 3; do
        t=$(TIMEFORMAT=%U; { time "$heddle" run "$1" --functional-only --quiet >/dev/null; } 2>&1)
        best=$(awk -v a="$t" -v b="${best:-$t}" 'BEGIN { print a < b ? a : b }')
    done
    echo "$best"
}

faster() { # FILE: how many times as fast two threads are
    local n t best=(0 "" "")
    for _ in 1 2 3 4 5; do
        for n in 1 2; do
            t=$(TIMEFORMAT=%R; { time "$heddle" run "$1" --functional-only --quiet --threads "$n" >/dev/null; } 2>&1)
            best[n]=$(awk -v a="$t" -v b="${best[n]:-$t}" 'BEGIN { print a < b ? a : b }')
        done
    done
    awk -v one="${best[1]}" -v two="${best[2]}" 'BEGIN { printf "%.2f", one / two }'
}

row() { # NAME KIND
    local dir=workloads/kernels/$1 one many insts
    [ -d "$dir" ] || dir=tests/accuracy/jobs/$1
    cp -r "$dir" "$work" # a job's paths are relative to it
    one=$work/$1/once.job many=$work/$1/often.job
    repeat "$dir/$1.job" 1 "$one"
    repeat "$dir/$1.job" "$times" "$many"
    "$heddle" run "$one" --functional-only --quiet --json "$work/run.json" >/dev/null
    insts=$("$facts" "$work/run.json" | awk '/^totals/ { print $5 }')
    awk -v job="$1" -v kind="$2" -v insts="$insts" -v n="$times" \
        -v one="$(count "$heddle" run "$one" --functional-only --quiet)" \
        -v many="$(count "$heddle" run "$many" --functional-only --quiet)" \
        -v t1="$(seconds "$one")" -v tn="$(seconds "$many")" -v two="$(faster "$many")" 'BEGIN {
            insts *= n - 1
            printf "| %s | %s | %d | %.0f | %s | %s |\n", job, kind, insts, (many - one) / insts,
                (tn > t1) ? int(insts / (tn - t1) / 1e6 + 0.5) : "too short", two
        }'
}

{
    echo "# Host cost without timing"
    echo
    echo "Written by \`make bench-functional\`; compared by eye, reviewed as a diff."
    echo
    echo "- counted with: \`$method\`"
    echo "- host: $host"
    echo
    echo "| job | heavy on | warp instructions | host instr. per warp instr. | *million warp instr. per s, noisy* | *times as fast with two threads, noisy* |"
    echo "|---|---|---:|---:|---:|---:|"
    for job in $alu; do row "$job" arithmetic; done
    for job in $memory; do row "$job" memory; done
} >"$work/functional.md"
cp "$work/functional.md" bench/functional.md
cat bench/functional.md
