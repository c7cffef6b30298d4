#!/usr/bin/env bash
# heddle compare: the table, what a failing run does to the others, files, Ctrl-C.
. tests/shared/cases.sh

job poke "buf A 128 zero" "launch poke 1 1 1 32 1 1 0 p:A i:64"
job slow "buf A 4 zero" "launch forever 60 1 1 1024 1 1 0"

export LC_ALL=C
case_is "two workloads, three schedulers" 0 "out:2 workloads, 3 schedulers" "out:/ lrr" \
    "out:geometric mean" "out:two_level_active:6:0:1" "no:exit status" -- \
    "$heddle" compare vecadd jacobi --sched lrr,gto,two_level_active:6:0:1
case_is "quiet" 0 silent -- "$heddle" compare vecadd --sched lrr,gto --quiet
case_is "one scheduler: nothing to relate" 0 "out:vecadd" "no:IPC relative" -- \
    "$heddle" compare vecadd --sched gto
case_is "no schedulers" 2 "err:compare needs --sched LIST" -- "$heddle" compare vecadd
case_is "no workload" 2 "err:which workloads" -- "$heddle" compare --sched lrr
case_is "an unknown scheduler ends it all" 2 "err:there is no policy 'gtp'" "no:WORKLOAD" -- \
    "$heddle" compare vecadd --sched lrr,gtp
case_is "an empty name" 2 "err:a name is missing" -- "$heddle" compare vecadd --sched lrr,
case_is "the same scheduler twice" 2 "err:lrr and lrr:wrap=1 are the same" -- \
    "$heddle" compare vecadd --sched lrr,lrr:wrap=1

case_is "two machines" 0 "out:2 machines" "out:l1d.ways=2 " "out:l1d.ways=4 " "out:/ lrr" -- \
    "$heddle" compare vecadd --sched lrr,gto --set l1d.ways=2,4 --csv "$work/m.csv"
ok "CSV: which" grep -Eq '^vecadd,gtx480,gto,.*,l1d.ways=2,,$' "$work/m.csv"
case_is "each with its own base" 0 "out:1.000" -- awk -F, '$3 == "lrr" && $8 != 1 { exit 1 } END { print "1.000" }' "$work/m.csv"
case_is "two placements under each of two schedulers" 0 "out:4 schedulers" "out:/ lrr --tb rr" "out:gto --tb fill_first " -- \
    "$heddle" compare vecadd --sched lrr,gto --tb rr,fill_first
case_is "one for all is in the head" 0 "out:2 schedulers, on gtx480, --tb fill_first" "out:/ lrr " -- \
    "$heddle" compare vecadd --sched lrr,gto --tb fill_first
