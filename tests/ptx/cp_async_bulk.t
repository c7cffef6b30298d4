# 64 bytes in, doubled, and 64 bytes out
-- kernel 1 32
.shared .align 16 .b32 s[16];
.shared .align 8 .b64 b;
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mov.u32 %r5, s;
setp.ne.u32 %p, %r0, 0;
@%p bra wait;
mbarrier.init.shared.b64 [b], 1;
fence.mbarrier_init.release.cluster;
fence.proxy.async.shared::cta;
mov.u32 %r6, 64;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1], %r6, [b];
mbarrier.arrive.expect_tx.shared.b64 _, [b], 64;
wait:
bar.warp.sync 0xffffffff;
mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p, [b], 0;
@!%p bra wait;
setp.ge.u32 %p, %r0, 16;
@%p ret;
mad.lo.u32 %r1, %r0, 4, %r5;
ld.shared.u32 %r2, [%r1];
add.u32 %r2, %r2, %r2;
st.shared.u32 [%r1], %r2;
fence.proxy.async.shared::cta;
setp.ne.u32 %p, %r0, 0;
@%p ret;
cp.async.bulk.global.shared::cta.bulk_group [%rd2], [s], 64;
cp.async.bulk.commit_group;
cp.async.bulk.wait_group.read 0;
cp.async.bulk.wait_group 0;
cp.async.bulk.prefetch.L2.global [%rd1], 64;
ret;
-- in
1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
-- out
2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32
# sizes are multiples of 16
-- kernel 1 1
.shared .align 16 .b32 s[16];
ld.param.u64 %rd2, [out];
cp.async.bulk.global.shared::cta.bulk_group [%rd2], [s], 20;
ret;
-- in
0
-- trap illegal 0
# no mbarrier there
-- kernel 1 1
.shared .align 16 .b32 s[16];
.shared .align 8 .b64 b;
ld.param.u64 %rd1, [in];
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1], 16, [b];
ret;
-- in
0 0 0 0
-- trap illegal 0
# beyond what was allocated
-- kernel 1 1
.shared .align 16 .b32 s[256];
.shared .align 8 .b64 b;
ld.param.u64 %rd1, [in];
mbarrier.init.shared.b64 [b], 1;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1], 1024, [b];
ret;
-- in
0 0 0 0
-- trap out_of_bounds 0
