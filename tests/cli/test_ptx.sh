#!/usr/bin/env bash
# heddle ptx: check and dump.
. tests/shared/cases.sh

case_is "check of a good module is silent" 0 silent -- "$heddle" ptx check "$data/kernels.ptx"
printf '.version 3.2\n.target sm_20\n.address_size 64\n.visible .entry k()\n{\n\tad.s32 %%r1;\n}\n' \
    >"$work/bad.ptx"
case_is "check shows place and caret" 2 "err:bad.ptx:6:" "err:^" -- \
    "$heddle" ptx check "$work/bad.ptx"
case_is "dump refuses what check refuses" 2 "err:bad.ptx:6:" -- "$heddle" ptx dump "$work/bad.ptx"
case_is "dump" 0 "out:kernel poke" "out:parameter 1: where, 4 bytes at 8" "out:registers per thread" \
    "out:const variable factor, 8 bytes at 0x100" "out:st.global" "out:LDST" -- \
    "$heddle" ptx dump "$data/kernels.ptx"
case_is "a missing file" 2 "err:No such file" -- "$heddle" ptx check "$work/none.ptx"
case_is "an empty file" 2 "err:" -- bash -c ": >'$work/e.ptx'; '$heddle' ptx check '$work/e.ptx'"
case_is "no verb" 2 "err:heddle ptx check|dump|regs FILE.ptx..." -- "$heddle" ptx
case_is "unknown verb" 2 "err:did you mean 'dump'?" -- "$heddle" ptx dmup x.ptx
case_is "an unknown verb" 2 "err:there is no 'heddle ptx points'; expected check, dump or regs" -- "$heddle" ptx points x.ptx

# Several modules are linked; a job may name them in one line or in several.
head='.version 7.0\n.target sm_70\n.address_size 64\n'
printf "$head"'.extern .func (.param .b32 r) twice(.param .b32 a);
.visible .entry k(.param .u64 out) {
    .reg .b64 %%rd1; .reg .b32 %%r1;
    .param .b32 a; .param .b32 b;
    st.param.b32 [a], 21;
    call (b), twice, (a);
    ld.param.b32 %%r1, [b];
    ld.param.u64 %%rd1, [out];
    st.global.u32 [%%rd1], %%r1;
    ret;
}
' >"$work/main.ptx"
printf "$head"'.visible .func (.param .b32 r) twice(.param .b32 a) {
    .reg .b32 %%r1;
    ld.param.b32 %%r1, [a];
    add.u32 %%r1, %%r1, %%r1;
    st.param.b32 [r], %%r1;
    ret;
}
' >"$work/twice.ptx"
printf '\052\0\0\0' >"$work/42"
tail='buf out 4 zero\nlaunch k 1 1 1 1 1 1 0 p:out\ncheck out 4 42 exact\n'
printf "ptx main.ptx twice.ptx\n$tail" >"$work/one.job"
printf "ptx twice.ptx\nptx main.ptx\n$tail" >"$work/two.job"
printf "ptx main.ptx\n$tail" >"$work/alone.job"
case_is "modules that need each other" 0 silent -- \
    "$heddle" ptx check "$work/main.ptx" "$work/twice.ptx"
case_is "one of them alone" 2 "err:main.ptx:9:" "err:'twice' is declared but not defined" -- \
    "$heddle" ptx check "$work/main.ptx"
case_is "twice the same" 2 "err:twice.ptx:4:" "err:'twice' is defined twice, first in" -- \
    "$heddle" ptx check "$work/main.ptx" "$work/twice.ptx" "$work/twice.ptx"
case_is "one of two is missing" 2 "err:none.ptx" -- \
    "$heddle" ptx check "$work/main.ptx" "$work/none.ptx"
case_is "dump of all" 0 "out:kernel k, line 5" "out:function twice, line 4" -- \
    "$heddle" ptx dump "$work/main.ptx" "$work/twice.ptx"
case_is "a job of two modules" 0 "out:results verified" -- "$heddle" run "$work/one.job"
case_is "in two lines" 0 "out:results verified" -- "$heddle" run "$work/two.job"
case_is "and without one of them" 2 "err:main.ptx:9:" -- "$heddle" run "$work/alone.job"
printf "$head"'.visible .entry other(.param .u64 out) {
    .reg .b64 %%rd1; .reg .b32 %%r1;
    ld.param.u64 %%rd1, [out];
    mov.u32 %%r1, 4711;
    st.global.u32 [%%rd1], %%r1;
    ret;
}
' >"$work/other.ptx"
printf "ptx main.ptx twice.ptx other.ptx\nbuf out 4 zero\nlaunch other 1 1 1 1 1 1 0 p:out\n" \
    >"$work/three.job"