case_is "the same placement twice" 2 "err:--tb: rr and rr are the same" -- "$heddle" compare vecadd --sched lrr --tb rr,rr
"$heddle" compare vecadd --sched gto --tb rr,fill_first --fetch rr,gto --quiet --csv "$work/slots.csv" --json "$work/slots.json"
ok "CSV: slots have columns" grep -Eqx 'vecadd,gtx480,gto,ok,yes,[0-9]+,[0-9.]+,[0-9.]+,,,,gto,fill_first' "$work/slots.csv"
single() { # a run by itself takes the same cycles
    "$heddle" run vecadd --sched gto --tb fill_first --fetch gto --quiet --json "$work/single.json" &&
        python3 - "$work" <<'END'
import csv, json, sys
one = json.load(open(sys.argv[1] + "/single.json"))["totals"]["cycles"]
rows = {(r["fetch"], r["tb"]): int(r["cycles"]) for r in csv.DictReader(open(sys.argv[1] + "/slots.csv"))}
assert len(rows) == 4 and rows["gto", "fill_first"] == one, (rows, one)
runs = json.load(open(sys.argv[1] + "/slots.json"))["runs"]
assert {(r["fetch"], r["tb"]) for r in runs} == set(rows), runs
END
}
ok "and are those of such runs" single
# What a scheduler brings is not named; what is chosen instead of it, or besides it, is.
heads() { # TEXT OPTION...: the first line of a run
    "$heddle" run vecadd "${@:2}" >"$work/head" && grep -qx "vecadd on $1" "$work/head"
}
ok "the head of a run" heads "gtx480 sm.warps=24, scheduler gto, --tb fill_first" --tb fill_first --set sm.warps=24
ok "a fetch order that is the scheduler's" heads "gtx480, scheduler baws" --sched baws
ok "one that it does not bring" heads "gtx480, scheduler gto, --fetch gto" --fetch gto
ok "the usual one in its place" heads "gtx480, scheduler elf, --fetch rr" --sched elf --fetch rr
ok "the same with a parameter" heads "gtx480, scheduler baws, --fetch baws:lead=0" --sched baws --fetch baws:lead=0
ok "what a placement brings" heads "gtx480, scheduler gto, --tb laperm" --tb laperm
"$heddle" run vecadd --fetch gto --set sm.warps=24 --csv "$work/run.csv" --quiet
ok "CSV of a run: the same as columns" grep -q ',ok,,,sm.warps=24,gto$' "$work/run.csv"
"$heddle" compare vecadd --sched lrr,gto --fetch gto --csv "$work/fetch.csv" --quiet
ok "CSV of a comparison: whoever fetches" test "$(grep -c ',gto$' "$work/fetch.csv")" -eq 2
rm -f "$work/slots.db"
"$heddle" compare vecadd --sched elf,gto --fetch rr,gto --db "$work/slots.db" --quiet
case_is "show names them, too" 0 "out:elf --fetch rr " "out:elf --fetch gto " "out:gto --fetch gto " "no:gto --fetch rr" -- \
    "$heddle" show "$work/slots.db"
case_is "a base by its scheduler alone" 0 "out:/ lrr --tb rr" -- \
    "$heddle" compare vecadd --sched gto,lrr --tb rr,fill_first --base lrr
printf 'ptx %s\nbuf A 128 zero\nlaunch nothing 1 1 1 32 1 1 0\ndump A 128 A.out\n' "$work/nothing.ptx" >"$work/dumps.job"
printf '.version 6.0\n.target sm_20\n.address_size 64\n.visible .entry nothing() { ret; }\n' >"$work/nothing.ptx"
"$heddle" compare "$work/dumps.job" --sched gto --tb rr,fill_first --out "$work/dumped" --quiet
ok "folders of dumps name the placement" test -e "$work/dumped/dumps-gto/A.out" -a -e "$work/dumped/dumps-gto-fill_first/A.out"
case_is "machines under one scheduler: the first is the base" 0 "out:/ gtx480" \
    "out:IPC relative to gtx480" "out:debug-flatmem" -- \
    "$heddle" compare vecadd --sched gto --gpu gtx480,debug-flatmem
case_is "a product of two" 0 "out:4 machines" "out:l1d.ways=2 l1d.mshrs=16" -- \
    "$heddle" compare vecadd --sched gto --set l1d.ways=2,4 --set l1d.mshrs=16,32
case_is "a bad value among good ones" 2 "err:section [l1d]" "no:WORKLOAD" -- \
    "$heddle" compare vecadd --sched gto --set l1d.ways=2,x
case_is "too many machines" 2 "err:more than 1024 machines" -- "$heddle" compare vecadd --sched gto \
    --set "flat.latency=$(seq -s, 10 50)" --set "dram.latency=$(seq -s, 10 50)"

case_is "a faulting run leaves the others alone" 3 "out:fault" "out:1.000" \
    "err:poke under gto: exit status 3" "err:out of bounds" -- \
    "$heddle" compare "$work/poke.job" vecadd --sched lrr,gto --json "$work/c.json" \
    --csv "$work/c.csv"
case_is "one that does not exist is reported before anything runs" 2 "no:WORKLOAD" \
    "err:there is no workload 'nope'" -- \
    "$heddle" compare nope vecadd --sched lrr,gto
ok "CSV: a head and four lines" test "$(wc -l <"$work/c.csv")" -eq 5
ok "CSV: the fault" grep -q '^poke,gtx480,lrr,fault,,,,,,,$' "$work/c.csv"
ok "CSV: the base" grep -Eq '^vecadd,gtx480,lrr,ok,yes,[0-9]+,[0-9.]+,1,,,$' "$work/c.csv"
ok "JSON: four runs" test "$(grep -c '"exit_status"' "$work/c.json")" -eq 4

