#!/usr/bin/env bash
# heddle diff: the parts of a difference add up to it, and what is no run is refused.
. tests/shared/cases.sh
export LC_ALL=C
db=$work/d.db
"$heddle" compare matmul --sched lrr,gto --db "$db" --jobs 1 --quiet

case_is "two runs of a database" 0 "out:B takes" "out:fewer than A" 'out:sched: "lrr:wrap=1" in A, "gto" in B' \
    "out:Both issue the same" "out:1. inactive" "out:Idle cycles by reason" "out:ld.global.f32 %f6" \
    "out:L1D misses" -- "$heddle" diff "$db" 1 2 --csv "$work/d.csv"
ok "CSV: counts are numbers" grep -Eqx 'classes,cycles,[0-9]+,[0-9]+,-?[0-9]+,100' "$work/d.csv"
numbers() { # the cells without the commas in them
    /usr/bin/python3 -c 'import csv, sys
for row in csv.reader(open(sys.argv[1])): print(*(cell.replace(",", "") for cell in row), sep=",")' "$work/d.csv"
}
adds_up() {
    numbers | awk -F, '$1 == "classes" && $2 == "cycles" { want = $5 }
        $1 == "classes" && $2 != "cycles" { got += $5 } END { print got, want; exit !(got - want <= 3 && want - got <= 3 && want != 0) }'
}
ok "classes add up to the difference" adds_up
cycles() { "$heddle" show "$db" "$1" --json - | /usr/bin/python3 -c 'import json, sys
print(json.load(sys.stdin)["totals"]["cycles"])'; }
is_difference() {
    local want
    want=$(($(cycles 2) - $(cycles 1)))
    numbers | grep -q "^classes,cycles,$(cycles 1),$(cycles 2),$want,"
}
ok "which is that of the runs" is_difference
idle_adds_up() {
    numbers | awk -F, '$1 == "classes" && $2 == "idle" { want = $5 } $1 == "idle" && $2 != "IDLE" { got += $5 }
        END { print got, want; exit !(got - want <= 6 && want - got <= 6 && want != 0) }'
}
ok "reasons add up to idle" idle_adds_up
case_is "a run and itself" 0 "out:0 cycles more or less" "no:1. " -- "$heddle" diff "$db" 1 1
case_is "other way round" 0 "out:more than A" -- "$heddle" diff "$db" 2 1

for s in lrr gto; do
    "$heddle" run matmul --sched $s --json "$work/$s.json" --quiet
    "$heddle" annotate matmul --sched $s --json "$work/$s.lines" --quiet
done
case_is "two files of run" 0 "out:B takes 3," "out:PTX lines are not known" "out:L1D misses" -- \
    "$heddle" diff "$work/lrr.json" "$work/gto.json"
case_is "two files of annotate" 0 "out:B takes 3," "out:ld.global.f32 %f6" "out:Caches and DRAM are not known" -- \
    "$heddle" diff "$work/lrr.lines" "$work/gto.lines"
case_is "JSON" 0 'out:"id": "classes"' "no:Chosen differently: no option" -- \
    "$heddle" diff "$work/lrr.json" "$work/gto.json" --json -
case_is "other machines: their SMs are counted" 0 "out:sm.sms: 15 in A, 14 in B" -- bash -c "
    '$heddle' run matmul --sched gto --set sm.sms=14 --json '$work/14.json' --quiet &&
    '$heddle' diff '$work/gto.json' '$work/14.json'"
case_is "other work is told" 0 "out:They do not do the same work" -- bash -c "
    '$heddle' run scan --sched gto --json '$work/scan.json' --quiet &&
    '$heddle' diff '$work/gto.json' '$work/scan.json'"

# Kernels that run at the same time: cycles are those that passed, not the sum over kernels.
for s in lrr gto; do
    "$heddle" run dp_bfs_citation --size test --sched $s --json "$work/dp.$s.json" --quiet
done
case_is "kernels that launch kernels" 0 "out:B takes" "out:between" -- \
    "$heddle" diff "$work/dp.lrr.json" "$work/dp.gto.json" --csv "$work/d.csv"
cycles() { /usr/bin/python3 -c 'import json, sys
print(json.load(sys.stdin)["totals"]["elapsed_cycles"])' <"$work/dp.$([ "$1" = 1 ] && echo lrr || echo gto).json"; }
ok "the difference is that of what passed" is_difference
ok "classes add up to it" adds_up
"$heddle" run matmul --functional-only --json "$work/f.json" --quiet
case_is "a run without cycles" 2 "err:f.json: no cycles to compare" "no:CLASS" -- \
    "$heddle" diff "$work/gto.json" "$work/f.json"
echo '{"kernels": 3}' >"$work/odd.json"
case_is "another JSON" 2 "err:odd.json: no cycles to compare" -- "$heddle" diff "$work/gto.json" "$work/odd.json"
echo '{' >"$work/bad.json"
case_is "no JSON" 2 "err:bad.json:2: error: no JSON" -- "$heddle" diff "$work/gto.json" "$work/bad.json"
case_is "no file" 2 "err:No such file" -- "$heddle" diff "$work/gto.json" "$work/none.json"
case_is "one run" 2 "err:diff takes two runs" -- "$heddle" diff "$work/gto.json"
case_is "one run of a database" 2 "err:a results database, of which one run is named" -- "$heddle" diff "$db" 1
case_is "no such run" 2 "err:there is no run 77" -- "$heddle" diff "$db" 1 77

# What a policy costs that holds warps back has a name and a sentence.
"$heddle" compare bfs --size test --sched gto,two_level_active --jobs 1 --db "$work/held.db" --quiet
case_is "held back by the policy" 0 "out:order  " "out:held back by the policy" \
    "out:order: what holding warps back cost, 0 cycles in A (gto) and" "out:and the policy let none of them through." -- \
    "$heddle" diff "$work/held.db" 1 2
case_is "nothing is said where nothing was held back" 0 "no:holding warps back" -- "$heddle" diff "$work/held.db" 1 1
finish
