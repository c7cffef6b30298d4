#!/usr/bin/env bash
# heddle run --record and heddle run FILE.trace: the same cycles and counters without the values, or
# a refusal that says why.
. tests/shared/cases.sh

record() { # NAME ARGUMENT...: the trace and the results in $work
    local name=$1
    shift
    rm -f "$work/$name.trace"
    "$heddle" run "$@" --record "$work/$name.trace" --no-host --quiet --out "$work" \
        --json "$work/$name.json" && [ -s "$work/$name.trace" ]
}
alike() { # JSON JSON: but for where the instructions came from, and what that leaves unchecked
    /usr/bin/python3 - "$@" <<'PYTHON'
import json, sys
one, two = [json.load(open(f)) for f in sys.argv[1:]]
assert one["source"] == "program" and two["source"] == "trace", (one["source"], two["source"])
assert two["verified"] is None and two["checks"] == [] and two["status"] == "ok"
for run in one, two:
    del run["source"], run["verified"], run["checks"]
    del run["options"]["no_skip"]
assert one["kernels"], "nothing ran"
assert one == two, [k for k in one if one[k] != two.get(k)]
PYTHON
}
replay() { # NAME OPTION...: of a replay as of the program itself
    local name=$1
    shift
    "$heddle" run "${what[@]}" "$@" --no-host --quiet --out "$work" --json "$work/direct.json" &&
        "$heddle" run "$work/$name.trace" "$@" --no-host --quiet --json "$work/replayed.json" &&
        alike "$work/direct.json" "$work/replayed.json"
}

# hotspot, recorded with and without timing, under other policies and on another machine.
what=(hotspot --size test)
ok "hotspot is recorded" record hotspot "${what[@]}" --sched lrr
for sched in lrr gto two_level_active pro baws; do
    ok "hotspot under $sched" replay hotspot --sched "$sched"
done
ok "hotspot, every cycle stepped" replay hotspot --no-skip
ok "hotspot on flat memory" replay hotspot --gpu debug-flatmem
ok "hotspot with fewer blocks on an SM" replay hotspot --set kernel.hotspot.regs=40
ok "hotspot with fewer SMs" replay hotspot --set sm.sms=4
ok "hotspot with metrics" replay hotspot --metrics
ok "hotspot is recorded without timing" record quick "${what[@]}" --functional-only
ok "and replayed with it" replay quick --sched gto
case_is "what a replay says" 0 "out:hotspot (test, seed 1) on gtx480, scheduler gto" \
    "out:replayed, nothing to verify" -- "$heddle" run "$work/hotspot.trace"
ok "another seed" record seed hotspot --size test --seed 5
case_is "is told" 0 "out:hotspot (test, seed 5)" -- "$heddle" run "$work/seed.trace"
ok "once more" record again "${what[@]}" --sched lrr
ok "gives the same bytes" cmp "$work/hotspot.trace" "$work/again.trace"
case_is "annotate" 0 "out:ld.global" -- "$heddle" annotate "$work/hotspot.trace"
case_is "compare" 0 "out:hotspot" -- "$heddle" compare "$work/hotspot.trace" --sched lrr,gto


traced() { # NAME LINE...: a job over data/traces.ptx
    local name=$1
    shift
    { echo "ptx $data/traces.ptx" && printf '%s\n' "$@"; } >"$work/$name.job"
}
independent() { # NAME LINE...: recorded under lrr, the same under gto
    traced "$@"
    what=("$work/$1.job")
    ok "$1 is recorded" record "$1" "${what[@]}" --sched lrr
    ok "$1 replays" replay "$1" --sched gto
}
dependent() { # NAME REASON LINE...: refused under gto, not under lrr, nor by force
    local name=$1 reason=$2
    shift 2
    traced "$name" "$@"
    what=("$work/$name.job")
    ok "$name is recorded" record "$name" "${what[@]}" --sched lrr
    ok "$name replays on the machine it was recorded on" replay "$name" --sched lrr
    case_is "$name is refused on another" 2 "err:not replayable with sched=gto" "err:$reason" \
        "err:--force" -- "$heddle" run "$work/$name.trace" --sched gto
    case_is "$name by force" 0 "out:by force, nothing to verify" -- \
        "$heddle" run "$work/$name.trace" --sched gto --force
    case_is "$name on another machine" 2 "err:not replayable with" -- \
        "$heddle" run "$work/$name.trace" --sched lrr --set sm.sms=7
}

