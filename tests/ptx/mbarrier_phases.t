# three arrivals of two lanes and one of 2, by state; what is pending at each; then a dropped one
-- kernel 1 1
.shared .align 8 .b64 b;
.reg .b64 %s<8>;
ld.param.u64 %rd2, [out];
mbarrier.init.shared::cta.b64 [b], 3;
mbarrier.arrive.shared.b64 %s0, [b];
mbarrier.pending_count.b64 %r1, %s0;
mbarrier.test_wait.shared.b64 %p, [b], %s0;
selp.u32 %r2, 1, 0, %p;
mbarrier.arrive.release.cta.shared::cta.b64 %s1, [b], 2;
mbarrier.pending_count.b64 %r3, %s1;
mbarrier.test_wait.acquire.cta.shared.b64 %p, [b], %s0;
selp.u32 %r4, 1, 0, %p;
st.global.v4.u32 [%rd2], {%r1, %r2, %r3, %r4};
# phase 1 now: one is dropped, so that phase 2 waits for two
mbarrier.test_wait.parity.shared.b64 %p, [b], 1;
selp.u32 %r1, 1, 0, %p;
mbarrier.arrive_drop.shared.b64 %s2, [b];
mbarrier.arrive.shared.b64 _, [b], 2;
mbarrier.test_wait.parity.shared.b64 %p, [b], 1;
selp.u32 %r2, 1, 0, %p;
mbarrier.arrive.noComplete.shared.b64 %s3, [b], 1;
mbarrier.pending_count.b64 %r3, %s3;
mbarrier.try_wait.parity.shared.b64 %p, [b], 0, 100;
selp.u32 %r4, 1, 0, %p;
st.global.v4.u32 [%rd2+16], {%r1, %r2, %r3, %r4};
ret;
-- in
0
-- out
3 0 2 1
0 1 2 0
