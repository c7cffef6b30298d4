#!/usr/bin/env bash
# Same input, same bytes of results: run again, in another place of memory, with another environment
# and with other bytes in fresh memory. Only --no-host leaves out what may differ: host times.
. tests/shared/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shopt -s nullglob

run() { # NAME JOB GPU:SCHED [COMMAND PREFIX...]: the results in NAME.json, what was printed in NAME.txt
    local name=$work/$1 job=$2 gpu=${3%:*} sched=${3#*:}
    shift 3
    mkdir -p "$work/out"
    "$@" "$HEDDLE" run "$job" --gpu "$gpu" --sched "$sched" --no-host --out "$work/out" --json "$name.json" \
        >"$name.txt" 2>&1
    echo "exit status $?" >>"$name.txt"
    [ -s "$name.json" ] || cat "$name.txt"
    [ -s "$name.json" ]
}

both() { # NAME NAME: results and printed text alike
    cmp "$work/$1.json" "$work/$2.json" && cmp "$work/$1.txt" "$work/$2.txt"
}

again() { # VARIANT JOB GPU:SCHED [PREFIX...]
    run "$@" && both first "$1"
}

stepped() { # JOB GPU:SCHED: same results and end but for the option itself
    rm -f "$work/stepped.json"
    "$HEDDLE" run "$1" --gpu "${2%:*}" --sched "${2#*:}" --no-skip --no-host --quiet \
        --out "$work/out" --json "$work/stepped.json"
    [ "exit status $?" = "$(tail -n 1 "$work/first.txt")" ] && [ -s "$work/stepped.json" ] || return 1
    diff -a <(grep -v '"no_skip"' "$work/first.json") <(grep -v '"no_skip"' "$work/stepped.json")
}

jobs=(workloads/kernels/*/*.job)
[ ${#jobs[@]} -gt 0 ] || { echo "no jobs"; exit 77; }
long=$(head -c 20000 /dev/zero | tr '\0' x)
for job in "${jobs[@]}"; do
    name=$(basename "$job" .job)
    for sched in gtx480:lrr gtx480:gto debug-flatmem:gto; do
        ok "$name $sched runs" run first "$job" "$sched"
        ok "$name $sched: again" again second "$job" "$sched"
        ok "$name $sched: fresh memory full of 0xa5" again filled "$job" "$sched" \
            env MALLOC_PERTURB_=165
        ok "$name $sched: a larger environment" again env "$job" "$sched" env "HEDDLE_PADDING=$long"
        for lanes in baseline avx2 avx512; do # what the host lacks falls back to the baseline
            ok "$name $sched: lane loops for $lanes" again "$lanes" "$job" "$sched" \
                env HEDDLE_LANES="$lanes"
        done
        if setarch "$(uname -m)" -R true 2>/dev/null; then
            ok "$name $sched: address space not randomised" again fixed "$job" "$sched" \
                setarch "$(uname -m)" -R
        else
            skip "$name $sched: address space not randomised" "setarch -R is not allowed here"
        fi
        # Skipping idle cycles is exact.
        ok "$name $sched: every cycle stepped (--no-skip)" stepped "$job" "$sched"
    done
done
# Where the schedulers take turns at going first, a policy cannot rely on their order.
turns() { # SCHED OPTION...
    "$HEDDLE" run bfs --size test --gpu rtx2060 --sched "$1" --no-host --quiet --json - "${@:2}" | grep -v '"no_skip"'
}
for sched in dyncta ccws pro_dyn two_level_active two_level_opt:in_place=1; do
    turns $sched >"$work/first"
    turns $sched --no-skip >"$work/second"
    ok "bfs rtx2060:$sched: every cycle stepped" bash -c "[ -s '$work/first' ] && cmp '$work/first' '$work/second'"
done
finish
