#!/usr/bin/env bash
# test_annotate_program.sh - heddle annotate -- PROGRAM and heddle exec --annotate: the lines of the
# kernels that a CUDA program launches are those of the same kernels in a job.
set -u
. tests/shared/cases.sh

library=$HEDDLE_BUILD/libcuda.so.1
unset "${!HEDDLE_@}" 2>/dev/null
export HEDDLE_DATA=$PWD TMPDIR=$work/tmp
mkdir "$TMPDIR"

san=()
if nm -D "$library" | grep -q __asan_init; then
    san=(-fsanitize=address,undefined)
    export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
fi
ok "a program that launches builds" gcc -std=c11 -D_GNU_SOURCE -O1 "${san[@]}" -Isrc -o "$work/lines" \
    tests/cuda/programs/lines.c "$library"

cat >"$work/step.ptx" <<'PTX'
.version 7.0
.target sm_75
.address_size 64
.file 1 "step.cu"
.func (.reg .u32 %out) twice(.reg .u32 %in)
{
    add.u32 %out, %in, %in;
    ret;
}
.visible .entry step(.param .u64 p, .param .u32 n)
{
    .reg .b64 %rd<4>; .reg .b32 %r<8>; .reg .pred %p<3>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    setp.gt.u32 %p1, %r2, 40;
    mul.wide.u32 %rd2, %r2, 4;
    add.u64 %rd3, %rd1, %rd2;
LOOP:
    .loc 1 2 1
    @%p1 ld.global.u32 %r3, [%rd3];
    sub.u32 %r1, %r1, 1;
    setp.ne.u32 %p2, %r1, 0;
    @%p2 bra LOOP;
    call (%r4), twice, (%r3);
    st.global.u32 [%rd3], %r4;
    ret;
}
PTX
printf '%s\n' "// step.cu" "x = p[i]; // the source" >"$work/step.cu"
sed 's/sub.u32/add.u32/; s/, 1;$/, -1;/' "$work/step.ptx" >"$work/other.ptx"
printf '%s\n' "ptx step.ptx" "buf A 1024 zero" "launch step 3 1 1 64 1 1 0 p:A i:5" \
    "launch step 3 1 1 64 1 1 0 p:A i:5" >"$work/step.job"

case_is "a program's lines after what it printed" 0 "out:status 0" "out:lines on debug-flatmem, scheduler lrr" \
    "out:kernel step: 2 launches" "out:@%p1 ld.global.u32 %r3, [%rd3]" "out:LOOP:" "out:function twice" \
    "out:step.cu:2:  x = p[i]; // the source" "no:nothing to check" "no:KERNEL" -- \
    "$heddle" annotate --gpu debug-flatmem --sched lrr -- "$work/lines" plain "$work/step.ptx"
ok "the program's words come first" eval '[ "$(head -n 1 "$work/.out")" = "status 0" ]'
"$heddle" annotate --json "$work/job.json" --quiet "$work/step.job"
case_is "quiet" 0 "out:status 0" "no:kernel step" -- "$heddle" annotate --quiet \
    --json "$work/program.json" -- "$work/lines" plain "$work/step.ptx"
ok "each line issues as often as in a job" python3 - "$work/job.json" "$work/program.json" <<'END'
import json, sys
def lines(path):
    (kernel,) = json.load(open(path))["kernels"]
    keys = ("function", "pc", "line", "ptx", "issued", "lanes")
    return kernel["launches"], [[i[k] for k in keys] for i in kernel["instructions"]]
job, program = map(lines, sys.argv[1:])
assert job == program, (job, program)
loads = [i for i in job[1] if i[3].startswith("@%p1 ld.global")]
# Two launches of three blocks of two warps go through the loop five times; 23 of 64 lanes load.
assert [i[4:] for i in loads] == [[60, 2 * 3 * 5 * 23]], loads
END
case_is "JSON on standard output" 0 'out:"instructions"' "no:ISSUED" -- \
    "$heddle" annotate --json - -- "$work/lines" plain "$work/step.ptx"
case_is "modules with a kernel of one name" 0 "out:sub.u32 %r1, %r1, 1" "out:add.u32 %r1, %r1, -1" -- \
    "$heddle" annotate -- "$work/lines" plain "$work/step.ptx" "$work/other.ptx"
ok "each on its own page" eval '[ "$(grep -c "kernel step: 2 launches" "$work/.out")" = 2 ]'
case_is "several processes" 0 "out:status 0" -- "$heddle" annotate -- \
    sh -c '"$0" plain "$1" && "$0" plain "$1" && echo last' "$work/lines" "$work/step.ptx"
ok "a page each, after everything else" eval \
    '[ "$(grep -x "last\|kernel step.*" "$work/.out" | cut -d" " -f1 | tr "\n" " ")" = "last kernel kernel " ]'
case_is "a fault" 4 "out:issued, but ended in a fault" "out:stopped: fault" "err:out of bounds" -- \
    "$heddle" annotate -- "$work/lines" fault "$work/step.ptx"
case_is "a limit" 4 "out:stopped at the limit" "out:kernel step: 1 launch" -- \
    "$heddle" annotate --max-cycles 100 -- "$work/lines" plain "$work/step.ptx"
