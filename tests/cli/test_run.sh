#!/usr/bin/env bash
# heddle run: jobs from outside, what they end with, and the files they leave.
. tests/shared/cases.sh

words() { # NUMBER... as 32-bit little-endian words
    local w i
    for w in "$@"; do
        for i in 0 8 16 24; do
            printf "\\x$(printf %02x $((w >> i & 255)))"
        done
    done
}
field() { # FILE KEY.KEY...: a value of a result file, as JSON
    /usr/bin/python3 -c 'import json,sys
v = json.load(open(sys.argv[1]))
for k in sys.argv[2].split("."):
    v = v[int(k)] if k.isdigit() else v[k]
print(json.dumps(v))' "$1" "$2"
}

for name in vecadd transpose matmul scan jacobi; do
    case_is "$name" 0 "out:results verified" "out:$name" -- "$heddle" run $name
    case_is "$name, functional only" 0 "out:no timing" "out:results verified" "no:CYCLES" -- \
        "$heddle" run $name --functional-only
done
case_is "a job by its path" 0 "out:results verified" -- "$heddle" run workloads/kernels/scan/scan.job
case_is "quiet" 0 silent -- "$heddle" run vecadd --quiet
case_is "the reference's machine and scheduler" 0 "out:vecadd on gtx480, scheduler gto" -- \
    "$heddle" run vecadd
case_is "options before and behind" 0 "out:scheduler lrr" -- "$heddle" run --sched lrr vecadd
case_is "the last one counts" 0 "out:scheduler gto" -- "$heddle" run vecadd --sched lrr --sched=gto

# A workload's other PTX takes other cycles to the same results.
cycles() { # OPTION...
    "$heddle" run vectoradd --size test --quiet "$@" --json "$work/ptx.json" >"$work/ptx.txt" || return
    field "$work/ptx.json" totals.cycles
}
case_is "the PTX of clang" 0 "out:results verified" -- "$heddle" run vectoradd --size test --ptx sm_20
ok "is other PTX" test "$(cycles --ptx sm_20)" != "$(cycles)"
ok "sm_75 is the default" test "$(cycles --ptx sm_75)" = "$(cycles)"
case_is "PTX that no workload has" 2 "err:--ptx sm_80" "err:expected sm_20 or sm_75" -- \
    "$heddle" run vectoradd --ptx sm_80
case_is "a job has its own modules" 2 "err:--ptx: a job" -- "$heddle" run vecadd --ptx sm_20

# Values: constants, arguments of every size, contents, dumps.
words 3 99 >"$work/factor.bin"
words $(seq 0 3 93) >"$work/scaled.expect"
words 0 0 >"$work/wrong.expect"
job scale "const factor 4 file factor.bin" "buf A 128 zero" "launch scale 1 1 1 32 1 1 0 p:A" \
    "check A 128 scaled.expect exact" "dump A 8 deep/er/A.bin"
case_is "a constant from a file" 0 "out:results verified" -- \
    "$heddle" run "$work/scale.job" --out "$work/out"
words 0 3 >"$work/dumped"
same "what was dumped" "$work/out/deep/er/A.bin" "$work/dumped"
job echo "buf A 16 zero" "launch echo 1 1 1 1 1 1 0 p:A u:4000000000 w:-2 b:200 d:-0.5" \
    "dump A 16 echo.bin"
case_is "nothing to check" 0 "out:nothing to check" -- "$heddle" run "$work/echo.job" --out "$work"
printf '\0\0\0\0\0\0\xe0\xbf\0\x28\x6b\xee\xfe\xff\xc8\0' >"$work/echo.want"
same "arguments of every size" "$work/echo.bin" "$work/echo.want"
case_is "a folder that cannot be made" 2 "err:cannot write" -- \
    "$heddle" run "$work/echo.job" --out "$work/scale.job"

# What a check says.
mapfile -t launches < <(yes "launch echo 1 1 1 1 1 1 0 p:A u:1 w:2 b:3 d:4" | head -n 65)
job often "buf A 16 zero" "${launches[@]}"
case_is "many launches are a row per kernel" 0 "out:echo x 65" "no:total" -- "$heddle" run "$work/often.job"

