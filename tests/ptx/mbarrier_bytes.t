# a phase ends when its arrivals and its bytes have come, in any order
-- kernel 1 1
.shared .align 8 .b64 b;
.reg .b64 %s<4>;
ld.param.u64 %rd2, [out];
mbarrier.init.shared.b64 [b], 1;
mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %s0, [b], 48;
mbarrier.test_wait.shared.b64 %p, [b], %s0;
selp.u32 %r1, 1, 0, %p;
mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [b], 16;
mbarrier.test_wait.shared.b64 %p, [b], %s0;
selp.u32 %r2, 1, 0, %p;
mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [b], 32;
mbarrier.test_wait.shared.b64 %p, [b], %s0;
selp.u32 %r3, 1, 0, %p;
# the bytes before they are expected
mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [b], 8;
mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 8;
mbarrier.arrive.shared.b64 %s1, [b];
mbarrier.test_wait.shared.b64 %p, [b], %s1;
selp.u32 %r4, 1, 0, %p;
st.global.v4.u32 [%rd2], {%r1, %r2, %r3, %r4};
ret;
-- in
0
-- out
0 0 1 1
