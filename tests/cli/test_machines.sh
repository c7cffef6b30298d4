#!/usr/bin/env bash
# The machines of GPGPU-Sim 4.2 with more SMs or L2 banks than a mask has bits, and hashed partitions:
# workloads give the right results under every warp policy, the same bytes stepped, on several threads
# and in any order of the steps, and the same kernels from a trace. And what a machine with as many
# ports may not say.
#
# A policy runs on one of the two machines, with the next commit on the other: ROTATION=N is the choice
# of the N-th commit again, and TEST_ALL=1 runs each policy on both.
. tests/shared/cases.sh

rotation=${ROTATION:-$(git rev-list --count HEAD 2>/dev/null || echo 0)}
machines=(rtx3070 qv100)
workloads=(bfs histogram matmul_tiled hotspot sobel)

run() { # OUT WHAT GPU SCHED [OPTION...]
    "$heddle" run "$2" --gpu "$3" --sched "$4" --no-host --quiet --json "$work/$1.json" "${@:5}"
}
verified() {
    grep -q '"verified": true' "$work/first.json"
}
stepped() { # but for the option itself
    diff -a <(grep -v '"no_skip"' "$work/first.json") <(grep -v '"no_skip"' "$work/again.json")
}
replayed() { # the kernels of the trace are those of the program
    /usr/bin/python3 - "$work/first.json" "$work/again.json" <<'PYTHON'
import json, sys
one, two = [json.load(open(f)) for f in sys.argv[1:]]
assert two["source"] == "trace" and one["kernels"] == two["kernels"]
PYTHON
}
sound() { # WORKLOAD GPU POLICY
    local name="$1 $2 $3"
    ok "$name" run first "$1" "$2" "$3" --size test --record "$work/of.trace"
    ok "$name: right results" verified
    ok "$name, stepped" run again "$1" "$2" "$3" --size test --no-skip
    ok "$name: the same, stepped" stepped
    HEDDLE_STEP_ORDER=5 ok "$name, SMs in any order" run again "$1" "$2" "$3" --size test
    same "$name: the same, in any order" "$work/first.json" "$work/again.json"
    ok "$name, on threads" run again "$1" "$2" "$3" --size test --threads 3
    same "$name: the same, on threads" "$work/first.json" "$work/again.json"
    ok "$name, replayed" run again "$work/of.trace" "$2" "$3"
    ok "$name: the same, replayed" replayed
}

while read -r policy; do
    workload=${workloads[rotation++ % ${#workloads[@]}]}
    if [ -n "${TEST_ALL:-}" ]; then
        for gpu in "${machines[@]}"; do sound "$workload" "$gpu" "$policy"; done
    else
        sound "$workload" "${machines[rotation % 2]}" "$policy"
    fi
done < <("$heddle" list policies | awk 'NR > 1 && $2 ~ /(^|,)sched(,|$)/ { print $1 }')

case_is "more SMs than the router's ports" 2 "err:at most 64 ports on a side, sm.sms is 65" \
    "err:net.local=1" -- "$heddle" run vecadd --set sm.sms=65
case_is "more SMs than any crossbar's ports" 2 "err:at most 256 ports on a side, sm.sms is 257" \
    "err:gpu.memory=flat" -- "$heddle" run vecadd --gpu qv100 --set sm.sms=257
case_is "more L2 banks than the router's ports" 2 "err:dram.channels x dram.subs is 64 x 2" -- \
    "$heddle" run vecadd --set dram.channels=64
case_is "as many ports as there can be" 0 "out:vecadd" -- "$heddle" run vecadd --gpu qv100 \
    --set sm.sms=256 --set dram.channels=64 --set dram.subs=4 --set dram.indexing=linear
case_is "hashed partitions whose number is no power of two" 2 "err:defined for 32 and 64" \
    "err:dram.channels x dram.subs is 12 x 2" -- \
    "$heddle" run vecadd --gpu rtx2060 --set dram.indexing=polynomial
case_is "more lines with sectors than can be numbered" 2 "err:l2 has too many lines" \
    "err:l2.sets x (l2.ways + 1) may be 65534" -- \
    "$heddle" run vecadd --gpu rtx2060 --set l2.hashed=0 --set l2.sets=4096 --set l2.ways=15
case_is "a launch that takes longer than a hang would is waited for" 0 -- \
    "$heddle" run vecadd --gpu rtx2060 --set gpu.deadlock_after=2000 --set gpu.livelock_after=2000
finish