job wrong "const factor 4 file factor.bin" "buf A 128 zero" "launch scale 1 1 1 32 1 1 0 p:A" \
    "check A 8 wrong.expect exact" "check A 8 scaled.expect f32 1"
case_is "a failed check" 1 "out:results differ: 1 of 2 checks failed" \
    "err:wrong.job:5: check A: 1 of 2 words differ; the first is word 1: 0x00000003" -- \
    "$heddle" run "$work/wrong.job" --json "$work/wrong.json"
case_is "a failed check, quiet" 1 "err:1 of 2 words differ" "no:KERNEL" -- \
    "$heddle" run "$work/wrong.job" --quiet

# The simulated program's faults.
job poke "buf A 128 zero guard 256" "buf B 128 zero" "launch poke 1 1 1 32 1 1 0 p:A i:16"
case_is "a fault" 3 "err:fault in kernel poke, launch 0: out of bounds, write of 4 bytes at 0x80000080" \
    "err:block (0, 0, 0), thread (16, 0, 0)" "err:kernels.ptx:34: st.global.u32" \
    'err:at the end of `A`' "out:stopped: fault" -- "$heddle" run "$work/poke.job" --json "$work/poke.json"
case_is "the same without timing" 3 "err:thread (16, 0, 0)" -- \
    "$heddle" run "$work/poke.job" --functional-only
job near "buf A 128 zero" "buf B 128 zero" "launch poke 1 1 1 32 1 1 0 p:A i:64"
case_is "the neighbour, without a guard" 0 "out:nothing to check" -- "$heddle" run "$work/near.job"
job misaligned "buf A 256 zero" "launch poke 1 1 1 32 1 1 0 p:A+2 i:0"
case_is "a misaligned access" 3 "err:misaligned" "err:0x80000002" -- \
    "$heddle" run "$work/misaligned.job"
job stuck "buf A 4 zero" "launch stuck 1 1 1 32 1 1 0"
case_is "a deadlock" 3 "err:deadlock in kernel stuck, launch 0" -- \
    "$heddle" run "$work/stuck.job" --json "$work/stuck.json"
job forever "buf A 4 zero" "launch forever 1 1 1 32 1 1 0"
case_is "a livelock" 3 "err:livelock in kernel forever" \
    "err:instructions issued, but there was no progress, and there never will be" \
    "err:comes back to a state that it had before" "err:SM 1 warp 0 (block 0): PTX line" \
    "err:, repeats itself and changes nothing" -- \
    "$heddle" run "$work/forever.job" --set gpu.livelock_after=10000
case_is "a livelock without timing" 3 "err:livelock in kernel forever" \
    "err:instructions issued, but there was no progress, and there never will be" \
    "err:warp 0 (block 0): PTX line" -- \
    "$heddle" run "$work/forever.job" --functional-only
job many "buf A 4 zero" "launch forever 1 1 1 1024 1 1 0"
case_is "a livelock of many warps without timing" 3 "err:livelock in kernel forever" \
    "err:warp 31 (block 0): PTX line" -- \
    "$heddle" run "$work/many.job" --functional-only
case_is "a limit of cycles" 0 "out:stopped at the limit" -- \
    "$heddle" run "$work/forever.job" --max-cycles 1000 --json "$work/limit.json"
case_is "a limit before the checks" 1 "out:stopped at the limit; results not checked" -- \
    "$heddle" run vecadd --max-insts 1000

# The machine refuses what it can never run, and says where it was asked for.
job large "kernel poke regs 1000" "buf A 4096 zero" "launch poke 1 1 1 1024 1 1 0 p:A i:0"
case_is "a block that does not fit" 2 "err:large.job:4:8: error:" \
    "err:the number of registers of a block is 1024000, but this GPU allows 32768; it has 1024 threads with 1000 each (job)" \
    "err:; --set sm.registers=1024000 gives it more, --set kernel.poke.regs=32 if its threads need no more" -- \
    "$heddle" run "$work/large.job"
