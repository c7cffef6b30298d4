#!/usr/bin/env bash
# What identifies a run stands in every form of output, whether it is varied or not: two studies
# that differ in any option can be told apart by any of their files.
. tests/shared/cases.sh
export LC_ALL=C

options=(--size test --seed 3 --set sm.warps=24 --regs 20 --max-cycles 100000 --tb fill_first --fetch gto)
words="gtx480 sm.warps=24 regs=20 max-cycles=100000"
csv="sm.warps=24 regs=20 max-cycles=100000,test,3"

case_is "the head of a run" 0 "out:vectoradd (test, seed 3) on $words, scheduler gto, --fetch gto, --tb fill_first" -- \
    "$heddle" run vectoradd "${options[@]}" --csv "$work/run.csv" --json "$work/run.json" --html "$work/run.html" \
    --html-cycles 0:100 --timeline "$work/line.json" --db "$work/all.db"
ok "the CSV of a run" grep -q ",ok,test,3,sm.warps=24 regs=20 max-cycles=100000,gto,fill_first$" "$work/run.csv"
ok "its JSON" grep -q '^ "set": "sm.warps=24 regs=20 max-cycles=100000",$' "$work/run.json"
ok "its page" grep -q "on $words" "$work/run.html"
ok "and the title of it" grep -q "<title>vectoradd (test, seed 3) under gto, --fetch gto, --tb fill_first</title>" "$work/run.html"
ok "its timeline" grep -q "\"vectoradd (test, seed 3)\".*\"$words\".*\"gto, --fetch gto, --tb fill_first\"" "$work/line.json"
case_is "where its cycles went" 0 "out:vectoradd (test, seed 3) on $words, scheduler gto, --fetch gto, --tb fill_first" -- \
    "$heddle" annotate vectoradd "${options[@]}"
case_is "which data it uses again" 0 "out:vectoradd (test, seed 3) on $words, scheduler gto, --fetch gto" -- \
    "$heddle" reuse vectoradd "${options[@]}" --html "$work/reuse.html"
ok "as a page" grep -q "vectoradd (test, seed 3) on $words" "$work/reuse.html"

compare() { "$heddle" compare vectoradd --sched lrr,gto "${options[@]}" "$@"; }
case_is "the head of a comparison" 0 "out:on $words, --fetch gto, --tb fill_first, size test, seed 3" -- \
    compare --csv "$work/c.csv" --json "$work/c.json" --html "$work/c.html" --db "$work/all.db"
ok "its CSV" test "$(grep -c ",$csv,gto,fill_first$" "$work/c.csv")" -eq 2
ok "its JSON: the head, the means, the runs" test "$(grep -c '"set": "sm.warps=24 regs=20 max-cycles=100000"' "$work/c.json")" -eq 5
ok "with the input" test "$(grep -c '^ "s[ie][ze][ed]": .*,$' "$work/c.json")" -eq 2
ok "its page" grep -q "<h2>IPC relative to lrr, on $words, --fetch gto, --tb fill_first, size test, seed 3" "$work/c.html"
case_is "what several machines have in common" 0 "out:2 machines with sm.warps=24 max-cycles=9000, size test, seed 3" -- \
    "$heddle" compare vectoradd --sched gto --size test --seed 3 --set sm.warps=24 --set l1d.ways=2,4 --max-cycles 9000 --csv "$work/two.csv"
ok "and each has itself" grep -q ",sm.warps=24 l1d.ways=4 max-cycles=9000,test,3$" "$work/two.csv"
case_is "a base is named by what varies" 0 "out:/ l1d.ways=4" -- \
    "$heddle" compare vectoradd --sched gto --size test --set sm.warps=24 --set l1d.ways=2,4 --base @l1d.ways=4

"$heddle" run vectoradd --size test --db "$work/all.db" --functional-only --quiet
"$heddle" run needle --size test --db "$work/all.db" --sample 2 --sample-seed 7 --quiet
case_is "the runs of a database" 0 "out:vectoradd (test, seed 3)" "out:$words" "out:gtx480 functional-only " \
    "out:gtx480 sample=2 sample-seed=7" -- "$heddle" show "$work/all.db"
case_is "one of them" 0 "out:run 1: vectoradd (test, seed 3) under gto --fetch gto --tb fill_first on $words: ok" -- \
    "$heddle" show "$work/all.db" 1
"$heddle" run vectoradd --size test --seed 4 --db "$work/all.db" --quiet
case_is "two of them" 0 "out:A: vectoradd (test, seed 3) under gto on $words" "out:B: vectoradd (test, seed 4) under gto on gtx480" \
    "out:Chosen differently: seed: 3 in A, 4 in B" -- "$heddle" diff "$work/all.db" 1 6
ok "the CSV of a run without timing" grep -q ",functional-only$" <("$heddle" run vecadd --functional-only --csv -)

case_is "the head of a paper" 0 "out:Ours: on baws l1d.ways=2 regs=sm_20, size test, seed 2" -- \
    "$heddle" paper baws --size test --seed 2 --set l1d.ways=2 --figure fig1 --json "$work/p.json" --csv "$work/p.csv" \
    --markdown "$work/p.md" --html "$work/p.html"
ok "its JSON" grep -q '^ "set": "l1d.ways=2 regs=sm_20",$' "$work/p.json"
ok "its CSV" grep -qx "conditions,baws,baws,l1d.ways=2 regs=sm_20,test,2" "$work/p.csv"
ok "its pages" test "$(grep -l "on baws l1d.ways=2 regs=sm_20, size test, seed 2" "$work/p.md" "$work/p.html" | wc -l)" -eq 2
finish
