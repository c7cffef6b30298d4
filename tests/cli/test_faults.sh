#!/usr/bin/env bash
# Every way in which a kernel can fault: exit status 3, and a message that says kernel, line of PTX,
# line of the source, block, thread, address and what lies near.
. tests/shared/cases.sh

# fault NAME KERNEL ARGUMENTS EXPECTATION...: 2 blocks of 32 threads on a buffer A of 128 bytes
fault() {
    local name=$1 kernel=$2 arguments=$3
    shift 3
    printf '%s\n' "ptx $data/faults.ptx" "buf A 128 zero guard 512" "buf B 128 zero" \
        "launch $kernel 2 1 1 32 1 1 0 $arguments" >"$work/$kernel.job"
    case_is "$name" 3 "err:fault in kernel $kernel, launch 0: " "$@" -- \
        "$heddle" run "$work/$kernel.job" --quiet --json "$work/$kernel.json"
    case_is "$name, without timing" 3 "$@" -- \
        "$heddle" run "$work/$kernel.job" --quiet --functional-only
}

# A buffer with a guard ends with its last byte.
fault "outside every allocation" wild "p:A i:16" "err:out of bounds, write of 4 bytes at 0x80000080" \
    "err:block (0, 0, 0), thread (8, 0, 0)" 'err:at the end of `A` (128 bytes from 0x80000000)' \
    "err:faults.ptx:25: st.global.u32 [%rd1], %r2;" "err:from faults.cu:4: *p = v;" \
    "err:inlined at faults.cu:8: put(p, v);" \
    "err:inlined at faults.cu:12: twice(p + step * threadIdx.x, 1);"
if [ -x /usr/bin/python3 ]; then
    sources() {
        /usr/bin/python3 -c 'import json, sys
fault = json.load(open(sys.argv[1]))["fault"]
assert [(s["file"], s["line"]) for s in fault["source"]] == eval(sys.argv[2]), fault["source"]
' "$@"
    }
    ok "the JSON has the places too" sources "$work/wild.json" \
        '[("faults.cu", n) for n in (4, 8, 12)]'
fi
fault "misaligned" wild "p:A i:2" "err:misaligned, write of 4 bytes at 0x80000002" \
    "err:thread (1, 0, 0)" 'err:in `A` (128 bytes from 0x80000000)' "err:faults.ptx:25:" \
    "err:from faults.cu:4"
fault "null" null "p:A" "err:out of bounds, read of 4 bytes at 0x8" "err:thread (0, 0, 0)" \
    "err:a null pointer; " 'err:before `words`' "err:faults.ptx:35: ld.u32 %r1, [%rd1+8];" "err:from gone.cu:3"
fault "write to constant memory" constant "p:A" "err:write of 4 bytes" \
    "err:const memory cannot be written" "err:faults.ptx:44:" "err:from gone.cu:10"
fault "stack overflow" stack "p:A" "err:stack overflow" "err:thread (1, 0, 0)" \
    'err:the call of `down` at depth' "err:faults.ptx:57: call down, (a);" "err:from gone.cu:20"
fault "illegal instruction" illegal "p:A" "err:illegal instruction" \
    "err:call of 0x1000, which is no function" "err:faults.ptx:76:" "err:from gone.cu:30"
fault "trap" stop "p:A" "err:block (1, 0, 0), thread (0, 0, 0)" 'err:the program executed `trap`' \
    "err:faults.ptx:86: @%p trap;" "err:from gone.cu:40"
fault "assertion" claim "p:A" 'err:assertion `x < 5` failed' "err:faults.ptx:101:" \
    "err:from gone.cu:50"
fault "outside shared memory" tile "p:A" "err:write of 4 bytes at 0x40" "err:thread (16, 0, 0)" \
    "err:shared memory has 64 bytes here" "err:faults.ptx:113:" "err:from gone.cu:60"
fault "an atomic in local memory" mine "p:A" "err:atomics do not reach local memory" \
    "err:faults.ptx:" "err:atom.add.u32 %r2, [%rd2], %r1;"
fault "outside local memory" own "p:A" "err:thread (4, 0, 0)" "err:local memory has 16 bytes here" \
    "err:faults.ptx:126:" "err:from gone.cu:70"

