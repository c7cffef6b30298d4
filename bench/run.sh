#!/usr/bin/env bash
# run.sh - what a simulated warp instruction costs the host, into bench/table.md (`make bench`).
#
# The cost is counted in host instructions, not seconds: counts are the same in every run, so that a
# difference of one per cent is a difference of the program and not noise (bench/count.sh). Start-up
# (reading the module, building the machine) is measured by a run that stops after one cycle, and
# subtracted. Wall-clock speed has a column of its own: the best of three runs, for orientation only.
#
#   HEDDLE=build/release/heddle bench/run.sh [SCHED...]       default: lrr gto
#   BENCH_GPUS (default gtx480 rtx2060) and BENCH_JOBS choose what is run.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C
heddle=${HEDDLE:-build/release/heddle}
facts=$(dirname "$heddle")/tests/golden/facts
[ -x "$facts" ] || { echo "bench: $facts is missing; make check-build" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- lrr gto

. bench/count.sh

row() { # JOB SCHED GPU
    local name cycles insts full start wall best=
    name=$(basename "$1" .job)
    set -- run "$1" --gpu "$3" --sched "$2" --quiet --out "$work"
    for _ in 1 2 3; do
        wall=$(date +%s%N)
        "$heddle" "$@" --json "$work/run.json" >/dev/null
        wall=$(($(date +%s%N) - wall))
        [ -n "$best" ] && [ "$best" -le "$wall" ] || best=$wall
    done
    read -r cycles insts < <("$facts" "$work/run.json" | awk '/^totals/ { print $3, $5 }')
    full=$(count "$heddle" "$@")
    start=$(count "$heddle" "$@" --max-cycles 1)
    awk -v job="$name" -v gpu="$4" -v sched="$6" -v cycles="$cycles" -v insts="$insts" -v full="$full" \
        -v start="$start" -v ns="$best" 'BEGIN {
            printf "| %s | %s | %s | %d | %d | %.2f | %.0f | %.1f | %.0f |\n", job, gpu, sched, cycles,
                insts, start / 1e6, (full - start) / insts, (full - start) / cycles,
                insts / ns * 1e6
        }'
}

{
    echo "# Host cost"
    echo
    echo "Written by \`make bench\`; compared by eye, reviewed as a diff."
    echo
    echo "- counted with: \`$method\`"
    echo "- host: $host"
    echo
    echo "| job | machine | policy | cycles | warp instructions | start-up, M host instr. | host instr. per warp instr. | host instr. per cycle | *1000 warp instr. per s, noisy* |"
    echo "|---|---|---|---:|---:|---:|---:|---:|---:|"
    for gpu in ${BENCH_GPUS:-gtx480 rtx2060}; do
        for job in ${BENCH_JOBS:-workloads/kernels/*/*.job}; do
            for sched in "$@"; do
                row "$job" "$sched" "$gpu"
            done
        done
    done
} >"$work/table.md"
cp "$work/table.md" bench/table.md
cat bench/table.md
