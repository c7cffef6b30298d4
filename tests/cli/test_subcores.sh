#!/usr/bin/env bash
# A machine whose SMs have four sub-cores, each with one scheduler and pipes of its own: workloads give
# the right results under every kind of policy, in the cycles below, stepped or skipped and whatever
# the order of the steps; and what a machine file may not say.
. tests/shared/cases.sh

cat >"$work/four.ini" <<'INI'
include = gtx480.ini
[sm]
subcores = 4
schedulers = 4
sp_units = 1
sfu_units = 1
id_oc_sp = 1
oc_ex_sp = 1
collectors_sp = 2
collectors_sfu = 2
collectors_mem = 2
collector_ports_sp = 1
reg_banks = 4
INI

run() { # OUT WORKLOAD SCHED [OPTION...]
    "$heddle" run "$2" --size test --gpu "$work/four.ini" --sched "$3" --no-host --quiet \
        --json "$work/$1.json" "${@:4}"
}
takes() { # CYCLES
    grep -q '"verified": true' "$work/first.json" && grep -m 1 '"cycles":' "$work/first.json" |
        tee "$work/cycles" && grep -q " $1,$" "$work/cycles"
}
stepped() { # but for the option itself
    diff -a <(grep -v '"no_skip"' "$work/first.json") <(grep -v '"no_skip"' "$work/again.json")
}

while read -r workload sched cycles; do
    ok "$workload $sched" run first "$workload" "$sched"
    ok "$workload $sched: right results in $cycles cycles" takes "$cycles"
    ok "$workload $sched, stepped" run again "$workload" "$sched" --no-skip
    ok "$workload $sched: the same, stepped" stepped
    HEDDLE_STEP_ORDER=5 ok "$workload $sched, SMs in any order" run again "$workload" "$sched"
    same "$workload $sched: the same, in any order" "$work/first.json" "$work/again.json"
done <<END
bfs gto 50185
hotspot lrr 14053
matmul_tiled two_level_active 8538
histogram pro 20186
scalar_prod ccws 10219
aes saws 14517
sobel elf 6821
END

case_is "schedulers that sub-cores cannot share out" 2 \
    "err:sm.schedulers (2) must be a multiple of sm.subcores (4)" "err:sm.schedulers=4 gives each one" -- \
    "$heddle" run vecadd --set sm.subcores=4
case_is "a pipe that there is not" 2 "err:'pipes' is not a valid value of add.int" \
    "err:sp, sfu, sp_or_sfu" -- "$heddle" run vecadd --set pipe.add.int=pipes
case_is "a pipe that this machine does not have" 2 "err:pipe.add.int is int, but sm.int_units is 0" \
    "err:sm.int_units=1" -- "$heddle" run vecadd --set pipe.add.int=int
case_is "pipes without collectors" 2 "err:the dp pipes have no operand collector units" \
    "err:sm.collectors_dp" -- "$heddle" run vecadd --set sm.dp_units=1
case_is "collectors of one pipe beside those of all" 2 "err:sm.collectors_sp is 6" \
    "err:sm.collectors_sp=0" -- "$heddle" run vecadd --set sm.collectors_any=2
case_is "more pipes than a sub-core has" 2 "err:a sub-core has at most 8 pipes, not 9" -- \
    "$heddle" run vecadd --set sm.sp_units=4 --set sm.sfu_units=4 --set sm.dp_units=1 \
    --set sm.collectors_dp=1 --set sm.collectors_sp=4
case_is "constants at once that may miss" 2 "err:l1c.at_once is for caches that always hit" -- \
    "$heddle" run vecadd --set l1c.at_once=1
case_is "integers in pipes of their own" 0 "out:vecadd" -- "$heddle" run vecadd \
    --set pipe.add.int=int --set sm.int_units=1 --set sm.collectors_int=2 --set sm.collectors_sp=4
case_is "an RTX 2060" 0 "out:vecadd" -- "$heddle" run vecadd --gpu rtx2060
case_is "an owner that there is not" 2 "err:expected one of modulo, ranges" -- \
    "$heddle" run vecadd --set sm.owner=blocks
case_is "more memory instructions in front of the load/store unit than ever" 0 "out:vecadd" -- \
    "$heddle" run vecadd --set sm.collectors_mem=14 --set sm.collectors_sp=1 \
    --set sm.collectors_sfu=1 --set sm.id_oc_mem=4 --set sm.oc_ex_mem=4
finish