case_is "a limit: IPC up to there, marked, and its own exit status" 4 "out:limit: stopped after 2000 warp instructions" \
    "out:IPC relative to lrr" "no:exit status" -- "$heddle" compare vecadd scan --sched lrr,gto --max-insts 2000 \
    --csv "$work/cut.csv" --json "$work/cut.json" --html "$work/cut.html" --db "$work/cut.db"
ok "limit: CSV" test "$(grep -Ec ',limit,[a-z]*,[0-9]+,[0-9.]+,[0-9.]+,max-insts=2000,,$' "$work/cut.csv")" -eq 4
ok "limit: HTML" bash -c "test \$(grep -c 'limit: stopped after 2000 warp' '$work/cut.html') -eq 2 && grep -q '>limit<' '$work/cut.html'"
ok "limit: JSON" /usr/bin/python3 -c 'import json, sys
c = json.load(open(sys.argv[1]))
assert c["limit"].startswith("limit: stopped after 2000"), c["limit"]
assert [r["status"] for r in c["runs"]] == ["limit"] * 4 and all(r["relative_ipc"] > 0 for r in c["runs"])
assert [(m["workloads"], m["limited"]) for m in c["means"]] == [(2, 2)] * 2' "$work/cut.json"
case_is "limit: the database" 0 "out:limit" -- "$heddle" show "$work/cut.db"
case_is "limit: known again" 4 "out:4 stored before, 0 simulated now" "out:limit: stopped" -- "$heddle" compare vecadd scan \
    --sched lrr,gto --max-insts 2000 --db "$work/cut.db"
case_is "a limit that is not reached changes nothing" 0 "no:limit" -- \
    "$heddle" compare vecadd --sched lrr,gto --max-insts 100000000
case_is "a fault beside a limit" 3 -- "$heddle" compare "$work/poke.job" scan --sched lrr --max-insts 2000

case_is "a workload named twice" 0 "out:2 workloads" "err:vecadd is given more than once; it is used once" -- \
    "$heddle" compare vecadd scan vecadd --sched lrr
case_is "a machine named twice" 0 "no:machines" "err:--gpu gtx480 is given more than once" -- \
    "$heddle" compare vecadd --sched lrr --gpu gtx480,gtx480
case_is "a value named twice" 0 "out:2 machines" "err:--set l1d.ways=2 is given more than once" -- \
    "$heddle" compare vecadd --sched lrr --set l1d.ways=2,4,2
case_is "a key named twice" 2 "err:--set l1d.ways=... is given twice" "err:give all values to compare after one '='" -- \
    "$heddle" compare vecadd --sched lrr --set l1d.ways=2 --set l1d.ways=4
case_is "run: a key named twice" 0 "err:--set l1d.ways is given twice; l1d.ways=4 counts" -- \
    "$heddle" run vecadd --set l1d.ways=2 --set l1d.ways=4

"$heddle" compare vecadd scan --sched lrr,gto --no-host --jobs 1 --json "$work/one.json" >"$work/one"
"$heddle" compare vecadd scan --sched lrr,gto --no-host --jobs 4 --json "$work/four.json" >"$work/four"
same "the order does not depend on who is first: table" "$work/one" "$work/four"
same "the order does not depend on who is first: JSON" "$work/one.json" "$work/four.json"

width() { awk '{ if (length($0) > 80) { print; bad = 1 } } END { exit bad }' "$1"; }
ok "80 columns" width "$work/one"
ok "ASCII where the locale is not UTF-8" bash -c "grep -q '##' '$work/one' && ! grep -q '[^ -~]' '$work/one'"
LC_ALL=C.UTF-8 "$heddle" compare vecadd --sched lrr,gto >"$work/utf8"
ok "blocks where it is" grep -q '█' "$work/utf8"