case_is "no launch" 0 "out:no kernel was launched" -- \
    "$heddle" annotate -- "$work/lines" none "$work/step.ptx"
case_is "no GPU" 0 "err:nothing to show: the program used no GPU" -- "$heddle" annotate -- true
case_is "an end in the middle of a kernel" 9 "err:ended in the middle of a kernel: no lines" -- \
    "$heddle" annotate -- "$work/lines" exit "$work/step.ptx"
case_is "an interrupt" 124 "out:interrupted; results not checked" "out:kernel step: 1 launch" -- \
    timeout -s TERM 5 "$heddle" annotate -- "$work/lines" long "$work/step.ptx"
case_is "a file" 0 "err:KERNEL" "no:kernel step" -- "$heddle" exec --annotate "$work/page" \
    "$work/lines" plain "$work/step.ptx"
"$heddle" annotate -- "$work/lines" plain "$work/step.ptx" | tail -n +2 >"$work/shown"
same "holds what heddle annotate shows" "$work/page" "$work/shown"
case_is "by the environment" 0 "out:kernel step: 2 launches" -- \
    env "LD_PRELOAD=$library" HEDDLE_ANNOTATE=- "$work/lines" plain "$work/step.ptx"
case_is "not without timing" 2 "err:--annotate: there are no cycles without timing" "no:status" -- \
    "$heddle" exec --functional-only --annotate "$work/page" "$work/lines" plain "$work/step.ptx"
case_is "nor by the environment" 2 "err:HEDDLE_ANNOTATE=- in the environment; expected a run with timing" -- \
    env "LD_PRELOAD=$library" HEDDLE_FUNCTIONAL=1 HEDDLE_ANNOTATE=- "$work/lines" plain "$work/step.ptx"
case_is "nor of annotate" 2 "err:has no option --functional-only" "no:status" -- \
    "$heddle" annotate --functional-only -- "$work/lines" plain "$work/step.ptx"
case_is "an option of workloads" 2 "err:--seed is for workloads, not for a program" "no:status" -- \
    "$heddle" annotate --seed 0 -- "$work/lines" plain "$work/step.ptx"
case_is "a database" 0 "out:status 0" "out:kernel step: 2 launches" -- \
    "$heddle" annotate --sched lrr --db "$work/s.db" -- "$work/lines" plain "$work/step.ptx"
case_is "quiet, with JSON" 0 "out:status 0" "no:kernel step" -- "$heddle" annotate --quiet --sched gto \
    --db "$work/s.db" --json "$work/kept.json" -- "$work/lines" plain "$work/step.ptx"
"$heddle" annotate --quiet --sched gto --json "$work/direct.json" -- "$work/lines" plain "$work/step.ptx" >/dev/null
without_host() { sed '/"host": {/,/}/d' "$1" >"$2"; }
without_host "$work/kept.json" "$work/kept.own"
without_host "$work/direct.json" "$work/direct.own"
same "the file has the lines as without a database" "$work/kept.own" "$work/direct.own"
case_is "JSON on standard output, and kept" 0 'out:"instructions"' "no:ISSUED" -- \
    "$heddle" annotate --json - --db "$work/s.db" -- "$work/lines" plain "$work/step.ptx"
case_is "two runs are kept" 0 "out:2 runs, nothing is wrong" -- "$heddle" db check "$work/s.db"
case_is "with their lines, which explain a difference" 0 "out:LINE" "out:ld.global.u32 %r3, [%rd3]" -- \
    "$heddle" diff "$work/s.db" 1 2
case_is "a workload and a program" 2 "err:takes a workload or, after --, a program" "no:status" -- \
    "$heddle" annotate vecadd -- "$work/lines" plain "$work/step.ptx"
case_is "no program" 2 "err:heddle annotate [options] -- PROGRAM" -- "$heddle" annotate --
case_is "lines over the program" 2 "err:--annotate would overwrite $work/lines, the program" "no:status" -- \
    "$heddle" exec --annotate "$work/lines" "$work/lines" plain "$work/step.ptx"
case_is "JSON over the program" 2 "err:--json would overwrite $work/lines, the program" "no:status" -- \
    "$heddle" annotate --json "$work/lines" -- "$work/lines" plain "$work/step.ptx"
case_is "two results in one file" 2 "err:--json and --annotate both go to $work/x" "no:status" -- \
    "$heddle" exec --json "$work/x" --annotate "$work/x" "$work/lines" plain "$work/step.ptx"
case_is "no folder" 2 "err:--annotate: cannot write $work/none/x" "no:status" -- \
    "$heddle" exec --annotate "$work/none/x" "$work/lines" plain "$work/step.ptx"
case_is "a file that was not written" 0 "err:$work/unborn was not written" -- \
    "$heddle" exec --annotate "$work/unborn" true
cut_short() { "$heddle" annotate -- "$work/lines" plain "$work/step.ptx" | head -n 1; }
case_is "a reader that has seen enough" 0 "out:status 0" -- cut_short
ok "no folder is left" test -z "$(ls "$TMPDIR")"
finish
