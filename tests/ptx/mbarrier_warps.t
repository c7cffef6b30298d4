# four warps meet twice at an mbarrier, on generic addresses; each reads what its neighbour wrote
-- kernel 1 128
.shared .align 8 .b64 b;
.shared .align 4 .b32 s[128];
.reg .b64 %s0;
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mov.u64 %rd3, b;
cvta.shared.u64 %rd3, %rd3;
setp.ne.u32 %p, %r0, 0;
@%p bra ready;
mbarrier.init.b64 [%rd3], 128;
ready:
bar.sync 0;
mov.u32 %r5, s;
mad.lo.u32 %r1, %r0, 4, %r5;
mul.lo.u32 %r6, %r0, 3;
st.shared.u32 [%r1], %r6;
mbarrier.arrive.b64 %s0, [%rd3];
wait:
mbarrier.try_wait.b64 %p, [%rd3], %s0;
@!%p bra wait;
add.u32 %r2, %r0, 32;
and.b32 %r2, %r2, 127;
mad.lo.u32 %r2, %r2, 4, %r5;
ld.shared.u32 %r3, [%r2];
mbarrier.arrive.b64 _, [%rd3];
again:
mbarrier.test_wait.parity.b64 %p, [%rd3], 1;
@!%p bra again;
st.shared.u32 [%r1], %r3;
bar.sync 0;
setp.lt.u32 %p, %r0, 4;
@!%p ret;
mul.lo.u32 %r4, %r0, 128;
add.u32 %r4, %r4, %r5;
ld.shared.u32 %r3, [%r4];
mad.wide.u32 %rd2, %r0, 4, %rd2;
st.global.u32 [%rd2], %r3;
ret;
-- in
0
-- out
96 192 288 0