case_is "today's registers on an old machine" 2 "err:1024 threads with 40 each (set)" "err:; --set sm.registers=65536 gives it more" -- \
    "$heddle" run "$work/large.job" --set kernel.poke.regs=40
case_is "with what the message says" 0 "out:poke" -- \
    "$heddle" run "$work/large.job" --set kernel.poke.regs=40 --set sm.registers=65536
case_is "shared memory that does not fit" 2 \
    "err:the size of a block's shared memory in bytes is 60000, but this GPU allows 49152; --set sm.shared_bytes=60000" -- \
    "$heddle" run "$work/large.job" --set kernel.poke.regs=16 --set kernel.poke.smem=60000
case_is "registers over the job's" 0 "out:poke" -- \
    "$heddle" run "$work/large.job" --set kernel.poke.regs=16 --json "$work/large.json"

limited() { # LIMIT COMMAND...: under a limit of the shell
    (ulimit $1 && shift && "$@")
}
# Where sanitizers reserve address space for themselves, they fail first.
if ! nm "$heddle" 2>/dev/null | grep -q __asan_init; then
    case_is "no address space for the device's memory" 2 "err:no room for buffer" "err:(ulimit -v)" -- \
        limited "-v 200000" "$heddle" run vecadd
fi
case_is "a file may not become as long" 2 "err:File too large" -- \
    limited "-f 1" "$heddle" run vecadd --quiet --json "$work/long.json"
case_is "a results database that cannot be" 2 "err:none/x.db" -- \
    "$heddle" run vecadd --record "$work/lost.trace" --db "$work/none/x.db"
ok "leaves no part of a trace" test -z "$(find "$work" -name '.heddle.*.part')"
esc=$'\e[31m' name=$'a\nb\e[31m.job'
cp "$work/scale.job" "$work/$name"
case_is "a name that would steer the terminal" 0 "out:a?b?[31m on gtx480" "no:$esc" -- \
    "$heddle" run "$work/$name" --out "$work/out"
ok "no dump of these tests is left in the tree" test ! -e deep
case_is "and one that is not there" 2 "err:no?such?[31m.job" "no:$esc" -- \
    "$heddle" run "$work/"$'no\nsuch\e[31m.job'
case_is "in a table" 0 "out:a?b?[31m" "no:$esc" -- "$heddle" compare "$work/$name" --sched lrr,gto

# Without extern "C" a kernel has another name in the PTX.
sed 's/vecadd/_Z6vecaddPKfS0_Pfi/' workloads/kernels/vecadd/vecadd.ptx >"$work/mangled.ptx"
{ grep -Ev '^(ptx|kernel|buf)' workloads/kernels/vecadd/vecadd.job && echo "ptx mangled.ptx" &&
    printf 'buf %s 393216 zero\n' A B C; } | grep -v check >"$work/mangled.job"
case_is "a kernel that C++ named" 2 "err:there is no kernel 'vecadd'" \
    "err:C++ named it _Z6vecaddPKfS0_Pfi; extern \"C\"" -- "$heddle" run "$work/mangled.job"
sed 's/^launch vecadd/launch _Z6vecaddPKfS0_Pfi/' "$work/mangled.job" >"$work/named.job"
case_is "and is shown as people write it" 0 "out:vecadd   384" "no:_Z6" -- \
    "$heddle" run "$work/named.job" --metrics --json "$work/named.json" --timeline "$work/named.trace.json"
case_is "in the results as both" 0 'out:"name": "_Z6vecaddPKfS0_Pfi"' \
    'out:"demangled": "vecadd(float const*, float const*, float*, int)"' -- cat "$work/named.json"
case_is "short in a timeline" 0 'out:"name":"vecadd"' "no:_Z6" -- cat "$work/named.trace.json"
case_is "and whole above its lines" 0 "out:kernel vecadd(float const*, float const*, float*, int): 1 launch" -- \
    "$heddle" annotate "$work/named.job"

