# warp 1 writes, warp 0 reads; both meet at barrier 3 with a count, warp 2 takes no part
-- kernel 1 96
.shared .align 4 .u32 s[32];
ld.param.u64 %rd2, [out];
mov.u32 %r1, %tid.x;
mov.u32 %r2, s;
setp.ge.u32 %p, %r1, 64;
@%p bra done;
setp.lt.u32 %p, %r1, 32;
@%p bra reader;
mad.lo.u32 %r2, %r1, 4, %r2;
st.shared.u32 [%r2+-128], %r1;
bar.sync 3, 64;
bra done;
reader:
bar.sync 3, 64;
mad.lo.u32 %r2, %r1, 4, %r2;
ld.shared.u32 %r3, [%r2];
mad.wide.u32 %rd2, %r1, 4, %rd2;
st.global.u32 [%rd2], %r3;
done:
ret;
-- out
32 33 34 35
