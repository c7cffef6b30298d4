# barrier.cluster in a cluster of one block: all stores before the arrivals are seen after the wait
-- kernel 1 96
.shared .align 4 .b32 s[96];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mov.u32 %r1, s;
mad.lo.u32 %r2, %r0, 4, %r1;
st.shared.u32 [%r2], %r0;
barrier.cluster.arrive.release.aligned;
barrier.cluster.wait.acquire.aligned;
xor.b32 %r3, %r0, 64;
min.u32 %r3, %r3, 95;
mad.lo.u32 %r2, %r3, 4, %r1;
ld.shared.u32 %r4, [%r2];
sub.u32 %r4, %r4, %r3;
barrier.cluster.arrive;
barrier.cluster.wait;
st.shared.u32 [%r2], 7;
barrier.cluster.arrive.relaxed;
barrier.cluster.wait;
setp.lt.u32 %p, %r0, 2;
mad.wide.u32 %rd2, %r0, 4, %rd2;
@%p st.global.u32 [%rd2], %r4;
ret;
-- in
0
-- out
0 0
# a warp that has arrived goes on; another waits for what it does before it waits itself
-- kernel 1 64
.shared .align 4 .b32 flag;
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
st.shared.u32 [flag], 0;
bar.sync 0;
setp.ge.u32 %p, %r0, 32;
barrier.cluster.arrive;
@%p bra second;
st.shared.u32 [flag], 1;
barrier.cluster.wait;
st.volatile.shared.u32 [flag], 2;
bra end;
second:
ld.volatile.shared.u32 %r1, [flag];
setp.ne.u32 %p, %r1, 2;
@%p bra second;
barrier.cluster.wait;
setp.eq.u32 %p, %r0, 32;
@%p st.global.u32 [%rd2], %r1;
end:
ret;
-- in
0
-- out
2
# a warp that ends counts as one that has arrived
-- kernel 1 64
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
setp.ge.u32 %p, %r0, 32;
@%p ret;
barrier.cluster.arrive;
barrier.cluster.wait;
setp.eq.u32 %p, %r0, 0;
@%p st.global.u32 [%rd2], 5;
ret;
-- in
0
-- out
5
# other spellings of what a cluster of one block has
-- kernel 1 1
.shared .align 8 .b32 s[2];
ld.param.u64 %rd2, [out];
mov.u32 %r0, s;
mapa.shared::cluster.u32 %r1, s, 0;
mapa.shared::cluster.u32 %r2, s+4, 0;
st.shared::cluster.u32 [%r1], 20;
atom.shared::cluster.add.u32 %r3, [%r1], 5;
red.shared::cluster.add.u32 [%r1], 1;
ld.shared::cta.u32 %r4, [s];
sub.u32 %r5, %r2, %r1;
getctarank.shared::cluster.u32 %r6, s;
add.u32 %r5, %r5, %r6;
fence.acq_rel.cluster;
pmevent 3;
st.global.v4.u32 [%rd2], {%r3, %r4, %r5, 0};
ret;
-- in
0
-- out
20 26 4 0