# What a GPU would not notice: told so, and with pages run as it would run.
hint="err:a GPU would not notice; --set gpu.bounds=pages checks as it does"
pages() {
    case_is "$1, in pages" 0 silent -- "$heddle" run "$work/$2.job" --quiet --set gpu.bounds=pages
    case_is "$1, in pages, without timing" 0 silent -- \
        "$heddle" run "$work/$2.job" --quiet --functional-only --set gpu.bounds=pages
}
fault "beside an allocation" wild "p:A i:16" "$hint"
pages "beside an allocation" wild
fault "behind constants" behind "p:A i:65276" "err:const memory has 260 bytes here" "$hint"
pages "behind constants" behind
fault "behind the constant bank" behind "p:A i:65280" "no:would not notice"
case_is "behind the constant bank, in pages" 3 "err:const memory has 65536 bytes here" -- \
    "$heddle" run "$work/behind.job" --quiet --set gpu.bounds=pages
fault "a page further" wild "p:A i:4194304" "no:would not notice"
case_is "a page further, in pages" 3 "err:out of bounds" -- \
    "$heddle" run "$work/wild.job" --quiet --set gpu.bounds=pages
fault "null is null" null "p:A" "no:would not notice"
case_is "in pages too" 3 "err:a null pointer" -- \
    "$heddle" run "$work/null.job" --quiet --set gpu.bounds=pages

# To the byte: what is inside runs, what is outside by one byte faults, in every kind of access.
edge() { # KERNEL BYTES OFFSET [THREADS]: how the run ends
    printf '%s\n' "ptx $data/edges.ptx" "buf A $2 zero guard 512" "buf B 128 zero" \
        "launch $1 1 1 1 ${4:-1} 1 1 0 p:A+$3" >"$work/edge.job"
    for timing in "" --functional-only; do
        # shellcheck disable=SC2086
        "$heddle" run "$work/edge.job" --quiet $timing 2>"$work/edge.err"
        echo -n "$? "
    done
}
edges() { # KERNEL INSIDE OUTSIDE...: pairs "BYTES OFFSET" as BYTES:OFFSET
    local kernel=$1 place
    shift
    for place in "$@"; do
        case $place in
        in:*) expected="0 0 " ;;
        *) expected="3 3 " ;;
        esac
        IFS=: read -r _ bytes offset threads <<<"$place"
        is=$(edge "$kernel" "$bytes" "$offset" "$threads")
        [ "$is" = "$expected" ] || { echo "$kernel $place: $is"; cat "$work/edge.err"; return 1; }
    done
}
ok "bytes" edges byte in:1001:1000 out:1001:1001 in:1:0 out:1:1 out:1:255 in:256:255 out:256:256 in:511:510 out:511:511
ok "words" edges word in:1000:996 out:1001:1000 out:1002:1000 out:1003:1000 in:1004:1000 out:4:4
ok "vectors" edges vector in:1008:992 out:1007:992 out:1000:992 in:272:256 out:271:256
ok "atomics" edges atomic in:1000:996 out:999:996 out:998:996
ok "asynchronous copies" edges copy in:1008:992 out:1007:992 out:1000:992
ok "a warp" edges lanes in:128:0:32 out:127:0:32 out:124:0:32 in:384:256:32 out:383:256:32 in:1000:872:32 out:1000:876:32
edge lanes 1000 876 32 >"$work/edge.out"
ok "it names the buffer" grep -q 'at the end of `A` (1000 bytes from 0x80000000)' "$work/edge.err"  # shellcheck disable=SC2016
ok "and the thread" grep -q "thread (31, 0, 0)" "$work/edge.err"
edge word 1001 1000 >"$work/edge.out"
ok "an access that begins inside, too" grep -q "out of bounds, read of 4 bytes at 0x800003e8" "$work/edge.err"
printf '%s\n' "ptx $data/edges.ptx" "buf A 1001 zero" "launch byte 1 1 1 1 1 1 0 p:A+1001" >"$work/edge.job"
case_is "without a guard, all of the last 256 bytes" 0 -- "$heddle" run "$work/edge.job" --quiet
finish