case_is "annotate shows the lines of the right module" 0 "out:mov.u32 %r1, 4711" -- \
    "$heddle" annotate "$work/three.job"

# Registers per thread: from the file beside the module, under the job's own number and --set.
cp "$work/other.ptx" "$work/known.ptx"
printf '# by hand\nkernel other regs 40 smem 128 threads 64 # a comment\nkernel gone regs 9 smem 0\n' \
    >"$work/known.regs"
printf "ptx known.ptx\nbuf out 4 zero\nlaunch other 1 1 1 1 1 1 0 p:out\n" >"$work/known.job"
{ echo "kernel other regs 21" && cat "$work/known.job"; } >"$work/line.job"
row() { # KERNEL THREADS LIVE REGS FROM PTXAS TBS TBS VERDICT, blanks squeezed
    local row="$*"
    shift $#
    "$heddle" ptx regs "${files[@]}" | tr -s ' ' | sed 's/ $//' | grep -qxF -- "$row"
}
files=("$work/known.ptx")
ok "regs: ptxas's number beside ours" row other 64 3 6 estimate 40 8 8 same
files=("$work/other.ptx")
ok "regs: without one" row other 256 3 6 estimate - 6 -
case_is "regs: a file that is missing" 2 "err:none.ptx" -- "$heddle" ptx regs "$work/none.ptx"
case_is "a job takes the file's number" 0 'out:"regs": 40,' 'out:"regs_source": "file"' \
    'out:"shared_bytes": 128' -- "$heddle" run "$work/known.job" --json -
case_is "unless it has its own" 0 'out:"regs": 21,' 'out:"regs_source": "job"' \
    'out:"shared_bytes": 128' -- "$heddle" run "$work/line.job" --json -
case_is "or is told another" 0 'out:"regs": 22,' 'out:"regs_source": "set"' -- \
    "$heddle" run "$work/line.job" --set kernel.other.regs=22 --json -
case_is "shared memory set, registers from the file" 0 'out:"regs": 18,' 'out:"regs_source": "file"' -- \
    "$heddle" run reduction --size test --functional-only --set kernel.reduction.smem=2048 --json -
printf 'kernel other regs 0 smem 1\nkernels other\nkernel a regs 1 smem 1\nkernel a regs 1 smem 1\nkernel b regs 2\n' \
    >"$work/known.regs"
case_is "what is wrong in it" 2 "err:known.regs:1:19: error: '0' is not registers per thread" \
    "err:known.regs:2:1: error: expected 'kernel' here" \
    "err:known.regs:4:8: error: kernel 'a' was already given" \
    "err:known.regs:5:16: error: expected 'smem' here" -- "$heddle" run "$work/known.job"