dependent lock "PTX line 22 writes global memory that line 22 writes in another block, with no end" \
    "buf A 8 zero" "launch lock 4 1 1 64 1 1 0 p:A"
dependent clock "PTX line 42 reads a clock" "buf A 8 zero" "launch clock 4 1 1 64 1 1 0 p:A"
dependent place "reads %smid" "buf A 8 zero" "launch place 1 1 1 1 1 1 0 p:A"
dependent print "PTX line 75 prints" "buf A 8 zero" "launch print 1 1 1 32 1 1 0 p:A"
dependent heap "PTX line 89 takes or gives back memory of the heap" "buf A 8 zero" \
    "launch heap 1 1 1 1 1 1 0 p:A"
dependent barless "PTX line 117 reads shared memory that line 110 writes in another warp, with no barrier" \
    "buf A 256 zero" "launch neighbour 1 1 1 64 1 1 0 p:A u:0"
dependent blocks "line 132 writes global memory that line 132 writes in another block, with no end of the kernel" \
    "buf A 8 zero" "launch last 2 1 1 32 1 1 0 p:A"
dependent stored "PTX line 148 writes global memory that line 148 writes in another warp" \
    "buf A 8 zero" "launch bytes 1 1 1 64 1 1 0 p:A u:0"
dependent fsum "PTX line 171 is an atomic whose result depends on the order" \
    "buf A 8 zero" "launch fsum 1 1 1 64 1 1 0 p:A"
dependent part "PTX line 178 is a barrier for part of a block" \
    "buf A 8 zero" "launch part 1 1 1 64 1 1 0 p:A"
independent barrier "buf A 256 zero" "launch neighbour 1 1 1 64 1 1 0 p:A u:1"
independent bytes "buf A 256 zero" "launch bytes 1 1 1 64 1 1 0 p:A u:1"
independent redundant "buf A 256 zero" "launch neighbour 2 1 1 64 1 1 0 p:A u:1"
independent sum "buf A 8 zero" "launch sum 4 1 1 64 1 1 0 p:A"
independent kernels "buf A 256 zero" "launch neighbour 1 1 1 64 1 1 0 p:A u:1" \
    "launch neighbour 1 1 1 64 1 1 0 p:A u:1" "launch sum 2 1 1 64 1 1 0 p:A"

what=(tests/accuracy/jobs/bfs_queue/bfs_queue.job)
ok "BFS with atomics is recorded" record queue "${what[@]}" --sched lrr
ok "and replays where it was recorded" replay queue --sched lrr
case_is "but nowhere else" 2 "err:kernel bfs_step" "err:atomic whose result depends" -- \
    "$heddle" run "$work/queue.trace" --sched gto
ok "without timing it was recorded nowhere" record nowhere "${what[@]}" --functional-only
case_is "so it replays nowhere" 2 "err:not replayable with timing" -- \
    "$heddle" run "$work/nowhere.trace"

