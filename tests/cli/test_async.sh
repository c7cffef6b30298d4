#!/usr/bin/env bash
# test_async.sh - asynchronous copies and mbarriers under timing: every policy computes the same,
# skipping idle cycles changes nothing, copies overlap, a run that hangs says at which mbarrier, and
# a trace is refused by name.
set -u
. tests/shared/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
heddle=$HEDDLE_BUILD/heddle

# Each block: two stages, filled by warp 0 with cp.async (copies) or by one thread with a bulk copy
# (bulk), read by all four warps; mbarriers `full` and `empty` hand them over.
head='.version 8.0
.target sm_90
.address_size 64
'
# kernel NAME FILL: FILL is what the threads of warp 0 do for round %r3 at shared %r6 from global %rd4
kernel() {
    cat <<END
.visible .entry $1(.param .u64 in, .param .u64 out, .param .u32 rounds)
{
.reg .b32 %r<20>; .reg .b64 %rd<10>; .reg .pred %p, %q, %first;
.shared .align 16 .b8 stage[1024];
.shared .align 8 .b64 full[2];
.shared .align 8 .b64 empty[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
ld.param.u32 %r1, [rounds];
mov.u32 %r0, %tid.x;
mov.u32 %r2, %ctaid.x;
mad.lo.u32 %r4, %r2, %r1, 0;
mul.wide.u32 %rd3, %r4, 512;
add.u64 %rd1, %rd1, %rd3;
add.u64 %rd2, %rd2, %rd3;
setp.eq.u32 %first, %r0, 0;
@!%first bra ready;
mbarrier.init.shared::cta.b64 [full], $3;
mbarrier.init.shared::cta.b64 [full+8], $3;
mbarrier.init.shared::cta.b64 [empty], 128;
mbarrier.init.shared::cta.b64 [empty+8], 128;
ready:
bar.sync 0;
mov.u32 %r3, 0;
round:
and.b32 %r5, %r3, 1;
mov.u32 %r6, stage;
mad.lo.u32 %r6, %r5, 512, %r6;
mov.u32 %r7, full;
mad.lo.u32 %r7, %r5, 8, %r7;
mov.u32 %r8, empty;
mad.lo.u32 %r8, %r5, 8, %r8;
shr.u32 %r9, %r3, 1;
and.b32 %r9, %r9, 1;
xor.b32 %r10, %r9, 1;
mul.wide.u32 %rd5, %r3, 512;
setp.ge.u32 %p, %r0, 32;
@%p bra read;
free:
mbarrier.try_wait.parity.shared::cta.b64 %q, [%r8], %r10;
@!%q bra free;
add.u64 %rd4, %rd1, %rd5;
$2
read:
mbarrier.try_wait.parity.shared::cta.b64 %q, [%r7], %r9;
@!%q bra read;
mad.lo.u32 %r11, %r0, 4, %r6;
ld.shared.u32 %r12, [%r11];
mbarrier.arrive.shared::cta.b64 _, [%r8];
mad.lo.u32 %r12, %r12, 3, 1;
mad.wide.u32 %rd6, %r0, 4, %rd5;
add.u64 %rd6, %rd6, %rd2;
st.global.u32 [%rd6], %r12;
add.u32 %r3, %r3, 1;
setp.lt.u32 %p, %r3, %r1;
@%p bra round;
ret;
}
END
}
copies='mul.wide.u32 %rd7, %r0, 16;
add.u64 %rd4, %rd4, %rd7;
mad.lo.u32 %r13, %r0, 16, %r6;
cp.async.cg.shared.global [%r13], [%rd4], 16;
cp.async.mbarrier.arrive.noinc.shared.b64 [%r7];'
bulk='@!%first bra read;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r7], 512;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r6], [%rd4], 512, [%r7];'
{
    echo "$head"
    kernel copies "$copies" 32
    kernel bulk "$bulk" 1
} >"$work/async.ptx"
python3 - "$work" <<'END'
import struct, sys
n = 4 * 8 * 128
open(sys.argv[1] + "/in", "wb").write(struct.pack("<%dI" % n, *range(7, 7 + n)))
open(sys.argv[1] + "/want", "wb").write(struct.pack("<%dI" % n, *(3 * x + 1 for x in range(7, 7 + n))))
END
job() {
    cat <<END
ptx $work/async.ptx
buf in 16384 file $work/in
buf out 16384 zero
launch $1 4 1 1 128 1 1 0 p:in p:out u:8
check out 16384 $work/want exact
END
}
job copies >"$work/copies.job"
job bulk >"$work/bulk.job"

run() { timeout 120 "$heddle" run "$@" --no-host --quiet; }
for k in copies bulk; do
    ok "$k: without timing" run "$work/$k.job" --functional-only
    for policy in lrr gto two_level_active pro; do
        ok "$k: under $policy" run "$work/$k.job" --sched $policy --json "$work/$k.$policy.json"
    done
    for policy in gto two_level_active; do
        run "$work/$k.job" --sched $policy --no-skip --json "$work/slow.json"
        sed -i 's/"no_skip": *true/"no_skip": false/' "$work/slow.json"
        ok "$k: skipping idle cycles changes nothing under $policy" cmp "$work/$k.$policy.json" "$work/slow.json"
    done
    ok "$k: on another machine" run "$work/$k.job" --gpu debug-flatmem
    ok "$k: with the shortest sleep" run "$work/$k.job" --set sm.try_wait=1
done

# Each lane of a warp copies 300,032 bytes: 75,008 lines of one instruction.
cat >"$work/wide.ptx" <<'END'
.version 8.0
.target sm_90
.address_size 64
.visible .entry wide(.param .u64 out)
{
.reg .b32 %r<4>; .reg .b64 %rd<4>;
.shared .align 16 .b8 s[300032];
ld.param.u64 %rd1, [out];
mov.u32 %r1, s;
st.shared.u32 [%r1+300000], 77;
cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 300032;
cp.async.bulk.commit_group;
cp.async.bulk.wait_group 0;
ret;
}
END
python3 - "$work" <<'END'
import sys
open(sys.argv[1] + "/wide.want", "wb").write(bytes(300000) + bytes([77]) + bytes(31))
END
printf 'ptx %s\nbuf A 300032 zero\nlaunch wide 1 1 1 32 1 1 0 p:A\ncheck A 300032 %s exact\n' \
    "$work/wide.ptx" "$work/wide.want" >"$work/wide.job"
ok "a bulk copy of more than 65535 lines" run "$work/wide.job" --gpu rtx2060 --set sm.shared_bytes=512K

# Eight copies in groups of their own, each waited for at once, or all at the end.
groups() {
    echo "$head"
    echo ".visible .entry k(.param .u64 in) { .reg .b32 %r<4>; .reg .b64 %rd<4>; .shared .align 16 .b8 s[4096];
ld.param.u64 %rd1, [in]; mov.u32 %r0, %tid.x; mad.wide.u32 %rd1, %r0, 16, %rd1; mov.u32 %r1, s;
mad.lo.u32 %r1, %r0, 16, %r1;"
    for i in 0 1 2 3 4 5 6 7; do
        echo "cp.async.cg.shared.global [%r1+$((512 * i))], [%rd1+$((512 * i))], 16; cp.async.commit_group;"
        [ "$1" = each ] && echo "cp.async.wait_group 0;"
    done
    echo "cp.async.wait_group $2; ret; }"
}
cycles() {
    groups "$@" >"$work/g.ptx"
    printf 'ptx %s\nbuf in 4096 zero\nlaunch k 1 1 1 32 1 1 0 p:in\n' "$work/g.ptx" >"$work/g.job"
    run "$work/g.job" --json "$work/g.json"
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["totals"]["cycles"])' "$work/g.json"
}
each=$(cycles each 0) all=$(cycles all 0) some=$(cycles all 6) none=$(cycles all 99)
echo "# waited for each: $each cycles, for all: $all, for the first two: $some, for none: $none"
ok "copies overlap" test $((2 * all)) -lt "$each"
ok "a wait for the first groups is shorter" test "$some" -lt "$all"

