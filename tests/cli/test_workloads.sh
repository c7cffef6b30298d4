#!/usr/bin/env bash
# The built-in workloads: every one of them verifies, whatever its seed (and whatever schedules it:
# tests/workloads); a seed makes another input; what is asked for wrongly is said.
. tests/shared/cases.sh

words=$(tools/workload-names.sh)
for name in $words; do
    case_is "$name is listed" 0 "out:$name " -- "$heddle" list workloads
    for seed in 1 2; do
        case_is "$name functional, seed $seed" 0 "out:results verified" -- \
            "$heddle" run "$name" --size test --seed "$seed" --functional-only
    done
    case_is "$name under gto" 0 "out:results verified" -- \
        "$heddle" run "$name" --size test --no-host --json "$work/$name.gto"
    ok "$name: kernels have the registers of its file" \
        grep -q '"regs_source": "file"' "$work/$name.gto"
done

# The input is the seed's: what depends on the data, and nothing else here, tells them apart.
for seed in 1 2; do
    case_is "seed $seed" 0 "out:\"seed\": $seed" "out:\"size\": \"test\"" "out:\"verified\": true" -- \
        "$heddle" run bfs --size test --seed "$seed" --functional-only --no-host --json -
    cp "$work/.out" "$work/seed$seed"
    sed 's/"seed": [0-9]*/"seed": 0/' "$work/seed$seed" >"$work/plain$seed"
done
not() { ! "$@"; }
ok "seeds 1 and 2 make different graphs" not cmp -s "$work/plain1" "$work/plain2"

case_is "registers that are set" 0 "out:\"regs\": 40" "out:\"regs_source\": \"set\"" -- \
    "$heddle" run vectoradd --size test --functional-only --set kernel.vectoradd.regs=40 --json -
case_is "a group" 0 "out:8 workloads, 1 scheduler" -- \
    "$heddle" compare @first8 --size test --sched lrr
case_is "no such group" 2 "err:no group of workloads 'secnd'" -- \
    "$heddle" compare @secnd --sched lrr
case_is "nearest group" 2 "err:did you mean '@first8'?" -- "$heddle" compare @frist8 --sched lrr
case_is "a paper's label" 0 "out:pathfinder (test, seed 1)" -- \
    "$heddle" run @lfws:PF --size test --functional-only
case_is "a label in small letters, and one of a workload with several" 0 "out:2 workloads" \
    "out:hotspot" "out:pathfinder" -- \
    "$heddle" compare @elf:hs @pro:pathfinder --size test --sched lrr
case_is "a label is whole" 2 "err:nothing in group @lfws is called 'P'" -- \
    "$heddle" run @lfws:P --size test
case_is "nearest label" 2 "err:did you mean '@lfws:HSP'?" -- "$heddle" run @lfws:HSPP
case_is "labels of a group" 2 "err:nothing in group @elf is called 'XYZQ'; it has " "err:HS" -- \
    "$heddle" run @elf:XYZQ
case_is "a label without its paper" 2 "err:did you mean '@lfws:HSP'?" -- "$heddle" run HSP
case_is "several where one is meant" 2 "err:run takes one workload" -- "$heddle" run @first8
case_is "no such size" 2 "err:expected test, small or paper" -- \
    "$heddle" run hotspot --size tiny
case_is "nearest name" 2 "err:did you mean 'hotspot'?" -- "$heddle" run hotspt
case_is "a limit" 1 "out:stopped at the limit" -- \
    "$heddle" run hotspot --size test --max-cycles 100
job poke "buf A 128 zero" "launch poke 1 1 1 32 1 1 0 p:A i:1"
case_is "a job beside a workload" 0 "out:2 workloads" "out:poke" -- \
    "$heddle" compare hotspot "$work/poke.job" --sched lrr
case_is "a size is for those that have sizes" 0 "err:heddle: only for built-in workloads: --size test --ptx sm_20 --seed 7; jobs and traces have one input" \
    "out:on gtx480 ptx=sm_20, size test, seed 7" -- \
    "$heddle" compare hotspot "$work/poke.job" vecadd --sched lrr --size test --seed 7 --ptx sm_20 --csv "$work/mixed.csv" --db "$work/mixed.db"
ok "and the results say so" test "$(cut -d, -f1,9- "$work/mixed.csv" | paste -sd' ')" = \
    "workload,set,size,seed hotspot,ptx=sm_20,test,7 poke,,, vecadd,,,"
repeats() { # the command of each run is one that can be repeated
    python3 -c 'import sqlite3, sys
for command, in sqlite3.connect(sys.argv[1]).execute("select command from run"): print(command)' "$work/mixed.db" |
        while read -r _ command; do
            eval "$heddle $command --quiet --json $work/one.json" && grep -q '"status": "ok"' "$work/one.json" || return 1
        done
}
ok "and each run can be repeated" repeats
ok "said in one line" test "$("$heddle" compare hotspot vecadd scan --sched lrr --size test --csv - 2>&1 >/dev/null | grep -c "only for")" -eq 1
case_is "jobs alone have none" 2 "err:a job has one input" -- "$heddle" compare "$work/poke.job" vecadd --sched lrr --size test
finish
