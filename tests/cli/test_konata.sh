#!/usr/bin/env bash
# --konata: the file keeps the rules of its format, counts what the JSON counts, shows the stages
# that instructions must pass, and is the same however the run was made; looking changes nothing.
. tests/shared/cases.sh
one=(--set sm.sms=1)

# Loads that miss and that hit, shared memory, a barrier, a special function, a loop, a branch on
# which the lanes part, an atomic and a store.
cat >"$work/mix.ptx" <<'PTX'
.version 2.3
.target sm_20
.address_size 64
.visible .entry mix (.param .u64 in, .param .u64 out)
{
    .reg .u64 %rd<8>;
    .reg .u32 %r<8>;
    .reg .f32 %f<6>;
    .reg .pred %p<3>;
    .shared .f32 tile[64];
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mad.lo.u32 %r3, %r2, 64, %r1;
    mul.wide.u32 %rd3, %r3, 4;
    add.u64 %rd4, %rd1, %rd3;
    add.u64 %rd5, %rd2, %rd3;
    ld.global.f32 %f1, [%rd4];
    mul.wide.u32 %rd6, %r1, 4;
    mov.u64 %rd7, tile;
    add.u64 %rd7, %rd7, %rd6;
    st.shared.f32 [%rd7], %f1;
    bar.sync 0;
    mov.u32 %r4, 0;
loop:
    ld.shared.f32 %f2, [%rd7];
    sqrt.approx.f32 %f3, %f2;
    add.f32 %f1, %f1, %f3;
    ld.global.f32 %f4, [%rd4];
    add.f32 %f1, %f1, %f4;
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p1, %r4, 3;
    @%p1 bra loop;
    and.b32 %r5, %r1, 1;
    setp.eq.u32 %p2, %r5, 0;
    @%p2 bra even;
    add.f32 %f1, %f1, %f1;
even:
    st.global.f32 [%rd5], %f1;
    atom.global.add.u32 %r6, [%rd2+4096], 1;
    exit;
}
PTX
printf 'ptx mix.ptx\nbuf A 4096 zero\nbuf B 8192 zero\nlaunch mix 12 1 1 64 1 1 0 p:A p:B\n' \
    >"$work/mix.job"

record() { # NAME ARGUMENT...
    local name=$1
    shift
    "$heddle" run "$work/mix.job" "$@" --quiet --no-host --konata "$work/$name.log" --json "$work/$name.json"
}
check() { # NAME: the file alone
    /usr/bin/python3 tests/shared/konata.py "$work/$1.log" >"$work/$1.counts"
}
agrees() { # NAME: it and the JSON
    /usr/bin/python3 tests/shared/konata.py "$work/$1.log" "$work/$1.json" >"$work/$1.counts"
}
has() { # NAME WORD...: the file has each of these
    local name=$1 word
    shift
    for word; do
        grep -q "^$word [1-9]" "$work/$name.counts" || { echo "no $word" && return 1; }
    done
}
lacks() {
    ! grep -q "^$2 " "$work/$1.counts"
}

ok "a whole run" record whole "${one[@]}" --konata-cycles 0:
ok "the file keeps the rules and counts what the JSON counts" agrees whole
ok "every stage is there" has whole "stage Fm" "stage F" "stage D" "stage B" "stage Is" "stage Oc" "stage Ds" \
    "stage X" "stage Xm" "stage Xs" "stage Xn" "stage X2" "stage Xd" "stage Xr" "stage Wb"
ok "so are reasons, dependences and wrong paths" has whole "wait bar" "wait mem" "wait reg" "wait atom" \
    "dependences" "flushed"
ok "reasons are sentences in the texts" grep -q 'cycles from cycle [0-9]* on: for a register that a memory' "$work/whole.log"
ok "texts name the line" grep -q 'line 19: ld.global.f32 %f1, \[%rd4\]' "$work/whole.log"
ok "all SMs of a machine" record all --konata-sm all --konata-cycles 0:
ok "keep the rules and count the same" agrees all
ok "each has its name" grep -q 'SM 11 warp' "$work/all.log"
ok "a list of SMs" record list --konata-sm 2,4-5
has_sms() {
    [ "$(sed -n 's/^L	[0-9]*	0	SM \([0-9]*\) .*/\1/p' "$work/list.log" | sort -un | tr '\n' ' ')" = "2 4 5 " ]
}
ok "has these and no others" has_sms
ok "a machine with a re-execution queue, four sub-cores and sectors" record elf --gpu elf "${one[@]}" --konata-cycles 0:
ok "keeps the rules" agrees elf
ok "memory of fixed latency" record flat --gpu debug-flatmem "${one[@]}" --konata-cycles 0:
ok "keeps the rules too" agrees flat
ok "and has no L2" lacks flat "stage X2"

documented() { # what the file may have is what its page explains, in the same words
    sed -n '/^#define HD_PIPEVIEW_\(STAGES\|WAITS\)(X)/,/^$/{s/.*, "\(.*\)", *"\(.*\)").*/| `\1` | \2 |/p}' \
        include/heddle/pipeview.h >"$work/rows"
    [ "$(wc -l <"$work/rows")" -eq 30 ] && ! grep -vxFf docs/pipelines.md "$work/rows"
}
ok "the page has every stage and reason" documented

