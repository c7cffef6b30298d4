#!/usr/bin/env bash
# threads.sh - what --threads saves on this machine, into bench/threads.md (`make bench-threads`). The
# machine must be idle: as many processors as threads, and nothing else that runs.
#
# Every workload is run once with each number of threads before the next round begins, so that a slow
# minute of the host hits all of them alike; the shortest of all rounds counts. Times are those of the
# wall and contain start-up, which `empty` shows. All runs must give the same bytes.
#
#   HEDDLE=build/release/heddle bench/threads.sh [ROUNDS]
#   BENCH_WORKLOADS, BENCH_SCHEDS, BENCH_THREADS: other workloads, schedulers, numbers of threads
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C
heddle=${HEDDLE:-build/release/heddle}
rounds=${1:-7}
workloads=${BENCH_WORKLOADS:-hotspot matmul_tiled scalar_prod bfs aes srad pathfinder}
scheds=${BENCH_SCHEDS:-gto}
processors=$(nproc)
default=1
for n in 2 4 8 16; do [ "$n" -le "$processors" ] && default="$default $n"; done
counts=${BENCH_THREADS:-$default}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

now() { echo "${EPOCHREALTIME/./}"; }
timed() { # NAME COMMAND...: adds the wall time in microseconds to NAME
    local name=$1 start
    shift
    start=$(now)
    "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    echo $(($(now) - start)) >>"$work/$name"
}

for ((round = 1; round <= rounds; round++)); do
    timed empty sh -c '"$0" run vecadd --size test --max-cycles 1 --quiet || true' "$heddle"
    for workload in $workloads; do
        for sched in $scheds; do
            for n in $counts; do
                timed "$workload.$sched.$n" "$heddle" run "$workload" --sched "$sched" --threads "$n" \
                    --no-host --quiet --json "$work/json.$n"
                cmp "$work/json.${counts%% *}" "$work/json.$n"
            done
        done
    done
    echo "round $round of $rounds" >&2
done

least() { sort -n "$work/$1" | head -n 1; }
{
    sed '/^<!-- measured -->/,$d' bench/threads.md
    echo "<!-- measured -->"
    echo
    echo "- host: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $processors processors, $(gcc --version | head -n 1)"
    echo "- shortest of $rounds rounds; an empty run takes $(($(least empty) / 1000)) ms"
    echo
    echo "| workload | scheduler |$(for n in $counts; do printf ' %s, ms |' "$n"; done)"
    echo "|---|---|$(for _ in $counts; do printf '%s' '---:|'; done)"
    for workload in $workloads; do
        for sched in $scheds; do
            printf '| %s | %s |' "$workload" "$sched"
            for n in $counts; do printf ' %d |' $(($(least "$workload.$sched.$n") / 1000)); done
            echo
        done
    done
    printf '| geometric mean, times as fast | |'
    for n in $counts; do
        for workload in $workloads; do
            for sched in $scheds; do
                echo "$(least "$workload.$sched.${counts%% *}") $(least "$workload.$sched.$n")"
            done
        done | awk '{ sum += log($1 / $2) } END { printf " %.2f |", exp(sum / NR) }'
    done
    echo
} >"$work/threads.md"
cp "$work/threads.md" bench/threads.md
cat bench/threads.md