# compare executes what depends on time, replays the rest, and shows the same.
compare() { # NAME OPTION...
    local name=$1
    shift
    TMPDIR=$work "$heddle" compare hotspot bfs --size test --sched lrr,gto,pro,baws,oldest --no-host \
        --csv "$work/$name.csv" --json "$work/$name.json" "$@" >"$work/$name.txt"
}
sources() { # NAME SOURCE...: of its runs
    /usr/bin/python3 - "$work/$1.json" "${@:2}" <<'PYTHON'
import json, sys
runs = json.load(open(sys.argv[1]))["runs"]
seen = [run["source"] for run in runs]
assert seen == sys.argv[2:], seen
assert all(run["verified"] is True for run in runs)
PYTHON
}
ok "compare" compare replayed
ok "compare --no-replay" compare executed --no-replay
same "the same table" "$work/replayed.txt" "$work/executed.txt"
same "the same rows" "$work/replayed.csv" "$work/executed.csv"
ok "replays of hotspot, not of bfs" sources replayed trace trace trace trace trace \
    program program program program program
ok "none if not wanted" sources executed program program program program program \
    program program program program program
# A trace holds addresses: under another arrangement of memory it is not what the program does.
arrangements() { # NAME OPTION...
    TMPDIR=$work "$heddle" compare hotspot --size test --sched lrr,gto,oldest,lfws --set mem.spread=0,4352 --no-host --quiet \
        --csv "$work/$1.csv" --json "$work/$1.json" "${@:2}"
}
ok "another arrangement of memory" arrangements spread
ok "without replays" arrangements spread-executed --no-replay
same "the same cycles" "$work/spread.csv" "$work/spread-executed.csv"
ok "which depend on it" test "$(grep -c spread=0 "$work/spread.csv")" -ne \
    "$(cut -d, -f3,6 "$work/spread.csv" | sort -u | grep -vc sched)"
ok "only the recorded one is replayed" sources spread trace trace trace trace program program program program
case_is "nor by itself" 2 "err:recorded with mem.spread=0, under another" -- \
    "$heddle" run "$work/hotspot.trace" --set mem.spread=4352
case_is "nor elsewhere in memory" 2 "err:recorded with mem.base=2147483648, under another" -- \
    "$heddle" run "$work/hotspot.trace" --set mem.base=0xC0000000
# A trace of version 1; in the corpus, a byte is in front of it.
tail -c +2 tests/fuzz/corpus/trace/file >"$work/old.trace"
older=("$heddle" run "$work/old.trace" --gpu qv100 --set sm.path_order=0 --set mem.base=0x80000000)
case_is "an older trace does not tell what the L2 has" 2 "err:does not say what the host copied" \
    "err:record it again" -- "${older[@]}"
case_is "where that does not matter, it runs" 0 "out:replayed, nothing to verify" -- "${older[@]}" \
    --set l2.copies=0
ok "and nothing is left" test -z "$(find "$work" -name 'heddle-*')"

# What cannot be.
case_is "a trace of a trace" 2 "err:is itself the replay of a trace" -- \
    "$heddle" run "$work/hotspot.trace" --sched lrr --record "$work/copy.trace"
cp "$data/traces.ptx" "$work/text.trace"
case_is "a text" 2 "err:text.trace: error: not a trace" -- "$heddle" run "$work/text.trace"
case_is "no file" 2 "err:cannot read" -- "$heddle" run "$work/none.trace"
case_is "nowhere to write" 2 "err:cannot write" -- "$heddle" run vecadd --record "$work/none/x.trace"
case_is "values" 2 "err:no values" -- "$heddle" run "$work/hotspot.trace" --functional-only
case_is "a size" 2 "err:the input it was recorded with" -- "$heddle" run "$work/hotspot.trace" --size test
case_is "one place for two" 2 "err:both go to" -- "$heddle" run vecadd --json "$work/x" --record "$work/x"
case_is "a run that was cut short" 1 "out:stopped at the limit" -- \
    "$heddle" run hotspot --size test --max-cycles 100 --record "$work/short.trace"
nothing_left() { # FILE: neither it nor what it was to be made of
    [ ! -e "$1" ] && [ -z "$(find "$work" -name '.heddle.*.part')" ]
}
ok "leaves no trace" nothing_left "$work/short.trace"
job poke "buf A 128 zero" "launch poke 1 1 1 32 1 1 0 p:A i:64"
case_is "a fault" 3 "err:out of bounds" -- "$heddle" run "$work/poke.job" --record "$work/fault.trace"
ok "leaves none either" nothing_left "$work/fault.trace"