# Many buffers cost no more than reading their lines; large ones can be interrupted.
{ sed "s|^ptx |ptx $PWD/workloads/kernels/vecadd/|; s|file \([AB]\)|file $PWD/workloads/kernels/vecadd/\1|" workloads/kernels/vecadd/vecadd.job |
    grep -v '^check' && printf 'buf b%d 4 zero\n' {1..100000}; } >"$work/many.job"
many() { # each name was once compared with all before it
    (ulimit -t 15 && "$heddle" run "$work/many.job" --functional-only --quiet)
}
ok "a hundred thousand buffers" many
{ sed "s|^ptx |ptx $PWD/workloads/kernels/vecadd/|; s|file \([AB]\)|file $PWD/workloads/kernels/vecadd/\1|" workloads/kernels/vecadd/vecadd.job |
    grep -v '^check' && printf 'buf b%d 17179869184 rand32 1\n' {1..8}; } >"$work/large.job"
large() {
    local status=0
    timeout --preserve-status -s TERM -k 20 1 "$heddle" run "$work/large.job" >"$work/.out" 2>&1 || status=$?
    cat "$work/.out"
    [ "$status" -eq 130 ] && grep -q 'interrupted' "$work/.out"
}
ok "filling large buffers can be interrupted" large

# What is wrong with a job against its module and its files.
job bad "buf A 128 file factor.bin" "buf B 4 file none.bin" "const facto 4 file factor.bin" \
    "launch scal 1 1 1 1 1 1 0" "launch scale 1 1 1 1 1 1 0" \
    "launch poke 1 1 1 1 1 1 0 p:A l:1"
case_is "every mistake in one go" 2 \
    "err:bad.job:2:16: error: $work/factor.bin has 8 bytes, A needs 128" \
    "err:bad.job:3:14: error: cannot read" \
    "err:bad.job:5:8: error: there is no kernel 'scal' in $data/kernels.ptx; did you mean 'scale'?" \
    "err:bad.job:6:8: error: kernel 'scale' takes 1 argument, 0 given" \
    "err:bad.job:7:31: error: argument 2: 'l:1' has 8 bytes, parameter 'where' has 4" -- \
    "$heddle" run "$work/bad.job"
job symbol "const facto 4 file factor.bin" "launch stuck 1 1 1 1 1 1 0"
case_is "an unknown symbol" 2 "err:symbol.job:2:7: error:" "err:did you mean 'factor'?" -- \
    "$heddle" run "$work/symbol.job"
job toolong "const factor 12 file scaled.expect" "launch stuck 1 1 1 1 1 1 0"
case_is "a symbol that is smaller" 2 "err:12 bytes, but variable 'factor' has 8" -- \
    "$heddle" run "$work/toolong.job"
case_is "an unknown word, with its line" 2 "err:^" "err:did you mean 'launch'?" -- \
    bash -c "printf 'ptx a\r\n  lanch k\r\n' >'$work/w.job'; '$heddle' run '$work/w.job'"
case_is "a folder as a job" 2 "err:not a regular file" -- \
    bash -c "mkdir '$work/d.job'; '$heddle' run '$work/d.job'"
case_is "an absurd size" 2 "err:from 1 to 17179869184" -- \
    bash -c "printf 'ptx a\nbuf A 99999999999999 zero\n' >'$work/w.job'; '$heddle' run '$work/w.job'"

# Result files.
case_is "JSON in place of the table" 0 'out:"status": "ok"' "no:KERNEL" -- \
    "$heddle" run vecadd --json - --no-host
case_is "CSV in place of the table" 0 "out:workload,gpu,sched" "out:vecadd,gtx480,gto,0,vecadd,384" -- \
    "$heddle" run vecadd --csv -
