# Lanes that are scheduled independently (sm_70 and later): what waits for lanes of the same warp in
# other paths of it. Values follow from the PTX manual's rule for each thread alone.
# both sides of a branch wait for all lanes, at different places
-- kernel 1 32
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
setp.lt.u32 %p, %r0, 8;
@%p bra other;
bar.warp.sync -1;
mov.u32 %r9, 1;
bra done;
other:
bar.warp.sync -1;
mov.u32 %r9, 2;
done:
st.global.u32 [%rd4], %r9;
ret;
-- out
0x2 0x2 0x2 0x2 0x2 0x2 0x2 0x2
0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x1
0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x1
0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x1
# lanes that took the branch and have come to its end go on, and end
-- kernel 1 32
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
setp.lt.u32 %p, %r0, 8;
mov.u32 %r9, 5;
@%p bra done;
vote.sync.ballot.b32 %r9, 1, -1;
done:
st.global.u32 [%rd4], %r9;
ret;
-- out
0x5 0x5 0x5 0x5 0x5 0x5 0x5 0x5
0xffffff00 0xffffff00 0xffffff00 0xffffff00 0xffffff00 0xffffff00 0xffffff00 0xffffff00
0xffffff00 0xffffff00 0xffffff00 0xffffff00 0xffffff00 0xffffff00 0xffffff00 0xffffff00
0xffffff00 0xffffff00 0xffffff00 0xffffff00 0xffffff00 0xffffff00 0xffffff00 0xffffff00
# shuffles of two branches
-- kernel 1 32
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
add.u32 %r1, %r0, 100;
setp.lt.u32 %p, %r0, 16;
@!%p bra other;
shfl.sync.idx.b32 %r9, %r1, 20, 31, -1;
bra done;
other:
mul.lo.u32 %r2, %r1, 2;
shfl.sync.idx.b32 %r9, %r2, 3, 31, -1;
done:
st.global.u32 [%rd4], %r9;
ret;
-- out
0xf0 0xf0 0xf0 0xf0 0xf0 0xf0 0xf0 0xf0
0xf0 0xf0 0xf0 0xf0 0xf0 0xf0 0xf0 0xf0
0x67 0x67 0x67 0x67 0x67 0x67 0x67 0x67
0x67 0x67 0x67 0x67 0x67 0x67 0x67 0x67
# three branches, three registers, two results
-- kernel 1 32
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
and.b32 %r1, %r0, 3;
mul.lo.u32 %r2, %r0, %r0;
setp.eq.u32 %p, %r1, 0;
@%p bra a;
setp.eq.u32 %p, %r1, 1;
@%p bra b;
add.u32 %r3, %r2, 7;
shfl.sync.up.b32 %r9|%p, %r3, 1, 0, -1;
bra add;
a:
add.u32 %r4, %r2, 8;
shfl.sync.up.b32 %r9|%p, %r4, 1, 0, -1;
bra add;
b:
add.u32 %r5, %r2, 9;
shfl.sync.up.b32 %r9|%p, %r5, 1, 0, -1;
add:
@%p add.u32 %r9, %r9, 1000;
st.global.u32 [%rd4], %r9;
ret;
-- out
0x8 0x3f0 0x3f2 0x3f3 0x3f8 0x400 0x40a 0x413
0x420 0x430 0x442 0x453 0x468 0x480 0x49a 0x4b3
0x4d0 0x4f0 0x512 0x533 0x558 0x580 0x5aa 0x5d3
0x600 0x630 0x662 0x693 0x6c8 0x700 0x73a 0x773
# guards: two lanes exchange values by two instructions
-- kernel 1 32
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
setp.eq.u32 %p, %r0, 0;
selp.u32 %r1, 42, 123, %p;
mov.u32 %r9, 7;
@%p shfl.sync.idx.b32 %r9, %r1, 1, 31, 3;
setp.eq.u32 %p, %r0, 1;
@%p shfl.sync.idx.b32 %r9, %r1, 0, 31, 3;
st.global.u32 [%rd4], %r9;
ret;
-- out
0x7b 0x2a 0x7 0x7 0x7 0x7 0x7 0x7
0x7 0x7 0x7 0x7 0x7 0x7 0x7 0x7
0x7 0x7 0x7 0x7 0x7 0x7 0x7 0x7
0x7 0x7 0x7 0x7 0x7 0x7 0x7 0x7
# two pairs with masks of their own, of which one is complete earlier
-- kernel 1 32
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
mov.u32 %r9, 0;
shr.u32 %r1, %r0, 1;
mov.u32 %r2, 3;
setp.eq.u32 %p, %r1, 1;
@%p mov.u32 %r2, 12;
setp.gt.u32 %p, %r0, 3;
@%p bra done;
setp.eq.u32 %p, %r0, 1;
@%p bra late;
vote.sync.ballot.b32 %r9, 1, %r2;
bra done;
late:
add.u32 %r0, %r0, 1;
vote.sync.ballot.b32 %r9, 1, %r2;
done:
st.global.u32 [%rd4], %r9;
ret;
-- out
0x3 0x3 0xc 0xc 0x0 0x0 0x0 0x0
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
# matches and reductions of both sides
-- kernel 1 32
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
shr.u32 %r1, %r0, 3;
setp.lt.u32 %p, %r0, 20;
@%p bra low;
match.any.sync.b32 %r9, %r1, -1;
redux.sync.add.s32 %r2, %r0, -1;
bra add;
low:
mov.u32 %r3, %r1;
match.any.sync.b32 %r9, %r3, -1;
mov.u32 %r4, %r0;
redux.sync.add.s32 %r2, %r4, -1;
add:
add.u32 %r9, %r9, %r2;
st.global.u32 [%rd4], %r9;
ret;
-- out
0x2ef 0x2ef 0x2ef 0x2ef 0x2ef 0x2ef 0x2ef 0x2ef
0x100f0 0x100f0 0x100f0 0x100f0 0x100f0 0x100f0 0x100f0 0x100f0
0xff01f0 0xff01f0 0xff01f0 0xff01f0 0xff01f0 0xff01f0 0xff01f0 0xff01f0
0xff0001f0 0xff0001f0 0xff0001f0 0xff0001f0 0xff0001f0 0xff0001f0 0xff0001f0 0xff0001f0
# iterations of a loop with other numbers of turns: the lanes that have left count no more
-- kernel 1 32
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
mov.u32 %r1, 0;
mov.u32 %r9, 0;
loop:
vote.sync.ballot.b32 %r2, 1, -1;
popc.b32 %r2, %r2;
add.u32 %r9, %r9, %r2;
add.u32 %r1, %r1, 1;
setp.le.u32 %p, %r1, %r0;
@%p bra loop;
st.global.u32 [%rd4], %r9;
exit;
st.global.u32 [%rd4], %r9;
ret;
-- out
0x20 0x3f 0x5d 0x7a 0x96 0xb1 0xcb 0xe4
0xfc 0x113 0x129 0x13e 0x152 0x165 0x177 0x188
0x198 0x1a7 0x1b5 0x1c2 0x1ce 0x1d9 0x1e3 0x1ec
0x1f4 0x1fb 0x201 0x206 0x20a 0x20d 0x20f 0x210
# a barrier with a reduction in both branches
-- kernel 1 64
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
setp.lt.u32 %p, %r0, 5;
setp.lt.u32 %p, %r0, 16;
@!%p bra other;
setp.lt.u32 %p, %r0, 5;
barrier.red.popc.u32 %r9, 0, %p;
bra done;
other:
setp.gt.u32 %p, %r0, 60;
barrier.red.popc.u32 %r9, 0, %p;
add.u32 %r9, %r9, 100;
done:
st.global.u32 [%rd4], %r9;
ret;
-- out
0x8 0x8 0x8 0x8 0x8 0x8 0x8 0x8
0x8 0x8 0x8 0x8 0x8 0x8 0x8 0x8
0x6c 0x6c 0x6c 0x6c 0x6c 0x6c 0x6c 0x6c
0x6c 0x6c 0x6c 0x6c 0x6c 0x6c 0x6c 0x6c
0x6c 0x6c 0x6c 0x6c 0x6c 0x6c 0x6c 0x6c
0x6c 0x6c 0x6c 0x6c 0x6c 0x6c 0x6c 0x6c
0x6c 0x6c 0x6c 0x6c 0x6c 0x6c 0x6c 0x6c
0x6c 0x6c 0x6c 0x6c 0x6c 0x6c 0x6c 0x6c
# half warps at barriers of their own, with thread counts
-- kernel 1 64
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
and.b32 %r1, %r0, 31;
setp.lt.u32 %p, %r1, 16;
@%p bra low;
setp.lt.u32 %p, %r0, 32;
barrier.red.popc.u32 %r9, 2, 32, %p;
barrier.sync 2, 32;
bra done;
low:
barrier.sync 1, 32;
setp.eq.u32 %p, %r0, 33;
barrier.red.popc.u32 %r9, 1, 32, %p;
done:
st.global.u32 [%rd4], %r9;
ret;
-- out
0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x1
0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x1
0x10 0x10 0x10 0x10 0x10 0x10 0x10 0x10
0x10 0x10 0x10 0x10 0x10 0x10 0x10 0x10
0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x1
0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x1
0x10 0x10 0x10 0x10 0x10 0x10 0x10 0x10
0x10 0x10 0x10 0x10 0x10 0x10 0x10 0x10
# lanes that end are not waited for at a barrier
-- kernel 1 64
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
setp.lt.u32 %p, %r0, 3;
@%p bra early;
setp.gt.u32 %p, %r0, 1;
barrier.red.popc.u32 %r9, 0, %p;
bra done;
early:
mov.u32 %r9, 9;
st.global.u32 [%rd4], %r9;
exit;
done:
st.global.u32 [%rd4], %r9;
ret;
-- out
0x9 0x9 0x9 0x3d 0x3d 0x3d 0x3d 0x3d
0x3d 0x3d 0x3d 0x3d 0x3d 0x3d 0x3d 0x3d
0x3d 0x3d 0x3d 0x3d 0x3d 0x3d 0x3d 0x3d
0x3d 0x3d 0x3d 0x3d 0x3d 0x3d 0x3d 0x3d
0x3d 0x3d 0x3d 0x3d 0x3d 0x3d 0x3d 0x3d
0x3d 0x3d 0x3d 0x3d 0x3d 0x3d 0x3d 0x3d
0x3d 0x3d 0x3d 0x3d 0x3d 0x3d 0x3d 0x3d
0x3d 0x3d 0x3d 0x3d 0x3d 0x3d 0x3d 0x3d
# a lock for each lane
-- kernel 1 32
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
ld.param.u64 %rd1, [in];
lock:
atom.global.cas.b32 %r1, [%rd1], 0, 1;
setp.ne.u32 %p, %r1, 0;
@%p bra lock;
ld.volatile.global.u32 %r2, [%rd1+4];
add.u32 %r2, %r2, 1;
st.volatile.global.u32 [%rd1+4], %r2;
membar.gl;
atom.global.exch.b32 %r3, [%rd1], 0;
bar.warp.sync -1;
ld.volatile.global.u32 %r9, [%rd1+4];
st.global.u32 [%rd4], %r9;
ret;
-- in
0 0
-- out
0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20
0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20
0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20
0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20
# the highest lane waits for a flag that lane 5 sets, read by a volatile load
-- kernel 1 32
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
ld.param.u64 %rd1, [in];
mov.u32 %r9, 1;
setp.eq.u32 %p, %r0, 31;
@%p bra wait;
setp.ne.u32 %p, %r0, 5;
@%p bra done;
mov.u32 %r1, 77;
st.global.u32 [%rd1+4], %r1;
membar.gl;
st.volatile.global.u32 [%rd1], %r1;
mov.u32 %r9, 2;
bra done;
wait:
ld.volatile.global.u32 %r1, [%rd1];
setp.eq.u32 %p, %r1, 0;
@%p bra wait;
ld.volatile.global.u32 %r9, [%rd1+4];
done:
st.global.u32 [%rd4], %r9;
ret;
-- in
0 0
-- out
0x1 0x1 0x1 0x1 0x1 0x2 0x1 0x1
0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x1
0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x1
0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x4d
# the highest lane waits for a flag that lane 5 sets, read by a acquire load
-- kernel 1 32
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
ld.param.u64 %rd1, [in];
mov.u32 %r9, 1;
setp.eq.u32 %p, %r0, 31;
@%p bra wait;
setp.ne.u32 %p, %r0, 5;
@%p bra done;
mov.u32 %r1, 77;
st.global.u32 [%rd1+4], %r1;
membar.gl;
st.volatile.global.u32 [%rd1], %r1;
mov.u32 %r9, 2;
bra done;
wait:
ld.acquire.gpu.global.u32 %r1, [%rd1];
setp.eq.u32 %p, %r1, 0;
@%p bra wait;
ld.volatile.global.u32 %r9, [%rd1+4];
done:
st.global.u32 [%rd4], %r9;
ret;
-- in
0 0
-- out
0x1 0x1 0x1 0x1 0x1 0x2 0x1 0x1
0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x1
0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x1
0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x4d
# the highest lane waits for a flag that lane 5 sets, read by a weak load
-- kernel 1 32
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
ld.param.u64 %rd1, [in];
mov.u32 %r9, 1;
setp.eq.u32 %p, %r0, 31;
@%p bra wait;
setp.ne.u32 %p, %r0, 5;
@%p bra done;
mov.u32 %r1, 77;
st.global.u32 [%rd1+4], %r1;
membar.gl;
st.volatile.global.u32 [%rd1], %r1;
mov.u32 %r9, 2;
bra done;
wait:
ld.global.u32 %r1, [%rd1];
setp.eq.u32 %p, %r1, 0;
@%p bra wait;
ld.volatile.global.u32 %r9, [%rd1+4];
done:
st.global.u32 [%rd4], %r9;
ret;
-- in
0 0
-- out
0x1 0x1 0x1 0x1 0x1 0x2 0x1 0x1
0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x1
0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x1
0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x4d
# lanes count their attempts, so that no state comes back; the others have come to the end
-- kernel 1 32
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
ld.param.u64 %rd1, [in];
mov.u32 %r3, 0;
and.b32 %r1, %r0, 1;
setp.eq.u32 %p, %r1, 0;
@%p bra add;
wait:
add.u32 %r3, %r3, 1;
ld.relaxed.gpu.global.u32 %r1, [%rd1];
setp.lt.u32 %p, %r1, 16;
@%p bra wait;
mov.u32 %r9, 3;
bra done;
add:
atom.global.add.u32 %r1, [%rd1], 1;
mov.u32 %r9, 4;
done:
st.global.u32 [%rd4], %r9;
ret;
-- in
0
-- out
0x4 0x3 0x4 0x3 0x4 0x3 0x4 0x3
0x4 0x3 0x4 0x3 0x4 0x3 0x4 0x3
0x4 0x3 0x4 0x3 0x4 0x3 0x4 0x3
0x4 0x3 0x4 0x3 0x4 0x3 0x4 0x3
# functions called in both branches, the shuffle in the callee; frames of two paths at the same time
-- module 1 32
.version 8.6
.target sm_90
.address_size 64
.func (.reg .u32 %r) one(.reg .u32 %a)
{
.reg .u32 %x<4>;
add.u32 %x0, %a, 100;
shfl.sync.bfly.b32 %x1, %x0, 1, 31, -1;
sub.u32 %r, %x1, %x0;
ret;
}
.func (.reg .u32 %r) two(.reg .u32 %a, .reg .u64 %w)
{
.reg .u64 %y<2>;
.reg .u32 %x<6>;
mul.wide.u32 %y1, %a, 3;
add.u64 %y1, %y1, %w;
cvt.u32.u64 %x2, %y1;
shfl.sync.bfly.b32 %x3, %x2, 1, 31, -1;
mul.lo.u32 %x4, %x3, 2;
call (%x5), one, (%x4);
add.u32 %r, %x5, %x2;
ret;
}
.visible .entry test(.param .u64 in, .param .u64 out)
{
.reg .b32 %r<10>;
.reg .b64 %rd<10>;
.reg .pred %p;
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
and.b32 %r1, %r0, 1;
setp.eq.u32 %p, %r1, 0;
@%p bra even;
call (%r9), one, (%r0);
call (%r8), one, (%r9);
add.u32 %r9, %r9, %r8;
bra done;
even:
mov.u64 %rd5, 7;
call (%r9), two, (%r0, %rd5);
done:
st.global.u32 [%rd4], %r9;
ret;
}
-- out
0xfffffedf 0xca 0xfffffee5 0xce 0xfffffeeb 0xd2 0xfffffef1 0xd6
0xfffffef7 0xda 0xfffffefd 0xde 0xffffff03 0xe2 0xffffff09 0xe6
0xffffff0f 0xea 0xffffff15 0xee 0xffffff1b 0xf2 0xffffff21 0xf6
0xffffff27 0xfa 0xffffff2d 0xfe 0xffffff33 0x102 0xffffff39 0x106
# a path that has passed a barrier does not arrive again when all other lanes have ended
-- module 1 32
.version 8.4
.target sm_70
.address_size 64
.visible .entry test(.param .u64 in, .param .u64 out) {
.reg .b32 %v,%ti,%t<20>; .reg .b64 %o; .reg .pred %p<20>; .shared .align 4 .b32 s[64];
mov.u32 %ti,%tid.x; ld.param.u64 %o,[out]; mad.wide.u32 %o,%ti,4,%o; mov.u32 %v,0;
setp.lt.u32 %p2,%ti,10; and.b32 %t1,%ti,1; setp.eq.u32 %p1,%t1,0;
@%p1 barrier.red.popc.u32 %v,0,%p2; @!%p1 barrier.red.popc.u32 %v,0,%p2;
st.global.u32 [%o],%v; ret; }
-- out
10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10
10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10
# the same, where another warp waits for what follows
-- module 1 64
.version 8.4
.target sm_70
.address_size 64
.visible .entry test(.param .u64 in, .param .u64 out) {
.reg .b32 %v,%ti,%t<20>; .reg .b64 %o; .reg .pred %p<20>; .shared .align 4 .b32 s[64];
mov.u32 %ti,%tid.x; ld.param.u64 %o,[out]; mad.wide.u32 %o,%ti,4,%o; mov.u32 %v,0;
and.b32 %t1,%ti,1; setp.eq.u32 %p1,%t1,1; setp.ge.u32 %p2,%ti,32; mov.u32 %t3,s; mov.u32 %v,%ti;
@%p2 bra W1;
@!%p1 bra EVEN; barrier.sync 0; st.global.u32 [%o],%v; ret;
EVEN: barrier.sync 0; st.volatile.shared.u32 [%t3],1; barrier.sync 0; st.global.u32 [%o],%v; ret;
W1: barrier.sync 0; S: ld.volatile.shared.u32 %t5,[%t3]; setp.eq.u32 %p3,%t5,0; @%p3 bra S; barrier.sync 0;
st.global.u32 [%o],%v; ret; }
-- out
0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47
48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
# masks that overlap at one instruction: each lane waits for those that name the same lanes
-- module 1 32
.version 8.4
.target sm_70
.address_size 64
.visible .entry test(.param .u64 in, .param .u64 out) {
.reg .b32 %v,%ti,%t<20>; .reg .b64 %o; .reg .pred %p<20>; .shared .align 4 .b32 s[64];
mov.u32 %ti,%tid.x; ld.param.u64 %o,[out]; mad.wide.u32 %o,%ti,4,%o; mov.u32 %v,0;
add.u32 %v,%ti,1; setp.gt.u32 %p1,%ti,2; @%p1 bra E;
setp.eq.u32 %p2,%ti,0; selp.u32 %t1,3,6,%p2; min.u32 %t2,%ti,1; add.u32 %t2,%t2,1;
shfl.sync.idx.b32 %t3,%v,%t2,31,%t1;   // lane 0: mask {0,1} from lane 1; lanes 1,2: mask {1,2} from lane 2
setp.lt.u32 %p3,%ti,2; @%p3 add.u32 %v,%v,%t3;
setp.eq.u32 %p4,%ti,1; @%p4 shfl.sync.idx.b32 %t3,%v,1,31,3; // lane 1 gives to lane 0
E:
st.global.u32 [%o],%v; ret; }
-- out
6 5 3 4 5 6 7 8 9 10 11 12 13 14 15 16
17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
# lanes at one instruction that name different barriers
-- module 1 64
.version 8.4
.target sm_70
.address_size 64
.visible .entry test(.param .u64 in, .param .u64 out) {
.reg .b32 %v,%ti,%t<20>; .reg .b64 %o; .reg .pred %p<20>; .shared .align 4 .b32 s[64];
mov.u32 %ti,%tid.x; ld.param.u64 %o,[out]; mad.wide.u32 %o,%ti,4,%o; mov.u32 %v,0;
and.b32 %t1,%ti,16; shr.u32 %t1,%t1,4; add.u32 %t1,%t1,1; setp.lt.u32 %p2,%ti,32; mov.u32 %t3,s; shl.b32 %t2,%ti,2; add.u32 %t2,%t2,%t3; xor.b32 %t4,%ti,32; shl.b32 %t4,%t4,2; add.u32 %t4,%t4,%t3;
@%p2 bra G; mov.u32 %t5,0; D: add.u32 %t5,%t5,1; setp.lt.u32 %p3,%t5,3000; @%p3 bra D;
G: add.u32 %t6,%ti,1; st.shared.u32 [%t2],%t6; barrier.sync %t1,32; ld.shared.u32 %v,[%t4];
st.global.u32 [%o],%v; ret; }
-- out
33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48
49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
# paths of nested branches wait for each other in a chain: each has its turn
-- module 1 32
.version 8.4
.target sm_70
.address_size 64
.visible .global .align 4 .u32 f[4];
.visible .entry test(.param .u64 in, .param .u64 out) {
.reg .b32 %v,%ti,%n; .reg .b64 %o,%a; .reg .pred %p<3>;
mov.u32 %ti,%tid.x; ld.param.u64 %o,[out]; mad.wide.u32 %o,%ti,4,%o; mov.u64 %a,f; mov.u32 %n,0;
setp.gt.u32 %p2,%ti,8; @%p2 bra OUT;
setp.eq.u32 %p2,%ti,0; @%p2 bra B0;
setp.eq.u32 %p2,%ti,1; @%p2 bra B1;
setp.eq.u32 %p2,%ti,2; @%p2 bra B2;
setp.eq.u32 %p2,%ti,3; @%p2 bra B3;
setp.eq.u32 %p2,%ti,4; @%p2 bra B4;
setp.eq.u32 %p2,%ti,5; @%p2 bra B5;
setp.eq.u32 %p2,%ti,6; @%p2 bra B6;
setp.eq.u32 %p2,%ti,7; @%p2 bra B7;
st.volatile.global.u32 [%a],1;
S8_1: ld.volatile.global.u32 %v,[%a+4]; setp.eq.u32 %p1,%v,0; @%p1 bra S8_1;
st.volatile.global.u32 [%a+8],1;
bra E7;
B7:
S7_2: ld.volatile.global.u32 %v,[%a+8]; setp.eq.u32 %p1,%v,0; @%p1 bra S7_2;
E7:
bra E6;
B6:
S6_2: ld.volatile.global.u32 %v,[%a+8]; setp.eq.u32 %p1,%v,0; @%p1 bra S6_2;
E6:
bra E5;
B5:
S5_2: ld.volatile.global.u32 %v,[%a+8]; setp.eq.u32 %p1,%v,0; @%p1 bra S5_2;
E5:
bra E4;
B4:
S4_2: ld.volatile.global.u32 %v,[%a+8]; setp.eq.u32 %p1,%v,0; @%p1 bra S4_2;
E4:
bra E3;
B3:
S3_2: ld.volatile.global.u32 %v,[%a+8]; setp.eq.u32 %p1,%v,0; @%p1 bra S3_2;
E3:
bra E2;
B2:
S2_2: ld.volatile.global.u32 %v,[%a+8]; setp.eq.u32 %p1,%v,0; @%p1 bra S2_2;
E2:
bra E1;
B1:
S1_2: ld.volatile.global.u32 %v,[%a+8]; setp.eq.u32 %p1,%v,0; @%p1 bra S1_2;
E1:
bra E0;
B0:
S0_0: ld.volatile.global.u32 %v,[%a+0]; setp.eq.u32 %p1,%v,0; @%p1 bra S0_0;
st.volatile.global.u32 [%a+4],1;
S0_2: ld.volatile.global.u32 %v,[%a+8]; setp.eq.u32 %p1,%v,0; @%p1 bra S0_2;
E0:
OUT: add.u32 %ti,%ti,100; st.global.u32 [%o],%ti; ret; }
-- out
100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115
116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131
# lanes that are together and name the lanes before them, which PTX leaves undefined: as one
-- kernel 1 32
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd4, %r0, 4, %rd2;
mov.u32 %r1, %lanemask_lt;
vote.sync.ballot.b32 %r2, 1, %r1;
popc.b32 %r9, %r2;
st.global.u32 [%rd4], %r9;
ret;
-- out
0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
