#!/usr/bin/env bash
# heddle ptx: check and dump.
. tests/cli/cases.sh

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
case_is "no verb" 2 "err:heddle ptx check|dump FILE.ptx" -- "$heddle" ptx
case_is "unknown verb" 2 "err:did you mean 'dump'?" -- "$heddle" ptx dmup x.ptx
case_is "a verb of later" 2 "err:not available in this version" -- "$heddle" ptx regs x.ptx
finish
