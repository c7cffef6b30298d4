-- kernel 1 4
.shared .align 8 .b8 buf[64];
ld.param.u64 %rd2, [out];
cvta.to.global.u64 %rd2, %rd2;
mov.u32 %r1, %tid.x;
mad.wide.u32 %rd2, %r1, 4, %rd2;
mov.u64 %rd3, buf;
cvta.shared.u64 %rd4, %rd3;
mad.wide.u32 %rd4, %r1, 4, %rd4;
add.u32 %r2, %r1, 7;
st.u32 [%rd4], %r2;
cvta.to.shared.u64 %rd5, %rd4;
ld.shared.u32 %r3, [%rd5];
ld.u32 %r4, [%rd4];
add.u32 %r3, %r3, %r4;
st.u32 [%rd2], %r3;
ret;
-- out
14 16 18 20
