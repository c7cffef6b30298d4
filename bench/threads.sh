#!/usr/bin/env bash
# threads.sh - what --threads saves on this machine, into bench/threads.md (`make bench-threads`). The
# machine must be idle: as many processors as threads, and nothing else that runs.
#
# Every workload is run once with each number of threads before the next round begins, so that a slow
# minute of the host hits all of them alike; the shortest of all rounds counts. Times are those of the
# wall and contain start-up and the making of inputs, which threads do not shorten: column `start` is the
# time of a run that ends after one cycle, and the last rows leave it out. All runs must give the same bytes.
#
#   HEDDLE=build/release/heddle bench/threads.sh [ROUNDS]
#   BENCH_GPUS, BENCH_WORKLOADS, BENCH_SCHEDS, BENCH_THREADS, BENCH_SIZE: other machines, workloads,
#   schedulers, numbers of threads, size of the inputs
#   BENCH_CYCLES: stop each run after so many cycles
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C
heddle=${HEDDLE:-build/release/heddle}
rounds=${1:-7}
workloads=${BENCH_WORKLOADS:-hotspot matmul_tiled scalar_prod bfs aes srad pathfinder}
scheds=${BENCH_SCHEDS:-gto}
gpus=${BENCH_GPUS:-gtx480}
size=${BENCH_SIZE:-small}
limit=()
[ -z "${BENCH_CYCLES:-}" ] || limit=(--max-cycles "$BENCH_CYCLES")
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
    # A run that was stopped at its limit ends with 1, and its results say so.
    "$@" >"$work/log" 2>&1 || grep -qs '"status": "limit"' "$work/json.$n" ||
        { cat "$work/log" >&2; exit 1; }
    echo $(($(now) - start)) >>"$work/$name"
}

# NAME GPU WORKLOAD SCHEDULER for every row of the table
rows() {
    local gpu workload sched
    for gpu in $gpus; do
        for workload in $workloads; do
            for sched in $scheds; do echo "$gpu.$workload.$sched $gpu $workload $sched"; done
        done
    done
}

for ((round = 1; round <= rounds; round++)); do
    while read -r name gpu workload sched; do
        timed "$name.start" sh -c '"$0" "$@" || true' "$heddle" run "$workload" --gpu "$gpu" --size "$size" \
            --max-cycles 1 --quiet </dev/null
        for n in $counts; do
            timed "$name.$n" "$heddle" run "$workload" --gpu "$gpu" --size "$size" --sched "$sched" --threads "$n" \
                "${limit[@]}" --no-host --quiet --json "$work/json.$n" </dev/null
            cmp "$work/json.${counts%% *}" "$work/json.$n"
        done
    done < <(rows)
    echo "round $round of $rounds" >&2
done

least() { sort -n "$work/$1" | head -n 1; }
# GPU "" or GPU start: the row with the geometric means; with "start", of the times without start-up
mean() {
    local name machine n
    printf '| %s | geometric mean, times as fast%s | | |' "$1" "${2:+, without start}"
    for n in $counts; do
        while read -r name machine _; do
            [ "$machine" != "$1" ] || echo "$(least "$name.${counts%% *}") $(least "$name.$n") $([ -z "$2" ] && echo 0 || least "$name.start")"
        done < <(rows) | awk '{ sum += log(($1 - $3) / ($2 - $3)) } END { printf " %.2f |", exp(sum / NR) }'
    done
    echo
}
{
    sed '/^<!-- measured -->/,$d' bench/threads.md
    echo "<!-- measured -->"
    echo
    echo "- host: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $processors processors, $(gcc --version | head -n 1)"
    echo "- size $size${limit[1]:+, the first ${limit[1]} cycles}, shortest of $rounds rounds"
    echo
    echo "| machine | workload | scheduler | start, ms |$(for n in $counts; do printf ' %s, ms |' "$n"; done)"
    echo "|---|---|---|---:|$(for _ in $counts; do printf '%s' '---:|'; done)"
    while read -r name gpu workload sched; do
        printf '| %s | %s | %s | %d |' "$gpu" "$workload" "$sched" $(($(least "$name.start") / 1000))
        for n in $counts; do printf ' %d |' $(($(least "$name.$n") / 1000)); done
        echo
    done < <(rows)
    for gpu in $gpus; do
        mean "$gpu" ""
        mean "$gpu" start
    done
} >"$work/threads.md"
cp "$work/threads.md" bench/threads.md
cat bench/threads.md