"$heddle" run jacobi --quiet --no-host --json "$work/a.%p.json"
"$heddle" run jacobi --quiet --no-host --no-skip --json "$work/b.json"
ok "%p is the process number" bash -c "ls '$work' | grep -Eq '^a\.[0-9]+\.json$'"
same "skipped cycles change nothing" <(grep -v no_skip "$work"/a.*.json) <(grep -v no_skip "$work/b.json")
ok "no host without host times" bash -c "! grep -q '\"host\"' '$work/b.json'"
if [ -x /usr/bin/python3 ]; then
    holds() { [ "$(field "$1" "$2")" = "$3" ] || { echo "$2 is $(field "$1" "$2")" && false; }; }
    ok "verified is null without a check" holds "$work/limit.json" verified null
    ok "a limit is a status" holds "$work/limit.json" status '"limit"'
    ok "a failed check is a status" holds "$work/wrong.json" status '"check_failed"'
    ok "a failed check is not verified" holds "$work/wrong.json" verified false
    ok "a fault names its line" holds "$work/poke.json" fault.line 34
    ok "a fault names its thread" holds "$work/poke.json" fault.thread.0 16
    ok "a deadlock names its kernel" holds "$work/stuck.json" fault.kernel '"stuck"'
    ok "registers say where they come from" holds "$work/large.json" kernels.0.regs_source '"set"'
    identity() {
        /usr/bin/python3 -c 'import json,sys
run = json.load(open(sys.argv[1]))
slots = run["options"]["sm.sms"] * run["options"]["sm.schedulers"]
for k in run["kernels"]:
    assert sum(k["stalls"].values()) == k["cycles"] * slots, k["launch"]' "$work/b.json"
    }
    ok "stall classes add up to all scheduler cycles" identity
    elf() { # and those of the counters are the same numbers
        /usr/bin/python3 -c 'import json,sys
run = json.load(open(sys.argv[1]))
for k in run["kernels"]:
    s, e, c = k["stalls"], k["stalls_elf"], k["counters"]
    assert sum(e.values()) == s["idle"] + s["scoreboard"] + s["pipeline"] > 0, k["launch"]
    assert all(c["elf_" + name] == e[name] for name in e) and all(c[n] == s[n] for n in s)
    assert e["memory_dependency"] > 0 and 0 <= k["dram"]["utilization"] <= 1
assert run["kernels"][0]["dram"]["utilization"] > 0.1' "$work/b.json"
    }
    ok "ELF's classes add up to the cycles without issue" elf
    "$heddle" run jacobi --quiet --no-host --sched elf --json "$work/elf.json"
    "$heddle" run jacobi --quiet --no-host --sched elf --json "$work/elf-steps.json" --no-skip
    "$heddle" run jacobi --quiet --sched elf --functional-only --json "$work/untimed.json"
    counted() {
        /usr/bin/python3 -c 'import json,sys
slots = json.load(open(sys.argv[1]))["policy_counters"]
assert set(slots) == {"sched", "fetch", "tb", "kernel_policy"}, slots
assert all(n > 0 for n in slots["sched"].values()) and len(slots["sched"]) > 1, slots
assert slots["tb"] is None
lrr = json.load(open(sys.argv[2]))["policy_counters"]
assert lrr["sched"] == {}, lrr' "$work/elf.json" "$work/b.json"
    }
    ok "policies' counters by slot" counted
    same "policies' counters with every cycle stepped" \
        <(field "$work/elf.json" policy_counters) <(field "$work/elf-steps.json" policy_counters)
    ok "no policy counts without timing" holds "$work/untimed.json" policy_counters.sched null
else
    skip "values of the JSON" "no /usr/bin/python3"
fi

