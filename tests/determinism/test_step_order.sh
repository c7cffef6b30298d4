#!/usr/bin/env bash
# The order in which SMs step within a cycle changes no byte of a result: HEDDLE_STEP_ORDER draws it
# anew in every cycle, from a seed. Policies with state of an SM and of the whole machine, workloads
# with atomics, textures and several kernels, memory with and without a network, metrics, traces, and
# what kernels ask of the device: memory, text, kernels of their own.
. tests/shared/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

. tests/determinism/programs.sh

run() { # NAME WORKLOAD GPU SCHED [OPTION...]: the results in NAME.json
    local name=$1 workload=$2 gpu=$3 sched=$4
    shift 4
    rm -f "$work/$name.json"
    "$HEDDLE" run "$workload" --out "$work" --gpu "$gpu" --sched "$sched" --no-host --quiet \
        --json "$work/$name.json" "$@" >"$work/$name.txt" 2>&1 || cat "$work/$name.txt"
    [ -s "$work/$name.json" ]
}

run_job() { # NAME JOB GPU SCHED: results, what was printed and what memory holds in NAME.all
    rm -f "$work/$1.json" "$work/heap.out"
    "$HEDDLE" run "$work/$2.job" --gpu "$3" --sched "$4" --no-host --out "$work" --json "$work/$1.json" \
        >"$work/$1.txt" 2>&1 || cat "$work/$1.txt"
    cat "$work/$1.json" "$work/$1.txt" "$work/heap.out" >"$work/$1.all" 2>/dev/null
    [ -s "$work/$1.json" ] && [ "$(wc -l <"$work/$1.txt")" -gt 3 ]
}

job_shuffled() { # SEED JOB GPU SCHED
    HEDDLE_STEP_ORDER=$1 run_job shuffled "${@:2}" || return 1
    sed "s,$work/shuffled,$work/first," "$work/shuffled.all" | cmp "$work/first.all" -
}

while read -r job gpu sched; do
    ok "$job $gpu $sched" run_job first "$job" "$gpu" "$sched"
    for seed in 1 77; do
        ok "$job $gpu $sched: order of steps $seed" job_shuffled $seed "$job" "$gpu" "$sched"
    done
done <<END
heap gtx480 gto
heap debug-flatmem lrr
children gtx480 gto
children gtx480 two_level_active
END

shuffled() { # SEED WORKLOAD GPU SCHED [OPTION...]
    HEDDLE_STEP_ORDER=$1 run shuffled "${@:2}" && cmp "$work/first.json" "$work/shuffled.json" &&
        cmp "$work/first.txt" "$work/shuffled.txt"
}

while read -r workload gpu sched options; do
    [ "${workload%.job}" != "$workload" ] && workload=$work/$workload || options="--size test $options"
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
asks.job gtx480 lrr
asks.job debug-flatmem gto
children.job gtx480 gto
children.job debug-flatmem lrr
END
# The values that a kernel leaves.
ok "values in order" run first "$work/asks.job" gtx480 gto
mv "$work/asks.bin" "$work/first.bin"
HEDDLE_STEP_ORDER=9 ok "values in any order" run shuffled "$work/asks.job" gtx480 gto
ok "the same values" cmp "$work/first.bin" "$work/asks.bin"

# The trace of a run: blocks that end, streams that are long, and runs that cannot be replayed, for a
# reason that the trace names.
recorded() { # SEED WORKLOAD GPU SCHED [OPTION...]
    HEDDLE_STEP_ORDER=$1 run shuffled "${@:2}" --record "$work/shuffled.trace" &&
        cmp "$work/first.json" "$work/shuffled.json" && cmp "$work/first.trace" "$work/shuffled.trace"
}
while read -r workload gpu sched options; do
    [ "${workload%.job}" != "$workload" ] && workload=$work/$workload || options="--size test $options"
    # shellcheck disable=SC2086 # options are words
    ok "the trace of $workload $gpu $sched" \
        run first "$workload" "$gpu" "$sched" $options --record "$work/first.trace"
    for seed in 1 77; do
        # shellcheck disable=SC2086
        ok "the trace of $workload $gpu $sched: order of steps $seed" \
            recorded $seed "$workload" "$gpu" "$sched" $options
    done
done <<END
asks.job gtx480 gto
bfs gtx480 gto
histogram gtx480 lrr
hotspot gtx480 two_level_active
matmul_tiled debug-flatmem gto
sobel gtx480 gto
END
finish
