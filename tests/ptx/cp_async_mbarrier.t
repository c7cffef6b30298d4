# copies that arrive at an mbarrier: counted besides the 32 arrivals, and (.noinc) as those
-- kernel 1 64
.shared .align 8 .b64 b[2];
.shared .align 4 .b32 s[64];
.reg .b64 %s0;
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
setp.ne.u32 %p, %r0, 0;
@%p bra ready;
mbarrier.init.shared.b64 [b], 64;
mbarrier.init.shared.b64 [b+8], 64;
ready:
bar.sync 0;
and.b32 %r1, %r0, 3;
mad.wide.u32 %rd3, %r1, 4, %rd1;
mov.u32 %r5, s;
mad.lo.u32 %r2, %r0, 4, %r5;
cp.async.ca.shared.global [%r2], [%rd3], 4;
cp.async.mbarrier.arrive.shared.b64 [b];
mbarrier.arrive.shared.b64 %s0, [b];
one:
mbarrier.try_wait.shared.b64 %p, [b], %s0;
@!%p bra one;
xor.b32 %r3, %r0, 33;
mad.lo.u32 %r3, %r3, 4, %r5;
ld.shared.u32 %r4, [%r3];
bar.sync 0;
cp.async.ca.shared.global [%r2], [%rd3+16], 4;
cp.async.mbarrier.arrive.noinc.shared.b64 [b+8];
two:
mbarrier.try_wait.parity.shared.b64 %p, [b+8], 0;
@!%p bra two;
ld.shared.u32 %r3, [%r3];
mad.lo.u32 %r4, %r3, 1000, %r4;
setp.ge.u32 %p, %r0, 4;
@%p ret;
mad.wide.u32 %rd2, %r0, 4, %rd2;
st.global.u32 [%rd2], %r4;
ret;
-- in
1 2 3 4 5 6 7 8
-- out
6002 5001 8004 7003
