#!/usr/bin/env bash
# The order in which SMs step within a cycle changes no byte of a result: HEDDLE_STEP_ORDER draws it
# anew in every cycle, from a seed. Policies with state of an SM and of the whole machine, workloads
# with atomics, textures and several kernels, memory with and without a network, and metrics.
. tests/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { # NAME WORKLOAD GPU SCHED [OPTION...]: the results in NAME.json
    local name=$1 workload=$2 gpu=$3 sched=$4
    shift 4
    rm -f "$work/$name.json"
    "$HEDDLE" run "$workload" --size test --gpu "$gpu" --sched "$sched" --no-host --quiet \
        --json "$work/$name.json" "$@" >"$work/$name.txt" 2>&1 || cat "$work/$name.txt"
    [ -s "$work/$name.json" ]
}

shuffled() { # SEED WORKLOAD GPU SCHED [OPTION...]
    HEDDLE_STEP_ORDER=$1 run shuffled "${@:2}" && cmp "$work/first.json" "$work/shuffled.json"
}

while read -r workload gpu sched options; do
    # shellcheck disable=SC2086 # options are words
    ok "$workload $gpu $sched $options" run first "$workload" "$gpu" "$sched" $options
    for seed in 1 77; do
        # shellcheck disable=SC2086
        ok "$workload $gpu $sched $options: order of steps $seed" \
            shuffled $seed "$workload" "$gpu" "$sched" $options
    done
done <<END
bfs gtx480 gto
bfs debug-flatmem lrr
histogram gtx480 two_level_active
histogram debug-flatmem gto
hotspot gtx480 pro
hotspot gtx480 gto --tb fill_first --metrics
matmul_tiled gtx480 ccws
mummer gtx480 owl
sobel gtx480 saws
needle gtx480 lrr --no-skip
reduction gtx480 caws
monte_carlo gtx480 gto
END
finish
