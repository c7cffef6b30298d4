#!/usr/bin/env bash
# path.sh - what --threads can save with more processors than this machine has, into bench/threads.md
# (`make bench-path`). The machine need not be idle: each run is repeated, and the shorter time of each
# step counts (path.c).
#
#   bench/path.sh BUILD-FOLDER [ROUNDS]
#   BENCH_WORKLOADS, BENCH_SCHED, BENCH_CYCLES: other workloads, scheduler, cycles to simulate
#   BENCH_MACHINES: other machines, each as GPU:SMS:SIZE
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C
export HEDDLE_DATA=$PWD
build=${1:?the build folder}
rounds=${2:-5}
workloads=${BENCH_WORKLOADS:-hotspot matmul_tiled scalar_prod bfs aes srad pathfinder}
sched=${BENCH_SCHED:-gto}
machines=${BENCH_MACHINES:-gtx480:15:small gtx480:30:small gtx480:60:small qv100:80:paper}
cycles=${BENCH_CYCLES:-30000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for machine in $machines; do
    IFS=: read -r gpu sms size <<<"$machine"
    for workload in $workloads; do
        for ((round = 1; round <= rounds; round++)); do
            PATH_TIMES=$work/times PATH_SUMS=$work/now "$build/bench/path" run "$workload" --gpu "$gpu" --size "$size" \
                --sched "$sched" --set "sm.sms=$sms" --max-cycles "$cycles" --quiet >"$work/log" 2>&1 || true
            [ -s "$work/now" ] || { cat "$work/log" >&2; exit 1; }
        done
        echo "gpu $gpu workload $workload $(cat "$work/now")" >>"$work/sums"
        echo "$gpu with $sms SMs, $workload, size $size" >&2
        rm "$work/times" "$work/now"
    done
done

# Nanoseconds to hand out a cycle's steps and to wait for the last one: measured for 2 threads, assumed
# for more.
/usr/bin/python3 - "$work/sums" >"$work/table" <<'PYTHON'
import collections, math, sys
BARRIER = {1: 0, 2: 120, 4: 200, 8: 350, 16: 600, 32: 1000, 64: 1700}
rows = []
for line in open(sys.argv[1]):
    words = line.split()
    rows.append({k: v if k in ("gpu", "workload") else int(v) for k, v in zip(words[::2], words[1::2])})

def wall(row, n):
    return row["path%d" % n] + row["rest"] + row["tick"] + row["together"] * BARRIER[n]

def times(row, n):
    return wall(row, 1) / wall(row, n)

def mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))

def best(row):
    return max(times(row, n) for n in BARRIER if n <= row["sms"])

by_machine = collections.defaultdict(list)
for row in rows:
    by_machine[row["gpu"], row["sms"]].append(row)
print("| machine | SMs | workload | steps, % | memory, % | rest, % | SMs awake | ns a step | 2 | 4 | 8 | 16 | 32 | best |")
print("|---|---|---|" + "---:|" * 11)
def line(machine, name, of, cells):
    shown = ["%.2f" % mean(times(r, n) for r in of) if n <= 2 * machine[1] else "" for n in (2, 4, 8, 16, 32)]
    top = mean(map(best, of))
    print("| %s | %d | %s | %s | %s | %.2f |" % (*machine, name, " | ".join(cells), " | ".join(shown), top))
for machine, of in by_machine.items():
    for r in of:
        one = wall(r, 1)
        line(machine, r["workload"], [r], ["%.0f" % (100 * part / one) for part in (r["steps"], r["finish"], r["tick"] + r["rest"])] +
             ["%.1f" % (r["n_steps"] / r["cycles"]), "%.0f" % (r["steps"] / r["n_steps"])])
    line(machine, "geometric mean", of, [""] * 5)
PYTHON

{
    sed '/^<!-- model -->/,$d' bench/threads.md
    echo "<!-- model -->"
    echo
    echo "- host: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(gcc --version | head -n 1)"
    echo "- scheduler $sched, the first $cycles cycles, machines as GPU, SMs and size of the inputs: $machines; shorter times of $rounds runs"
    echo
    cat "$work/table"
    echo
    sed -n '/^## Measured/,$p' bench/threads.md
} >"$work/threads.md"
cp "$work/threads.md" bench/threads.md
cat "$work/table"