# A part of the run is that part of the whole run.
ok "some cycles" record part "${one[@]}" --konata-cycles 700:1400
ok "keep the rules" check part
part() {
    /usr/bin/python3 - "$work" <<'PYTHON'
import sys
def issues(name):
    cycle, text, out = 0, {}, []
    for line in open(f"{sys.argv[1]}/{name}.log"):
        f = line.rstrip("\n").split("\t")
        if f[0] in ("C", "C="):
            cycle += int(f[1])
        elif f[0] == "L" and f[2] == "0":
            text[f[1]] = f[3]
        elif f[0] == "S" and f[3] == "Is":
            out.append((cycle, text[f[1]]))
    return sorted(out)
want = [i for i in issues("whole") if 700 <= i[0] < 1400]
assert len(want) > 50 and want == issues("part"), (len(want), len(issues("part")))
PYTHON
}
ok "with the same instructions in the same cycles" part
ok "instructions that the end cuts off say so" has part "cut"
ok "and those that were there before" grep -q 'fetched before the recording began' "$work/part.log"

# The same bytes however the run was made.
ok "on four threads" record threads --konata-sm all --konata-cycles 0: --threads 4
same "threads change nothing" "$work/all.log" "$work/threads.log"
ok "with every cycle stepped" record stepped --konata-sm all --konata-cycles 0: --no-skip
same "skipping changes nothing" "$work/all.log" "$work/stepped.log"
ok "some cycles, stepped" record partly "${one[@]}" --konata-cycles 700:1400 --no-skip
same "nor in some cycles" "$work/part.log" "$work/partly.log"
ok "without a recording" "$heddle" run "$work/mix.job" "${one[@]}" --quiet --no-host --json "$work/plain.json"
same "looking changes no result" "$work/plain.json" "$work/whole.json"
"$heddle" run "$work/mix.job" "${one[@]}" --quiet --record "$work/mix.trace"
ok "a trace" "$heddle" run "$work/mix.trace" "${one[@]}" --quiet --konata-cycles 0: --konata "$work/replay.log"
same "gives the same recording" "$work/whole.log" "$work/replay.log"

# Runs that end early.
ok "a run that ends at a limit" record limit "${one[@]}" --max-cycles 800
ok "is closed there" check limit
sed 's/\[%rd4\]/[%rd3]/' "$work/mix.ptx" >"$work/fault.ptx"
sed 's/mix.ptx/fault.ptx/' "$work/mix.job" >"$work/fault.job"
case_is "a fault" 3 -- "$heddle" run "$work/fault.job" "${one[@]}" --quiet --konata "$work/fault.log"
ok "keeps what was recorded" check fault
ok "and shows where" grep -q 'its execution faulted' "$work/fault.log"

# The checker finds what is wrong.
broken() { # SED-SCRIPT
    sed "$1" "$work/limit.log" >"$work/broken.log"
    ! cmp -s "$work/limit.log" "$work/broken.log" && ! check broken
}
ok "the checker misses a stage's end" broken '0,/^E.*D$/{/^E.*D$/d}'
ok "a second retirement" broken '0,/^R.*0$/s/^R.*0$/&\n&/'
ok "time that goes backwards" broken '0,/^C	1$/s/^C	1$/C	-1/'
ok "an instruction that stays" broken '$d'

case_is "standard output" 0 'out:Kanata' "no:CYCLES" -- "$heddle" run "$work/mix.job" --konata -
case_is "not without timing" 2 "err:nothing is recorded" -- "$heddle" run vecadd --functional-only --konata x
case_is "SMs for nothing" 2 "err:--konata-sm without --konata" "err:add --konata" -- "$heddle" run vecadd --konata-sm 1
case_is "cycles for nothing" 2 "err:--konata-cycles without" -- "$heddle" run vecadd --konata-cycles 1:2
for sms in 15 0,15 a 3-1 1, ,1 0-; do
    case_is "SMs '$sms'" 2 "err:expected SMs of this machine" "err:from 0 to 14" -- \
        "$heddle" run vecadd --konata "$work/x" --konata-sm "$sms"
done
for cycles in 10 5:5 9:3 a:b : -1:5 1:2:3; do
    [ "$cycles" = : ] && continue
    case_is "cycles '$cycles'" 2 "err:expected cycles as FIRST:END" -- \
        "$heddle" run vecadd --konata "$work/x" --konata-cycles="$cycles"
done
case_is "an empty recording is reported" 0 "err:is empty" "err:the run ended in cycle" -- \
    "$heddle" run "$work/mix.job" --quiet --konata "$work/empty.log" --konata-cycles 10000000:
ok "and is a good file" check empty
case_is "a folder that is not there" 2 "err:--konata" -- "$heddle" run vecadd --konata "$work/none/x"
case_is "two results in one place" 2 "err:both go to" -- "$heddle" run vecadd --json x --konata x
finish
