#!/usr/bin/env bash
# Lanes that are scheduled independently (sm_70 and later), with timing: the same values as without,
# on every machine and for any number of threads. Code for earlier targets waits for ever, as before.
. tests/shared/cases.sh

kernel() { # FILE TARGET: every lane of 64 takes the lock, adds 1 to a counter, and gives it back
    cat >"$work/$1.ptx" <<PTX
.version 7.0
.target $2
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %p1, %p2;
.reg .b32 %r<9>;
.reg .b64 %rd<3>;
ld.param.u64 %rd1, [p];
mov.u32 %r0, %tid.x;
lock:
atom.global.cas.b32 %r1, [%rd1], 0, 1;
setp.ne.u32 %p1, %r1, 0;
@%p1 bra lock;
ld.volatile.global.u32 %r2, [%rd1+4];
add.u32 %r2, %r2, 1;
st.volatile.global.u32 [%rd1+4], %r2;
membar.gl;
atom.global.exch.b32 %r3, [%rd1], 0;
setp.lt.u32 %p2, %r0, 40;
@%p2 bra low;
barrier.red.popc.u32 %r4, 0, %p2;
bra done;
low:
barrier.red.popc.u32 %r4, 0, %p2;
done:
mul.wide.u32 %rd2, %r0, 4;
add.u64 %rd2, %rd2, %rd1;
ld.volatile.global.u32 %r5, [%rd1+4];
add.u32 %r4, %r4, %r5;
st.global.u32 [%rd2+8], %r4;
ret;
}
PTX
    cat >"$work/$1.job" <<JOB
ptx $1.ptx
buf p 264 zero
launch k 1 1 1 64 1 1 0 p:p
check p 264 want.bin exact
JOB
}
{
    printf '\0\0\0\0\100\0\0\0' # the lock, and 64 additions
    for _ in {1..64}; do printf '\150\0\0\0'; done
} >"$work/want.bin" # 40 lanes below 40, and 64
kernel new sm_70
kernel old sm_60

case_is "without timing" 0 "out:results verified" -- "$heddle" run "$work/new.job" --functional-only
for gpu in gtx480 rtx2060 qv100 debug-flatmem; do
    case_is "on $gpu" 0 "out:results verified" -- "$heddle" run "$work/new.job" --gpu $gpu
done
for sched in lrr two_level_active; do
    case_is "under $sched" 0 "out:results verified" -- "$heddle" run "$work/new.job" --sched $sched
done

cycles() { # OPTION...
    "$heddle" run "$work/new.job" --gpu rtx2060 --quiet --json "$work/new.json" "$@" || return
    /usr/bin/python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["totals"]["cycles"])' "$work/new.json"
}
once=$(cycles)
ok "takes some cycles" test "$once" -gt 5000
ok "the same again" test "$(cycles)" = "$once"
ok "the same with two threads" test "$(cycles --threads 2)" = "$once"
ok "the same without skipping cycles" test "$(cycles --no-skip)" = "$once"
ok "a change of the path costs what sm.path_switch says" test "$(cycles --set sm.path_switch=50)" -gt "$once"

# A lock for each lane is a deadlock where lanes run in lockstep.
case_is "code for sm_60 waits for ever" 3 "err:livelock" "err:repeats itself" -- \
    timeout 60 "$heddle" run "$work/old.job" --functional-only
case_is "and the message says why" 3 "err:sm_70" -- \
    timeout 60 "$heddle" run "$work/old.job" --functional-only
case_is "also with timing" 3 "err:livelock" "err:sm_70" -- \
    timeout 100 "$heddle" run "$work/old.job" --set gpu.livelock_after=20000
finish