# What is no file: a pipe is written into and stays where it is, as other results are.
mkfifo "$work/pipe.trace"
into_pipe() {
    cat "$work/pipe.trace" >"$work/through.trace" &
    "$heddle" run hotspot --size test --sched lrr --quiet --record "$work/pipe.trace" || return
    wait $!
    [ -p "$work/pipe.trace" ] && cmp "$work/hotspot.trace" "$work/through.trace"
}
ok "a trace goes through a pipe" into_pipe
case_is "but does not come out of one" 2 "err:cannot read" "err:not a regular file" -- \
    timeout 10 "$heddle" run "$work/pipe.trace"
mkdir "$work/folder"
case_is "a folder in its place" 2 "err:cannot write $work/folder: Is a directory" "no:KERNEL" -- \
    "$heddle" run vecadd --record "$work/folder"

# Damage: every byte that is there counts.
size=$(stat -c %s "$work/hotspot.trace")
cut() { # BYTES
    head -c "$1" "$work/hotspot.trace" >"$work/cut.trace"
    meets 2 "err:cut.trace: error:" -- "$heddle" run "$work/cut.trace"
}
for bytes in 0 8 15 16 60 1000 $((size / 2)) $((size - 65)) $((size - 1)); do
    ok "cut behind $bytes bytes" cut "$bytes"
done
unpacks() { # JSON: of the trace with a byte flipped, if that runs
    "$heddle" run "$work/flipped.trace" --quiet --no-host --json "$work/$1.json" >/dev/null 2>&1
}
cp "$work/hotspot.trace" "$work/flipped.trace"
unpacks intact
flip() { # BYTE: it is noticed, or it is one of the few bits that mean nothing to zstd
    cp "$work/hotspot.trace" "$work/flipped.trace"
    byte=$(od -An -tu1 -j "$1" -N1 "$work/flipped.trace")
    printf "\\x$(printf %02x $((byte ^ 16)))" |
        dd of="$work/flipped.trace" bs=1 seek="$1" conv=notrunc status=none
    if unpacks flipped; then
        cmp "$work/intact.json" "$work/flipped.json"
    else
        meets 2 "err:flipped.trace: error:" -- "$heddle" run "$work/flipped.trace" --quiet
    fi
}
for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    ok "byte $((3 + size / 16 * i)) of $size flipped" flip $((3 + size / 16 * i))
done
ok "the last byte flipped" flip $((size - 1))

# Copies of the host beyond the first 4 GiB of addresses, on a machine whose L2 gets them.
cp "$data/traces.ptx" "$work/traces.ptx"
traced high "buf far 3221225472 zero" "buf A 65536 rand32 1" "launch sum 4 1 1 64 1 1 0 p:A"
what=("$work/high.job")
ok "high addresses are recorded" record high "${what[@]}" --sched lrr --gpu rtx2060
ok "high addresses replay" replay high --sched lrr --gpu rtx2060

# A trace is known by what it begins with.
for name in add.heddle add.job ./vecadd; do
    case_is "a trace called $name is recorded" 0 silent -- \
        bash -c "cd '$work' && HEDDLE_DATA='$PWD' '$(realpath "$heddle")' run vecadd --quiet --record $name"
    case_is "and replayed" 0 "out:vecadd on gtx480" "out:replayed" -- \
        bash -c "cd '$work' && HEDDLE_DATA='$PWD' '$(realpath "$heddle")' run $name --sched lrr"
done
case_is "a workload's name stays the workload's" 0 "out:results verified" -- \
    bash -c "cd '$work' && HEDDLE_DATA='$PWD' '$(realpath "$heddle")' run vecadd"
case_is "a file of something else" 2 "err:there is no workload" -- "$heddle" run "$0"
finish