# At a terminal.
terminal() { # COLUMNS COMMAND...: its standard output and error are a terminal that wide
    /usr/bin/python3 -c 'import fcntl, os, pty, struct, sys, termios
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
if os.fork() == 0:
    os.close(master)
    os.dup2(slave, 1)
    os.dup2(slave, 2)
    os.execvp(sys.argv[2], sys.argv[2:])
os.close(slave)
text = b""
while True:
    try:
        part = os.read(master, 65536)
    except OSError:
        break
    if not part:
        break
    text += part
sys.stdout.write(text.decode().replace("\r\n", "\n"))
sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))' "$@"
}
terminals() { /usr/bin/python3 -c 'import os; os.openpty()' 2>/dev/null; }
if terminals; then
    narrow() { # COLUMNS: no line is wider, nothing that matters is gone
        terminal "$1" "$heddle" run jacobi >"$work/narrow" || return 1
        awk -v most="$1" 'length($0) > most { print; bad = 1 } END { exit bad }' "$work/narrow" &&
            grep -q CYCLES "$work/narrow" && grep -q SCORE "$work/narrow"
    }
    ok "80 columns" narrow 80
    ok "61 columns" narrow 61
    sed 's/poke/a_kernel_with_the_long_name_that_a_mangled_template_has/' "$data/kernels.ptx" \
        >"$work/long.ptx"
    printf '%s\n' "ptx long.ptx" "buf A 128 zero" \
        "launch a_kernel_with_the_long_name_that_a_mangled_template_has 1 1 1 1 1 1 0 p:A i:0" \
        >"$work/long.job"
    long() {
        terminal 80 "$heddle" run "$work/long.job" >"$work/narrow" || return 1
        awk 'length($0) > 80 { bad = 1 } END { exit bad }' "$work/narrow" &&
            grep -q '^a_kernel.*\.\. ' "$work/narrow" &&
            "$heddle" run "$work/long.job" | grep -q mangled_template_has
    }
    ok "a long name is cut at a terminal only" long
else
    skip "at a terminal" "no /usr/bin/python3, or no pseudo-terminals here"
fi

# A long run: a progress line at a terminal after two seconds, an orderly end when it is told to.
job long "buf A 4 zero" "launch counts 60 1 1 1024 1 1 0"
endless=("$heddle" run "$work/long.job" --set gpu.livelock_after=1000)
ended() { # WHERE-STDERR-GOES: status 130, a message, the results so far
    local pid status
    "${endless[@]}" --json "$work/ended.json" >"$work/long.out" 2>"$work/long.err" &
    pid=$!
    sleep 1
    kill -TERM $pid # a script's background jobs ignore SIGINT; both are handled alike
    wait $pid
    status=$?
    [ $status -eq 130 ] || { echo "status $status" && return 1; }
    grep -q "heddle: interrupted in cycle" "$work/long.err" && grep -q '^counts' "$work/long.out" &&
        grep -q 'interrupted; results not checked' "$work/long.out" &&
        grep -q '"status": "interrupted"' "$work/ended.json"
}
ok "an interrupt keeps the results so far" ended
functional_ended() {
    local pid
    "${endless[@]}" --functional-only >"$work/long.out" 2>"$work/long.err" &
    pid=$!
    sleep 1
    kill -TERM $pid
    wait $pid
    [ $? -eq 130 ] && grep -q "heddle: interrupted after [0-9]* warp instructions" "$work/long.err"
}
ok "an interrupt of a run without timing" functional_ended
if terminals; then
    functional_progress() {
        terminal 80 timeout -s TERM 5 "${endless[@]}" --functional-only >"$work/long.out"
        grep -Eq 'long: [0-9.]+ [KMG] warp instructions, [0-9.]+ [KMG]/s' "$work/long.out"
    }
    ok "progress at a terminal without timing" functional_progress
    progress() {
        terminal 80 timeout -s TERM 5 "${endless[@]}" >"$work/long.out"
        grep -Eq 'long: [0-9.]+ [KM] cycles, [0-9.]+ [KM]? ?cycles/s, [0-9.]+ [KMG]' "$work/long.out"
    }
    ok "progress at a terminal" progress
fi
# A search that ends at the last slot begins anew after a lost cycle, and may then find what it did not visit before.
same_cycles() {
    "$heddle" run scalar_prod --sched lrr:wrap=0 --size test --quiet --json "$work/plain.json" &&
        "$heddle" run scalar_prod --sched lrr:wrap=0 --size test --quiet --json "$work/looked.json" --db "$work/looked.db" &&
        grep '"cycles"' "$work/plain.json" >"$work/plain.cycles" && grep '"cycles"' "$work/looked.json" >"$work/looked.cycles" &&
        cmp "$work/plain.cycles" "$work/looked.cycles"
}
ok "a warp that the lost cycle did not visit issues in the next" same_cycles
finish