# As many blocks per SM as with ptxas's registers for this share of what is shipped, and no block
# that ptxas's registers let run is refused.
agrees() { # share, options
    local share=$1
    shift
    "$heddle" ptx regs "$@" workloads/kernels/*/*.ptx tests/accuracy/jobs/*/*.ptx workloads/*/*.sm_75.ptx >"$work/regs" || return 1
    awk -v share="$share" 'NF == 9 && NR > 1 { n++; same += $9 == "same"; none += $6 == "-"; refused += !$7 && $8 }
        END { printf "%d kernels, %d the same, %d refused\n", n, same, refused
              exit !(n >= 99 && same >= share * n && !refused && !none) }' "$work/regs"
}
ok "the estimate decides as ptxas would" agrees 0.77
ok "with twice the registers too" agrees 0.95 --set sm.registers=65536

# Launch bounds limit the estimate as they limit ptxas, on this machine's registers.
bounded() { # directives, then options: REGS and FROM of the kernel
    {
        printf '.version 7.0\n.target sm_75\n.address_size 64\n.shared .b8 s[2048];\n'
        printf '.visible .entry wide() %s\n{\n' "$1"
        printf '.reg .b32 %%r<200>;\nmov.u32 %%r199, s; mov.u32 %%r0, %%tid.x;\n'
        for i in $(seq 150); do echo "ld.shared.u8 %r$i, [%r0+$i];"; done
        for i in $(seq 150); do echo "st.shared.u8 [%r0+$i], %r$i;"; done
        echo 'ret; }'
    } >"$work/wide.ptx"
    shift
    "$heddle" ptx regs "$@" "$work/wide.ptx" | awk '$1 == "wide" { print $4, $5 }'
}
bounds() {
    diff - <(bounded ""; bounded ".maxntid 1024"; bounded ".maxntid 1024" --set sm.registers=65536
             bounded ".reqntid 256 .minnctapersm 2"; bounded ".maxntid 256 .minnctapersm 9"
             bounded ".minnctapersm 4"; bounded ".maxntid 1024 .maxnreg 40"; bounded ".maxnreg 100") <<'EOF_B'
128 estimate
32 directive
64 directive
64 directive
128 estimate
128 estimate
40 directive
100 directive
EOF_B
}
ok "launch bounds" bounds
printf 'ptx wide.ptx\nlaunch wide 1 1 1 1024 1 1 0\n' >"$work/wide.job"
bounded ".maxntid 1024" >"$work/regs"
case_is "so the kernel runs" 0 'out:"regs": 32,' 'out:"regs_source": "directive"' 'out:"tbs_per_sm": 1' -- \
    "$heddle" run "$work/wide.job" --json -
bounded "" >"$work/regs"
case_is "without them it is refused" 2 "err:1024 threads with 128 each (computed)" \
    "err:--set kernel.wide.regs=32 if its threads need no more" -- "$heddle" run "$work/wide.job"
case_is "unless the estimate may err by so much" 0 'out:"regs": 128,' 'out:"tbs_per_sm": 1' -- \
    "$heddle" run "$work/wide.job" --set sm.registers=100000 --json -
case_is "what somebody has said is taken at its word" 2 "err:1024 threads with 128 each (set)" -- \
    "$heddle" run "$work/wide.job" --set sm.registers=100000 --set kernel.wide.regs=128
shipped() { # every shipped module has its file
    local ptx
    for ptx in workloads/kernels/*/*.ptx tests/accuracy/jobs/*/*.ptx workloads/*/*.sm_75.ptx; do
        [ -s "${ptx%.ptx}.regs" ] || { echo "$ptx has no .regs" && return 1; }
    done
}
ok "ptxas's numbers are there" shipped
# Straight-line code of compilers: more registers than scoreboard ids, of which some share one.
awk 'BEGIN { print ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 out)\n{"
    print ".reg .b64 %rd<2>; .reg .b32 %r<70001>;\nld.param.u64 %rd1, [out];\nmov.u32 %r0, %tid.x;"
    for (i = 1; i <= 70000; i++) print "add.u32 %r" i ", %r" i - 1 ", 1;"
    print "st.global.u32 [%rd1], %r70000;\nret;\n}" }' >"$work/long.ptx"
printf '\x70\x11\x01\x00' >"$work/long.bin"
printf 'ptx long.ptx\nbuf out 4 zero\nlaunch k 1 1 1 1 1 1 0 p:out\ncheck out 4 long.bin exact\n' >"$work/long.job"
case_is "70,000 registers" 0 "out:results verified" -- "$heddle" run "$work/long.job" --gpu debug-flatmem

# Constants that are too wide lose their upper bits, which only the check of a module tells.
printf '.version 9.0\n.target sm_75\n.address_size 64\n.entry k() { .reg .b32 %%r; mov.u32 %%r, 0x100000000;\nret; }' \
    >"$work/cut.ptx"
case_is "a constant that is cut" 0 "err:cut.ptx:4: warning: a constant is wider than its type" -- \
    "$heddle" ptx check "$work/cut.ptx"
printf '.version 9.0\n.target sm_75\n.address_size 64\n.entry k() { .reg .b16 %%r; mov.u16 %%r, 65536;\nadd.u16 %%r, %%r, -32769; ret; }' \
    >"$work/cut.ptx"
case_is "two of them" 0 "err:cut.ptx:4: warning: 2 constants are wider than their types" -- \
    "$heddle" ptx check "$work/cut.ptx"
printf '.version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k() .reqnctapercluster 2, 2, 1 { ret; }' >"$work/cluster.ptx"
printf 'ptx cluster.ptx\nlaunch k 4 1 1 32 1 1 0\n' >"$work/cluster.job"
case_is "a kernel for clusters of four blocks" 2 \
    "err:kernel k cannot be launched: the number of blocks of a cluster (.reqnctapercluster) is 4, but this GPU allows 1" -- \
    "$heddle" run "$work/cluster.job"
case_is "also without timing" 2 "err:the number of blocks of a cluster" -- "$heddle" run "$work/cluster.job" --functional-only
finish
