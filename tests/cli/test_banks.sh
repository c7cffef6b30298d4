#!/usr/bin/env bash
# A load whose registers lie in one bank writes them all, instead of waiting for itself for ever.
. tests/shared/cases.sh

cat >"$work/bank.ptx" <<'PTX'
.version 7.0
.target sm_70
.address_size 64
.visible .entry one_bank(.param .u64 a)
{
    .reg .b32 %r<50>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [a];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd2, %r2, 16;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.v4.u32 {%r1, %r17, %r33, %r49}, [%rd3];
    add.s32 %r1, %r1, %r17;
    add.s32 %r1, %r1, %r33;
    add.s32 %r1, %r1, %r49;
    st.global.u32 [%rd3], %r1;
    ret;
}
PTX
printf '%s\n' "ptx $work/bank.ptx" "buf A 512 zero" "launch one_bank 1 1 1 32 1 1 0 p:A" >"$work/bank.job"
for sched in lrr gto; do
    case_is "four registers in one bank, $sched" 0 "no:deadlock" -- \
        "$heddle" run "$work/bank.job" --sched "$sched"
done
finish