# The same with a time between the last data of a copy and its end.
set_cycles() {
    printf 'ptx %s\nbuf in 4096 zero\nlaunch k 1 1 1 32 1 1 0 p:in\n' "$work/g.ptx" >"$work/g.job"
    run "$work/g.job" --set sm.copy_latency="$1" --json "$work/g.json" "${@:2}"
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["totals"]["cycles"])' "$work/g.json"
}
groups each 0 >"$work/g.ptx"
zero=$(set_cycles 0) forty=$(set_cycles 40) slow=$(set_cycles 40 --no-skip) most=$(set_cycles 1000)
echo "# waited for each, with sm.copy_latency 0, 40, 1000: $zero, $forty, $most cycles"
ok "no such time: the same cycles" test "$zero" = "$each"
# Not to the cycle, since the DRAM has a clock of its own.
longer() { [ "$1" -ge $((each + 8 * $2 - 20)) ] && [ "$1" -le $((each + 8 * $2 + 20)) ]; }
ok "each of eight waits is so much longer" longer "$forty" 40
ok "also with the longest time" longer "$most" 1000
ok "skipping idle cycles changes nothing there" test "$slow" = "$forty"
for k in copies bulk; do
    for gpu in gtx480 rtx2060; do
        ok "$k on $gpu: with sm.copy_latency" run "$work/$k.job" --gpu $gpu --set sm.copy_latency=100 --json "$work/late.json"
        run "$work/$k.job" --gpu $gpu --set sm.copy_latency=100 --no-skip --threads 2 --json "$work/slow.json"
        sed -i 's/"no_skip": *true/"no_skip": false/' "$work/slow.json"
        ok "$k on $gpu: the same without skipping" cmp "$work/late.json" "$work/slow.json"
    done
done

# A warp waits for an arrival that never comes.
{
    echo "$head"
    echo '.visible .entry stuck() { .reg .b64 %s; .reg .pred %p; .shared .align 8 .b64 b[2];
mbarrier.init.shared.b64 [b+8], 2; mbarrier.arrive.expect_tx.shared.b64 %s, [b+8], 48;
wait: mbarrier.try_wait.shared.b64 %p, [b+8], %s; @!%p bra wait; ret; }'
} >"$work/stuck.ptx"
printf 'ptx %s\nlaunch stuck 1 1 1 1 1 1 0\n' "$work/stuck.ptx" >"$work/stuck.job"
missing='the mbarrier at 0x8 of shared memory: 1 of 2 arrivals and 48 bytes are missing'
hangs() {
    timeout 120 "$heddle" run "$work/stuck.job" --quiet "$@" >"$work/out" 2>&1
    [ $? = 3 ] && grep -q "$missing" "$work/out"
}
ok "a hang names its mbarrier" hangs --set gpu.livelock_after=20000
ok "without timing, too" hangs --functional-only

record() {
    timeout 120 "$heddle" run "$work/copies.job" --quiet --record "$work/trace" >"$work/out" 2>&1
    [ $? = 2 ] && grep -q "a trace cannot hold 'mbarrier.init'" "$work/out" && [ ! -e "$work/trace" ]
}
ok "a trace is refused by name" record
finish