progress() { # at a terminal: how many of how many, and the time left
    /usr/bin/python3 - "$heddle" <<'PYTHON'
import os, pty, sys
seen = b""
def read(fd):
    global seen
    data = os.read(fd, 4096)
    seen += data
    return data
sys.stdout = open(os.devnull, "w")
status = pty.spawn([sys.argv[1], "compare", "vecadd", "scan", "--sched", "lrr,gto", "--jobs", "1"], read)
sys.exit(not (status == 0 and b"/4 runs" in seen and b" s left" in seen and b"[....." in seen
              and b"left: scan under lrr" in seen))
PYTHON
}
ok "progress at a terminal, with what runs" progress
blocks_done() { # of a run that takes a while
    /usr/bin/python3 - "$heddle" <<'PYTHON'
import os, pty, re, sys
seen = b""
def read(fd):
    global seen
    data = os.read(fd, 4096)
    seen += data
    return data
sys.stdout = open(os.devnull, "w")
os.environ["COLUMNS"] = "80"
pty.spawn([sys.argv[1], "compare", "hotspot", "--sched", "lrr", "--jobs", "1"], read)
sys.exit(not re.search(rb"0/1 runs: hotspot under lrr, \d+/[1-9]\d* blocks", seen))
PYTHON
}
ok "and how many of its blocks are done" blocks_done
interrupted() { # Ctrl-C while children run: they end, and so does the parent, with 130
    local parent children status i
    "$heddle" compare "$work/slow.job" --sched lrr,gto --jobs 2 >"$work/out" 2>"$work/err" &
    parent=$!
    for i in $(seq 50); do
        children=$(pgrep -P $parent)
        [ "$(wc -w <<<"$children")" -eq 2 ] && break
        sleep 0.05
    done
    kill -TERM $parent # background jobs of a script ignore SIGINT; both are handled alike
    wait $parent
    status=$?
    [ $status -eq 130 ] || { echo "status $status" && return 1; }
    [ -n "$children" ] || { echo "no children seen" && return 1; }
    ! kill -0 $children 2>/dev/null
}
ok "an interrupt ends the children" interrupted

case_is "base: no machine after the @" 2 "err:--base gto@: a machine is missing after the '@'" -- \
    "$heddle" compare vecadd --sched lrr,gto --base gto@
case_is "base: an @ alone" 2 "err:--base @: a machine is missing" -- \
    "$heddle" compare vecadd --sched lrr,gto --base @

# Every run has a folder for its dumps: schedulers, machines, and jobs of one name.
mkdir "$work/a" "$work/b"
for n in 1 2; do
    dir=$work/$([ $n = 1 ] && echo a || echo b)
    { echo "ptx $PWD/workloads/kernels/vecadd/vecadd.ptx" && echo "buf A 4000 seq32" && echo "buf C 4000 zero" &&
        echo "launch vecadd $n 1 1 256 1 1 0 p:A p:A p:C i:1000" && echo "dump C 4000 sub/c.bin"; } >"$dir/sum.job"
done
dumped() {
    "$heddle" compare "$work/a/sum.job" "$work/b/sum.job" --sched lrr,gto --set sm.sms=2,1 --quiet \
        --out "$work/dumps" || return 1
    find "$work/dumps" -type f -printf '%P\n' | sort >"$work/found"
    for sched in gto lrr; do
        for sms in 1 2; do
            echo "sum-$sched-sm.sms=$sms-2/sub/c.bin"
            echo "sum-$sched-sm.sms=$sms/sub/c.bin"
        done
    done | sort | diff "$work/found" - &&
        cmp "$work/dumps/sum-gto-sm.sms=1/sub/c.bin" "$work/dumps/sum-lrr-sm.sms=2/sub/c.bin" &&
        ! cmp -s "$work/dumps/sum-gto-sm.sms=1/sub/c.bin" "$work/dumps/sum-gto-sm.sms=1-2/sub/c.bin"
}
ok "dumps of machines and of jobs with one name do not overwrite each other" dumped
mkdir -p "$work/dumps/sum-gto/sub"
case_is "a dump that a result would take the place of" 2 "err:a dump of the job" -- \
    "$heddle" compare "$work/a/sum.job" --sched lrr,gto --out "$work/dumps" \
    --json "$work/dumps/sum-gto/sub/c.bin"
finish
