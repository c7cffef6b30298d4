# a mask of the lanes on each side
-- kernel 1 32
.shared .align 4 .u32 s[32];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mov.u32 %r1, s;
mad.lo.u32 %r1, %r0, 4, %r1;
setp.lt.u32 %p, %r0, 16;
@%p bra low;
st.shared.u32 [%r1], %r0;
bar.warp.sync 0xffff0000;
xor.b32 %r2, %r0, 31;
and.b32 %r2, %r2, 15;
add.u32 %r2, %r2, 16;
bra read;
low:
st.shared.u32 [%r1], %r0;
bar.warp.sync 0xffff;
xor.b32 %r2, %r0, 15;
read:
mov.u32 %r1, s;
mad.lo.u32 %r1, %r2, 4, %r1;
ld.shared.u32 %r3, [%r1];
mad.wide.u32 %rd2, %r0, 4, %rd2;
st.global.u32 [%rd2], %r3;
ret;
-- out
15 14 13 12 11 10 9 8  7 6 5 4 3 2 1 0
31 30 29 28 27 26 25 24  23 22 21 20 19 18 17 16
