-- body %d
st.global.u32 [%out], %a;
membar.gl;
membar.cta;
membar.sys;
ld.global.u32 %d, [%out];
-- cases
5 -> 5
-- body %d
membar.cta;
membar.gl;
membar.sys;
fence.acq_rel.gpu;
fence.sc.cta;
fence.sc.sys;
fence.acq_rel.cluster;
fence.proxy.alias;
nanosleep.u32 %a;
nanosleep.u32 100;
mov.u32 %d, %a;
-- cases
7 -> 7
# the memory model's loads and stores; accesses of a thread are in order
-- kernel 1 2
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd1, %r0, 8, %rd1;
mad.wide.u32 %rd2, %r0, 8, %rd2;
ld.volatile.global.u32 %r1, [%rd1];
st.volatile.global.u32 [%rd2], %r1;
ld.relaxed.gpu.global.u32 %r2, [%rd2];
st.release.sys.global.u32 [%rd2], %r2;
ld.acquire.cta.global.u32 %r3, [%rd2];
ld.global.relaxed.sys.u32 %r4, [%rd1+4];
add.u32 %r3, %r3, %r4;
st.relaxed.gpu.u32 [%rd2+4], %r3;
ld.weak.global.v2.u32 {%r5, %r6}, [%rd2];
st.weak.global.v2.u32 [%rd2], {%r6, %r5};
ret;
-- in
1 2 3 4
-- out
3 1 7 3
