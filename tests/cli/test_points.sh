#!/usr/bin/env bash
# ELF's program points: the keys of section [points] by --set, machine file and sweep; what the JSON
# and the policy count; the warning for points that are lost.
. tests/shared/cases.sh

# A loop with two loads, and no load after it; then a forward branch over one.
cat >"$work/loop.ptx" <<'PTX'
.version 3.2
.target sm_20
.address_size 64
.visible .entry loop(.param .u64 out, .param .u32 n)
{
    .reg .pred %p; .reg .b64 %rd<3>; .reg .b32 %r<9>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, 0;
AGAIN:
    ld.global.u32 %r3, [%rd1];
    add.u32 %r2, %r2, 1;
    ld.global.u32 %r4, [%rd1+4];
    add.u32 %r5, %r3, %r4;
    setp.lt.u32 %p, %r2, %r1;
    @%p bra AGAIN;
    add.u32 %r5, %r5, 1;
    add.u32 %r5, %r5, 2;
    st.global.u32 [%rd1+8], %r5;
    ret;
}
PTX
printf '%s\n' "ptx loop.ptx" "buf A 128 zero" "launch loop 1 1 1 32 1 1 0 p:A i:5" >"$work/loop.job"

run() { # ARGUMENT...: the JSON in $work/run.json
    "$heddle" run "$work/loop.job" --sched elf --quiet --no-host --json "$work/run.json" "$@"
}
value() { # of the first key of that name
    sed -n "0,/\"$1\": /s/.*\"$1\": \([0-9]*\).*/\1/p" "$work/run.json"
}
values() { # KEY=VALUE... -- ARGUMENT...
    local -a wanted=()
    local pair
    while [ "$1" != -- ]; do
        wanted+=("$1")
        shift
    done
    shift
    run "$@" || return 1
    for pair in "${wanted[@]}"; do
        [ "$(value "${pair%=*}")" = "${pair#*=}" ] && continue
        echo "${pair%=*} is $(value "${pair%=*}"), not ${pair#*=}"
        return 1
    done
}

ok "two loads and the branch of the loop" values before=3 loads=2 branches=1 after=3 dropped=0 --
ok "two slots: a load is merged" values before=3 after=2 dropped=0 -- --set points.slots=2
ok "one slot: the branch is lost" values before=3 after=1 dropped=1 -- --set points.slots=1
ok "no limit" values after=3 -- --set points.slots=0
printf 'include = elf.ini\n[points]\nslots = 2\nbit = printed\n' >"$work/two.ini"
ok "from a machine file" values after=2 by_branch=4 -- --gpu "$work/two.ini"
ok "no points where no policy asks" eval 'run --sched gto && grep -q "\"points\": null" "$work/run.json"'

# Five times through the loop with one warp: ten loads. The count assumes that the branch is taken,
# so it is wrong at the exit; as printed, it is looked up at the four branches back instead.
ok "look-ups of the distance" values by_load=10 by_branch=1 by_jump=0 --
ok "as printed" values by_load=10 by_branch=4 by_jump=0 -- --set points.bit=printed
ok "a branch that is no point is looked up when it is taken" values by_branch=4 -- --set points.slots=1
ok "issued counts the instructions" eval 'run && [ "$(value issued)" -ge 36 ]'

# Lanes leave the loop at different times and wait for the others at its end: jumps without a branch.
cat >"$work/diverge.ptx" <<'PTX'
.version 3.2
.target sm_20
.address_size 64
.visible .entry diverge(.param .u64 out)
{
    .reg .pred %p; .reg .b64 %rd<3>; .reg .b32 %r<9>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p, %r1, 7;
    @%p bra LOW;
    ld.global.u32 %r3, [%rd1];
    add.u32 %r3, %r3, 1;
    bra.uni JOIN;
LOW:
    add.u32 %r3, %r1, 2;
JOIN:
    st.global.u32 [%rd1+8], %r3;
    ret;
}
PTX
sed 's/loop.ptx/diverge.ptx/; s/launch.*/launch diverge 1 1 1 32 1 1 0 p:A/' "$work/loop.job" >"$work/diverge.job"
jumps() { # KEY...: of the policy
    "$heddle" run "$work/diverge.job" --sched "$1" --quiet --no-host --json "$work/run.json" &&
        [ "$(value by_jump)" "$2" 0 ]
}
ok "paths that meet again are looked up" jumps elf -gt
ok "or not" jumps elf:jump=0 -eq

case_is "lost points are a warning" 0 "err:loop.ptx:4: warning: kernel loop has 3 program points" \
    "err:1 found no load to be merged into" "err:--set points.slots=3 has room for all" \
    "out:CYCLES" -- "$heddle" run "$work/loop.job" --sched elf --set points.slots=1
case_is "no warning where none is lost" 0 "no:warning" -- \
    "$heddle" run "$work/loop.job" --sched elf --set points.slots=2
case_is "an unknown word" 2 "err:points" "err:printed" -- "$heddle" run vecadd --set points.bit=print
case_is "an unknown key" 2 "err:points" "err:slots" -- "$heddle" run vecadd --set points.slot=3
case_is "a machine explains them" 0 "out:points.slots" "out:points.per" -- "$heddle" explain elf
case_is "ELF++ prefetches" 0 "out:16" -- "$heddle" explain elf++
case_is "a sweep" 0 "out:points.slots=1 " "out:points.slots=0 " -- \
    "$heddle" compare "$work/loop.job" --sched elf --set points.slots=1,2,0

# The database tells such machines apart, and knows the runs again.
case_is "runs are kept" 0 "out:2 runs: 0 stored before, 2 simulated now" -- "$heddle" compare \
    "$work/loop.job" --sched elf --set points.slots=1,2 --db "$work/runs.db"
case_is "and not repeated" 0 "out:3 runs: 2 stored before, 1 simulated now" -- "$heddle" compare \
    "$work/loop.job" --sched elf --set points.slots=1,2,3 --db "$work/runs.db"
finish
